// Games go into a .binpack and come back the same; bytes that are no .binpack are refused and never crash.
#include <random>

#include "check.h"
#include "okapi/samples/binpack.h"

using namespace okapi;

namespace {

using Random = std::mt19937;

// Samples of a random game, as a generator of training data would write them.
void add_game(std::vector<Sample>& samples, Position position, Random& random, int plies, std::uint32_t game) {
    int result = int(random() % 3);
    Centipawns value = 20;
    for (int ply = 0; ply < plies; ++ply) {
        const MoveList moves = legal_moves(position);
        if (moves.empty() || position.halfmove_clock() > 99) break;
        Move move = moves[int(random() % unsigned(moves.size()))];
        for (Move other : moves)  // rare ones more often
            if (other.type() != MoveType::Normal && random() % 2) move = other;
        Sample sample;
        sample.position = pack(position);
        sample.move = move.bits;
        sample.value = value = Centipawns(-value + int(random() % 200) - 100);
        if (random() % 50 == 0) value = sample.value = random() % 2 ? 31990 : -31990;
        sample.result = std::int8_t(result);
        sample.ply = std::uint16_t(2 * (position.fullmove_number() - 1) + int(position.turn()));
        sample.game = game;
        samples.push_back(sample);
        position.play(move);
        result = 2 - result;
    }
}

std::vector<Sample> random_games(int games, unsigned seed) {
    Random random(seed);
    const std::vector<std::string_view> starts = {
        kStartFen,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 20",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    };
    std::vector<Sample> samples;
    for (int game = 0; game < games; ++game)
        add_game(samples, Position::from_fen(starts[unsigned(game) % starts.size()]), random, 120, unsigned(game));
    return samples;
}

struct Block {
    std::size_t start, size;
};

std::vector<Block> blocks_of(const std::string& bytes) {
    std::vector<Block> blocks;
    for (std::size_t at = 0; at < bytes.size(); at += 8 + blocks.back().size) {
        CHECK(bytes.compare(at, 4, "BINP") == 0);
        std::size_t size = 0;
        for (int i = 3; i >= 0; --i) size = size << 8 | std::uint8_t(bytes[at + 4 + std::size_t(i)]);
        blocks.push_back({at + 8, size});
        CHECK(at + 8 + size <= bytes.size());
    }
    return blocks;
}

BinpackRead read(const std::string& bytes, Block block, std::uint32_t first_game = 0) {
    return read_binpack({reinterpret_cast<const std::uint8_t*>(bytes.data()) + block.start, block.size}, first_game);
}

bool operator==(const Sample& a, const Sample& b) {
    return a.position == b.position && a.value == b.value && a.move == b.move && a.result == b.result && a.ply == b.ply;
}

TEST(games_come_back_as_they_went_in) {
    const std::vector<Sample> samples = random_games(300, 1);
    const BinpackWritten written = write_binpack(samples);
    CHECK(written.refused.empty());
    CHECK(written.bytes.size() < samples.size() * 4);
    std::vector<Sample> back;
    std::uint32_t games = 0;
    for (Block block : blocks_of(written.bytes)) {
        const BinpackRead got = read(written.bytes, block, games);
        CHECK_EQUAL("", got.trouble);
        CHECK_EQUAL(block.size, got.offset);
        games += got.chains;
        back.insert(back.end(), got.samples.begin(), got.samples.end());
    }
    CHECK_EQUAL(300u, games);
    CHECK_EQUAL(samples.size(), back.size());
    for (std::size_t n = 0; n < back.size(); ++n) {
        CHECK(samples[n] == back[n]);
        CHECK_EQUAL(samples[n].game, back[n].game);
    }
}

TEST(single_positions_are_chains_of_one) {
    std::vector<Sample> samples = random_games(3, 2);
    std::vector<Sample> some;
    for (std::size_t n = 0; n < samples.size(); n += 3) some.push_back(samples[n]);
    some[1].move = 0;
    const BinpackWritten written = write_binpack(some);
    const BinpackRead back = read(written.bytes, blocks_of(written.bytes).at(0));
    CHECK_EQUAL(some.size() * 34, blocks_of(written.bytes).at(0).size);
    CHECK_EQUAL(some.size(), back.samples.size());
    for (std::size_t n = 0; n < some.size(); ++n) CHECK(some[n] == back.samples[n]);
}

// White to move is winning, won in the end, and so on: by hand, byte by byte.
TEST(a_stem_is_what_the_format_says) {
    Sample sample;
    sample.position = pack(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 7 40"));
    sample.move = Move(Square(60), Square(52)).bits;  // e8e7
    sample.value = -150;
    sample.result = 0;
    const std::string bytes = write_binpack({&sample, 1}).bytes;
    const std::uint8_t expected[] = {
        'B',  'I',     'N', 'P', 34, 0, 0,    0,     // 34 bytes follow
        0x10, 0,       0,   0,   0,  0, 0x10, 0x10,  // e8, e2, e1
        0x0A, 0xF,     0,   0,   0,  0, 0,    0,     // white king and pawn; black king, to move
        0,    0,       0,   0,   0,  0, 0,    0,     //
        60,   52 << 2,                               // normal, e8, e7
        1,    0x2B,                                  // -150: 149 · 2 + 1
        0x40, 79,                                    // lost: 1 in the two high bits; ply 79
        0,    7,                                     // half-moves since the last capture or pawn move
        0,    0,                                     // nothing follows
    };
    CHECK(bytes == std::string(reinterpret_cast<const char*>(expected), sizeof(expected)));
}

TEST(what_the_format_cannot_say_is_refused) {
    std::vector<Sample> samples = random_games(1, 3);
    samples.resize(6);
    samples[1].result = -1;
    samples[3].move = Move(Square(0), Square(63)).bits;
    samples[4].position.occupied = 0;
    samples[5].position = pack(Position::from_fen("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"));
    const BinpackWritten written = write_binpack(samples);
    CHECK((written.refused == std::vector<std::size_t>{1, 3, 4, 5}));
    CHECK_EQUAL(std::size_t(2), read(written.bytes, blocks_of(written.bytes).at(0)).samples.size());
}

TEST(a_pawn_cannot_have_jumped_from_where_a_piece_stands) {
    Sample sample;
    sample.position = pack(Position::from_fen("4k3/8/8/8/2Pp4/8/2N5/4K3 b - - 0 1"));
    sample.result = 1;
    std::string bytes = write_binpack({&sample, 1}).bytes;
    bytes[17] = char((bytes[17] & 0xF0) | 12);  // the pawn on c4 is said to have jumped
    const BinpackRead got = read(bytes, blocks_of(bytes).at(0));
    CHECK_EQUAL("", got.trouble);
    CHECK(got.samples.at(0).position == sample.position);
    CHECK_EQUAL(unpack(got.samples.at(0).position).fen(), std::string("4k3/8/8/8/2Pp4/8/2N5/4K3 b - - 0 1"));
}

TEST(broken_bytes_are_refused_and_do_no_harm) {
    Random random(4);
    const std::string whole = write_binpack(random_games(12, 5)).bytes;
    const Block block = blocks_of(whole).at(0);
    int stopped = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = whole;
        for (unsigned n = 1 + random() % 8; n > 0; --n) bytes[8 + random() % block.size] ^= char(1 << random() % 8);
        const BinpackRead got = read(bytes, {block.start, random() % 4 ? block.size : random() % block.size});
        stopped += !got.trouble.empty();
        for (const Sample& sample : got.samples) {
            const Position position = unpack(sample.position);
            CHECK(sample.move == 0 || position.is_legal(Move(sample.move)));
        }
    }
    CHECK(stopped > 1000);
}

TEST(noise_is_refused) {
    Random random(6);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes(random() % 200, '\0');
        for (char& byte : bytes) byte = char(random() % 4 ? random() : 0);
        CHECK(bytes.empty() || !read(bytes, {0, bytes.size()}).trouble.empty());
    }
}

}  // namespace

int main() { return okapi::tests::run(); }
