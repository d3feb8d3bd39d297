#include "okapi/uci/genfens.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "okapi/chess/position.h"
#include "okapi/uci/tokens.h"

namespace okapi {

using uci::Tokens;

namespace {

constexpr int kFewestPlies = 8;
constexpr std::uint64_t kNodes = 1000;  // spent on judging an opening
constexpr int kDecided = 300;           // centipawns: an opening worse than this teaches little

struct Request {
    std::int64_t count = 0;
    std::uint64_t seed = 0;
    std::string book;  // empty: the start position
};

Request parse(std::string_view command) {
    Tokens tokens(command);
    if (tokens.next() != "genfens") throw std::runtime_error("expected genfens N seed S book <None|FILE>");
    const auto count = uci::parse_number(tokens.next());
    if (!count || *count < 0) throw std::runtime_error("genfens needs the number of positions");
    Request request{*count, 0, {}};
    while (!tokens.done()) {
        const std::string_view key = tokens.next();
        if (key == "seed") request.seed = std::uint64_t(uci::parse_number(tokens.next()).value_or(0));
        if (key == "book") request.book = tokens.next();
    }
    if (request.book == "None") request.book.clear();
    return request;
}

std::vector<std::string> read_book(const std::string& path) {
    if (path.empty()) return {std::string(kStartFen)};
    std::ifstream file(path);
    std::vector<std::string> fens;
    for (std::string line; std::getline(file, line);) {
        Tokens tokens(line);
        std::string fen;
        for (int i = 0; i < 4 && !tokens.done(); ++i) uci::append(fen, tokens.next());
        if (!fen.empty()) fens.push_back(fen);
    }
    if (fens.empty()) throw std::runtime_error("no positions in the book " + path);
    return fens;
}

// Plays so many random moves; false if the game ends on the way.
bool wander(Position& position, int plies, std::mt19937_64& random) {
    for (int i = 0; i < plies; ++i) {
        const MoveList moves = legal_moves(position);
        if (moves.empty()) return false;
        position.play(moves[int(random() % std::uint64_t(moves.size()))]);
    }
    return has_legal_move(position) && !position.is_insufficient_material();
}

bool is_open(const Position& position, Search& search) {
    Limits limits;
    limits.nodes = kNodes;
    search.new_game();
    return std::abs(search.run(position, limits).value) <= kDecided;
}

}  // namespace

void generate_fens(std::string_view command, Search& search, uci::Writer& writer) {
    const Request request = parse(command);
    const std::vector<std::string> starts = read_book(request.book);
    std::mt19937_64 random(request.seed);
    std::int64_t failures_in_a_row = 0;
    for (std::int64_t made = 0; made < request.count;) {
        Position position = Position::from_fen(starts[random() % starts.size()]);
        const int plies = kFewestPlies + int(random() % 2);
        if (!wander(position, plies, random) || !is_open(position, search)) {
            if (++failures_in_a_row > 100'000) throw std::runtime_error("the book has no positions worth playing");
            continue;
        }
        failures_in_a_row = 0;
        writer.write("info string genfens " + position.fen());
        ++made;
    }
}

}  // namespace okapi
