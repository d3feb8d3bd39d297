// Positions in 32 bytes: whatever is packed comes back, and no bytes can do harm.
#include <cstring>
#include <random>

#include "check.h"
#include "okapi/chess/random_games.h"
#include "okapi/samples/packed.h"

using namespace okapi;

namespace {

void check_there_and_back(const Position& position) {
    const PackedPosition packed = pack(position);
    for (const Position& back : {unpack(packed), unpack_unchecked(packed)}) {
        CHECK_EQUAL(position.fen(true), back.fen(true));
        CHECK_EQUAL(position.key(), back.key());
        CHECK_EQUAL(position.checkers(), back.checkers());
        CHECK_EQUAL(count_legal_moves(position), count_legal_moves(back));
    }
}

PackedPosition start() { return pack(Position::start()); }

// Refused, or a position that is what its bytes say.
bool is_refused(const PackedPosition& packed) {
    try {
        const Position position = unpack(packed);
        CHECK(pack(position) == packed);
        CHECK_EQUAL(position.fen(true), Position::from_fen(position.fen(true)).fen(true));
        return false;
    } catch (const InvalidPosition&) {
        return true;
    }
}

}  // namespace

TEST(packed_positions_come_back) {
    std::vector<Position> starts;
    for (const char* start : {
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
             "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
             "bqnb1rkr/pppppppp/5n2/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 2 9",
             "rkr1bbqn/pppppppp/3n4/8/8/3N4/PPPPPPPP/RKR1BBQN b CAca - 0 1",
         })
        starts.push_back(Position::from_fen(start));
    std::vector<const Position*> pointers;
    for (const Position& start : starts) pointers.push_back(&start);
    play_randomly(pointers, 15000, 1, check_there_and_back);
    // The inner of two rooks castles, a pawn is taken in passing, counters are as large as they get.
    check_there_and_back(Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1"));
    check_there_and_back(Position::from_fen("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 2"));
    check_there_and_back(Position::from_fen("8/8/8/8/8/5k2/8/4K2q w - - 9999 9999"));
}

TEST(bytes_that_are_no_position_are_refused) {
    const auto refused = [](auto change) {
        PackedPosition packed = start();
        change(packed);
        CHECK_THROWS(InvalidPosition, unpack(packed));
    };
    refused([](PackedPosition& p) { p.occupied = ~0ULL; });
    refused([](PackedPosition& p) { p.occupied = 0; });
    refused([](PackedPosition& p) { p.occupied ^= 1; });                       // a piece too many in the list
    refused([](PackedPosition& p) { p.pieces[0] = 0xFF; });                    // pieces that are none
    refused([](PackedPosition& p) { p.pieces[2] = 0x88; });                    // three queens, no king
    refused([](PackedPosition& p) { p.turn = 2; });                            // whose turn?
    refused([](PackedPosition& p) { p.en_passant = 65; });                     // no square
    refused([](PackedPosition& p) { p.en_passant = 44; });                     // no pawn to take
    refused([](PackedPosition& p) { p.halfmove_clock = 10000; });              // more than a FEN may say
    refused([](PackedPosition& p) { p.fullmove_number = 0; });                 // moves are counted from 1
    refused([](PackedPosition& p) { p.unused = 1; });                          // for later
    refused([](PackedPosition& p) { p.pieces[1] = 0x2C; });                    // a castling rook among the pieces
    refused([](PackedPosition& p) { std::swap(p.pieces[0], p.pieces[15]); });  // rooks to castle with on the wrong side
    CHECK(!is_refused(start()));
}

TEST(no_bytes_do_harm) {
    std::mt19937 random(2);
    int refused = 0, accepted = 0;
    // Mutations of real positions get further than noise does.
    const Position start = Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    play_randomly({&start}, 10000, 2, [&](const Position& position) {
        std::array<std::uint8_t, 32> bytes;
        PackedPosition packed = pack(position);
        std::memcpy(bytes.data(), &packed, 32);
        for (unsigned n = random() % 4; n < 4; ++n) bytes[random() % 32] ^= std::uint8_t(1U << random() % 8);
        std::memcpy(&packed, bytes.data(), 32);
        ++(is_refused(packed) ? refused : accepted);
    });
    for (int i = 0; i < 100000; ++i) {
        PackedPosition packed;
        std::array<std::uint32_t, 8> noise;
        for (std::uint32_t& word : noise) word = std::uint32_t(random());
        noise[0] &= std::uint32_t(random());  // few enough pieces
        noise[1] &= std::uint32_t(random());
        std::memcpy(&packed, noise.data(), 32);
        packed.turn &= 1;
        packed.en_passant &= 63;
        packed.halfmove_clock &= 127;
        packed.fullmove_number &= 127;
        ++(is_refused(packed) ? refused : accepted);
    }
    CHECK(refused > 100000);
    CHECK(accepted > 100);
}

int main() { return okapi::tests::run(); }
