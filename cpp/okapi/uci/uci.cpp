#include "okapi/uci/uci.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "okapi/eval/brain.h"
#include "okapi/uci/answer.h"
#include "okapi/uci/commands.h"

#ifndef OKAPI_VERSION
#define OKAPI_VERSION "dev"
#endif

namespace okapi {

using namespace std::chrono_literals;
using namespace uci;

namespace {

// At the end of input: long enough for a small search in a shell pipe, short enough to be gone within a second.
constexpr auto kGrace = 700ms;

}  // namespace

std::string program_name() { return "Okapi " OKAPI_VERSION; }

struct Uci::Command {
    std::string_view name;
    void (Uci::*perform)(Words);
    enum Rank { Protocol, Extra } rank = Protocol;  // an extra must be the first word of its line
    bool waits = false;                             // until no search runs
};

const Uci::Command* Uci::find_command(Words& words) {
    static const Command kCommands[] = {
        {"uci", &Uci::introduce},
        {"debug", &Uci::debug},
        {"isready", &Uci::ready},
        {"setoption", &Uci::set_option, Command::Protocol, true},
        {"register", &Uci::ignore},
        {"ucinewgame", &Uci::new_game, Command::Protocol, true},
        {"position", &Uci::set_position},
        {"go", &Uci::go},
        {"stop", &Uci::stop},
        {"ponderhit", &Uci::ponder_hit},
        {"quit", &Uci::quit},
        {"help", &Uci::help, Command::Extra},
        {"d", &Uci::show, Command::Extra},
        {"eval", &Uci::evaluate, Command::Extra, true},
        {"flip", &Uci::flip, Command::Extra},
        {"bench", &Uci::bench, Command::Extra},
        {"compiler", &Uci::compiler, Command::Extra},
    };
    for (bool first = true; !words.done(); first = false) {
        const std::string_view word = words.next();
        for (const Command& command : kCommands)
            if (command.name == word && (first || command.rank == Command::Protocol)) return &command;
    }
    return nullptr;
}

Uci::Uci(std::ostream& out, std::function<void()> on_closed)
    : voice_(out, std::move(on_closed)),
      thinker_(make_evaluator(default_brain()), std::size_t(settings_.table_mb), settings_.threads) {}

Uci::~Uci() { finish(); }

void Uci::run(std::istream& in) {
    std::string line;
    while (std::getline(in, line))
        if (!hear(line)) return;
    if (searching() && ends_by_itself_) worker_.wait_until_idle(kGrace);
    finish();
}

bool Uci::hear(std::string_view line) {
    voice_.heard(line);
    settle();
    Words words(line);
    if (const Command* command = find_command(words)) {
        if (command->waits && searching())
            waiting_.emplace_back(line);
        else
            perform(words, *command);
    } else if (debug_ && !Words(line).done()) {
        voice_.error("unknown command: " + printable(line));
    }
    return !quit_;
}

void Uci::wait() {
    if (ends_by_itself_) worker_.wait_until_idle();
    settle();
}

void Uci::perform(Words words, const Command& command) {
    try {
        (this->*command.perform)(words);
    } catch (const std::exception& error) {
        voice_.error(std::string(command.name) + ": " + printable(error.what(), 300));
    }
}

void Uci::settle() {
    if (searching()) return;
    worker_.wait_until_idle();
    bench_thinker_.reset();
    for (const std::string& line : std::exchange(waiting_, {})) {
        Words words(line);
        const Command* command = find_command(words);
        perform(words, *command);
    }
}

void Uci::finish() {
    cancelled_ = true;
    do {
        thinker_.stop();
        if (bench_thinker_) bench_thinker_->stop();
    } while (!worker_.wait_until_idle(20ms));
    settle();
}

// --- The protocol ----------------------------------------------------------------------------------------------------

void Uci::introduce(Words) {
    voice_.say("id name " + program_name());
    voice_.say("id author the Okapi authors");
    for (const Option& option : options())
        if (option.declared) voice_.say(declaration(option));
    voice_.say("uciok");
}

void Uci::debug(Words words) {
    while (!words.done()) {
        const std::string_view word = words.next();
        if (word == "on") debug_ = true;
        if (word == "off") debug_ = false;
    }
}

void Uci::ready(Words) { voice_.say("readyok"); }

void Uci::ignore(Words) {}

void Uci::new_game(Words) { thinker_.new_game(); }

void Uci::set_position(Words words) {
    PositionCommand command = read_position(words);
    for (const std::string& problem : command.problems) voice_.error(problem);
    if (command.position) position_ = std::move(*command.position);
}

void Uci::go(Words words) {
    finish();
    GoCommand command = read_go(words, position_);
    for (const std::string& problem : command.problems) voice_.error(problem);
    cancelled_ = false;
    ends_by_itself_ = command.ends();
    pondering_ = command.limits.ponder;
    if (command.perft > 0) return start_perft(command.perft);

    thinker_.arm();
    auto order = std::make_shared<const Order>(Order{position_, std::move(command.limits), settings_});
    worker_.start([this, order] { answer(*order, thinker_, book_, voice_, [this] { worker_.about_to_answer(); }); });
}

void Uci::stop(Words) {
    if (searching()) finish();
}

void Uci::ponder_hit(Words) {
    if (!searching() || !std::exchange(pondering_, false)) return;
    ends_by_itself_ = true;
    thinker_.ponder_hit();
}

void Uci::quit(Words) {
    quit_ = true;
    finish();
}

}  // namespace okapi
