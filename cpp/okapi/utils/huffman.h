// Canonical Huffman codes: a list of lengths says everything. A code with a single symbol takes no bits at all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "okapi/utils/bits.h"

namespace okapi::huffman {

inline constexpr int kLongest = 15;  // bits
inline constexpr std::uint8_t kNoSymbol = 255;

// The length of each symbol's code, given how often each is needed; 0: never. A symbol that is alone has length 1.
std::vector<std::uint8_t> lengths(std::span<const std::uint32_t> counts);

// The first code of each length. Codes of one length are given to symbols in their order.
struct Layout {
    std::array<std::uint16_t, kLongest + 1> count{};  // of symbols, by length; one that is alone has length 0
    std::array<std::uint16_t, kLongest + 1> code{};

    // Throws InvalidStore if the lengths are not exactly those of a code. No lengths at all are an empty code.
    explicit Layout(std::span<const std::uint8_t> lengths);
    bool lone() const { return count[0] == 1; }
};

// Writes symbols from 0 to Symbols - 1.
template <std::size_t Symbols> class Encoder {
public:
    Encoder() = default;
    explicit Encoder(std::span<const std::uint8_t> lengths) {
        Layout layout(lengths);
        if (layout.lone()) return;
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
            if (const std::uint8_t length = lengths[symbol]) words_[symbol] = {layout.code[length]++, length};
    }

    void write(BitWriter& out, std::size_t symbol) const { out.write(words_[symbol].bits, words_[symbol].length); }

private:
    struct Word {
        std::uint16_t bits = 0;
        std::uint8_t length = 0;
    };
    std::array<Word, Symbols> words_{};
};

// Reads them. Short codes, which are most of what is read, are looked up; long ones are compared with the ends of all
// lengths.
template <std::size_t Symbols> class Decoder {
public:
    Decoder() = default;
    explicit Decoder(std::span<const std::uint8_t> lengths) {
        const Layout layout(lengths);
        std::array<int, kLongest + 1> next{};  // index of the next symbol, by length
        int before = 0, end = 0;
        for (int length = 0; length <= kLongest; ++length) {
            const std::size_t l = std::size_t(length);
            next[l] = before;
            offset_[l] = std::int16_t(before - layout.code[l]);
            before += layout.count[l];
            end += layout.count[l] << (kLongest - length);
            ends_[l] = std::uint16_t(end);
        }
        exists_ = before > 0;
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
            if (lengths[symbol])
                symbols_[std::size_t(next[layout.lone() ? 0 : lengths[symbol]]++)] = std::uint8_t(symbol);
        for (std::size_t word = 0; word < short_.size(); ++word)
            short_[word] = compared(std::uint16_t(word << (kLongest - kShort)));
    }

    bool exists() const { return exists_; }
    // An empty code gives kNoSymbol.
    std::size_t read(BitReader& in) const {
        const std::uint16_t next = std::uint16_t(in.peek() >> (64 - kLongest));
        Found found = short_[next >> (kLongest - kShort)];
        if (found.length > kShort) [[unlikely]]
            found = compared(next);
        in.skip(found.length);
        return found.symbol;
    }

private:
    static constexpr int kShort = 6;
    struct Found {
        std::uint8_t symbol = 0, length = 0;
    };
    Found compared(std::uint16_t next) const {
        if (!exists_) return {kNoSymbol, 0};
        int length = 0;
        while (next >= ends_[std::size_t(length)]) ++length;
        const int index = (next >> (kLongest - length)) + offset_[std::size_t(length)];
        return {symbols_[std::size_t(index)], std::uint8_t(length)};
    }

    std::array<Found, 1 << kShort> short_{};  // by the next bits
    // By length: the end of its codes among all words of kLongest bits, and what makes a code an index of symbols_.
    std::array<std::uint16_t, kLongest + 1> ends_{};
    std::array<std::int16_t, kLongest + 1> offset_{};
    std::array<std::uint8_t, Symbols> symbols_{};  // by code
    bool exists_ = false;
};

}  // namespace okapi::huffman
