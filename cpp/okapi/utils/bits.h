// Streams of bits: the first bit is the top bit of the first byte.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "okapi/utils/bytes.h"

namespace okapi {

class BitWriter {
public:
    // The low `count` bits of `value`; the others are zero.
    void write(std::uint64_t value, int count) {
        if (count > 32) {
            write(value >> 32, count - 32);
            value &= 0xFFFFFFFF;
            count = 32;
        }
        waiting_ = waiting_ << count | value;
        waiting_bits_ += count;
        if (waiting_bits_ >= 32) {
            waiting_bits_ -= 32;
            append(bytes_, std::uint32_t(reversed(waiting_ >> waiting_bits_ << 32)));
        }
    }
    std::uint64_t size() const { return bytes_.size() * 8 + std::uint64_t(waiting_bits_); }
    // Everything, filled up with zero bits. The writer is empty afterwards.
    Bytes take() {
        for (; waiting_bits_ > 0; waiting_bits_ -= 8)
            bytes_.push_back(
                std::uint8_t(waiting_bits_ >= 8 ? waiting_ >> (waiting_bits_ - 8) : waiting_ << (8 - waiting_bits_)));
        waiting_bits_ = 0;
        return std::exchange(bytes_, {});
    }

private:
    Bytes bytes_;
    std::uint64_t waiting_ = 0;
    int waiting_bits_ = 0;  // fewer than 32
};

// Beyond the end, all bits are zero, so that corrupt streams are safe; overran() tells.
class BitReader {
public:
    explicit BitReader(ByteSpan bytes, std::uint64_t position = 0) : bytes_(bytes), position_(position) {}

    std::uint64_t position() const { return position_; }
    bool overran() const { return position_ > std::uint64_t(bytes_.size()) * 8; }

    // The next bits, from the top of the word on; at least 57 of them are right.
    std::uint64_t peek() const {
        const std::uint64_t byte = position_ / 8;
        if (byte + 8 <= bytes_.size()) [[likely]]
            return word(bytes_.data() + byte) << position_ % 8;
        return peek_at_end(byte);
    }
    void skip(int count) { position_ += std::uint64_t(count); }
    // At most 57 bits.
    std::uint64_t read(int count) {
        if (count == 0) return 0;
        const std::uint64_t value = peek() >> (64 - count);
        skip(count);
        return value;
    }

private:
    static std::uint64_t word(const std::uint8_t* from) { return reversed(load<std::uint64_t>(from)); }
    std::uint64_t peek_at_end(std::uint64_t byte) const {
        std::array<std::uint8_t, 8> padded{};
        if (byte < bytes_.size()) std::copy(bytes_.begin() + std::ptrdiff_t(byte), bytes_.end(), padded.begin());
        return word(padded.data()) << position_ % 8;
    }

    ByteSpan bytes_;
    std::uint64_t position_;
};

}  // namespace okapi
