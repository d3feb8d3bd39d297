// Keys of packed positions, and a set that holds them by the million.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "okapi/chess/types.h"
#include "okapi/samples/packed.h"

namespace okapi {

// The Polyglot key: the same as Position::key() of the unpacked position. Positions that differ in their counters
// alone have the same key. Any bytes have a key; those of no position have a meaningless one.
Key key(const PackedPosition& packed);

// A set of 64-bit keys in one array: open addressing, 12 to 24 bytes a key, 8 of them its own.
class KeySet {
public:
    // Room for so many keys without growing.
    explicit KeySet(std::size_t expected = 0);

    std::size_t size() const { return size_ + has_zero_; }
    std::size_t bytes() const { return slots_.size() * sizeof(Key); }

    // Is it new?
    bool insert(Key key);
    bool contains(Key key) const;

    // The same for many at once, which hides the wait for memory: answers[i] belongs to keys[i].
    void insert(std::span<const Key> keys, bool* are_new);
    void contains(std::span<const Key> keys, bool* are_in) const;

private:
    std::size_t home(Key key) const { return std::size_t((key * 0x9E3779B97F4A7C15) >> shift_); }
    // Where the key is, or the empty slot where it belongs.
    std::size_t find(Key key) const;
    void resize(std::size_t slots);
    template <class Each> void ahead_of_time(std::span<const Key> keys, Each each) const;

    std::vector<Key> slots_;  // 0: empty
    int shift_ = 0;           // 64 less the binary logarithm of slots_.size()
    std::size_t size_ = 0;    // without the key 0
    bool has_zero_ = false;
};

// A position that one legal move leads to.
struct Successor {
    std::uint64_t row;  // the number of the position before
    Key key;            // of the position after
};

// Of all positions that one legal move leads to, from each row, those in a set. Throws InvalidPosition.
std::vector<Successor> successors_in(const PackedRows& rows, const KeySet& set);

}  // namespace okapi
