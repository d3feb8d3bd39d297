#include "okapi/store/store.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace okapi {

namespace {

std::string name_of(std::size_t number, const BlockPlace& place) {
    return "block " + std::to_string(number) + " (at byte " + std::to_string(place.offset) + ", " +
           std::to_string(place.games) + " games from number " + std::to_string(place.first) + " on)";
}

void check_end(const GameWalk& walk) {
    if (walk.reader().overran()) throw InvalidStore("a game is cut short");
}

// Positions of games, in any order, going on where the last one was as often as possible.
class Stepper {
public:
    explicit Stepper(const Store& store) : store_(store) {}

    const GameWalk& at(std::uint32_t game, std::uint16_t ply) {
        if (!walk_ || game != game_ || ply < walk_->ply()) {
            walk_.emplace(store_.walk(game));
            game_ = game;
        }
        if (ply > walk_->plies())
            throw std::out_of_range("game " + std::to_string(game) + " has no position after " + std::to_string(ply) +
                                    " moves: it has " + std::to_string(walk_->plies()));
        while (walk_->ply() < ply) walk_->next();
        check_end(*walk_);
        return *walk_;
    }

private:
    const Store& store_;
    std::optional<GameWalk> walk_;
    std::uint32_t game_ = 0;
};

// Requests by game and ply: a block's codes stay in the cache while its games are read, and a game is read only once.
std::vector<std::uint32_t> reading_order(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies) {
    std::vector<std::uint32_t> order(games.size());
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return games[a] != games[b] ? games[a] < games[b] : plies[a] < plies[b];
    };
    if (!std::is_sorted(order.begin(), order.end(), before)) std::sort(order.begin(), order.end(), before);
    return order;
}

Move played_next(GameWalk walk) { return walk.over() ? Move::none() : walk.next(); }

std::int8_t result_for(Color side, std::optional<Result> result) {
    return !result ? std::int8_t(-1) : std::int8_t(side == Color::White ? int(*result) : 2 - int(*result));
}

}  // namespace

Store::Store(const std::string& path)
    : file_(path), map_(file_.bytes(), path), blocks_(std::make_unique<Lazy<Block>[]>(map_.blocks.size())) {}

Store::Store(Bytes bytes)
    : file_(std::move(bytes)),
      map_(file_.bytes(), "what is in memory"),
      blocks_(std::make_unique<Lazy<Block>[]>(map_.blocks.size())) {}

std::string Store::cursor() const {
    return map_.blocks.empty() ? "" : std::string(cursor_of(map_.blocks.back().in(file_.bytes())));
}

const Block& Store::block(std::size_t number) const {
    return blocks_[number].get([&] {
        const BlockPlace& place = map_.blocks[number];
        if (!place.is_whole(file_.bytes())) throw InvalidStore(name_of(number, place) + " is damaged");
        try {
            return std::make_unique<const Block>(place.in(file_.bytes()), place.games);
        } catch (const InvalidStore& e) {
            throw InvalidStore(name_of(number, place) + ": " + e.what());
        }
    });
}

Store::Place Store::find(std::size_t game) const {
    if (game >= size())
        throw std::out_of_range("there is no game " + std::to_string(game) + ": the store has " +
                                std::to_string(size()));
    const auto behind = std::upper_bound(map_.blocks.begin(), map_.blocks.end(), game,
                                         [](std::size_t g, const BlockPlace& place) { return g < place.first; });
    const std::size_t number = std::size_t(behind - map_.blocks.begin()) - 1;
    if (behind == map_.blocks.begin() || game >= map_.blocks[number].first + map_.blocks[number].games)
        throw InvalidStore("the block of game " + std::to_string(game) + " is lost");
    return {block(number), game - std::size_t(map_.blocks[number].first)};
}

// --- One game -------------------------------------------------------------------------------------------------------

std::uint64_t Store::hash(std::size_t game) const {
    const Place place = find(game);
    return place.block.hash(place.game);
}

std::size_t Store::plies(std::size_t game) const {
    const Place place = find(game);
    return place.block.plies(place.game);
}

std::optional<Result> Store::result(std::size_t game) const {
    const Place place = find(game);
    return place.block.result(place.game);
}

std::optional<std::string> Store::tag(std::size_t game, std::string_view name) const {
    const Place place = find(game);
    const TagReader& tags = place.block.tags();
    const std::optional<Token> token = tags.find(place.game, name);
    return token ? std::optional(tags.value(*token)) : std::nullopt;
}

GameRecord Store::game(std::size_t game) const {
    const Place place = find(game);
    GameRecord record = place.block.played(place.game);
    record.tags = place.block.tags().tags(place.game);
    return record;
}

GameWalk Store::walk(std::size_t game) const {
    const Place place = find(game);
    return place.block.walk(place.game);
}

// --- Many -----------------------------------------------------------------------------------------------------------

void Store::positions(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies,
                      std::span<PackedPosition> out) const {
    Stepper stepper(*this);
    for (std::uint32_t i : reading_order(games, plies)) out[i] = pack(stepper.at(games[i], plies[i]).position());
}

void Store::samples(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies,
                    std::span<Sample> out) const {
    Stepper stepper(*this);
    std::optional<GameRecord> said;  // of the last game, where something was
    std::optional<std::uint32_t> last;
    for (std::uint32_t i : reading_order(games, plies)) {
        const GameWalk& walk = stepper.at(games[i], plies[i]);
        const Place place = find(games[i]);
        if (games[i] != std::exchange(last, games[i])) {
            said.reset();
            if (place.block.remarks(place.game) & (HasValues | HasBest))
                said = place.block.played(place.game, HasValues | HasBest);
        }
        Sample& sample = out[i] = Sample();
        sample.position = pack(walk.position());
        if (said && !said->values.empty()) sample.value = said->values[plies[i]];
        const Move best = said && !said->best.empty() ? said->best[plies[i]] : Move::none();
        sample.move = (best.exists() ? best : played_next(walk)).bits;
        sample.result = result_for(walk.position().turn(), place.block.result(place.game));
        sample.ply = plies[i];
        sample.game = games[i];
    }
}

// --- All games ------------------------------------------------------------------------------------------------------

template <class Visit> void Store::for_each(Visit visit) const {
    std::size_t next = 0;
    for (std::size_t number = 0; number < map_.blocks.size(); ++number) {
        if (map_.blocks[number].first != next) find(next);  // says that it is lost
        const Block& block = this->block(number);
        for (std::size_t game = 0; game < block.size(); ++game) visit(block, game);
        next += block.size();
    }
}

std::vector<std::uint64_t> Store::hashes() const {
    std::vector<std::uint64_t> column;
    column.reserve(size());
    for_each([&](const Block& block, std::size_t game) { column.push_back(block.hash(game)); });
    return column;
}

std::vector<std::uint16_t> Store::all_plies() const {
    std::vector<std::uint16_t> column;
    column.reserve(size());
    for_each([&](const Block& block, std::size_t game) { column.push_back(std::uint16_t(block.plies(game))); });
    return column;
}

std::vector<std::int8_t> Store::results() const {
    std::vector<std::int8_t> column;
    column.reserve(size());
    for_each(
        [&](const Block& block, std::size_t game) { column.push_back(result_for(Color::White, block.result(game))); });
    return column;
}

std::vector<std::uint8_t> Store::remarks() const {
    std::vector<std::uint8_t> column;
    column.reserve(size());
    for_each([&](const Block& block, std::size_t game) { column.push_back(std::uint8_t(block.remarks(game))); });
    return column;
}

std::vector<std::int32_t> Store::numbers(std::string_view name) const {
    std::vector<std::int32_t> column;
    column.reserve(size());
    for_each([&](const Block& block, std::size_t game) {
        const std::optional<Token> token = block.tags().find(game, name);
        column.push_back(token && token->kind() == Token::Kind::Number ? std::int32_t(token->what()) : -1);
    });
    return column;
}

std::vector<std::int32_t> Store::dates(std::string_view name) const {
    std::vector<std::int32_t> column;
    column.reserve(size());
    for_each([&](const Block& block, std::size_t game) {
        const std::optional<Token> token = block.tags().find(game, name);
        if (!token || token->kind() != Token::Kind::Date) {
            column.push_back(-1);
            return;
        }
        const Date date(*token);
        column.push_back(date.year * 10000 + date.month * 100 + date.day);
    });
    return column;
}

Store::Texts Store::texts(std::string_view name) const {
    Texts texts;
    texts.index.reserve(size());
    std::unordered_map<std::string, std::int32_t> known;
    std::unordered_map<std::uint32_t, std::int32_t> in_block;  // by token
    const Block* last = nullptr;
    for_each([&](const Block& block, std::size_t game) {
        if (&block != std::exchange(last, &block)) in_block.clear();
        const std::optional<Token> token = block.tags().find(game, name);
        if (!token) {
            texts.index.push_back(-1);
            return;
        }
        const auto [local, is_new] = in_block.try_emplace(token->bits);
        if (is_new) {
            const std::string value = block.tags().value(*token);
            const auto [global, is_first] = known.try_emplace(value, std::int32_t(texts.values.size()));
            if (is_first) texts.values.push_back(value);
            local->second = global->second;
        }
        texts.index.push_back(local->second);
    });
    return texts;
}

// --- Health ---------------------------------------------------------------------------------------------------------

std::vector<std::string> Store::verify() const {
    std::vector<std::string> wrong;
    for (const StoreMap::Gap& gap : map_.gaps)
        wrong.push_back("bytes " + std::to_string(gap.begin) + " to " + std::to_string(gap.end) + " are no blocks");
    for (std::size_t number = 0; number < map_.blocks.size(); ++number) {
        try {
            const Block& block = this->block(number);
            for (std::size_t game = 0; game < block.size(); ++game) {
                const GameRecord record = block.played(game);
                block.tags().tags(game);
                if (game_hash(record.start, record.moves) != block.hash(game))
                    throw InvalidStore(name_of(number, map_.blocks[number]) + ": game " + std::to_string(game) +
                                       " has moves that are not its own");
            }
        } catch (const InvalidStore& e) {
            wrong.emplace_back(e.what());
        }
    }
    if (map_.tail > 0)
        wrong.push_back("the last " + std::to_string(map_.tail) + " bytes were not written to the end of a block");
    return wrong;
}

// --- Writing ---------------------------------------------------------------------------------------------------------

StoreWriter::StoreWriter(const std::string& path, const StoreOptions& options) : options_(options), file_(path) {
    if (options.games_in_block < 1 || options.games_in_block > kMostGamesInBlock)
        throw std::invalid_argument("a block has 1 to " + std::to_string(kMostGamesInBlock) + " games");
    const MappedFile mapped(path);
    const ByteSpan bytes = mapped.bytes();
    const Bytes header = store_header();
    // A file that was never written to, or not even to the end of its header.
    if (bytes.size() < header.size() && std::equal(bytes.begin(), bytes.end(), header.begin())) {
        file_.truncate(0);
        file_.append(header);
        end_ = header.size();
        return;
    }
    const StoreMap map(bytes, path);
    games_ = map.games;
    end_ = map.end;
    dropped_ = map.tail;
    if (!map.blocks.empty()) cursor_ = cursor_of(map.blocks.back().in(bytes));
    if (dropped_ > 0) file_.truncate(end_);
}

void StoreWriter::add(const GameRecord& game) {
    if (full()) flush();
    builder_.add(game);
}

void StoreWriter::flush(std::string_view cursor) {
    const std::uint32_t games = std::uint32_t(builder_.size());
    if (games == 0 && (cursor.empty() || cursor == cursor_)) return;
    const Bytes block = builder_.take(cursor);
    Bytes bytes = block_head(games_, games, block);
    append(bytes, block);
    try {
        file_.append(bytes);
        if (options_.sync) file_.sync();
    } catch (...) {
        file_.truncate(end_);
        throw;
    }
    games_ += games;
    end_ += bytes.size();
    cursor_ = cursor;
}

}  // namespace okapi
