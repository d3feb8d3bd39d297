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
    void (Uci::*perform)(Tokens);
    enum Rank { Protocol, Extra } rank = Protocol;  // an extra must be the first word of its line
    bool waits = false;                             // until no search runs
};

const Uci::Command* Uci::find_command(Tokens& tokens) {
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
    for (bool first = true; !tokens.done(); first = false) {
        const std::string_view word = tokens.next();
        for (const Command& command : kCommands)
            if (command.name == word && (first || command.rank == Command::Protocol)) return &command;
    }
    return nullptr;
}

Uci::Uci(std::ostream& out, std::function<void()> on_closed)
    : writer_(out, std::move(on_closed)),
      search_(make_evaluator(default_brain()), std::size_t(settings_.table_mb), settings_.threads) {}

Uci::~Uci() { finish(); }

void Uci::run(std::istream& in) {
    std::string line;
    while (std::getline(in, line))
        if (!handle(line)) return;
    if (searching() && ends_by_itself_) job_thread_.wait_until_idle(kGrace);
    finish();
}

bool Uci::handle(std::string_view line) {
    writer_.log_input(line);
    settle();
    Tokens tokens(line);
    if (const Command* command = find_command(tokens)) {
        if (command->waits && searching())
            waiting_.emplace_back(line);
        else
            perform(tokens, *command);
    } else if (debug_ && !Tokens(line).done()) {
        writer_.error("unknown command: " + printable(line));
    }
    return !quit_;
}

void Uci::wait() {
    if (ends_by_itself_) job_thread_.wait_until_idle();
    settle();
}

void Uci::perform(Tokens tokens, const Command& command) {
    try {
        (this->*command.perform)(tokens);
    } catch (const std::exception& error) {
        writer_.error(std::string(command.name) + ": " + printable(error.what(), 300));
    }
}

void Uci::settle() {
    if (searching()) return;
    job_thread_.wait_until_idle();
    bench_search_.reset();
    for (const std::string& line : std::exchange(waiting_, {})) {
        Tokens tokens(line);
        const Command* command = find_command(tokens);
        perform(tokens, *command);
    }
}

void Uci::finish() {
    cancelled_ = true;
    do {
        search_.stop();
        if (bench_search_) bench_search_->stop();
    } while (!job_thread_.wait_until_idle(20ms));
    settle();
}

// --- The protocol ----------------------------------------------------------------------------------------------------

void Uci::introduce(Tokens) {
    writer_.write("id name " + program_name());
    writer_.write("id author the Okapi authors");
    for (const Option& option : options())
        if (option.declared) writer_.write(declaration(option));
    writer_.write("uciok");
}

void Uci::debug(Tokens tokens) {
    while (!tokens.done()) {
        const std::string_view word = tokens.next();
        if (word == "on") debug_ = true;
        if (word == "off") debug_ = false;
    }
}

void Uci::ready(Tokens) { writer_.write("readyok"); }

void Uci::ignore(Tokens) {}

void Uci::new_game(Tokens) { search_.new_game(); }

void Uci::set_position(Tokens tokens) {
    PositionCommand command = read_position(tokens);
    for (const std::string& problem : command.problems) writer_.error(problem);
    if (command.position) position_ = std::move(*command.position);
}

void Uci::go(Tokens tokens) {
    finish();
    GoCommand command = read_go(tokens, position_);
    for (const std::string& problem : command.problems) writer_.error(problem);
    cancelled_ = false;
    ends_by_itself_ = command.ends();
    pondering_ = command.limits.ponder;
    if (command.perft > 0) return start_perft(command.perft);

    search_.arm();
    auto request = std::make_shared<const SearchRequest>(
        SearchRequest{position_, std::move(command.limits), settings_, people_.get()});
    job_thread_.start(
        [this, request] { answer(*request, search_, book_, writer_, [this] { job_thread_.about_to_answer(); }); });
}

void Uci::stop(Tokens) {
    if (searching()) finish();
}

void Uci::ponder_hit(Tokens) {
    if (!searching() || !std::exchange(pondering_, false)) return;
    ends_by_itself_ = true;
    search_.ponder_hit();
}

void Uci::quit(Tokens) {
    quit_ = true;
    finish();
}

}  // namespace okapi
