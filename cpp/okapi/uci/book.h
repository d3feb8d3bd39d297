// Opening books in Polyglot's format: entries of 16 bytes, sorted by Position::key(), big end first.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "okapi/chess/position.h"

namespace okapi {

// A file that is no book.
struct InvalidBook : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Book {
public:
    struct Entry {
        Move move;
        int weight = 0;
    };

    // A book without entries.
    Book() = default;
    // Throws InvalidBook. The file stays open and is searched in place, so large books cost nothing.
    static Book open(const std::string& path);

    bool empty() const { return size_ == 0; }
    // The book's moves in this position, heaviest first. Entries that are not legal moves here are left out.
    std::vector<Entry> entries(const Position& position) const;
    // A move drawn by weight; where all weights are zero, any of them. Nothing where the book knows nothing.
    std::optional<Move> draw(const Position& position, std::uint64_t seed) const;
    std::optional<Move> best(const Position& position) const;

private:
    struct Record {
        Key key = 0;
        std::uint16_t move = 0;
        std::uint16_t weight = 0;
    };
    // Throws InvalidBook if the file cannot be read there.
    Record at(std::uint64_t i) const;

    mutable std::ifstream file_;
    std::uint64_t size_ = 0;
};

}  // namespace okapi
