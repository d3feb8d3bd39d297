#include "okapi/uci/options.h"

#include <algorithm>

#include "okapi/eval/brain.h"
#include "okapi/uci/handicap.h"
#include "okapi/uci/predicted_moves.h"
#include "okapi/uci/tokens.h"

namespace okapi::uci {

namespace {

constexpr bool kHidden = false;

constexpr Option kOptions[] = {
    {"Threads", &Settings::threads, 1, 1024},
    {"Hash", &Settings::table_mb, 1, 33554432},
    {"Clear Hash", Button{}},
    {"Ponder", &Settings::ponder},
    {"MultiPV", &Settings::multipv, 1, 256},
    {"UCI_Chess960", &Settings::chess960},
    {"UCI_ShowWDL", &Settings::show_wdl},
    {"UCI_LimitStrength", &Settings::limit_strength},
    {"UCI_Elo", &Settings::elo, handicap::kLowest, handicap::kHighest},
    {"UCI_AnalyseMode", &Settings::analyse},
    {"UCI_Opponent", &Settings::opponent},
    {"SyzygyPath", &Settings::syzygy_path},
    {"SyzygyProbeDepth", &Settings::syzygy_depth, 1, 100},
    {"SyzygyProbeLimit", &Settings::syzygy_pieces, 0, 7},
    {"Syzygy50MoveRule", &Settings::syzygy_fifty_moves},
    {"OwnBook", &Settings::own_book},
    {"BookFile", &Settings::book_file},
    {"EvalFile", &Settings::brain},
    {"HumanElo", &Settings::human_elo, 0, PredictedMoves::kHighestElo},
    {"Move Overhead", &Settings::overhead_ms, 0, 5000},
    {"VerboseMoveStats", &Settings::verbose_move_stats},
    {"LogLiveStats", &Settings::live_stats},
    {"Debug Log File", &Settings::log_file},
    {"Without", &Settings::without},
    {"With", &Settings::extras},
    {"Budget", &Settings::budget},
    {"MoveBrain", &Settings::move_brain},
    {"Shape", &Settings::budget, 0, 0, kHidden},  // the former name of Budget
    // Leela's name for EvalFile, and what lichess' board sends to every engine.
    {"WeightsFile", &Settings::brain, 0, 0, kHidden},
    {"UCI_Variant", &Settings::variant, 0, 0, kHidden},
};

std::string name_of(const Option& option) { return std::string(option.name); }

bool to_bool(const Option& option, std::string_view value) {
    if (same_ignoring_case(value, "true")) return true;
    if (same_ignoring_case(value, "false")) return false;
    throw InvalidValue(name_of(option) + " is true or false, not " + printable(value));
}

int to_int(const Option& option, std::string_view value) {
    const auto number = parse_number(value);
    if (!number || *number < option.min || *number > option.max)
        throw InvalidValue(name_of(option) + " is a number from " + std::to_string(option.min) + " to " +
                           std::to_string(option.max) + ", not " + printable(value));
    return int(*number);
}

// Calls the one of the functions that fits the kind of the option.
template <class... F> struct overloaded : F... {
    using F::operator()...;
};
template <class... F> overloaded(F...) -> overloaded<F...>;

}  // namespace

Settings Settings::initial() {
    Settings settings;
    settings.brain = default_brain().name();
    return settings;
}

std::span<const Option> options() { return kOptions; }

const Option* find_option(std::string_view name) {
    const auto found =
        std::ranges::find_if(kOptions, [&](const Option& o) { return same_ignoring_case(o.name, name); });
    return found == std::end(kOptions) ? nullptr : &*found;
}

std::string declaration(const Option& option) {
    const Settings initial = Settings::initial();
    const std::string kind = std::visit(
        overloaded{
            [&](bool Settings::* field) { return "check default " + std::string(initial.*field ? "true" : "false"); },
            [&](int Settings::* field) {
                return "spin default " + std::to_string(initial.*field) + " min " + std::to_string(option.min) +
                       " max " + std::to_string(option.max);
            },
            [&](std::string Settings::* field) {
                return "string default " + ((initial.*field).empty() ? "<empty>" : initial.*field);
            },
            [](Button) { return std::string("button"); },
        },
        option.field);
    return "option name " + name_of(option) + " type " + kind;
}

void assign(Settings& settings, const Option& option, std::string_view value) {
    const bool unset = value.empty() || value == "<empty>";
    const Settings initial = Settings::initial();
    std::visit(
        overloaded{
            [&](bool Settings::* field) { settings.*field = unset ? initial.*field : to_bool(option, value); },
            [&](int Settings::* field) { settings.*field = unset ? initial.*field : to_int(option, value); },
            [&](std::string Settings::* field) { settings.*field = unset ? initial.*field : std::string(value); },
            [](Button) {},
        },
        option.field);
}

}  // namespace okapi::uci
