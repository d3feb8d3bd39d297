#include "okapi/utils/append_file.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

namespace okapi {

namespace {

constexpr std::size_t kMostAtOnce = 1 << 30;

#ifdef _WIN32

int open_file(const std::string& path) {
    int file = -1;
    const errno_t error =
        _sopen_s(&file, path.c_str(), _O_RDWR | _O_CREAT | _O_BINARY | _O_APPEND, _SH_DENYWR, _S_IREAD | _S_IWRITE);
    return error == 0 ? file : -1;
}
bool lock(int) { return true; }  // _SH_DENYWR did
bool truncate_file(int file, std::uint64_t size) { return _chsize_s(file, std::int64_t(size)) == 0; }
std::int64_t write_some(int file, ByteSpan bytes) { return _write(file, bytes.data(), unsigned(bytes.size())); }
bool sync_file(int file) { return _commit(file) == 0; }
void close_file(int file) { _close(file); }

#else

int open_file(const std::string& path) { return open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }
bool lock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }
bool truncate_file(int file, std::uint64_t size) { return ftruncate(file, off_t(size)) == 0; }
std::int64_t write_some(int file, ByteSpan bytes) { return write(file, bytes.data(), bytes.size()); }
bool sync_file(int file) { return fsync(file) == 0; }
void close_file(int file) { close(file); }

#endif

}  // namespace

AppendFile::AppendFile(const std::string& path) : path_(path), file_(open_file(path)) {
    if (file_ < 0) fail();
    if (!lock(file_)) {
        close_file(file_);
        throw InvalidStore(path + " is being written by another program");
    }
}

AppendFile::~AppendFile() { close_file(file_); }

void AppendFile::fail() const { throw std::system_error(errno, std::generic_category(), path_); }

void AppendFile::truncate(std::uint64_t size) {
    if (!truncate_file(file_, size)) fail();
}

void AppendFile::append(ByteSpan bytes) {
    while (!bytes.empty()) {
        const std::int64_t written = write_some(file_, bytes.first(std::min(bytes.size(), kMostAtOnce)));
        if (written < 0 && errno != EINTR) fail();
        if (written > 0) bytes = bytes.subspan(std::size_t(written));
    }
}

void AppendFile::sync() {
    if (!sync_file(file_)) fail();
}

}  // namespace okapi
