#include "okapi/search/constants.h"

namespace okapi {

std::span<const Constant> Constant::all() {
    using C = Constants;
    static constexpr Constant kAll[] = {
        {"aspiration_depth", &C::aspiration_depth, 2, 10, 1},
        {"aspiration_window", &C::aspiration_window, 4, 100, 4},
        {"aspiration_growth", &C::aspiration_growth, 10, 300, 20},
        {"razoring_depth", &C::razoring_depth, 0, 8, 1},
        {"razoring_base", &C::razoring_base, 0, 1000, 40},
        {"razoring_step", &C::razoring_step, 0, 1000, 40},
        {"reverse_futility_depth", &C::reverse_futility_depth, 0, 16, 1},
        {"reverse_futility_step", &C::reverse_futility_step, 10, 300, 10},
        {"reverse_futility_improving", &C::reverse_futility_improving, 0, 300, 12},
        {"null_move_depth", &C::null_move_depth, 1, 8, 1},
        {"null_move_base", &C::null_move_base, 1, 8, 1},
        {"null_move_divisor", &C::null_move_divisor, 1, 10, 1},
        {"null_move_value", &C::null_move_value, 40, 800, 25},
        {"null_move_value_most", &C::null_move_value_most, 0, 8, 1},
        {"null_move_verified_depth", &C::null_move_verified_depth, 6, 64, 2},
        {"probcut_depth", &C::probcut_depth, 4, 12, 1},
        {"probcut_margin", &C::probcut_margin, 40, 500, 25},
        {"probcut_improving", &C::probcut_improving, 0, 200, 12},
        {"internal_reduction_depth", &C::internal_reduction_depth, 2, 12, 1},
        {"late_move_base", &C::late_move_base, 0, 20, 1},
        {"futility_depth", &C::futility_depth, 0, 16, 1},
        {"futility_base", &C::futility_base, 0, 400, 20},
        {"futility_step", &C::futility_step, 10, 400, 12},
        {"noisy_futility_depth", &C::noisy_futility_depth, 0, 16, 1},
        {"noisy_futility_base", &C::noisy_futility_base, 0, 600, 25},
        {"noisy_futility_step", &C::noisy_futility_step, 10, 600, 20},
        {"history_pruning_depth", &C::history_pruning_depth, 0, 12, 1},
        {"history_pruning_step", &C::history_pruning_step, 200, 16000, 500},
        {"see_pruning_depth", &C::see_pruning_depth, 0, 16, 1},
        {"see_quiet", &C::see_quiet, 1, 200, 4},
        {"see_noisy", &C::see_noisy, 5, 400, 12},
        {"check_extension_depth", &C::check_extension_depth, 0, 64, 2},
        {"singular_depth", &C::singular_depth, 3, 14, 1},
        {"singular_margin", &C::singular_margin, 1, 12, 1},
        {"singular_double_margin", &C::singular_double_margin, 0, 200, 5},
        {"singular_double_most", &C::singular_double_most, 0, 32, 2},
        {"reduction_quiet_base", &C::reduction_quiet_base, -200, 400, 15},
        {"reduction_quiet_divisor", &C::reduction_quiet_divisor, 80, 800, 15},
        {"reduction_noisy_base", &C::reduction_noisy_base, -200, 400, 15},
        {"reduction_noisy_divisor", &C::reduction_noisy_divisor, 80, 1600, 25},
        {"reduction_cut", &C::reduction_cut, 0, 400, 20},
        {"reduction_not_improving", &C::reduction_not_improving, 0, 300, 15},
        {"reduction_table_noisy", &C::reduction_table_noisy, 0, 300, 20},
        {"reduction_cutoffs", &C::reduction_cutoffs, 0, 300, 20},
        {"reduction_was_pv", &C::reduction_was_pv, 0, 400, 20},
        {"reduction_in_check", &C::reduction_in_check, -100, 300, 15},
        {"reduction_check", &C::reduction_check, -100, 300, 15},
        {"reduction_again", &C::reduction_again, 0, 400, 20},
        {"reduction_killer", &C::reduction_killer, 0, 400, 20},
        {"reduction_history", &C::reduction_history, 1000, 60000, 1000},
        {"reduction_correction", &C::reduction_correction, 0, 20, 1},
        {"research_deeper", &C::research_deeper, 0, 400, 10},
        {"research_step", &C::research_step, 0, 20, 1},
        {"research_shallower", &C::research_shallower, 0, 100, 3},
        {"quiescence_margin", &C::quiescence_margin, 0, 600, 20},
        {"quiescence_evasion", &C::quiescence_evasion, 0, 600, 20},
        {"bonus_step", &C::bonus_step, 10, 800, 25},
        {"bonus_less", &C::bonus_less, -400, 800, 40},
        {"bonus_most", &C::bonus_most, 200, 8000, 150},
        {"malus_step", &C::malus_step, 10, 800, 25},
        {"malus_less", &C::malus_less, -400, 800, 40},
        {"malus_most", &C::malus_most, 200, 8000, 150},
        {"research_bonus_step", &C::research_bonus_step, 0, 800, 20},
        {"research_bonus_most", &C::research_bonus_most, 0, 8000, 150},
        {"previous_bonus_step", &C::previous_bonus_step, 0, 800, 20},
        {"previous_bonus_most", &C::previous_bonus_most, 0, 8000, 150},
        {"swing_factor", &C::swing_factor, 0, 40, 1},
        {"swing_most", &C::swing_most, 0, 8000, 150},
        {"escape_bonus", &C::escape_bonus, 0, 20000, 600},
        {"table_bonus_step", &C::table_bonus_step, 0, 800, 20},
        {"table_bonus_most", &C::table_bonus_most, 0, 8000, 150},
        {"correction_pawns", &C::correction_pawns, 0, 800, 25},
        {"correction_pieces", &C::correction_pieces, 0, 800, 25},
        {"correction_replies", &C::correction_replies, 0, 800, 25},
        {"correction_rate", &C::correction_rate, 1, 200, 4},
        {"correction_most", &C::correction_most, 16, 1024, 30},
    };
    return kAll;
}

bool Constants::set(std::string_view wanted, int value) {
    // Their names in okapi 0.x.
    if (wanted == "exchange_pruning_depth") wanted = "see_pruning_depth";
    if (wanted == "exchange_quiet") wanted = "see_quiet";
    if (wanted == "exchange_noisy") wanted = "see_noisy";
    for (const Constant& constant : Constant::all())
        if (constant.name == wanted) {
            if (value < constant.least || value > constant.most) return false;
            this->*constant.member = value;
            return true;
        }
    return false;
}

}  // namespace okapi
