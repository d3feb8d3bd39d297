#include "okapi/eval/linear/material.h"

#include "okapi/eval/linear/units.h"

namespace okapi {

Material::Material(const std::array<float, 5>& weights) {
    for (std::size_t kind = 0; kind < weights.size(); ++kind) weights_[kind] = to_units(weights[kind]);
}

int Material::value(const Position& position) {
    const Color us = position.turn();
    int units = 0;
    for (int kind = 0; kind < 5; ++kind)
        units += weights_[std::size_t(kind)] *
                 (count(position.pieces(us, Kind(kind))) - count(position.pieces(~us, Kind(kind))));
    return from_units(units);
}

}  // namespace okapi
