// What search learned about moves while searching: which refuted, which never did, and how far the evaluator is off.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "okapi/chess/position.h"
#include "okapi/search/limits.h"

namespace okapi {

// Moves towards ± kLimit, the slower the nearer it is.
template <int kLimit> struct Score {
    std::int16_t value = 0;

    void add(int bonus) {
        bonus = std::clamp(bonus, -kLimit, kLimit);
        value = std::int16_t(value + bonus - value * std::abs(bonus) / kLimit);
    }
    operator int() const { return value; }
};

using MoveScore = Score<16384>;
using ByPieceTo = std::array<std::array<MoveScore, 64>, 12>;  // of a reply: its piece and target

struct Histories {
    // Colour; is the piece attacked where it stands, and where it goes; from, to.
    std::array<std::array<std::array<std::array<MoveScore, 64>, 64>, 4>, 2> quiet{};
    std::array<std::array<std::array<MoveScore, 6>, 64>, 12> capture{};  // piece, to, captured kind
    std::array<ByPieceTo, 12 * 64> continuation{};                       // earlier piece and target, then ours
    std::bitset<12 * 64> rewarded;                                       // those of them that are not all zeros
    static constexpr std::size_t kPawnStructures = 512;
    std::array<ByPieceTo, kPawnStructures> among_pawns{};  // as the pawns stand, then piece and target
    std::bitset<kPawnStructures> rewarded_among;
    std::array<std::array<Move, 2>, kMaxPly + 4> killers{};

    // Differences between search values and static values: by the pawns, by each side's pieces and by the
    // last two moves.
    static constexpr std::size_t kCorrections = 16384;
    using Corrections = std::array<std::array<Score<1024>, kCorrections>, 2>;
    Corrections pawn_correction{};
    std::array<Corrections, 2> piece_correction{};
    Corrections reply_correction{};

    MoveScore& quiet_score(Color side, Bitboard attacked, Move move) {
        const std::size_t danger = 2 * bool(attacked & bit(move.from())) + bool(attacked & bit(move.to()));
        return quiet[std::size_t(side)][danger][move.from().index][move.to().index];
    }
    MoveScore& score_among_pawns(const Position& position, Move move) {
        return among_pawns[position.pawn_key() % kPawnStructures][position.at(move.from()).code][move.to().index];
    }
    void reward_among_pawns(const Position& position, Move move, int bonus) {
        rewarded_among.set(position.pawn_key() % kPawnStructures);
        score_among_pawns(position, move).add(bonus);
    }
    ByPieceTo& replies_to(Piece piece, Square to) { return continuation[64 * piece.code + to.index]; }
    void reward_reply(ByPieceTo& replies, Piece piece, Square to, int bonus) {
        rewarded.set(std::size_t(&replies - continuation.data()));
        replies[piece.code][to.index].add(bonus);
    }

    // Part by part and in place: as a temporary, this is more than some stacks hold. A search of a few hundred nodes
    // writes to little of what is largest, and only that is cleared of it.
    void clear() {
        const auto renew = [](auto& part) { std::construct_at(&part); };
        for (std::size_t i = 0; i < continuation.size(); ++i)
            if (rewarded[i]) renew(continuation[i]);
        renew(rewarded);
        for (std::size_t i = 0; i < among_pawns.size(); ++i)
            if (rewarded_among[i]) renew(among_pawns[i]);
        renew(rewarded_among);
        renew(quiet);
        renew(capture);
        renew(killers);
        renew(pawn_correction);
        renew(piece_correction);
        renew(reply_correction);
    }
};

inline MoveScore& capture_score(Histories& histories, const Position& position, Move move) {
    const Piece victim = position.captured_by(move);
    const Kind kind = victim.exists() ? victim.kind() : Kind::Pawn;
    return histories.capture[position.at(move.from()).code][move.to().index][std::size_t(kind)];
}

}  // namespace okapi
