// Labels by another engine: its lines, and engines that exit, hang or answer illegal moves.
#include "check.h"
#include "okapi/chess/text.h"
#include "okapi/samples/traits.h"
#include "okapi/uci/labeller.h"

#ifndef _WIN32
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <thread>
#endif

using namespace okapi;
using namespace okapi::uci;

namespace {

std::optional<Label> label_of(std::initializer_list<std::string_view> said, std::vector<LabelLine>& lines,
                              std::string_view fen = kStartFen) {
    InfoReader reader(lines.size());
    for (std::string_view line : said)
        if (reader.read(line)) return reader.label(Position::from_fen(fen), lines);
    return std::nullopt;
}

std::string move_of(std::uint16_t bits) { return to_uci(Move(bits)); }

}  // namespace

TEST(keeps_the_last_exact_line_of_each_rank) {
    std::vector<LabelLine> lines(3);
    const auto label = label_of({"info depth 3 multipv 1 score cp 10 nodes 100 pv e2e4 e7e5",
                                 "info depth 3 multipv 2 score cp 5 nodes 100 pv d2d4",
                                 "info depth 4 multipv 1 score cp 99 lowerbound nodes 150 pv e2e4",
                                 "info depth 4 multipv 1 score cp 20 wdl 100 850 50 nodes 170 pv d2d4 d7d5",
                                 "info string depth 9 score cp 1 pv a2a3", "bestmove d2d4 ponder d7d5"},
                                lines);

    CHECK(label.has_value());
    CHECK_EQUAL(20, label->value);
    CHECK_EQUAL("d2d4", move_of(label->move));
    CHECK_EQUAL(4, int(label->depth));
    CHECK_EQUAL(170u, label->nodes);
    CHECK_EQUAL(850, label->wdl[1]);
    CHECK_EQUAL("d2d4", move_of(lines[0].move));
    CHECK_EQUAL(5, lines[1].value);
    CHECK_EQUAL(0, lines[2].move);
    CHECK_EQUAL(kNoValue, lines[2].value);
}

TEST(a_mate_is_a_value_and_a_bound_is_better_than_nothing) {
    std::vector<LabelLine> lines(1);

    CHECK_EQUAL(kMateValue - 3, label_of({"info score mate 3 pv e2e4", "bestmove e2e4"}, lines)->value);
    CHECK_EQUAL(2 - kMateValue, label_of({"info score mate -2", "bestmove e2e4"}, lines)->value);
    CHECK_EQUAL(7, label_of({"info score cp 7 upperbound", "bestmove E2E4"}, lines)->value);
    CHECK_EQUAL(20000, label_of({"info score cp 99999999999999999999", "bestmove e2e4"}, lines)->value);
    CHECK_EQUAL(kNoValue, label_of({"bestmove e2e4"}, lines)->value);
}

TEST(an_answer_that_is_no_legal_move_is_none) {
    std::vector<LabelLine> lines(1);

    for (std::string_view answer : {"bestmove e2e5", "bestmove", "bestmove (none)", "bestmove banana split"})
        CHECK(!label_of({answer}, lines));
}

TEST(castling_may_be_written_both_ways) {
    const std::string_view fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    std::vector<LabelLine> lines(1);

    CHECK_EQUAL(label_of({"bestmove e1g1"}, lines, fen)->move, label_of({"bestmove e1h1"}, lines, fen)->move);
}

TEST(the_dice_choose_any_move_and_no_other) {
    const Position start = Position::start();
    std::vector<PackedPosition> expected, found;
    for (Move move : legal_moves(start)) {
        Position after = start;
        after.play(move);
        expected.push_back(pack(after));
    }
    for (std::uint64_t rng = 40; rng < 60; ++rng) found.push_back(*after_random_move(pack(start), rng));

    CHECK(expected == found);
    CHECK(!after_random_move(pack(Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")), 1));
}

#ifndef _WIN32

namespace {

// A fake engine behind pipes: it reads requests and writes what the test gives it.
struct Puppet {
    std::array<int, 2> input{}, output{}, errors{};

    Puppet() {
        signal(SIGPIPE, SIG_IGN);
        for (auto* ends : {&input, &output, &errors}) CHECK(pipe(ends->data()) == 0);
        for (int end : {input[1], errors[0]}) fcntl(end, F_SETFL, O_NONBLOCK);
    }
    ~Puppet() {
        for (auto* ends : {&input, &output, &errors})
            for (int& end : *ends) leave(end);
    }
    static void leave(int& end) {
        if (end >= 0) close(end);
        end = -1;
    }
    void write(std::string_view text) { CHECK(::write(output[1], text.data(), text.size()) == ssize_t(text.size())); }
    Streams streams() const { return {input[1], output[0], errors[0]}; }
};

struct Held {
    LabelRun run;
    std::vector<Label> labels;
};

Held hold(const Puppet& puppet, std::size_t count, std::size_t ahead = 0) {
    const std::vector<PackedPosition> positions(count, pack(Position::start()));
    Held held{{}, std::vector<Label>(count)};
    std::vector<LabelLine> lines(count);
    EngineLabelOptions options;
    options.ahead = ahead;
    options.timeout = std::chrono::milliseconds(200);
    held.run = label_positions(puppet.streams(), positions, options, held.labels, lines);
    return held;
}

}  // namespace

TEST(answers_belong_to_positions_in_order) {
    for (std::size_t ahead : {0, 1, 7}) {
        Puppet puppet;
        std::thread program([&] {
            std::string read_so_far;
            std::array<char, 4096> chunk;
            for (int answered = 0; answered < 20;) {
                const ssize_t size = read(puppet.input[0], chunk.data(), chunk.size());
                read_so_far.append(chunk.data(), std::size_t(size));
                for (std::size_t at; (at = read_so_far.find("go depth 1\n")) != read_so_far.npos;) {
                    read_so_far.erase(0, at + 11);
                    puppet.write("info score cp " + std::to_string(answered++) + " pv e2e4\nbestmove e2e4\n");
                }
            }
        });
        const Held held = hold(puppet, 20, ahead);
        program.join();

        CHECK_EQUAL(20u, held.run.answered);
        CHECK(held.run.failure == EngineFailure::None);
        for (int n = 0; n < 20; ++n) CHECK_EQUAL(n, held.labels[std::size_t(n)].value);
    }
}

TEST(trouble_comes_with_the_position_it_came_with) {
    Puppet cheat;
    cheat.write("bestmove e2e4\n");
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        cheat.write("bestmove e2e5\n");
    });
    const Held cheated = hold(cheat, 3);
    later.join();
    CHECK_EQUAL(1u, cheated.run.answered);
    CHECK(cheated.run.failure == EngineFailure::IllegalMove);
    CHECK_EQUAL("e2e5", cheated.run.message);

    Puppet mute;
    mute.write("info string hello\n");
    CHECK(hold(mute, 3).run.failure == EngineFailure::Timeout);

    Puppet dead;
    CHECK(write(dead.errors[1], "bad_alloc", 9) == 9);
    dead.leave(dead.output[1]);
    const Held ended = hold(dead, 3);
    CHECK(ended.run.failure == EngineFailure::Closed);
    CHECK_EQUAL("bad_alloc", ended.run.message);
}

#endif

int main() { return okapi::tests::run(); }
