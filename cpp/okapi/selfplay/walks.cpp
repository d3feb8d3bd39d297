#include "okapi/selfplay/walks.h"

#include <algorithm>
#include <memory>

#include "okapi/search/limited_search.h"
#include "okapi/utils/parallel.h"

namespace okapi {

namespace {

constexpr std::size_t kBlock = 4096;  // positions that one generator of random numbers leads to

// Calls `fill(random, block)` for blocks of `found`, on several threads; what a block gets depends on its number alone.
void fill_blocks(std::span<PackedPosition> found, std::uint64_t seed, int threads,
                 const std::function<std::function<void(std::mt19937_64&, std::span<PackedPosition>)>()>& make_fill) {
    parallel_for((found.size() + kBlock - 1) / kBlock, threads, [&]() -> RowTask {
        return [&, fill = make_fill()](std::size_t n) {
            std::mt19937_64 random = row_rng(seed, n);
            fill(random, found.subspan(n * kBlock, std::min(kBlock, found.size() - n * kBlock)));
        };
    });
}

Position random_position(const PackedRows& rows, std::mt19937_64& random) {
    return unpack_unchecked(rows[random() % rows.count]);
}

bool is_calm(const Position& position) {
    for (const Move move : legal_moves(position, Which::Noisy))
        if (move.promotes() || position.see_ge(move, 1)) return false;
    return true;
}

// Of each position on the walk some children are looked at; the last one is where the walk goes on.
void walk(const PackedRows& rows, int plies, std::mt19937_64& random, std::span<PackedPosition> block) {
    constexpr int kChildren = 8;
    for (std::size_t done = 0; done < block.size();) {
        Position position = random_position(rows, random);
        const int length = 1 + int(random() % std::uint64_t(plies));
        for (int ply = 0; ply < length && done < block.size(); ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            const int children = std::min(kChildren, moves.size()), apart = moves.size() / children;
            const int first = int(random() % std::uint64_t(moves.size()));
            for (int n = 0; n < children; ++n) {
                position.play(moves[(first + n * apart) % moves.size()]);
                if (done < block.size() && !position.in_check() && is_calm(position)) block[done++] = pack(position);
                if (n + 1 < children) position.undo();
            }
        }
    }
}

// Keeps some of the positions that it is asked for.
struct Kept {
    std::span<PackedPosition> block{};
    std::size_t done = 0;
    std::uint64_t one_in = 1;
    std::uint64_t state = 1;  // of a small generator: xorshift

    void show(const Position& position) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        if (done < block.size() && state % one_in == 0) block[done++] = pack(position);
    }
};

class Recorder final : public Evaluator {
public:
    Recorder(std::unique_ptr<Evaluator> evaluator, std::shared_ptr<Kept> kept)
        : evaluator_(std::move(evaluator)), kept_(std::move(kept)) {}

    int value(const Position& position) override {
        kept_->show(position);
        return evaluator_->value(position);
    }
    void reset(const Position& position) override { evaluator_->reset(position); }
    void push(const Position& before, Move move) override { evaluator_->push(before, move); }
    void pop() override { evaluator_->pop(); }
    std::unique_ptr<Evaluator> clone() const override { return std::make_unique<Recorder>(evaluator_->clone(), kept_); }

private:
    std::unique_ptr<Evaluator> evaluator_;
    std::shared_ptr<Kept> kept_;
};

}  // namespace

void random_walks(const PackedRows& rows, const WalkOptions& options, std::span<PackedPosition> found) {
    fill_blocks(found, options.seed, options.threads, [&] {
        return
            [&](std::mt19937_64& random, std::span<PackedPosition> block) { walk(rows, options.plies, random, block); };
    });
}

void evaluated_positions(const Evaluator& evaluator, const PackedRows& rows, const VisitOptions& options,
                         std::span<PackedPosition> found) {
    Heuristics heuristics;
    heuristics.tablebases = false;
    fill_blocks(found, options.seed, options.threads, [&] {
        auto kept = std::make_shared<Kept>();
        auto search = std::make_shared<NodeLimitedSearch>(std::make_unique<Recorder>(evaluator.clone(), kept),
                                                          options.nodes, 8 * options.nodes, heuristics);
        return [&, kept, search](std::mt19937_64& random, std::span<PackedPosition> block) {
            *kept = {block, 0, options.one_in, random() | 1};
            search->forget();
            while (kept->done < block.size()) {
                const Position position = random_position(rows, random);
                kept->show(position);  // there is one even where no search evaluates anything
                if (has_legal_move(position)) search->search(position);
            }
        };
    });
}

}  // namespace okapi
