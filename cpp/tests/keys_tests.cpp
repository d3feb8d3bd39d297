// Keys of packed positions are those of positions; a set of them forgets nothing and invents nothing; traits are right.
#include <memory>
#include <random>
#include <set>

#include "check.h"
#include "okapi/chess/text.h"
#include "okapi/samples/keys.h"
#include "okapi/samples/traits.h"

using namespace okapi;

namespace {

// Calls each(position) along random games, of standard chess and Chess960.
template <class Each> void wander(int games, Each each) {
    std::mt19937 random(7);
    for (int game = 0; game < games; ++game) {
        Position position = game % 2 ? Position::from_fen("bqrnkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQRNKRNB w CFcf - 0 1")
                                     : Position::start();
        for (int ply = 0; ply < 120; ++ply) {
            each(position);
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            position.play(moves[int(random() % unsigned(moves.size()))]);
        }
    }
}

Move uci(const Position& position, std::string_view text) {
    for (Move move : legal_moves(position))
        if (to_uci(move) == text) return move;
    return Move::none();
}

Traits traits_of(std::string_view fen, std::string_view move = "") {
    const Position position = Position::from_fen(fen);
    return traits(pack(position), uci(position, move));
}

}  // namespace

TEST(a_packed_position_has_the_key_of_its_position) {
    wander(60, [](const Position& position) { CHECK_EQUAL(position.key(), key(pack(position))); });
}

TEST(successors_are_found_in_a_set) {
    std::vector<PackedPosition> rows;
    std::set<Key> some;
    wander(6, [&](const Position& position) {
        rows.push_back(pack(position));
        if (rows.size() % 3 == 0) some.insert(position.key());
    });
    KeySet set;
    for (Key key : some) set.insert(key);
    std::multiset<std::pair<std::uint64_t, Key>> slow;
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const Position position = unpack(rows[n]);
        for (Move move : legal_moves(position)) {
            Position after = position;
            after.play(move);
            if (some.contains(after.key())) slow.insert({n, after.key()});
        }
    }
    std::multiset<std::pair<std::uint64_t, Key>> fast;
    const auto* data = reinterpret_cast<const std::uint8_t*>(rows.data());
    for (auto [row, key] : successors_in({data, rows.size(), sizeof(PackedPosition)}, set)) fast.insert({row, key});
    CHECK(!slow.empty());
    CHECK(slow == fast);
}

TEST(any_bytes_have_a_key_and_traits) {
    std::mt19937_64 random(11);
    for (int n = 0; n < 20000; ++n) {
        PackedPosition packed = pack(Position::start());
        auto* bytes = reinterpret_cast<unsigned char*>(&packed);
        for (int flips = 0; flips < 1 + n % 20; ++flips) bytes[random() % sizeof packed] = (unsigned char)random();
        (void)key(packed);
        (void)traits(packed, Move(std::uint16_t(random())));
    }
    PackedPosition full;
    full.occupied = ~Bitboard(0);
    CHECK(has(traits(full, Move::none()), Trait::Broken));
    (void)key(full);
}

TEST(a_set_is_a_set) {
    std::mt19937_64 random(3);
    KeySet fast;
    std::set<Key> slow;
    for (int n = 0; n < 50000; ++n) {
        const Key key = n % 7 == 0 ? Key(n / 700) : random() >> (random() % 60);
        CHECK_EQUAL(slow.contains(key), fast.contains(key));
        CHECK_EQUAL(slow.insert(key).second, fast.insert(key));
    }
    CHECK_EQUAL(slow.size(), fast.size());
    CHECK(fast.contains(0));
}

TEST(many_at_once_are_as_one_by_one) {
    std::mt19937_64 random(5);
    std::vector<Key> keys(5000);
    for (Key& key : keys) key = random() % 3000;
    KeySet one_by_one, at_once;
    const auto answers = std::make_unique<bool[]>(keys.size());
    at_once.insert(keys, answers.get());
    for (std::size_t i = 0; i < keys.size(); ++i) CHECK_EQUAL(one_by_one.insert(keys[i]), answers[i]);
    for (Key& key : keys) key += 500;
    at_once.contains(keys, answers.get());
    for (std::size_t i = 0; i < keys.size(); ++i) CHECK_EQUAL(one_by_one.contains(keys[i]), answers[i]);
}

TEST(a_set_with_room_does_not_grow) {
    KeySet set(1000);
    const std::size_t bytes = set.bytes();
    for (Key key = 1; key <= 1000; ++key) set.insert(key * 0x2545F4914F6CDD1D);
    CHECK_EQUAL(bytes, set.bytes());
}

TEST(traits_say_what_is_so) {
    CHECK_EQUAL(Traits(0), traits_of(kStartFen, "e2e4"));
    CHECK_EQUAL(Traits(0) | Trait::InCheck | Trait::Capture, traits_of("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2"));
    CHECK_EQUAL(Traits(0) | Trait::InCheck | Trait::Checkmate, traits_of("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"));
    CHECK_EQUAL(Traits(0) | Trait::Stalemate, traits_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"));
    CHECK_EQUAL(Traits(0) | Trait::Insufficient, traits_of("7k/8/6K1/8/8/8/8/8 b - - 0 1"));
    CHECK_EQUAL(Traits(0) | Trait::Chess960, traits_of("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K1R1 w G - 0 1"));
    CHECK_EQUAL(Traits(0) | Trait::Promotion | Trait::Check, traits_of("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"));
    CHECK_EQUAL(Traits(0) | Trait::Capture, traits_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"));
    CHECK_EQUAL(Traits(0), traits_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
    CHECK_EQUAL(Traits(0) | Trait::Illegal,
                traits(pack(Position::start()), Move(Square(File::E, Rank::Two), Square(File::E, Rank::Five))));
}

int main() { return okapi::tests::run(); }
