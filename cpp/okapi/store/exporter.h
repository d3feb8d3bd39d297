// A store as PGN, piece by piece.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "okapi/store/filter.h"
#include "okapi/store/store.h"

namespace okapi {

class Exporter {
public:
    // Of all games, or of these numbers, those that the filter admits. Throws as Store does.
    Exporter(const std::string& store, const GameFilter& filter,
             std::optional<std::vector<std::uint64_t>> numbers = {});

    std::uint64_t store_size() const { return store_.size(); }
    // How many may come, and how many of them were looked at.
    std::uint64_t size() const { return numbers_ ? numbers_->size() : store_.size(); }
    std::uint64_t done() const { return done_; }
    std::uint64_t written() const { return written_; }

    // About so many bytes of PGN, whole games; empty: that was all.
    const std::string& next(std::size_t bytes);

private:
    const Store store_;
    const GameFilter filter_;
    const std::optional<std::vector<std::uint64_t>> numbers_;
    std::uint64_t done_ = 0, written_ = 0;
    std::string text_;
};

}  // namespace okapi
