#include "okapi/eval/giraffe/move_features.h"

#include <algorithm>
#include <cstdlib>

namespace okapi {

namespace {

constexpr std::array<int, kKinds> kWorth = {100, 325, 325, 500, 975, 1500};  // Giraffe's own
constexpr int kNothing = 6;                                                  // among kinds

constexpr int worth(Kind kind) { return kWorth[std::size_t(kind)]; }

// How many values each category has, in order.
constexpr std::array<int, MoveQuestions::kQuestions> kSizes = {
    6 * 64,     // from
    6 * 64,     // to
    6 * 7,      // takes
    6 * 7 * 3,  // target
    6 * 7 * 2,  // origin
    7 * 4 * 3,  // exchange
    5,          // promotion
    6 * 2 * 2,  // check
    6 * 6,      // attacks
    6 * 6,      // threatens
    6 * 6,      // leaves
    6 * 8,      // mobility
    6 * 2 * 2,  // danger
    17,         // pawn
    6 * 8,      // king
};
constexpr auto kFirst = [] {
    std::array<std::uint32_t, kSizes.size() + 1> first{};
    for (std::size_t i = 0; i < kSizes.size(); ++i) first[i + 1] = first[i] + std::uint32_t(kSizes[i]);
    return first;
}();
static_assert(kFirst.back() == MoveQuestions::kColumns);

Bitboard attacked_from(Square square, Kind kind, Color color, Bitboard occupied) {
    return kind == Kind::Pawn ? pawn_attacks(square, color) : attacks_of(kind, square, occupied);
}

// The highest kind below the king among the pieces of a set, plus one; 0 where there is none.
int best_in(const Position& position, Bitboard set) {
    for (Kind kind : {Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn})
        if (set & position.pieces(kind)) return int(kind) + 1;
    return 0;
}

int king_steps(Square one, Square other) {
    return std::max(std::abs(int(one.file()) - int(other.file())), std::abs(int(one.rank()) - int(other.rank())));
}

}  // namespace

Square target_of(Move move) {
    if (!move.castles()) return move.to();
    return {move.to().index > move.from().index ? File::G : File::C, move.from().rank()};
}

MoveQuestions::Reach::Reach(const Position& position, Color color) {
    for (Square square : squares(position.pieces(color))) {
        const Kind kind = position.at(square).kind();
        const Bitboard attacked = attacked_from(square, kind, color, position.pieces());
        thrice |= twice & attacked;
        twice |= once & attacked;
        once |= attacked;
        by_kind[std::size_t(kind)] |= attacked;
    }
    least.fill(kNothing);
    for (std::size_t kind = kKinds; kind-- > 0;)
        for (Square square : squares(by_kind[kind])) least[square.index] = std::uint8_t(kind);
}

int MoveQuestions::Reach::count(Square square) const {
    return int(contains(once, square)) + int(contains(twice, square)) + int(contains(thrice, square));
}

Bitboard MoveQuestions::Reach::by_cheaper_than(Kind kind) const {
    Bitboard set = 0;
    for (std::size_t other = 0; other < kKinds; ++other)
        if (kWorth[other] < worth(kind)) set |= by_kind[other];
    return set;
}

MoveQuestions::MoveQuestions(const Position& position)
    : position_(position),
      us_(position.turn()),
      them_(~position.turn()),
      friends_(position, us_),
      enemies_(position, them_) {
    for (Kind kind : {Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen})
        in_danger_ |= position.pieces(us_, kind) & enemies_.once & (~friends_.once | enemies_.by_cheaper_than(kind));
    danger_ = best_in(position, in_danger_);
}

MoveQuestions::Answers MoveQuestions::answers(Move move) const {
    const Square from = move.from(), to = target_of(move);
    const Kind before = position_.at(from).kind();
    const int kind = int(before);
    const Piece captured = position_.captured_by(move);
    const int takes = captured.exists() ? int(captured.kind()) : kNothing;
    // A king that castles and a pawn that goes straight on do not look at the square they go to.
    const bool looks = !move.castles() && (before != Kind::Pawn || captured.exists());
    const int others = std::clamp(friends_.count(to) - int(looks), 0, 2);
    const View view = view_from(to, move.promotes() ? move.promotion() : before, from);
    Answers answers = {
        std::uint32_t(64 * kind + from.seen_by(us_).index),
        std::uint32_t(64 * kind + to.seen_by(us_).index),
        std::uint32_t(7 * kind + takes),
        std::uint32_t((7 * kind + enemies_.least[to.index]) * 3 + others),
        std::uint32_t((7 * kind + enemies_.least[from.index]) * 2 + int(contains(friends_.once, from))),
        std::uint32_t((4 * takes + enemies_.count(to)) * 3 + others),
        std::uint32_t(move.promotes() ? int(move.promotion()) : 0),
        std::uint32_t((2 * kind + int(position_.gives_check(move))) * 2 + int(position_.in_check())),
        std::uint32_t(6 * kind + view.attacked),
        std::uint32_t(6 * kind + view.threatened),
        std::uint32_t(6 * kind + left_alone(from, before)),
        std::uint32_t(8 * kind + std::min(view.squares, 14) / 2),
        std::uint32_t((2 * danger_ + int(contains(in_danger_, from))) * 2 + int(captured.exists())),
        std::uint32_t(before == Kind::Pawn ? pawn(to) : 16),
        std::uint32_t(8 * kind + king_steps(to, position_.king(them_))),
    };
    for (std::size_t i = 0; i < kQuestions; ++i) answers[i] += kFirst[i];
    return answers;
}

MoveQuestions::View MoveQuestions::view_from(Square square, Kind kind, Square left) const {
    const Bitboard attacked = attacked_from(square, kind, us_, position_.pieces() & ~bit(left));
    Bitboard loses = ~enemies_.once;
    for (std::size_t other = 0; other < kKinds; ++other)
        if (kWorth[other] > worth(kind)) loses |= position_.pieces(Kind(other));
    const Bitboard there = attacked & position_.pieces(them_);
    return {best_in(position_, there), best_in(position_, there & loses), count(attacked)};
}

// The best friend under attack that only this piece defended: a kind plus one, or 0.
int MoveQuestions::left_alone(Square from, Kind kind) const {
    const Bitboard defended = attacked_from(from, kind, us_, position_.pieces()) & position_.pieces(us_);
    return best_in(position_, defended & enemies_.once & ~friends_.twice);
}

// 8 if no enemy pawn can stop or take a pawn there, plus its rank.
int MoveQuestions::pawn(Square to) const {
    const Bitboard file = bits(to.file());
    const int rank = int(seen_by(to.rank(), us_));
    Bitboard ahead = 0;
    for (int r = rank + 1; r < 8; ++r) ahead |= bits(seen_by(Rank(r), us_));
    const bool passed = !((file | east(file) | west(file)) & ahead & position_.pieces(them_, Kind::Pawn));
    return 8 * int(passed) + rank;
}

}  // namespace okapi
