// The Universal Chess Interface: lines in, lines out, around one Thinker. docs/uci.md says what each line does.
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
#include "okapi/uci/options.h"
#include "okapi/uci/tokens.h"
#include "okapi/uci/worker.h"
#include "okapi/uci/writer.h"

namespace okapi {

// Name and version, as programs show it.
std::string program_name();

// One thread hears (whoever calls run() or hear()), another thinks. The hearing thread owns everything here; while a
// search runs, the thinking thread has its own copy of the order and the use of thinker and book. What would disturb it
// (options, a new game) waits until it has answered.
class Uci {
public:
    // `on_closed`: see Voice.
    explicit Uci(std::ostream& out, std::function<void()> on_closed = {});
    // Ends the search in hand; it still answers.
    ~Uci();

    // Hears lines until `quit` or the end. At the end of input a search that would end by itself gets a moment to do
    // so.
    void run(std::istream& in);
    // Hears one line; false after `quit`. Never throws on account of what it hears.
    bool hear(std::string_view line);
    // Waits until a search that ends by itself has answered.
    void wait();

private:
    using Words = uci::Words;
    struct Command;
    static const Command* find_command(Words& words);
    struct Effect;

    // --- The protocol --------------------------------------------------------------------------------------------
    void introduce(Words words);
    void debug(Words words);
    void ready(Words words);
    void set_option(Words words);
    void ignore(Words words);
    void new_game(Words words);
    void set_position(Words words);
    void go(Words words);
    void stop(Words words);
    void ponder_hit(Words words);
    void quit(Words words);

    // --- Extras for people ---------------------------------------------------------------------------------------
    void help(Words words);
    void show(Words words);
    void evaluate(Words words);
    void flip(Words words);
    void bench(Words words);
    void compiler(Words words);

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
    void use_shape(const uci::Settings& former);
    void use_move_brain(const uci::Settings& former);
    void use_variant(const uci::Settings& former);

    bool searching() const { return worker_.stage() == uci::Stage::Working; }
    void settle();  // a search that has answered is over; what waited for its end happens now
    void finish();  // the search in hand answers now
    void perform(Words words, const Command& command);
    void start_perft(int depth);

    uci::Voice voice_;
    uci::Settings settings_ = uci::Settings::initial();
    Position position_ = Position::start();
    Book book_;
    Thinker thinker_;
    std::unique_ptr<Thinker> bench_thinker_;  // while a bench runs
    bool debug_ = false;
    bool quit_ = false;
    bool pondering_ = false;
    bool ends_by_itself_ = true;  // the search in hand
    std::atomic<bool> cancelled_ = false;
    std::vector<std::string> waiting_;  // lines that wait until the search has answered
    uci::Worker worker_;                // last: its job uses all the others
};

}  // namespace okapi
