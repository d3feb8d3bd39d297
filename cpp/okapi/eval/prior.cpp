#include "okapi/eval/prior.h"

namespace okapi {

std::unique_ptr<MovePrior> make_prior(const Brain& brain) {
    throw InvalidBrain("the brain '" + brain.name() + "' (" + brain.kind() +
                       ") does not tell a search how likely moves are. Choose one of the kind giraffe-moves");
}

}  // namespace okapi
