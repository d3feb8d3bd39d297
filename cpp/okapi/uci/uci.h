// The Universal Chess Interface: lines in, lines out, around one Search. docs/reference/uci.md has
// what each line does.
#pragma once

#include <atomic>
#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/search/search.h"
#include "okapi/uci/book.h"
#include "okapi/uci/job_thread.h"
#include "okapi/uci/options.h"
#include "okapi/uci/predicted_moves.h"
#include "okapi/uci/tokens.h"
#include "okapi/uci/writer.h"

namespace okapi {

// Name and version, as programs show it.
std::string program_name();

// One thread reads (the caller of run() or handle()), another searches. The reader thread owns everything here; while a
// search runs, the search thread has its own copy of the request and the use of search and book. What would disturb it
// (options, a new game) waits until it has answered.
class Uci {
public:
    // `on_closed`: see Writer.
    explicit Uci(std::ostream& out, std::function<void()> on_closed = {});
    // Stops the running search; it still writes bestmove.
    ~Uci();

    // Hears lines until `quit` or the end. At the end of input a search that would end by itself gets a moment to do
    // so.
    void run(std::istream& in);
    // Handles one line; false after `quit`. Never throws because of the line.
    bool handle(std::string_view line);
    // Waits until a search that ends by itself has answered.
    void wait();

private:
    using Tokens = uci::Tokens;
    struct Command;
    static const Command* find_command(Tokens& tokens);
    struct Effect;

    // --- The protocol --------------------------------------------------------------------------------------------
    void introduce(Tokens tokens);
    void debug(Tokens tokens);
    void ready(Tokens tokens);
    void set_option(Tokens tokens);
    void ignore(Tokens tokens);
    void new_game(Tokens tokens);
    void set_position(Tokens tokens);
    void go(Tokens tokens);
    void stop(Tokens tokens);
    void ponder_hit(Tokens tokens);
    void quit(Tokens tokens);

    // --- Extras for people ---------------------------------------------------------------------------------------
    void help(Tokens tokens);
    void show(Tokens tokens);
    void evaluate(Tokens tokens);
    void flip(Tokens tokens);
    void bench(Tokens tokens);
    void compiler(Tokens tokens);

    // --- What an option changes: from `former` to settings_, or an exception and no change
    // --------------------------------------
    void use_threads(const uci::Settings& former);
    void use_table(const uci::Settings& former);
    void clear_table(const uci::Settings& former);
    void use_tablebases(const uci::Settings& former);
    void use_book(const uci::Settings& former);
    void use_brain(const uci::Settings& former);
    void use_log(const uci::Settings& former);
    void use_heuristics(const uci::Settings& former);
    void use_budget(const uci::Settings& former);
    void use_move_brain(const uci::Settings& former);
    void use_variant(const uci::Settings& former);

    bool searching() const { return job_thread_.stage() == uci::Stage::Working; }
    void settle();  // a search that has answered is over; what waited for its end happens now
    void finish();  // stops the running search
    void perform(Tokens tokens, const Command& command);
    void start_perft(int depth);

    uci::Writer writer_;
    uci::Settings settings_ = uci::Settings::initial();
    Position position_ = Position::start();
    Book book_;
    std::unique_ptr<const uci::PredictedMoves> people_;  // they choose the moves, if there are any
    Search search_;
    std::unique_ptr<Search> bench_search_;  // while a bench runs
    bool debug_ = false;
    bool quit_ = false;
    bool pondering_ = false;
    bool ends_by_itself_ = true;  // the search in hand
    std::atomic<bool> cancelled_ = false;
    std::vector<std::string> waiting_;  // lines that wait until the search has answered
    uci::JobThread job_thread_;         // last: its job uses all the others
};

}  // namespace okapi
