#include "okapi/games/duplicates.h"

#include <vector>

#include "okapi/games/block.h"
#include "okapi/games/filter.h"
#include "okapi/games/names.h"

namespace okapi {

namespace {

// FNV-1a, and a good stir at the end.
std::uint64_t hash_text(std::string_view text, std::uint64_t hash = 0xCBF29CE484222325) {
    for (char c : text) hash = (hash ^ std::uint8_t(c)) * 0x100000001B3;
    return hash;
}

std::uint64_t stirred(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
    return x ^ (x >> 32);
}

std::uint64_t hash_surname(std::string_view name) { return hash_text(surname(name)); }

std::uint64_t hash_tags(const GameRecord& game) {
    std::uint64_t hash = hash_text(game.result ? name(*game.result) : "*");
    for (const auto& [name, value] : game.tags) hash = hash_text(value, hash_text(name, hash));
    return hash;
}

Key combined(std::uint64_t game, std::uint64_t white, std::uint64_t black) {
    return stirred(game ^ stirred(white + 1) ^ stirred(black + 2));
}

// The surname's hash for each of the values.
std::vector<std::uint64_t> surnames(const std::vector<std::string>& values) {
    std::vector<std::uint64_t> hashes;
    for (const std::string& value : values) hashes.push_back(hash_surname(value));
    return hashes;
}

}  // namespace

void Duplicates::learn(const Store& store) {
    const std::vector<std::uint64_t> games = store.hashes();
    const std::vector<std::uint16_t> plies = store.all_plies();
    const Store::Texts whites = store.texts("White"), blacks = store.texts("Black");
    const std::vector<std::uint64_t> white = surnames(whites.values), black = surnames(blacks.values);
    const auto at = [](const std::vector<std::uint64_t>& hashes, std::int32_t i) {
        return i < 0 ? hash_surname("") : hashes[std::size_t(i)];
    };
    for (std::size_t i = 0; i < games.size(); ++i) {
        const std::uint64_t game = plies[i] ? games[i] : games[i] ^ hash_tags(store.game(i));
        const Key key = combined(game, at(white, whites.index[i]), at(black, blacks.index[i]));
        table(key).insert(key);
    }
}

bool Duplicates::insert(const GameRecord& game) {
    std::uint64_t hash = game_hash(game.start, game.moves);
    if (game.moves.empty()) hash ^= hash_tags(game);
    const auto name = [&game](std::string_view side) { return hash_surname(find_tag(game, side).value_or("")); };
    const Key key = combined(hash, name("White"), name("Black"));
    return table(key).insert(key);
}

std::size_t Duplicates::bytes() const {
    std::size_t bytes = 0;
    for (const KeySet& table : tables_) bytes += table.bytes();
    return bytes;
}

}  // namespace okapi
