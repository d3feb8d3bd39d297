#include "okapi/selfplay/generation.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "okapi/search/limited_search.h"
#include "okapi/selfplay/match.h"
#include "okapi/utils/parallel.h"

namespace okapi {

namespace {

// A search that has begun a depth may need several times what it was meant to.
constexpr std::uint64_t kHardLimit = 8;
// Searches whose entries the table has room for: those of older moves are hardly ever used again.
constexpr std::uint64_t kRemembered = 16;
// But no fewer nodes than this, which is a table of one megabyte, as players have.
constexpr std::uint64_t kLeastRemembered = 1 << 14;
// Openings that are tried. After that many, an evaluator has no idea what balanced means.
constexpr int kOpenings = 100;

std::shared_ptr<NodeLimitedSearch> patient_search(const Evaluator& evaluator, std::uint64_t nodes) {
    Heuristics heuristics;
    heuristics.tablebases = false;
    const std::uint64_t remembered = std::max(kRemembered * nodes, kLeastRemembered);
    return std::make_shared<NodeLimitedSearch>(evaluator.clone(), kHardLimit * nodes, remembered, heuristics);
}

class OwnGame {
public:
    OwnGame(NodeLimitedSearch& searcher, const GenerationOptions& options, std::uint32_t number)
        : searcher_(searcher), options_(options), number_(number), random_(row_rng(options.seed, number)) {}

    std::vector<Sample> play() {
        SearchResult found = open();
        Adjudicator adjudicator(options_.adjudication);
        std::optional<Verdict> verdict;
        while (true) {
            note(found);
            position_.play(found.line.front());
            adjudicator.add(found.value, position_);
            if ((verdict = adjudicator.verdict(position_))) break;
            found = search();
        }
        if (verdict->ending != Ending::TooLong) tell(verdict->result);
        return std::move(samples_);
    }

private:
    // Sets up a position that is not decided yet, and returns its search result.
    SearchResult open() {
        for (int tried = 1;; ++tried) {
            if (!wander()) continue;
            searcher_.forget();
            SearchResult found = search();
            if (std::abs(found.value) <= options_.balanced || tried >= kOpenings) return found;
        }
    }

    // Plays random moves from the start; false if they end the game.
    bool wander() {
        position_ = Position::start();
        const int plies = options_.random_plies + int(random_() % 2);
        for (int ply = 0; ply < plies; ++ply) {
            const MoveList legal = legal_moves(position_);
            if (legal.empty()) return false;
            position_.play(legal[int(random_() % std::uint64_t(legal.size()))]);
        }
        return !ending(position_);
    }

    SearchResult search() { return searcher_.search_soft(position_, options_.nodes); }

    void note(const SearchResult& found) {
        Sample sample;
        sample.position = pack(position_);
        sample.value = stored(found.value);
        sample.move = found.line.front().bits;
        sample.ply = std::uint16_t(position_.plies());
        sample.game = number_;
        sample.nodes = std::uint32_t(found.nodes);
        samples_.push_back(sample);
    }

    void tell(Result result) {
        for (Sample& sample : samples_) {
            const int white = int(result);
            sample.result = std::int8_t(sample.position.turn == 0 ? white : 2 - white);
        }
    }

    NodeLimitedSearch& searcher_;
    const GenerationOptions& options_;
    const std::uint32_t number_;
    std::mt19937_64 random_;
    Position position_ = Position::start();
    std::vector<Sample> samples_;
};

}  // namespace

std::vector<Sample> play_generation(const Evaluator& evaluator, const GenerationOptions& options) {
    std::vector<std::vector<Sample>> games(options.games);
    parallel_for(options.games, options.threads, [&]() -> RowTask {
        return [&, searcher = patient_search(evaluator, options.nodes)](std::size_t n) {
            games[n] = OwnGame(*searcher, options, options.first + std::uint32_t(n)).play();
        };
    });
    std::vector<Sample> all;
    for (const std::vector<Sample>& game : games) all.insert(all.end(), game.begin(), game.end());
    return all;
}

}  // namespace okapi
