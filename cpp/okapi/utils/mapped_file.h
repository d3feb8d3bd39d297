// A file's bytes, where the system keeps them.
#pragma once

#include <string>

#include "okapi/utils/bytes.h"

namespace okapi {

// Only to be read. Throws std::system_error where the file cannot be opened.
class MappedFile {
public:
    explicit MappedFile(const std::string& path);
    // As if they stood in a file.
    explicit MappedFile(Bytes bytes) : owned_(std::move(bytes)) { bytes_ = owned_; }
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    ByteSpan bytes() const { return bytes_; }

private:
    ByteSpan bytes_;
    Bytes owned_{};  // what is not mapped
};

}  // namespace okapi
