#include "okapi/store/duplicates.h"

#include <optional>
#include <unordered_map>
#include <vector>

#include "okapi/store/filter.h"
#include "okapi/store/names.h"
#include "okapi/store/store_map.h"
#include "okapi/utils/mapped_file.h"

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

std::uint64_t hash_tags(const std::vector<GameRecord::Tag>& tags, std::optional<Result> result) {
    std::uint64_t hash = hash_text(result ? name(*result) : "*");
    for (const auto& [name, value] : tags) hash = hash_text(value, hash_text(name, hash));
    return hash;
}

Key combined(std::uint64_t game, std::uint64_t white, std::uint64_t black) {
    return stirred(game ^ stirred(white + 1) ^ stirred(black + 2));
}

}  // namespace

void Duplicates::learn(const std::string& store) {
    const std::vector<BlockPlace> places = StoreMap(MappedFile(store).bytes(), store).blocks;
    for (const BlockPlace& place : places) {
        const MappedFile file(store);  // mapped anew each time, so that what was read does not stay in memory
        if (!place.is_whole(file.bytes()))
            throw InvalidStore(store + ": the block at byte " + std::to_string(place.offset) + " is damaged");
        learn(Block(place.in(file.bytes()), place.games));
    }
}

void Duplicates::learn(const Block& block) {
    const TagReader& tags = block.tags();
    std::unordered_map<std::uint32_t, std::uint64_t> surnames;  // by token
    const auto surname_of = [&](std::size_t game, std::string_view side) {
        const std::optional<Token> token = tags.find(game, side);
        if (!token) return hash_surname("");
        const auto [found, is_new] = surnames.try_emplace(token->bits);
        if (is_new) found->second = hash_surname(tags.value(*token));
        return found->second;
    };
    for (std::size_t game = 0; game < block.size(); ++game) {
        std::uint64_t hash = block.hash(game);
        if (block.plies(game) == 0) hash ^= hash_tags(tags.tags(game), block.result(game));
        const Key key = combined(hash, surname_of(game, "White"), surname_of(game, "Black"));
        table(key).insert(key);
    }
}

bool Duplicates::insert(const GameRecord& game) {
    std::uint64_t hash = game_hash(game.start, game.moves);
    if (game.moves.empty()) hash ^= hash_tags(game.tags, game.result);
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
