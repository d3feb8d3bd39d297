// Which games were there before.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "okapi/chess/game_record.h"
#include "okapi/samples/keys.h"
#include "okapi/store/block.h"

namespace okapi {

// Two games are the same where start, moves and the players' surnames are. Games without moves are the same only where
// all their tags are, too.
class Duplicates {
public:
    // Learns all games of a store, a block at a time: large stores need little memory. Throws as Store does.
    void learn(const std::string& store);
    // Is the game new? It is not, the next time.
    bool insert(const GameRecord& game);
    std::size_t bytes() const;

private:
    void learn(const Block& block);
    // Tables that grow one after the other need less memory than one that grows as a whole.
    KeySet& table(Key key) { return tables_[key >> 58]; }

    std::array<KeySet, 64> tables_;
};

}  // namespace okapi
