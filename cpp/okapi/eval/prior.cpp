#include "okapi/eval/prior.h"

#include "okapi/eval/checked.h"
#include "okapi/eval/giraffe/move_network.h"

namespace okapi {

std::unique_ptr<MovePrior> make_prior(const Brain& brain) {
    if (brain.kind() != "giraffe-moves")
        checked::refuse(brain, "it does not tell how likely moves are. Choose one of the kind giraffe-moves");
    return std::make_unique<MoveNetwork>(read_move_network(brain));
}

}  // namespace okapi
