// Plays candidates for the scales of a linear-28 brain against each other, at fixed nodes, from random openings with
// colours exchanged, and prints what each scored against the first.
//
//   scales BRAIN CANDIDATE CANDIDATE... [--games N] [--nodes N] [--jobs N] [--seed N]
//
// A candidate is a list like king=30000,mobility=1,pawns=8,others=4: what divides the material near kings, how many
// times its weight a piece earns for all the moves it could have, what divides the pawns near the king, and what
// divides the factors that are simply there or not. `shipped` keeps the brain's own divisors; a path names another
// brain. See docs/reference/evaluators.md.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "okapi/eval/brain.h"
#include "okapi/eval/linear/factors.h"
#include "okapi/search/search.h"

using namespace okapi;

namespace {

struct Settings {
    int games = 400;
    std::uint64_t nodes = 5000;
    int jobs = 1;
    unsigned seed = 1;
};

// --- Candidates -------------------------------------------------------------------------------------------------

void divide(Brain& brain, Factor factor, float divisor) {
    std::memcpy(brain.tensors.at("divisors").data.data() + index(factor) * sizeof(float), &divisor, sizeof(float));
}

constexpr Factor kYesOrNo[] = {
    Factor::KingCastled, Factor::RookOpen,          Factor::RookHalfOpen,    Factor::RookAhead,   Factor::RookBehind,
    Factor::RookSeventh, Factor::RookSeventhFolded, Factor::KnightSupported, Factor::KnightBase,  Factor::KnightRim,
    Factor::KnightOuter, Factor::KnightInner,       Factor::KnightCentre,    Factor::PawnDoubled, Factor::PawnIsolated,
    Factor::PawnCentral, Factor::PawnPassed};

Brain candidate(const std::string& brain_path, const std::string& text) {
    if (text.find('=') == std::string::npos) return Brain::open(text == "shipped" ? brain_path : text);
    Brain brain = Brain::open(brain_path);
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t equals = part.find('=');
        const std::string name = part.substr(0, equals);
        const float value = std::stof(part.substr(equals + 1));
        if (name == "king") {
            divide(brain, Factor::KingDefence, value);
            divide(brain, Factor::KingAttack, value);
        } else if (name == "mobility") {
            divide(brain, Factor::KnightMobility, 8 / value);
            divide(brain, Factor::BishopMobility, 13 / value);
            divide(brain, Factor::RookMobility, 14 / value);
            divide(brain, Factor::QueenMobility, 27 / value);
        } else if (name == "pawns") {
            divide(brain, Factor::KingPawns, value);
        } else if (name == "others") {
            for (Factor factor : kYesOrNo) divide(brain, factor, value);
        } else {
            throw std::invalid_argument("candidate '" + text + "': expected king=, mobility=, pawns= or others=");
        }
    }
    return brain;
}

// --- Games ------------------------------------------------------------------------------------------------------

Limits at_most(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

// Eight plies without sense, kept if the first player thinks neither side is much ahead.
Position random_opening(Search& judge, std::mt19937& random) {
    while (true) {
        Position position = Position::start();
        for (int ply = 0; ply < 8; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            position.play(moves[int(random() % unsigned(moves.size()))]);
        }
        if (!has_legal_move(position)) continue;
        judge.new_game();
        if (std::abs(judge.run(position, at_most(5000)).value) < 120) return position;
    }
}

// White's score. A game is over for us when both players have agreed for four plies who wins, and drawn after 300.
double play(Position position, Search& white, Search& black, std::uint64_t nodes) {
    constexpr int kAgreed = 1200;
    white.new_game();
    black.new_game();
    int agreed = 0;
    for (int ply = 0; ply < 300; ++ply) {
        if (!has_legal_move(position)) return !position.in_check() ? 0.5 : position.turn() == Color::White ? 0.0 : 1.0;
        if (position.is_fifty_moves() || position.is_insufficient_material() || position.earlier_occurrences() >= 2)
            return 0.5;
        const bool whites_turn = position.turn() == Color::White;
        const Decision decision = (whites_turn ? white : black).run(position, at_most(nodes));
        const int value = whites_turn ? decision.value : -decision.value;
        agreed = value > kAgreed ? std::max(agreed, 0) + 1 : value < -kAgreed ? std::min(agreed, 0) - 1 : 0;
        if (std::abs(agreed) >= 4) return agreed > 0 ? 1.0 : 0.0;
        position.play(decision.move);
    }
    return 0.5;
}

// Scores of the second of two players over pairs of games, each pair from one opening.
struct Score {
    int pairs = 0, won = 0, drawn = 0, lost = 0;
    double sum = 0, squares = 0;

    void add(double first, double second) {
        for (double score : {first, second}) ++(score == 1.0 ? won : score == 0.5 ? drawn : lost);
        const double mean = (first + second) / 2;
        ++pairs;
        sum += mean;
        squares += mean * mean;
    }
    double mean() const { return sum / pairs; }
    double error() const { return 1.96 * std::sqrt(std::max(squares / pairs - mean() * mean(), 1e-9) / pairs); }
};

double elo(double score) { return -400 * std::log10(1 / std::min(std::max(score, 0.001), 0.999) - 1); }

Score match(const Brain& first, const Brain& second, const Settings& settings) {
    Score total;
    std::mutex mutex;
    std::atomic<int> next{0};
    const auto work = [&] {
        Search a(make_evaluator(first), 8), b(make_evaluator(second), 8);
        for (int pair; (pair = next++) < settings.games / 2;) {
            std::mt19937 random(settings.seed * 1000003u + unsigned(pair));
            const Position opening = random_opening(a, random);
            const double as_white = play(opening, b, a, settings.nodes);
            const double as_black = 1 - play(opening, a, b, settings.nodes);
            const std::lock_guard lock(mutex);
            total.add(as_white, as_black);
        }
    };
    std::vector<std::jthread> threads;
    for (int job = 0; job < settings.jobs; ++job) threads.emplace_back(work);
    threads.clear();
    return total;
}

}  // namespace

int main(int count, char** words) try {
    Settings settings;
    std::vector<std::string> names;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const bool option = word.starts_with("--");
        if (option && i + 1 == count) throw std::invalid_argument(word + " needs a number");
        if (word == "--games")
            settings.games = std::stoi(words[++i]);
        else if (word == "--nodes")
            settings.nodes = std::stoull(words[++i]);
        else if (word == "--jobs")
            settings.jobs = std::stoi(words[++i]);
        else if (word == "--seed")
            settings.seed = unsigned(std::stoul(words[++i]));
        else if (option)
            throw std::invalid_argument("unknown option " + word);
        else
            names.push_back(word);
    }
    if (names.size() < 3) throw std::invalid_argument("usage: scales BRAIN CANDIDATE CANDIDATE...");
    const Brain first = candidate(names[0], names[1]);
    std::printf("| candidate | against | won | drawn | lost | Elo (95 %%) |\n|---|---|---|---|---|---|\n");
    for (std::size_t i = 2; i < names.size(); ++i) {
        const Score score = match(first, candidate(names[0], names[i]), settings);
        const double low = elo(score.mean() - score.error()), high = elo(score.mean() + score.error());
        std::printf("| %s | %s | %d | %d | %d | %+.0f (%+.0f ... %+.0f) |\n", names[i].c_str(), names[1].c_str(),
                    score.won, score.drawn, score.lost, elo(score.mean()), low, high);
        std::fflush(stdout);
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
}
