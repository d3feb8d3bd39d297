#include "okapi/encode/lai2015.h"

namespace okapi::encode {

namespace {

giraffe::View view_of(const Board& board) {
    giraffe::View view;
    for (Color color : {Color::White, Color::Black}) {
        const auto c = std::size_t(color);
        for (std::size_t kind = 0; kind < kKinds; ++kind) view.pieces[c][kind] = board.pieces(color, Kind(kind));
        view.castling[c] = std::uint8_t(board.can_castle(color, Wing::King) + 2 * board.can_castle(color, Wing::Queen));
    }
    view.white_to_move = board.turn() == Color::White;
    return view;
}

void write(const giraffe::View& view, float* out) {
    giraffe::Features features;
    giraffe::write(view, best_kernels(), features);
    for (std::size_t i = 0; i < giraffe::kFeatures; ++i)
        out[i] = float(features.numbers[giraffe::kPlaces[i]]) / float(giraffe::kUnit);
}

}  // namespace

void giraffe_363(const Board& board, float* out) { write(view_of(board), out); }

void giraffe_363_mover(const Board& board, float* out) {
    const giraffe::View view = view_of(board);
    write(view.white_to_move ? view : view.turned(), out);
}

}  // namespace okapi::encode
