// Moves of depth-limited searches: those of the ordinary search, with any number of threads.
#include <vector>

#include "check.h"
#include "okapi/eval/linear/linear5.h"
#include "okapi/search/search.h"
#include "okapi/selfplay/labelling.h"
#include "wander.h"

using namespace okapi;

namespace {

std::vector<PackedPosition> positions() {
    std::vector<PackedPosition> found;
    int number = 0;
    tests::wander([&](const Position& position) {
        if (number++ % 9 == 0) found.push_back(pack(position));
    });
    return found;
}

std::vector<Move> chosen(std::vector<const Evaluator*> evaluators, const std::vector<PackedPosition>& positions,
                         const ChoiceOptions& options) {
    const PackedRows rows{reinterpret_cast<const std::uint8_t*>(positions.data()), positions.size(),
                          sizeof(PackedPosition)};
    std::vector<Move> moves(evaluators.size() * positions.size());
    choose_moves(evaluators, rows, options, moves);
    return moves;
}

Move slow_twin(const Evaluator& evaluator, const PackedPosition& packed, int depth) {
    Heuristics heuristics;
    heuristics.table = heuristics.correction_history = heuristics.tablebases = false;
    Search search(evaluator.clone(), 1);
    search.set_heuristics(heuristics);
    Limits limits;
    limits.depth = depth;
    return search.run(unpack(packed), limits).move;
}

}  // namespace

TEST(choices_are_those_of_the_ordinary_search) {
    const Material material({100, 300, 300, 500, 900});
    const Linear5 five({100, 310, 325, 515, 842, 6});
    const auto all = positions();
    for (int depth : {1, 2}) {
        const auto moves = chosen({&material, &five}, all, {.depth = depth});
        for (std::size_t n = 0; n < all.size(); ++n) {
            CHECK(slow_twin(material, all[n], depth) == moves[n]);
            CHECK(slow_twin(five, all[n], depth) == moves[all.size() + n]);
        }
    }
}

TEST(threads_change_nothing) {
    const Linear5 five({100, 310, 325, 515, 842, 6});
    const auto all = positions();
    CHECK(chosen({&five, &five}, all, {.depth = 2}) == chosen({&five, &five}, all, {.depth = 2, .threads = 3}));
    CHECK(chosen({}, all, {.threads = 2}).empty());
    CHECK(chosen({&five}, {}, {.threads = 2}).empty());
}

int main() { return tests::run(); }
