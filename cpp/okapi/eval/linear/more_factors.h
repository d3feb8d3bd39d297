// Six factors more: what vazquez2012, chapter 6, leaves to future work. Its queen and its bishop have but one factor
// each; these are the other inputs that their networks have in chapter 4.
#pragma once

#include "okapi/eval/linear/factors.h"
#include "okapi/eval/piece_networks/piece_features.h"

namespace okapi {

// Behind those of Factor.
enum class MoreFactor {
    QueenColumnType,
    QueenRow,
    QueenColumn,
    BishopPawnMobility,
    BishopPawnsAhead,
    BishopPawnWeight
};
inline constexpr int kMoreFactors = 6;
inline constexpr int kAllFactors = kFactors + kMoreFactors;
constexpr std::size_t index(MoreFactor factor) { return std::size_t(kFactors) + std::size_t(factor); }

inline constexpr std::array<std::string_view, kMoreFactors> kMoreFactorNames = {
    "queen_column_type",    "queen_row",          "queen_column",
    "bishop_pawn_mobility", "bishop_pawns_ahead", "bishop_pawn_weight"};

using AllFactors = std::array<int, kAllFactors>;
AllFactors all_factors(const Position& position, Color color);

// clang-format off
// What a pawn that obstructs a bishop weighs, as the bishop's side sees the board: Table 7 of the thesis for its own
// pawns, Table 8 for the enemy's.
inline constexpr BishopPawns kBishopPawnWeights = {{
    {2, 4,  4,  8,  8,  4, 4, 2,
     2, 4,  8, 16, 16,  8, 4, 2,
     2, 4, 12, 24, 24, 12, 4, 2,
     2, 4,  4,  4,  4,  4, 4, 2,
     2, 2,  2,  2,  2,  2, 2, 0,
     0, 0,  0,  0,  0,  0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0,
     0, 1, 1, 1, 1, 1, 1, 0,
     0, 1, 2, 2, 2, 2, 1, 0,
     0, 1, 2, 2, 2, 2, 1, 0,
     0, 1, 1, 1, 1, 1, 1, 0,
     0, 0, 0, 0, 0, 0, 0, 0},
}};
// clang-format on

}  // namespace okapi
