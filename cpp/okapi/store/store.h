// The game store: one file that only grows, read where it lies. docs/reference/store.md describes every byte of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/chess/game_record.h"
#include "okapi/samples/packed.h"
#include "okapi/store/block.h"
#include "okapi/store/store_map.h"
#include "okapi/utils/append_file.h"
#include "okapi/utils/mapped_file.h"

namespace okapi {

// Reads a store. From any number of threads at once.
class Store {
public:
    // Throws std::system_error where the file cannot be opened, InvalidStore where it is no store.
    // A tail that was not written to its end is left out.
    explicit Store(const std::string& path);
    // The same for a store that is in memory.
    explicit Store(Bytes bytes);

    std::size_t size() const { return std::size_t(map_.games); }
    const StoreMap& map() const { return map_; }
    // What the writer's user left with the last block; empty: nothing.
    std::string cursor() const;

    // --- One game. Throws std::out_of_range for a number that is none, InvalidStore where its block is damaged ------
    std::uint64_t hash(std::size_t game) const;
    std::size_t plies(std::size_t game) const;
    std::optional<Result> result(std::size_t game) const;
    std::optional<std::string> tag(std::size_t game, std::string_view name) const;
    GameRecord game(std::size_t game) const;
    // Its positions and moves, without the rest: the fast way through a game.
    GameWalk walk(std::size_t game) const;

    // --- Many -------------------------------------------------------------------------------------------------------
    // The position after plies[i] moves of games[i], in any order; the more at once, the faster. Throws
    // std::out_of_range for a ply that the game does not have.
    void positions(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies,
                   std::span<PackedPosition> out) const;
    // The same as samples: with value, best or else played move, and result.
    void samples(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies,
                 std::span<Sample> out) const;

    // --- All games
    // ----------------------------------------------------------------------------------------------------
    std::vector<std::uint64_t> hashes() const;
    std::vector<std::uint16_t> all_plies() const;
    std::vector<std::int8_t> results() const;  // as Result; -1 unknown
    std::vector<std::uint8_t> remarks() const;
    // A tag of each game as a number, or as year * 10000 + month * 100 + day; -1 where it is none.
    std::vector<std::int32_t> numbers(std::string_view name) const;
    std::vector<std::int32_t> dates(std::string_view name) const;
    // A tag of each game as an index of the different values; -1 where it is missing.
    struct Texts {
        std::vector<std::int32_t> index;
        std::vector<std::string> values;  // in the order of their first game
    };
    Texts texts(std::string_view name) const;

    // --- Health -----------------------------------------------------------------------------------------------------
    // Reads everything. What is wrong, a sentence for each damaged place; nothing where all is well.
    std::vector<std::string> verify() const;

private:
    struct Place {
        const Block& block;
        std::size_t game;  // within it
    };
    Place find(std::size_t game) const;
    const Block& block(std::size_t number) const;
    // Calls visit(block, game within it) for all games.
    template <class Visit> void for_each(Visit visit) const;

    MappedFile file_;
    StoreMap map_;
    std::unique_ptr<Lazy<Block>[]> blocks_;
};

struct StoreOptions {
    std::uint32_t games_in_block = 16384;
    bool sync = false;  // wait for the disk itself after each block: survives a power cut, too
};

// Appends to a store, or begins one. What was added since the last flush() is lost when the program dies; everything
// else is not. One writer at a time.
class StoreWriter {
public:
    // A tail that was not written to its end is dropped. Throws std::system_error where the file cannot be opened,
    // InvalidStore where it is no store or another program writes to it.
    explicit StoreWriter(const std::string& path, const StoreOptions& options = {});

    // Games in the file, and those that wait to be written.
    std::uint64_t size() const { return games_ + builder_.size(); }
    // Of the last block in the file; empty: none. Whoever writes leaves there how far it is, and goes on from there.
    const std::string& cursor() const { return cursor_; }
    std::uint64_t dropped() const { return dropped_; }  // bytes of the tail

    // Throws std::invalid_argument for a game that cannot be stored. Where the block is full() already, it is written
    // first, without a cursor.
    void add(const GameRecord& game);
    // Time to flush(): blocks that end here and nowhere else make the same file again after any interruption.
    bool full() const { return builder_.size() >= options_.games_in_block; }
    // Writes the games that wait as a block; a block without games where only the cursor is new. Throws
    // std::system_error where that fails: what the file had before is safe, the games that waited are not.
    void flush(std::string_view cursor = {});

private:
    const StoreOptions options_;
    AppendFile file_;
    std::uint64_t games_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t dropped_ = 0;
    std::string cursor_;
    BlockBuilder builder_;
};

}  // namespace okapi
