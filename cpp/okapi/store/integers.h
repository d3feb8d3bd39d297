// Columns of integers: the number of an integer's bits in a Huffman code, and then, but for the top one, the bits.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "okapi/utils/huffman.h"

namespace okapi {

inline constexpr int kMostBits = 48;

constexpr std::uint64_t zigzag(std::int64_t value) { return std::uint64_t(value) << 1 ^ std::uint64_t(value >> 63); }
constexpr std::int64_t unzigzag(std::uint64_t value) { return std::int64_t(value >> 1) ^ -std::int64_t(value & 1); }

// How often integers of each length are needed.
class IntegerCounts {
public:
    void add(std::uint64_t value) { ++counts_[std::size_t(std::bit_width(value))]; }
    std::span<const std::uint32_t> counts() const { return counts_; }

private:
    std::array<std::uint32_t, kMostBits + 1> counts_{};
};

class IntegerEncoder {
public:
    // Writes the code itself, too: six bits for how many lengths follow, and four bits for each.
    IntegerEncoder(const IntegerCounts& counts, BitWriter& out);
    void write(BitWriter& out, std::uint64_t value) const {
        const int width = std::bit_width(value);
        code_.write(out, std::size_t(width));
        if (width > 1) out.write(value & ((std::uint64_t(1) << (width - 1)) - 1), width - 1);
    }

private:
    huffman::Encoder<kMostBits + 1> code_;
};

class IntegerDecoder {
public:
    IntegerDecoder() = default;
    explicit IntegerDecoder(BitReader& in);
    bool exists() const { return code_.exists(); }
    std::uint64_t read(BitReader& in) const {
        const int width = int(code_.read(in));
        return width < 2 ? std::uint64_t(width) : std::uint64_t(1) << (width - 1) | in.read(width - 1);
    }

private:
    huffman::Decoder<kMostBits + 1> code_;
};

void write_column(BitWriter& out, std::span<const std::uint64_t> values);
// Throws InvalidStore where one is larger than `most`, or the stream ends.
std::vector<std::uint64_t> read_column(BitReader& in, std::size_t count, std::uint64_t most);

}  // namespace okapi
