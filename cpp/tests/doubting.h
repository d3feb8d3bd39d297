// Evaluators that follow the moves, held against ones that see each position for the first time.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "okapi/eval/evaluator.h"
#include "okapi/search/search.h"
#include "wander.h"

namespace okapi::tests {

// Forwards everything, and compares each value with what is expected of the position alone.
class Doubting final : public Evaluator {
public:
    using Expected = std::function<int(const Position&)>;
    struct Tally {
        int asked = 0;
        int wrong = 0;
    };

    Doubting(std::unique_ptr<Evaluator> evaluator, Expected expected, Tally& tally)
        : evaluator_(std::move(evaluator)), expected_(std::move(expected)), tally_(tally) {}

    int value(const Position& position) override {
        const int value = evaluator_->value(position);
        ++tally_.asked;
        tally_.wrong += value != expected_(position);
        return value;
    }
    void reset(const Position& position) override { evaluator_->reset(position); }
    void push(const Position& before, Move move) override { evaluator_->push(before, move); }
    void pop() override { evaluator_->pop(); }
    std::unique_ptr<Evaluator> clone() const override {
        return std::make_unique<Doubting>(evaluator_->clone(), expected_, tally_);
    }

private:
    std::unique_ptr<Evaluator> evaluator_;
    Expected expected_;
    Tally& tally_;
};

// How often searches asked an evaluator that follows their moves, and how often it was wrong.
inline Doubting::Tally searched_in_doubt(std::unique_ptr<Evaluator> evaluator, Doubting::Expected expected) {
    Doubting::Tally tally;
    Search search(std::make_unique<Doubting>(std::move(evaluator), std::move(expected), tally), 1);
    Limits limits;
    limits.depth = 7;
    for (const char* fen : {kPositions[1], kPositions[2], kPositions[3]}) search.run(Position::from_fen(fen), limits);
    return tally;
}

// Plays legal moves of all kinds and passes, and takes them back, telling `evaluator`. Now and then visits a position.
template <class Visit> void stray(Evaluator& evaluator, Visit visit) {
    std::vector<std::string> fens(kPositions.begin(), kPositions.end());
    fens.push_back("1r2k2r/P1p1p1p1/8/3pP3/1pP5/8/P2P2pP/R3K2R w KQk d6 0 1");  // every special move is near
    fens.push_back("rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1");                     // Chess960
    fens.push_back("3k4/8/8/8/8/8/8/3K4 w - - 0 1");                            // kings beside the board's middle
    fens.push_back("3rk1r1/p7/8/8/8/8/7P/1R1RK3 b Dd - 0 1");                   // one castles over it
    std::mt19937 random(1);
    for (const std::string& fen : fens) {
        Position position = Position::from_fen(fen);
        evaluator.reset(position);
        int depth = 0;
        for (int step = 0; step < 300; ++step) {
            const MoveList moves = legal_moves(position);
            if (depth > 0 && (moves.empty() || random() % 4 == 0)) {
                evaluator.pop();
                position.last_was_pass() ? position.unpass() : position.undo();
                --depth;
            } else if (!moves.empty()) {
                const bool pass = !position.in_check() && !position.last_was_pass() && random() % 8 == 0;
                const Move move = pass ? Move::none() : moves[int(random() % unsigned(moves.size()))];
                evaluator.push(position, move);
                pass ? position.pass() : position.play(move);
                ++depth;
            }
            if (random() % 2) visit(position);
        }
    }
}

}  // namespace okapi::tests
