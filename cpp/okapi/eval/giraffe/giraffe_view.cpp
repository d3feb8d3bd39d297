#include "okapi/eval/giraffe/giraffe_view.h"

namespace okapi::giraffe {

namespace {

constexpr Bitboard upside_down(Bitboard set) {
    set = (set >> 8 & 0x00FF00FF00FF00FFULL) | (set & 0x00FF00FF00FF00FFULL) << 8;
    set = (set >> 16 & 0x0000FFFF0000FFFFULL) | (set & 0x0000FFFF0000FFFFULL) << 16;
    return set >> 32 | set << 32;
}

// With the pieces of `below` as White's.
template <Color below> View view_of(const Position& position, bool white_to_move) {
    View view;
    for (std::size_t side : {0, 1}) {
        const Color color = side == 0 ? below : ~below;
        const Bitboard theirs = position.pieces(color);
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const Bitboard set = theirs & position.pieces(Kind(kind));
            view.pieces[side][kind] = below == Color::White ? set : upside_down(set);
        }
        view.castling[side] = position.castling_rights() >> (2 * index(color)) & 3;
    }
    view.white_to_move = white_to_move;
    return view;
}

}  // namespace

View View::turned() const {
    View other;
    for (std::size_t side : {0, 1}) {
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            other.pieces[side][kind] = upside_down(pieces[1 - side][kind]);
        other.castling[side] = castling[1 - side];
    }
    other.white_to_move = !white_to_move;
    return other;
}

View seen_by_white(const Position& position) {
    return view_of<Color::White>(position, position.turn() == Color::White);
}

View seen_by_mover(const Position& position) {
    return position.turn() == Color::White ? view_of<Color::White>(position, true)
                                           : view_of<Color::Black>(position, true);
}

}  // namespace okapi::giraffe
