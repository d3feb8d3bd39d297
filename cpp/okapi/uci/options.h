// The options of the protocol: their names, kinds and ranges in one table, and the settings they stand for.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace okapi::uci {

struct Settings {
    int threads = 1;
    int table_mb = 16;
    bool ponder = false;  // a permission for the front end; nothing here depends on it
    int multipv = 1;
    bool chess960 = false;
    bool show_wdl = false;
    bool limit_strength = false;
    int elo = 1500;
    bool analyse = false;  // no book, no handicap
    std::string opponent;
    std::string syzygy_path;
    int syzygy_depth = 1;
    int syzygy_pieces = 7;
    bool syzygy_fifty_moves = true;
    bool own_book = false;
    std::string book_file;
    std::string brain;  // its name or its file; find_brain() says where names are looked for
    int human_elo = 0;  // of the people whose moves such a brain predicts; 0: as its card says
    int overhead_ms = 20;
    bool verbose_move_stats = false;
    bool live_stats = false;
    std::string log_file;
    std::string without;           // heuristics to switch off, by name, with commas between
    std::string extras;            // those to switch on
    std::string budget = "depth";  // with its settings
    std::string move_brain;        // likewise, or none
    std::string variant = "chess";

    static Settings initial();
};

struct Button {};

struct Option {
    std::string_view name;
    std::variant<bool Settings::*, int Settings::*, std::string Settings::*, Button> field;
    int min = 0;
    int max = 0;
    bool declared = true;  // otherwise only understood
};

// A value that an option cannot have. The message says which it can.
struct InvalidValue : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::span<const Option> options();
// Upper and lower case are the same; a null pointer if there is none of this name.
const Option* find_option(std::string_view name);
// The line that answers `uci`.
std::string declaration(const Option& option);
// An empty value gives the option its first value back. Throws InvalidValue, and then changes nothing.
void assign(Settings& settings, const Option& option, std::string_view value);

}  // namespace okapi::uci
