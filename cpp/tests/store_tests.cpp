// The game store: everything comes back, whatever happens to the file is noticed, and nothing that stands in a file
// can do harm.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "check.h"
#include "made_games.h"
#include "okapi/store/store.h"
#include "okapi/utils/checksum.h"

using namespace okapi;
using namespace okapi::tests;

namespace {

// A file that is gone at the end of the test.
struct TemporaryFile {
    std::string path =
        (std::filesystem::temp_directory_path() / ("okapi-" + std::to_string(std::random_device()()) + ".okapi"))
            .string();
    ~TemporaryFile() { std::remove(path.c_str()); }

    Bytes bytes() const {
        std::ifstream in(path, std::ios::binary);
        return Bytes(std::istreambuf_iterator<char>(in), {});
    }
    void write(ByteSpan bytes) const {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    }
};

// Adds games from the cursor on, as an importer would.
void go_on(const std::string& path, const std::vector<GameRecord>& games, std::uint32_t games_in_block) {
    StoreWriter writer(path, {games_in_block});
    std::size_t next = writer.cursor().empty() ? 0 : std::stoul(writer.cursor());
    while (next < games.size()) {
        writer.add(games[next++]);
        if (writer.full()) writer.flush(std::to_string(next));
    }
    writer.flush(std::to_string(next));
}

Bytes stored(const std::vector<GameRecord>& games, std::uint32_t games_in_block = 16384) {
    const TemporaryFile file;
    go_on(file.path, games, games_in_block);
    return file.bytes();
}

std::size_t wrong_games(const Store& store, const std::vector<GameRecord>& games) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < store.size(); ++i) try {
            wrong += !same(store.game(i), games[i]);
        } catch (const InvalidStore&) {
        }
    return wrong;
}

}  // namespace

TEST(every_game_comes_back) {
    const std::vector<GameRecord> games = made_games(400);
    const Store store(stored(games, 64));
    CHECK_EQUAL(games.size(), store.size());
    CHECK_EQUAL(7u, store.map().blocks.size());
    CHECK_EQUAL("400", store.cursor());
    CHECK(store.verify().empty());
    for (std::size_t i = 0; i < games.size(); ++i) {
        CHECK(same(games[i], store.game(i)));
        CHECK_EQUAL(game_hash(games[i].start, games[i].moves), store.hash(i));
        CHECK_EQUAL(games[i].moves.size(), store.plies(i));
        for (const auto& [name, value] : games[i].tags)
            if (!name.starts_with("Odd")) CHECK_EQUAL(value, store.tag(i, name).value());
        CHECK(!store.tag(i, "Round"));
    }
}

TEST(positions_and_samples_are_those_of_the_game) {
    const std::vector<GameRecord> games = made_games(60);
    const Store store(stored(games, 16));
    std::vector<std::uint32_t> which;
    std::vector<std::uint16_t> plies;
    std::vector<PackedPosition> expected;
    for (std::uint32_t i = 0; i < games.size(); ++i) {
        Replay position(games[i].start);
        for (std::uint16_t ply = 0;; ++ply) {
            which.push_back(i);
            plies.push_back(ply);
            expected.push_back(pack(position));
            if (ply == games[i].moves.size()) break;
            position.play(games[i].moves[ply]);
        }
    }
    std::vector<std::size_t> order(which.size());
    std::iota(order.begin(), order.end(), 0);
    for (const bool shuffled : {false, true}) {
        if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(1));
        std::vector<std::uint32_t> g;
        std::vector<std::uint16_t> p;
        for (std::size_t i : order) g.push_back(which[i]), p.push_back(plies[i]);
        std::vector<PackedPosition> positions(order.size());
        std::vector<Sample> samples(order.size());
        store.positions(g, p, positions);
        store.samples(g, p, samples);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const GameRecord& game = games[g[i]];
            const Sample& sample = samples[i];
            CHECK(positions[i] == expected[order[i]]);
            CHECK(sample.position == expected[order[i]]);
            CHECK_EQUAL(game.values.empty() ? kNoValue : game.values[p[i]], sample.value);
            const Move best = game.best.empty() ? Move::none() : game.best[p[i]];
            const Move played = p[i] < game.moves.size() ? game.moves[p[i]] : Move::none();
            CHECK_EQUAL((best.exists() ? best : played).bits, sample.move);
            const int white = game.result ? int(*game.result) : -1;
            CHECK_EQUAL(white < 0 || sample.position.turn == 0 ? white : 2 - white, int(sample.result));
            CHECK_EQUAL(g[i], sample.game);
            CHECK_EQUAL(p[i], sample.ply);
        }
    }
    std::vector<PackedPosition> none(1);
    CHECK_THROWS(std::out_of_range, store.positions(std::vector{60u}, std::vector<std::uint16_t>{0}, none));
    CHECK_THROWS(std::out_of_range, store.positions(std::vector{0u}, std::vector<std::uint16_t>{9999}, none));
}

TEST(columns_say_what_the_games_say) {
    const std::vector<GameRecord> games = made_games(100);
    const Store store(stored(games, 32));
    const Store::Texts white = store.texts("White");
    const std::vector<std::int32_t> elo = store.numbers("WhiteElo"), unknown = store.numbers("BlackElo"),
                                    date = store.dates("Date");
    for (std::size_t i = 0; i < games.size(); ++i) {
        CHECK_EQUAL(-1, unknown[i]);
        if (games[i].tags.empty() || games[i].tags[0].first != "Event") {
            CHECK_EQUAL(-1, white.index[i]);
            CHECK_EQUAL(-1, elo[i]);
            continue;
        }
        CHECK_EQUAL(games[i].tags[2].second, white.values[std::size_t(white.index[i])]);
        CHECK_EQUAL(games[i].tags[4].second, std::to_string(elo[i]));
        CHECK_EQUAL(i % 3 ? 20240110 + int(i) % 20 : 20240000, date[i]);
    }
}

TEST(an_interruption_anywhere_leaves_no_trace) {
    const std::vector<GameRecord> games = made_games(20, 10);
    const Bytes whole = stored(games, 6);
    const StoreMap map(whole, "");
    CHECK_EQUAL(4u, map.blocks.size());
    const TemporaryFile file;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const ByteSpan torn = ByteSpan(whole).first(size);
        if (size >= kStoreHeaderBytes) {
            const Store store(Bytes(torn.begin(), torn.end()));
            std::size_t finished = 0;
            for (const BlockPlace& place : map.blocks) finished += place.end() <= size;
            CHECK_EQUAL(std::min<std::size_t>(6 * finished, 20), store.size());
            CHECK_EQUAL(0u, wrong_games(store, games));
        } else {
            CHECK_THROWS(InvalidStore, Store(Bytes(torn.begin(), torn.end())));
        }
        // All bytes of the last block, and some of the others.
        if (size % 61 == 0 || size > map.blocks.back().offset) {
            file.write(torn);
            go_on(file.path, games, 6);
            CHECK(file.bytes() == whole);
        }
    }
}

TEST(every_flipped_byte_is_noticed) {
    const std::vector<GameRecord> games = made_games(12, 10);
    const Bytes whole = stored(games, 4);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        Bytes flipped = whole;
        flipped[at] ^= std::uint8_t(1 << at % 8);
        try {
            const Store store(std::move(flipped));
            CHECK(!store.verify().empty());
            CHECK_EQUAL(0u, wrong_games(store, games));
            std::size_t readable = 0;
            for (std::size_t i = 0; i < store.size(); ++i) try {
                    store.game(i);
                    ++readable;
                } catch (const InvalidStore&) {
                }
            CHECK_EQUAL(8u, readable);  // those of the other blocks
        } catch (const InvalidStore&) {
            CHECK(at < kStoreHeaderBytes);
        }
    }
}

TEST(a_game_that_cannot_be_stored_hurts_nobody) {
    const TemporaryFile file;
    StoreWriter writer(file.path);
    const std::vector<GameRecord> games = made_games(3);
    for (const GameRecord& game : games) {
        GameRecord illegal = game;
        illegal.moves.assign(1, Move(Square(0), Square(63)));
        CHECK_THROWS(std::invalid_argument, writer.add(illegal));
        GameRecord incomplete = game;
        incomplete.clocks.assign(game.moves.size() + 1, 0);
        CHECK_THROWS(std::invalid_argument, writer.add(incomplete));
        GameRecord talkative = game;
        talkative.tags.assign(kMostTags + 1, {"Name", "Value"});
        CHECK_THROWS(std::invalid_argument, writer.add(talkative));
        writer.add(game);
    }
    writer.flush();
    const Store store(file.path);
    CHECK_EQUAL(3u, store.size());
    CHECK_EQUAL(0u, wrong_games(store, games));
    CHECK(store.verify().empty());
}

TEST(one_writer_at_a_time) {
    const TemporaryFile file;
    const StoreWriter writer(file.path);
    CHECK_THROWS(InvalidStore, StoreWriter(file.path));
}

TEST(what_is_no_store_stays_as_it_is) {
    const TemporaryFile file;
    const std::string text = "[Event \"A PGN file\"]\n\n1. e4 *\n";
    file.write(bytes_of(text));
    CHECK_THROWS(InvalidStore, StoreWriter(file.path));
    CHECK(std::ranges::equal(file.bytes(), bytes_of(text)));
}

TEST(the_checksum_is_xxh64) {
    CHECK_EQUAL(0xEF46DB3751D8E999ULL, checksum({}));
    CHECK_EQUAL(0x44BC2CF5AD770999ULL, checksum(bytes_of("abc")));
    CHECK_EQUAL(0xFBCEA83C8A378BF1ULL, checksum(bytes_of("Nobody inspects the spammish repetition")));
}

TEST(codes_are_never_too_long) {
    std::vector<std::uint32_t> counts = {1, 1};
    while (counts.size() < 40) counts.push_back(counts[counts.size() - 1] + counts[counts.size() - 2]);
    const std::vector<std::uint8_t> lengths = huffman::lengths(counts);
    CHECK_EQUAL(huffman::kLongest, int(*std::max_element(lengths.begin(), lengths.end())));
    const huffman::Encoder<40> encoder(lengths);
    const huffman::Decoder<40> decoder(lengths);
    BitWriter out;
    for (std::size_t symbol = 0; symbol < 40; ++symbol) encoder.write(out, symbol);
    const Bytes bytes = out.take();
    BitReader in(bytes);
    for (std::size_t symbol = 0; symbol < 40; ++symbol) CHECK_EQUAL(symbol, decoder.read(in));
}

int main() { return okapi::tests::run(); }
