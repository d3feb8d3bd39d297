// Callback evaluators: called in batches, and for several threads together.
#include <atomic>
#include <chrono>
#include <future>
#include <numeric>
#include <string>
#include <thread>

#include "check.h"
#include "okapi/eval/batcher.h"
#include "okapi/eval/callback.h"

using namespace okapi;

TEST(a_callback_is_asked_once_for_all_children) {
    std::vector<std::size_t> batches;
    Callback callback([&](const std::vector<Position>& positions) {
        batches.push_back(positions.size());
        return std::vector<int>(positions.size(), 42);
    });
    Position position = Position::start();
    const MoveList moves = legal_moves(position);
    CHECK(callback.wants_batches());
    callback.expect(position, moves);
    callback.expect(position, moves);
    CHECK_EQUAL(Position::start().fen(), position.fen());
    for (Move move : moves) {
        position.play(move);
        CHECK_EQUAL(42, callback.value(position));
        position.undo();
    }
    CHECK(batches == std::vector<std::size_t>{20});
    CHECK_EQUAL(42, callback.value(position));
    CHECK((batches == std::vector<std::size_t>{20, 1}));
}

TEST(a_callback_that_miscounts_is_told_so) {
    Callback callback([](const std::vector<Position>&) { return std::vector<int>{1, 2}; });
    CHECK_THROWS(std::runtime_error, callback.value(Position::start()));
}

TEST(a_callback_is_kept_within_the_bounds) {
    Callback callback([](const std::vector<Position>& p) { return std::vector<int>(p.size(), 1'000'000'000); });
    CHECK_EQUAL(kMaxEvaluation, callback.value(Position::start()));
}

TEST(a_callback_answers_many_positions_at_once) {
    std::vector<std::size_t> batches;
    Callback callback([&](const std::vector<Position>& positions) {
        batches.push_back(positions.size());
        std::vector<int> values;
        for (const Position& position : positions) values.push_back(position.halfmove_clock());
        return values;
    });
    const std::vector<Position> positions = {Position::start(), Position::from_fen("4k3/8/8/8/8/8/8/4K2R w - - 7 50")};
    CHECK((callback.values(positions) == std::vector<int>{0, 7}));
    CHECK(batches == std::vector<std::size_t>{2});
}

// --- Questions of several threads ---------------------------------------------------------------------------------

TEST(what_several_threads_ask_is_put_together) {
    constexpr int kThreads = 8;
    std::promise<void> all_wait;
    std::atomic<int> about_to_ask = 0;
    std::vector<std::size_t> batches;
    Batcher gathering(
        [&](const std::vector<Position>& positions) {
            if (batches.empty()) all_wait.get_future().wait();
            batches.push_back(positions.size());
            std::vector<int> values;
            for (const Position& position : positions) values.push_back(position.halfmove_clock());
            return values;
        },
        1);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&, i] {
            const std::string fen = "4k3/8/8/8/8/8/8/4K2R w - - " + std::to_string(i) + " 50";
            const std::vector<Position> mine(std::size_t(i) + 1, Position::from_fen(fen));
            ++about_to_ask;
            right += gathering.ask(mine) == std::vector<int>(mine.size(), i);
        });
    while (about_to_ask < kThreads) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    all_wait.set_value();
    for (std::thread& thread : threads) thread.join();
    CHECK_EQUAL(kThreads, int(right));
    CHECK(batches.size() < kThreads);
    CHECK_EQUAL(std::size_t(kThreads * (kThreads + 1) / 2), std::accumulate(batches.begin(), batches.end(), 0UL));
}

TEST(what_goes_wrong_with_a_batch_reaches_all_who_asked) {
    Batcher gathering([](const std::vector<Position>&) -> std::vector<int> { throw std::runtime_error("no"); }, 1);
    std::atomic<int> thrown = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            try {
                gathering.ask({Position::start()});
            } catch (const std::runtime_error&) {
                ++thrown;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK_EQUAL(4, int(thrown));
}

int main() { return tests::run(); }
