#include "okapi/search/table.h"

#include <algorithm>
#include <new>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace okapi {

namespace {

// bits 0-15 move, 16-31 value, 32-47 static value, 48-57 budget in eighths of a ply, 58-59 bound, 60 on_pv, 61-63
// generation
constexpr int kStep = kPly / 8;
constexpr int kMaxSteps = 1023;

std::uint64_t pack(const Entry& entry, int value, unsigned generation) {
    const int steps = std::clamp(entry.budget / kStep, 0, kMaxSteps);
    return std::uint64_t(entry.move.bits) | std::uint64_t(std::uint16_t(value)) << 16 |
           std::uint64_t(std::uint16_t(entry.static_value)) << 32 | std::uint64_t(steps) << 48 |
           std::uint64_t(entry.bound) << 58 | std::uint64_t(entry.on_pv) << 60 | std::uint64_t(generation) << 61;
}

int steps_of(std::uint64_t data) { return int(data >> 48 & kMaxSteps); }
unsigned generation_of(std::uint64_t data) { return unsigned(data >> 61); }

// Mates and tablebase wins are counted from the root in search, from the position itself in the table.
int to_table(int value, int ply) {
    return value >= kTablebaseWin - kMaxPly ? value + ply : value <= -kTablebaseWin + kMaxPly ? value - ply : value;
}
int from_table(int value, int ply) {
    return value >= kTablebaseWin - kMaxPly ? value - ply : value <= -kTablebaseWin + kMaxPly ? value + ply : value;
}

}  // namespace

// Large pages spare most of the address translations that random access costs.
constexpr std::align_val_t kLargePage{2 << 20};

void Table::Release::operator()(Cluster* clusters) const { ::operator delete[](clusters, kLargePage); }

void Table::resize_for(std::size_t entries) {
    constexpr std::size_t kMost = 0xFFFFFFFF;  // what cluster() can reach: 256 GiB
    const std::size_t size = std::clamp<std::size_t>(entries * sizeof(Slot) / sizeof(Cluster), 1, kMost);
    if (size == size_) return;
    void* memory = ::operator new[](size * sizeof(Cluster), kLargePage);
#if defined(__linux__)
    madvise(memory, size * sizeof(Cluster), MADV_HUGEPAGE);
#endif
    clusters_.reset(new (memory) Cluster[size]);
    size_ = size;
    clear();
}

void Table::clear(int threads) {
    generation_ = 0;
    const auto wipe = [this](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            for (Slot& slot : clusters_[i].slots) {
                slot.check.store(0, std::memory_order_relaxed);
                slot.data.store(0, std::memory_order_relaxed);
            }
    };
    std::vector<std::thread> helpers;
    const std::size_t parts = std::size_t(std::max(1, threads));
    for (std::size_t i = 1; i < parts; ++i) helpers.emplace_back(wipe, size_ * i / parts, size_ * (i + 1) / parts);
    wipe(0, size_ / parts);
    for (std::thread& helper : helpers) helper.join();
}

std::optional<Entry> Table::find(Key key, int ply) const {
    for (const Slot& slot : cluster(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) != key || data == 0) continue;
        Entry entry;
        entry.move = Move(std::uint16_t(data));
        entry.value = from_table(std::int16_t(data >> 16), ply);
        entry.static_value = std::int16_t(data >> 32);
        entry.budget = steps_of(data) * kStep;
        entry.bound = Bound(data >> 58 & 3);
        entry.on_pv = data >> 60 & 1;
        return entry;
    }
    return std::nullopt;
}

void Table::store(Key key, int ply, const Entry& entry) {
    Slot* best = nullptr;
    int least = 1 << 30;
    for (Slot& slot : cluster(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        const bool same = (slot.check.load(std::memory_order_relaxed) ^ data) == key;
        if (same) {
            // Keep a much deeper result of this search, unless the new one is exact.
            if (entry.bound != Bound::Exact && generation_of(data) == generation_ &&
                steps_of(data) > entry.budget / kStep + 4 * 8)
                return;
            best = &slot;
            break;
        }
        // Old and shallow entries go first.
        const int age = int((generation_ - generation_of(data)) & 7);
        const int worth = steps_of(data) - 32 * age;
        if (worth < least) {
            least = worth;
            best = &slot;
        }
    }
    Entry kept = entry;
    if (!kept.move.exists()) {
        const std::uint64_t data = best->data.load(std::memory_order_relaxed);
        if ((best->check.load(std::memory_order_relaxed) ^ data) == key) kept.move = Move(std::uint16_t(data));
    }
    const std::uint64_t data = pack(kept, to_table(entry.value, ply), generation_);
    best->data.store(data, std::memory_order_relaxed);
    best->check.store(key ^ data, std::memory_order_relaxed);
}

int Table::permille_used() const {
    const std::size_t sample = std::min<std::size_t>(size_, 250);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        for (const Slot& slot : clusters_[i].slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            used += data != 0 && generation_of(data) == generation_;
        }
    return int(used * 1000 / (sample * 4));
}

}  // namespace okapi
