// Games in bulk: the same with any threads and batches, legal from the first move to the last, with the right results.
#include "check.h"
#include "okapi/chess/text.h"
#include "okapi/eval/brain.h"
#include "okapi/eval/callback.h"
#include "okapi/selfplay/generation.h"

using namespace okapi;

namespace {

std::vector<Sample> played(std::uint32_t first, std::size_t games, int threads = 1) {
    GenerationOptions options{first, games, 40};
    options.adjudication.resign_score = 2000;
    options.adjudication.resign_moves = 2;
    options.seed = 7;
    options.threads = threads;
    return play_generation(*make_evaluator(default_brain()), options);
}

bool same(const std::vector<Sample>& one, const std::vector<Sample>& other) {
    return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size() * sizeof(Sample)) == 0;
}

}  // namespace

TEST(games_depend_on_their_number_alone) {
    const std::vector<Sample> all = played(0, 6);
    std::vector<Sample> parts = played(0, 2, 2);
    for (const Sample& sample : played(2, 4, 3)) parts.push_back(sample);
    CHECK(!all.empty());
    CHECK(same(all, parts));
}

TEST(every_sample_follows_from_the_one_before) {
    const std::vector<Sample> samples = played(0, 4);
    for (std::size_t n = 0; n < samples.size(); ++n) {
        const Sample& sample = samples[n];
        Position position = unpack(sample.position);
        const MoveList legal = legal_moves(position);
        CHECK(std::find(legal.begin(), legal.end(), Move(sample.move)) != legal.end());
        CHECK(sample.result >= 0 && sample.result <= 2);
        if (n + 1 == samples.size() || samples[n + 1].game != sample.game) continue;
        position.play(Move(sample.move));
        CHECK(pack(position) == samples[n + 1].position);
        CHECK(samples[n + 1].ply == sample.ply + 1);
        CHECK(samples[n + 1].result == 2 - sample.result);
    }
}

TEST(an_evaluator_that_never_sees_balance_gets_an_opening_all_the_same) {
    const Callback sure(
        [](const std::vector<Position>& positions) { return std::vector<int>(positions.size(), 5000); });
    GenerationOptions options{0, 2, 1};
    options.adjudication.max_plies = 3;
    const std::vector<Sample> samples = play_generation(sure, options);
    CHECK(samples.size() == 6);
    for (const Sample& sample : samples) CHECK(sample.result == -1);
}

TEST(no_games_are_soon_played) { CHECK(played(0, 0).empty()); }

int main() { return okapi::tests::run(); }
