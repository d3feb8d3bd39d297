// The heuristics of the search, each with a name and a switch. All off is plain alpha-beta; those that games
// did not show to help are off from the beginning.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace okapi {

struct Heuristics {
    bool table = true;              // transposition table: cuts and first move
    bool aspiration = true;         // narrow root window
    bool pvs = true;                // principal variation search: null windows
    bool quiescence = true;         // captures to the end instead of a static value at the horizon
    bool quiescence_checks = true;  // checks at the first ply of quiescence
    bool stand_by_table = true;     // in quiescence, stand pat with the table's value
    bool null_move = true;
    bool late_move_reductions = true;
    bool late_move_pruning = true;
    bool futility = true;          // near the horizon: quiet moves that cannot reach alpha
    bool reverse_futility = true;  // near the horizon: positions far above beta
    bool razoring = true;          // near the horizon: positions far below alpha
    bool see_pruning = true;       // moves that lose material by exchanges
    bool probcut = true;
    bool ordering = true;  // captures by value, then the histories
    bool learned_reductions =
        true;  // late moves less far the unlikelier a MovePrior finds them, with the budget rule depth
    bool killers = true;
    bool history = true;
    bool continuation_history = true;
    bool capture_history = true;
    bool pawn_history = true;  // histories of moves among the same pawns
    bool swings = true;        // a quiet move after which the value rose is rewarded for it
    bool escapes = true;       // quiet moves out of danger come sooner, those into danger later
    bool correction_history = true;
    bool singular_extensions = true;
    bool check_extensions = true;
    bool internal_reductions = true;  // reduce where there is no table move
    bool mate_distance = true;
    bool soft_bounds = true;    // a value above beta counts as nearer to it, the shallower the search
    bool known_endings = true;  // knowledge of bare-king endings and dead draws, for every evaluator
    bool fading = true;         // a value fades as the fifty-move clock runs, so that progress is made
    bool tablebases = true;
    bool similarity = false;        // moves that come to the same as one that failed are reduced further
    bool learned_ordering = false;  // moves in the order of a MovePrior, where there is one and enough budget

    static constexpr std::size_t kCount = 34;
    static Heuristics none();
    // By name, as in `without=null_move` or `with=similarity`. False if there is no such heuristic.
    bool set(std::string_view name, bool on);
    static const std::array<std::pair<std::string_view, bool Heuristics::*>, kCount>& names();
};

}  // namespace okapi
