#include "okapi/search/heuristics.h"

namespace okapi {

const std::array<std::pair<std::string_view, bool Heuristics::*>, Heuristics::kCount>& Heuristics::names() {
    using H = Heuristics;
    static constexpr std::array<std::pair<std::string_view, bool Heuristics::*>, kCount> kNames = {{
        {"table", &H::table},
        {"aspiration", &H::aspiration},
        {"pvs", &H::pvs},
        {"quiescence", &H::quiescence},
        {"quiescence_checks", &H::quiescence_checks},
        {"stand_by_table", &H::stand_by_table},
        {"null_move", &H::null_move},
        {"late_move_reductions", &H::late_move_reductions},
        {"late_move_pruning", &H::late_move_pruning},
        {"futility", &H::futility},
        {"reverse_futility", &H::reverse_futility},
        {"razoring", &H::razoring},
        {"see_pruning", &H::see_pruning},
        {"probcut", &H::probcut},
        {"ordering", &H::ordering},
        {"learned_reductions", &H::learned_reductions},
        {"killers", &H::killers},
        {"history", &H::history},
        {"continuation_history", &H::continuation_history},
        {"capture_history", &H::capture_history},
        {"pawn_history", &H::pawn_history},
        {"swings", &H::swings},
        {"escapes", &H::escapes},
        {"correction_history", &H::correction_history},
        {"singular_extensions", &H::singular_extensions},
        {"check_extensions", &H::check_extensions},
        {"internal_reductions", &H::internal_reductions},
        {"mate_distance", &H::mate_distance},
        {"soft_bounds", &H::soft_bounds},
        {"known_endings", &H::known_endings},
        {"fading", &H::fading},
        {"tablebases", &H::tablebases},
        {"similarity", &H::similarity},
        {"learned_ordering", &H::learned_ordering},
    }};
    return kNames;
}

Heuristics Heuristics::none() {
    Heuristics heuristics;
    for (const auto& [name, member] : names()) heuristics.*member = false;
    return heuristics;
}

bool Heuristics::set(std::string_view wanted, bool on) {
    if (wanted == "exchange_pruning") wanted = "see_pruning";  // its name in okapi 0.x
    for (const auto& [name, member] : names())
        if (name == wanted) {
            this->*member = on;
            return true;
        }
    return false;
}

}  // namespace okapi
