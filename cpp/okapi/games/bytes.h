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

// As the file has it on machines of either order.
template <std::unsigned_integral Integer> constexpr Integer in_file_order(Integer value) {
    if constexpr (std::endian::native == std::endian::little) return value;
    Integer swapped = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
        swapped |= Integer(value >> (8 * i) & 0xFF) << (8 * (sizeof(Integer) - 1 - i));
    return swapped;
}

template <std::unsigned_integral Integer> Integer load(const std::uint8_t* from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return in_file_order(value);
}

template <std::unsigned_integral Integer> void append(Bytes& bytes, Integer value) {
    value = in_file_order(value);
    const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}

inline void append(Bytes& bytes, ByteSpan more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

// Seven bits a byte, the low ones first; the top bit says that more follow.
inline void append_varint(Bytes& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes.push_back(std::uint8_t(value | 0x80));
    bytes.push_back(std::uint8_t(value));
}

// Walks over bytes that may be hostile.
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
