// A block of a game store: some thousand games that are written at once and need no other block to be read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "okapi/chess/game_record.h"
#include "okapi/samples/packed.h"
#include "okapi/store/game_code.h"
#include "okapi/store/tags.h"
#include "okapi/utils/bytes.h"

namespace okapi {

inline constexpr std::size_t kMostGamesInBlock = 65536;

// The same for the same moves from the same start, whatever their annotations: splits and duplicates use it.
std::uint64_t game_hash(const Position& start, std::span<const Move> moves);

class BlockBuilder {
public:
    std::size_t size() const { return games_.size(); }
    // Throws std::invalid_argument for a game that cannot be stored; the others are not hurt.
    void add(const GameRecord& game);
    // The block's bytes. The builder is empty afterwards.
    Bytes take(std::string_view cursor);

private:
    Bytes columns(GameEncoder& encoder, BitWriter& games) const;

    std::vector<CodedGame> games_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint64_t> results_;                      // 0 none, else one more than the Result
    std::vector<std::uint64_t> starts_;                       // 0 the usual one, else one more than the index
    std::vector<PackedPosition> listed_;                      // the others, each once
    std::unordered_map<std::uint64_t, std::uint64_t> found_;  // by their checksum
    TagWriter tags_;
};

// A value that is made on first use, by the first thread.
template <class T> class Lazy {
public:
    template <class Make> const T& get(Make make) const {
        if (const T* ready = ready_.load(std::memory_order_acquire)) return *ready;
        const std::lock_guard lock(making_);
        if (!made_) made_ = make();
        ready_.store(made_.get(), std::memory_order_release);
        return *made_;
    }

private:
    mutable std::atomic<const T*> ready_{nullptr};
    mutable std::mutex making_;
    mutable std::unique_ptr<const T> made_;
};

// The cursor of a block, without reading the rest.
std::string_view cursor_of(ByteSpan block);

// Reads where the bytes lie; they must outlive it. Everything throws InvalidStore where the bytes make no sense.
class Block {
public:
    Block(ByteSpan bytes, std::size_t games);

    std::size_t size() const { return games_.size(); }
    std::uint64_t hash(std::size_t game) const { return load<std::uint64_t>(hashes_.data() + 8 * game); }
    std::size_t plies(std::size_t game) const { return games_[game].plies; }
    std::optional<Result> result(std::size_t game) const;
    int remarks(std::size_t game) const { return games_[game].remarks; }
    GameWalk walk(std::size_t game) const;
    // Start, moves and result and, if asked for, values and so on; no tags.
    GameRecord played(std::size_t game, int remarks = kAllRemarks) const;
    const TagReader& tags() const;

private:
    struct Entry {
        std::uint64_t begin;  // its first bit
        std::uint32_t start;
        std::uint16_t plies;
        std::uint8_t result;
        std::uint8_t remarks;
    };
    void read_columns(BitReader in, std::size_t games);
    Position start(std::size_t game) const;

    ByteSpan starts_, hashes_, tag_bytes_, bits_;
    std::vector<Entry> games_;
    std::optional<GameDecoder> decoder_;
    Lazy<TagReader> tags_;
};

}  // namespace okapi
