// Bytes in and out: little-endian integers, and integers of a length of their own.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace okapi {

// A file that is no store, or a part of one that is damaged.
struct InvalidStore : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

inline ByteSpan bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

constexpr std::uint64_t reversed(std::uint64_t word) {
#if defined(__GNUC__)
    return __builtin_bswap64(word);
#else
    return _byteswap_uint64(word);
#endif
}

// Files are little-endian, and so are all machines that okapi runs on so far.
static_assert(std::endian::native == std::endian::little, "integers are written as they lie in memory");

template <std::unsigned_integral Integer> Integer load(const std::uint8_t* from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <std::unsigned_integral Integer> void append(Bytes& bytes, Integer value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

inline void append(Bytes& bytes, ByteSpan more) {
    bytes.resize(bytes.size() + more.size());
    if (!more.empty()) std::memcpy(bytes.data() + bytes.size() - more.size(), more.data(), more.size());
}

// Seven bits a byte, the low ones first; the top bit says that more follow.
inline void append_varint(Bytes& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes.push_back(std::uint8_t(value | 0x80));
    bytes.push_back(std::uint8_t(value));
}

// Reads untrusted bytes.
class ByteReader {
public:
    explicit ByteReader(ByteSpan bytes) : left_(bytes) {}

    std::size_t left() const { return left_.size(); }
    ByteSpan take(std::uint64_t count) {
        if (count > left_.size()) throw InvalidStore("a part is longer than the block");
        const ByteSpan taken = left_.first(std::size_t(count));
        left_ = left_.subspan(std::size_t(count));
        return taken;
    }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const std::uint8_t byte = take(1)[0];
            value |= std::uint64_t(byte & 0x7F) << shift;
            if (byte < 0x80) return value;
        }
        throw InvalidStore("a number is too long");
    }

private:
    ByteSpan left_;
};

}  // namespace okapi
