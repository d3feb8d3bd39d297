#include "okapi/eval/linear/more_factors.h"

#include <algorithm>

namespace okapi {

AllFactors all_factors(const Position& position, Color color) {
    AllFactors sums{};
    std::ranges::copy(factors(position, color), sums.begin());
    // The first input of both is the mobility, which is a factor already.
    const auto add = [&](Kind kind, MoreFactor first) {
        for (Square square : squares(position.pieces(color, kind))) {
            const PieceInputs inputs = piece_inputs(position, square, kBishopPawnWeights);
            for (std::size_t i = 1; i < inputs.size(); ++i) sums[index(first) + i - 1] += int(inputs[i]);
        }
    };
    add(Kind::Queen, MoreFactor::QueenColumnType);
    add(Kind::Bishop, MoreFactor::BishopPawnMobility);
    return sums;
}

}  // namespace okapi
