// A file that one program at a time appends to.
#pragma once

#include <cstdint>
#include <string>

#include "okapi/utils/bytes.h"

namespace okapi {

// All throw std::system_error where the system refuses.
class AppendFile {
public:
    // Makes the file where there is none. Throws InvalidStore where another program appends to it.
    explicit AppendFile(const std::string& path);
    ~AppendFile();
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;

    void truncate(std::uint64_t size);
    void append(ByteSpan bytes);
    // Waits until everything is on the disk itself.
    void sync();

private:
    [[noreturn]] void fail() const;

    std::string path_;
    int file_ = -1;
};

}  // namespace okapi
