// The features of moves for a move network: fifteen categories with a few values each, and a column for every value.
// okapi.models.move_features explains the categories.
#pragma once

#include <array>
#include <cstdint>

#include "okapi/chess/position.h"

namespace okapi {

class MoveQuestions {
public:
    static constexpr std::size_t kQuestions = 15;
    static constexpr std::size_t kColumns = 1378;
    using Answers = std::array<std::uint32_t, kQuestions>;

    // What does not depend on the move. The position must stay as it is meanwhile.
    explicit MoveQuestions(const Position& position);

    // The columns of a legal move, one for each question.
    Answers answers(Move move) const;

private:
    // What one side attacks: with which kinds, and with how many pieces.
    struct Reach {
        Reach(const Position& position, Color color);

        int count(Square square) const;  // 3 for more, too
        Bitboard by_cheaper_than(Kind kind) const;

        std::array<Bitboard, kKinds> by_kind{};
        Bitboard once = 0, twice = 0, thrice = 0;
        std::array<std::uint8_t, 64> least;  // the kind of the least valuable attacker; 6: none
    };

    // What the piece attacks from its new square: the best enemy, the best that is dearer or alone, how many squares.
    struct View {
        int attacked, threatened, squares;
    };
    View view_from(Square square, Kind kind, Square left) const;
    int left_alone(Square from, Kind kind) const;
    int pawn(Square to) const;

    const Position& position_;
    Color us_, them_;
    Reach friends_, enemies_;
    Bitboard in_danger_ = 0;
    int danger_ = 0;  // the best piece in danger, a kind plus one; 0: none
};

// Where the piece of a move goes; of castling, where the king does.
Square target_of(Move move);

}  // namespace okapi
