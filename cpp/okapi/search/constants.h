// Every number in the search that games can tune, with a name. What a heuristic does is written where it is used; here
// is how much of it. Values are centipawns, depths are plies, and reductions are hundredths of a ply.
#pragma once

#include <span>
#include <string_view>

namespace okapi {

struct Constants {
    // The root
    int aspiration_depth = 5;    // a narrow window from here on,
    int aspiration_window = 16;  // so wide on each side,
    int aspiration_growth = 50;  // and wider by so many per cent when that was too narrow

    // Whole nodes
    int razoring_depth = 3;
    int razoring_base = 200;
    int razoring_step = 220;  // for each ply
    int reverse_futility_depth = 8;
    int reverse_futility_step = 84;
    int reverse_futility_improving = 54;
    int null_move_depth = 3;
    int null_move_base = 4;        // plies less,
    int null_move_divisor = 4;     // one more for so many plies of depth,
    int null_move_value = 199;     // and one more for so many centipawns above beta,
    int null_move_value_most = 3;  // but no more than so many for that
    int null_move_verified_depth = 14;
    int probcut_depth = 5;
    int probcut_margin = 188;
    int probcut_improving = 50;
    int internal_reduction_depth = 4;

    // Single moves
    int late_move_base = 3;  // quiet moves, beside the square of the depth
    int futility_depth = 8;
    int futility_base = 92;
    int futility_step = 80;
    int noisy_futility_depth = 6;  // captures that cannot reach alpha
    int noisy_futility_base = 180;
    int noisy_futility_step = 150;
    int history_pruning_depth = 4;
    int history_pruning_step = 4094;
    int see_pruning_depth = 9;
    int see_quiet = 23;   // what a quiet move may lose, times the square of the depth
    int see_noisy = 112;  // what a capture may lose, times the depth
    int check_extension_depth = 8;
    int singular_depth = 6;
    int singular_margin = 2;          // for each ply
    int singular_double_margin = 20;  // beyond it, two plies
    int singular_double_most = 6;     // in one line

    // Late move reductions
    int reduction_quiet_base = 87;
    int reduction_quiet_divisor = 234;  // of the product of two logarithms: depth and number of the move
    int reduction_noisy_base = 20;
    int reduction_noisy_divisor = 360;
    int reduction_cut = 140;
    int reduction_not_improving = 60;
    int reduction_table_noisy = 80;  // the table's move captures
    int reduction_cutoffs = 80;      // many replies to other moves refuted
    int reduction_was_pv = 100;
    int reduction_in_check = 60;
    int reduction_check = 80;
    int reduction_again = 100;
    int reduction_killer = 100;
    int reduction_history = 10727;  // history that is worth a ply
    int reduction_correction = 2;   // for each centipawn by which the static value was corrected
    int research_deeper = 40;       // above the best so far, a ply further when looked at again; and for each ply,
    int research_step = 2;          // so much more
    int research_shallower = 8;     // no more above it than this, a ply less far

    // Quiescence
    int quiescence_margin = 185;
    int quiescence_evasion = 80;  // what an answer to a check may lose

    // Histories
    int bonus_step = 160;  // for each ply,
    int bonus_less = 60;   // less this,
    int bonus_most = 1700;
    int malus_step = 220;
    int malus_less = 80;
    int malus_most = 1500;
    int research_bonus_step = 120;  // for a reduced move that was looked at again,
    int research_bonus_most = 1200;
    int previous_bonus_step = 100;  // and for the opponent's move to which there was no good answer
    int previous_bonus_most = 1000;
    int swing_factor = 6;  // for each centipawn that a move won or lost at once,
    int swing_most = 1200;
    int escape_bonus = 4000;  // two times for minor pieces, three for rooks, four for queens
    int table_bonus_step = 120;
    int table_bonus_most = 1200;
    int correction_pawns = 200;   // how much of what each table learned counts: hundredths, each table's limit being
    int correction_pieces = 100;  // 32 centipawns
    int correction_replies = 150;
    int correction_rate = 25;   // hundredths of the difference, for each ply,
    int correction_most = 256;  // and no more than this at once

    // False if there is no such constant or the value is out of its range.
    bool set(std::string_view name, int value);
};

// What is known of a constant: tuning keeps between `least` and `most`, and a change by `step` shows in games.
struct Constant {
    std::string_view name;
    int Constants::* member;
    int least, most, step;

    int usual() const { return Constants{}.*member; }

    static std::span<const Constant> all();
};

}  // namespace okapi
