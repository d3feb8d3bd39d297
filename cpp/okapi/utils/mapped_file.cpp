#include "okapi/utils/mapped_file.h"

#include <cerrno>
#include <system_error>

#ifdef _WIN32
#include <fstream>
#include <iterator>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace okapi {

namespace {

[[noreturn]] void fail(const std::string& path) { throw std::system_error(errno, std::generic_category(), path); }

}  // namespace

#ifdef _WIN32

MappedFile::MappedFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(path);
    owned_.assign(std::istreambuf_iterator<char>(in), {});
    bytes_ = owned_;
}

MappedFile::~MappedFile() = default;

#else

MappedFile::MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path);
    struct stat status{};
    void* at = nullptr;
    const bool known = fstat(file, &status) == 0;
    if (known && status.st_size > 0) at = mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_SHARED, file, 0);
    const int error = errno;
    close(file);
    errno = error;
    if (!known || at == MAP_FAILED) fail(path);
    bytes_ = {static_cast<const std::uint8_t*>(at), std::size_t(status.st_size)};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty() && owned_.empty()) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

#endif

}  // namespace okapi
