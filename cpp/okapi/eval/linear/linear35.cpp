#include "okapi/eval/linear/linear35.h"

#include <algorithm>

#include "okapi/eval/linear/linear5.h"
#include "okapi/eval/linear/units.h"

namespace okapi {

namespace {

FactorWeights first_ones(const AllFactorWeights& all) {
    FactorWeights weights;
    std::copy_n(all.weights.begin(), kFactors, weights.weights.begin());
    std::copy_n(all.divisors.begin(), kFactors, weights.divisors.begin());
    return weights;
}

template <Color us> std::int64_t sum(Bitboard pawns, const std::array<int, kBishopPawns>& weights) {
    std::int64_t units = 0;
    for (Square pawn : squares(pawns)) units += weights[std::size_t(pawn.seen_by(us).index - 8)];
    return units;
}

}  // namespace

Linear35::Linear35(const AllFactorWeights& all) : base_(first_ones(all)) {
    const auto worth = [&](MoreFactor f) { return double(all.weights[index(f)]) / all.divisors[index(f)]; };
    for (std::size_t column = 0; column < queen_.size(); ++column)
        for (int s = 0; s < 64; ++s)
            queen_[column][std::size_t(s)] = to_units(double(column) * worth(MoreFactor::QueenColumnType) +
                                                      (int(Square(s).rank()) + 1) * worth(MoreFactor::QueenRow) +
                                                      (int(Square(s).file()) + 1) * worth(MoreFactor::QueenColumn));
    pawn_mobility_ = to_units(worth(MoreFactor::BishopPawnMobility));
    pawns_ahead_ = to_units(worth(MoreFactor::BishopPawnsAhead));
    for (std::size_t whose = 0; whose < obstructing_.size(); ++whose)
        for (std::size_t s = 0; s < kBishopPawns; ++s)
            obstructing_[whose][s] = to_units(kBishopPawnWeights[whose][s] * worth(MoreFactor::BishopPawnWeight));
}

int Linear35::value(const Position& position) {
    const std::int64_t ours = more<Color::White>(position) - more<Color::Black>(position);
    constexpr std::int64_t kMost = 2 * kMaxEvaluation * kUnit;
    const std::int64_t units = base_.units(position) + std::clamp(ours, -kMost, kMost);
    return from_units(int(position.turn() == Color::White ? units : -units));
}

template <Color us> std::int64_t Linear35::more(const Position& position) const {
    const Bitboard own = position.pieces(us, Kind::Pawn);
    const Bitboard theirs = position.pieces(~us, Kind::Pawn);
    std::int64_t units = 0;
    for (Square queen : squares(position.pieces(us, Kind::Queen)))
        units += queen_[std::size_t(column_type(queen, own, theirs, us))][queen.seen_by(us).index];
    for (Square bishop : squares(position.pieces(us, Kind::Bishop))) {
        const Bitboard obstructing = own & bishop_squares(bishop);
        units += std::int64_t(pawn_mobility_) * count_pawn_moves(position, obstructing, us) +
                 std::int64_t(pawns_ahead_) * count(obstructing & rows_ahead(bishop, us)) +
                 sum<us>(obstructing, obstructing_[0]) + sum<us>(theirs & bishop_squares(bishop), obstructing_[1]);
    }
    return units;
}

}  // namespace okapi
