// Uci's options: reading `setoption`, and what each change means for the program.
#include <algorithm>
#include <stdexcept>

#include "okapi/eval/brain.h"
#include "okapi/search/tablebase.h"
#include "okapi/uci/brain_files.h"
#include "okapi/uci/uci.h"
#include "okapi/utils/memory.h"

namespace okapi {

using namespace uci;

namespace {

// Characters: names of all brains, and where they lie.
constexpr std::size_t kLongestReason = 1000;

}  // namespace

struct Uci::Effect {
    std::string_view option;
    void (Uci::*take)(const Settings& former);
};

void Uci::set_option(Tokens tokens) {
    static const Effect kEffects[] = {
        {"Threads", &Uci::use_threads},       {"Hash", &Uci::use_table},         {"Clear Hash", &Uci::clear_table},
        {"SyzygyPath", &Uci::use_tablebases}, {"BookFile", &Uci::use_book},      {"EvalFile", &Uci::use_brain},
        {"WeightsFile", &Uci::use_brain},     {"Debug Log File", &Uci::use_log}, {"Without", &Uci::use_heuristics},
        {"With", &Uci::use_heuristics},       {"Budget", &Uci::use_budget},      {"MoveBrain", &Uci::use_move_brain},
        {"UCI_Variant", &Uci::use_variant},   {"Shape", &Uci::use_budget},
    };
    while (!tokens.done() && tokens.next() != "name") {
    }
    std::string name;
    while (!tokens.done() && tokens.peek() != "value") append(name, tokens.next());
    tokens.next();

    const Option* option = find_option(name);
    if (!option) return writer_.error("there is no option '" + printable(name) + "'");
    const Settings former = settings_;
    try {
        assign(settings_, *option, tokens.rest());
        for (const Effect& effect : kEffects)
            if (effect.option == option->name) (this->*effect.take)(former);
    } catch (const std::exception& error) {
        settings_ = former;
        writer_.error(std::string(option->name) + " stays as it was: " + printable(error.what(), kLongestReason));
    }
}

void Uci::use_threads(const Settings& former) {
    try {
        search_.set_threads(settings_.threads);
    } catch (const std::exception&) {
        search_.set_threads(former.threads);
        throw;
    }
}

void Uci::use_table(const Settings& former) {
    const std::uint64_t most = memory_mb();
    if (most > 0 && std::uint64_t(settings_.table_mb) > most)
        throw std::runtime_error("this machine has " + std::to_string(most) + " MB of memory");
    try {
        search_.set_table_mb(std::size_t(settings_.table_mb));
    } catch (const std::exception&) {
        search_.set_table_mb(std::size_t(former.table_mb));
        throw;
    }
}

void Uci::clear_table(const Settings&) { search_.new_game(); }

void Uci::use_tablebases(const Settings& former) {
    if (settings_.syzygy_path.empty()) {
        tablebase::load("");
        return;
    }
    if (!tablebase::available()) throw std::runtime_error("this build has no support for tablebases");
    const int pieces = tablebase::load(settings_.syzygy_path);
    if (pieces == 0) {
        tablebase::load(former.syzygy_path);
        throw std::runtime_error("no tables in " + printable(settings_.syzygy_path));
    }
    writer_.write("info string tablebases for up to " + std::to_string(pieces) + " pieces");
}

void Uci::use_book(const Settings&) { book_ = settings_.book_file.empty() ? Book() : Book::open(settings_.book_file); }

void Uci::use_brain(const Settings&) {
    if (settings_.brain == default_brain().name()) {
        people_.reset();
        return search_.set_evaluator(make_evaluator(default_brain()));
    }
    const Brain brain = find_brain(settings_.brain);
    if (PredictedMoves::predicts(brain)) {
        people_ = std::make_unique<PredictedMoves>(brain);
        search_.set_evaluator(make_evaluator(default_brain()));
    } else {
        search_.set_evaluator(make_evaluator(brain));
        people_.reset();
    }
    writer_.write("info string brain " + printable(brain.name()) + " (" + printable(brain.kind()) + ")");
}

void Uci::use_log(const Settings&) { writer_.log_to(settings_.log_file); }

void Uci::use_heuristics(const Settings&) {
    Heuristics heuristics;
    const auto set = [&](std::string names, bool on) {
        std::ranges::replace(names, ',', ' ');
        for (Tokens tokens(names); !tokens.done();) {
            const std::string_view name = tokens.next();
            if (heuristics.set(name, on)) continue;
            std::string known;
            for (const auto& each : Heuristics::names()) append(known, each.first, ", ");
            throw std::runtime_error("no heuristic is called " + printable(name) + "; there are " + known);
        }
    };
    set(settings_.without, false);
    set(settings_.extras, true);
    search_.set_heuristics(heuristics);
}

void Uci::use_budget(const Settings&) { search_.set_budget_rule(BudgetRule::parse(settings_.budget)); }

void Uci::use_move_brain(const Settings&) {
    if (settings_.move_brain.empty()) return search_.set_prior(nullptr);
    const Brain brain = find_brain(settings_.move_brain);
    search_.set_prior(make_prior(brain));
    writer_.write("info string moves by " + printable(brain.name()) + " (" + printable(brain.kind()) + ")");
}

void Uci::use_variant(const Settings&) {
    static constexpr std::string_view kKnown[] = {"chess", "standard", "chess960", "fischerandom"};
    if (std::ranges::find(kKnown, settings_.variant) == std::end(kKnown))
        throw std::runtime_error("Okapi plays chess and Chess960 only");
}

}  // namespace okapi
