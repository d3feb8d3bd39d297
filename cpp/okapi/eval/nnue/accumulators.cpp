#include "okapi/eval/nnue/accumulators.h"

namespace okapi {

namespace {

constexpr std::size_t kUsualLevels = 64;  // more are made when they are needed

}  // namespace

Accumulators::Accumulators(const AccumulatorWeights& weights, const AccumulatorKernels& kernels)
    : weights_(weights), kernels_(kernels), levels_(kUsualLevels), sums_(2 * kUsualLevels * weights.neurons) {
    memories_.assign(4 * weights.layout.buckets, {{}, weights.bias});
}

void Accumulators::reset(const Position& position) {
    now_ = 0;
    levels_[0] = {
        .changes = {},
        .views = {view(Color::White, position.king(Color::White)), view(Color::Black, position.king(Color::Black))},
        .known = {false, false}};
}

void Accumulators::push(const Position& before, Move move) {
    if (++now_ == levels_.size()) {
        levels_.resize(2 * levels_.size());
        sums_.resize(2 * levels_.size() * weights_.neurons);
    }
    Level& level = levels_[now_];
    level.changes = Changes(before, move);
    level.views = levels_[now_ - 1].views;
    level.known = {false, false};
    if (!move.exists()) return;
    const PlacedPiece moved = level.changes.arrive().front();
    const Color side = before.turn();
    if (moved.piece.kind() == Kind::King) level.views[std::size_t(side)] = view(side, moved.square);
}

const std::int16_t* Accumulators::seen_by(Color side, const Position& position) {
    const auto s = std::size_t(side);
    const View seen = levels_[now_].views[s];
    std::size_t known = now_;
    while (!levels_[known].known[s] && known > 0 && levels_[known - 1].views[s] == seen) --known;
    if (levels_[known].known[s])
        while (known < now_) update(++known, side);
    else
        refresh(side, position);
    return sums(now_, side);
}

void Accumulators::update(std::size_t level, Color side) {
    Level& here = levels_[level];
    const View seen = here.views[std::size_t(side)];
    const auto rows = [&](std::span<const PlacedPiece> men) {
        RowList list;
        for (const PlacedPiece& man : men) list.add(row(side, seen, man));
        return list;
    };
    kernels_.change(sums(level, side), sums(level - 1, side), rows(here.changes.arrive()), rows(here.changes.leave()),
                    weights_.neurons);
    here.known[std::size_t(side)] = true;
}

void Accumulators::refresh(Color side, const Position& position) {
    Level& here = levels_[now_];
    const View seen = here.views[std::size_t(side)];
    Memory& memory = memories_[4 * std::size_t(seen.bucket) + 2 * std::size_t(side) + ((seen.flips & kMirrored) != 0)];
    RowList arrive, leave;
    for (Color color : {Color::White, Color::Black})
        for (int kind = 0; kind < kKinds; ++kind) {
            const Piece piece(color, Kind(kind));
            const Bitboard men = position.pieces(color, Kind(kind));
            Bitboard& before = memory.men[piece.code];
            for (Square square : squares(men & ~before)) arrive.add(row(side, seen, {piece, square}));
            for (Square square : squares(before & ~men)) leave.add(row(side, seen, {piece, square}));
            before = men;
        }
    kernels_.change(memory.sums.data(), memory.sums.data(), arrive, leave, weights_.neurons);
    std::copy(memory.sums.begin(), memory.sums.end(), sums(now_, side));
    here.known[std::size_t(side)] = true;
}

}  // namespace okapi
