#include "okapi/samples/keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "okapi/chess/zobrist.h"

namespace okapi {

namespace {

constexpr std::size_t kFewest = 16;     // slots
constexpr std::size_t kLookAhead = 32;  // keys whose slots are on their way from memory

}  // namespace

Key key(const PackedPosition& packed) {
    Key key = packed.turn == 0 ? zobrist::white_to_move() : 0;
    if (packed.en_passant < 64) key ^= zobrist::en_passant(Square(packed.en_passant).file());
    std::array<Square, 2> kings;
    std::array<Bitboard, 2> castling_rooks{};
    std::size_t n = 0;
    for (Square square : squares(packed.occupied)) {
        if (n == 2 * packed.pieces.size()) break;
        const int code = packed.pieces[n / 2] >> (n % 2 * 4) & 15;
        ++n;
        if (code > PackedPosition::kCastlingRook + 1) continue;
        Piece piece;
        piece.code = std::uint8_t(code);
        if (code >= PackedPosition::kCastlingRook) {
            piece = Piece(Color(code & 1), Kind::Rook);
            castling_rooks[std::size_t(code & 1)] |= bit(square);
        } else if (piece.kind() == Kind::King) {
            kings[std::size_t(code & 1)] = square;
        }
        key ^= zobrist::piece(piece, square);
    }
    for (std::size_t color : {0, 1})
        for (Square rook : squares(castling_rooks[color])) {
            const Wing wing = rook.index > kings[color].index ? Wing::King : Wing::Queen;
            key ^= zobrist::castling(2 * int(color) + int(wing));
        }
    return key;
}

KeySet::KeySet(std::size_t expected) { resize(std::bit_ceil(std::max(kFewest, expected + expected / 2))); }

bool KeySet::insert(Key key) {
    if (key == 0) return !std::exchange(has_zero_, true);
    if (3 * (size_ + 1) > 2 * slots_.size()) resize(2 * slots_.size());
    Key& slot = slots_[find(key)];
    if (slot == key) return false;
    slot = key;
    ++size_;
    return true;
}

bool KeySet::contains(Key key) const { return key == 0 ? has_zero_ : slots_[find(key)] == key; }

void KeySet::insert(std::span<const Key> keys, bool* are_new) {
    ahead_of_time(keys, [&](std::size_t i) { are_new[i] = insert(keys[i]); });
}

void KeySet::contains(std::span<const Key> keys, bool* are_in) const {
    ahead_of_time(keys, [&](std::size_t i) { are_in[i] = contains(keys[i]); });
}

std::size_t KeySet::find(Key key) const {
    std::size_t i = home(key);
    while (slots_[i] != 0 && slots_[i] != key) i = (i + 1) & (slots_.size() - 1);
    return i;
}

void KeySet::resize(std::size_t slots) {
    const std::vector<Key> old = std::exchange(slots_, std::vector<Key>(slots));
    shift_ = 64 - std::countr_zero(slots);
    for (Key key : old)
        if (key != 0) slots_[find(key)] = key;
}

template <class Each> void KeySet::ahead_of_time(std::span<const Key> keys, Each each) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
#if defined(__GNUC__)
        if (i + kLookAhead < keys.size()) __builtin_prefetch(&slots_[home(keys[i + kLookAhead])]);
#endif
        each(i);
    }
}

std::vector<Successor> successors_in(const PackedRows& rows, const KeySet& set) {
    std::vector<Successor> found;
    for (std::size_t n = 0; n < rows.count; ++n) {
        Position position = unpack(rows, n);
        for (Move move : legal_moves(position)) {
            position.play(move);
            if (set.contains(position.key())) found.push_back({n, position.key()});
            position.undo();
        }
    }
    return found;
}

}  // namespace okapi
