// Many positions into arrays, row by row, on as many threads as wanted.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "okapi/encode/board.h"
#include "okapi/utils/parallel.h"

namespace okapi::encode {

// One way to write a position as `size` numbers.
template <class T> struct Encoder {
    std::string_view name;
    std::size_t size;
    void (*write)(const Board& board, T* out);
};

// All whose numbers fit into T, which is uint8_t, int8_t or float.
template <class T> std::span<const Encoder<T>> encoders();

// Calls `write(board, n)` for every position. Throws InvalidPosition with the number of one that is none.
template <class Write> void for_each_board(const PackedRows& rows, int threads, Write write) {
    parallel_ranges(rows.count, threads, [&](std::size_t begin, std::size_t end) {
        std::size_t n = begin;
        try {
            for (; n < end; ++n) write(Board(rows[n]), n);
        } catch (const InvalidPosition& e) {
            throw InvalidPosition("number " + std::to_string(n) + ": " + e.what());
        }
    });
}

}  // namespace okapi::encode
