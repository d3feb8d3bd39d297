// The transposition table: search results by key. Shared by all threads without locks: an entry is two words, and
// the first is only right together with the second, so a half-written entry is simply not found.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "okapi/chess/move.h"
#include "okapi/chess/types.h"
#include "okapi/search/budget.h"
#include "okapi/search/limits.h"

namespace okapi {

inline constexpr int kNoStatic = 32002;  // stands for an unknown static value

struct Entry {
    Move move;
    int value = 0;
    int static_value = kNoStatic;
    Budget budget = 0;  // rounded down to eighths of a ply
    Bound bound = Bound::None;
    bool on_pv = false;

    // Does this bound decide that the value is below alpha or above beta?
    bool decides(int alpha, int beta) const {
        return bound == Bound::Exact || (bound == Bound::Lower && value >= beta) ||
               (bound == Bound::Upper && value <= alpha);
    }
};

class Table {
public:
    explicit Table(std::size_t megabytes) { resize(megabytes); }

    void resize(std::size_t megabytes) { resize_for((megabytes << 20) / sizeof(Slot)); }
    // Room for so many entries. Throws std::bad_alloc and keeps the former size.
    void resize_for(std::size_t entries);
    void clear(int threads = 1);
    void next_search() { generation_ = (generation_ + 1) & 7; }

    std::optional<Entry> find(Key key, int ply) const;
    void store(Key key, int ply, const Entry& entry);
    void prefetch([[maybe_unused]] Key key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&cluster(key));
#endif
    }
    // Share of entries written in this search, in thousandths.
    int permille_used() const;

private:
    struct Slot {
        std::atomic<std::uint64_t> check;  // key ^ data
        std::atomic<std::uint64_t> data;
    };
    struct alignas(64) Cluster {
        Slot slots[4];
    };
    // The upper half of the key as a fraction of the size: any size will do, not only powers of two.
    Cluster& cluster(Key key) const { return clusters_[std::size_t((key >> 32) * size_ >> 32)]; }

    struct Release {
        void operator()(Cluster* clusters) const;
    };
    std::unique_ptr<Cluster[], Release> clusters_;
    std::size_t size_ = 0;
    unsigned generation_ = 0;
};

}  // namespace okapi
