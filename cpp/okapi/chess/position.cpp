#include "okapi/chess/position.h"

#include <algorithm>
#include <cassert>

#include "okapi/chess/rules.h"
#include "okapi/chess/zobrist.h"

namespace okapi {

// --- Putting pieces ----------------------------------------------------------------------------------------------

void Position::put(Square square, Piece piece) {
    board_[square.index] = piece;
    kinds_[std::size_t(piece.kind())] |= bit(square);
    colors_[std::size_t(piece.color())] |= bit(square);
}

Piece Position::lift(Square square) {
    const Piece piece = board_[square.index];
    board_[square.index] = Piece::none();
    kinds_[std::size_t(piece.kind())] ^= bit(square);
    colors_[std::size_t(piece.color())] ^= bit(square);
    return piece;
}

void Position::put_hashed(Square square, Piece piece) {
    put(square, piece);
    hash(piece, square);
}

void Position::lift_hashed(Square square) { hash(lift(square), square); }

void Position::hash(Piece piece, Square square) {
    const Key key = zobrist::piece(piece, square);
    now_.key ^= key;
    if (piece.kind() == Kind::Pawn)
        now_.pawn_key ^= key;
    else
        now_.piece_key[std::size_t(piece.color())] ^= key;
}

void Position::hash_rights(std::uint8_t rights) {
    for (; rights; rights &= std::uint8_t(rights - 1)) now_.key ^= zobrist::castling(std::countr_zero(rights));
}

void Position::set_up_castling(Color color, Wing wing, Square rook) {
    const std::uint8_t r = right(color, wing);
    now_.rights |= r;
    rooks_[std::size_t(2 * int(color) + int(wing))] = rook;
    keeps_[rook.index] &= std::uint8_t(~r);
    keeps_[king(color).index] &= std::uint8_t(~r);
}

void Position::finish_setup(Square en_passant) {
    hash_rights(now_.rights);
    if (turn_ == Color::White) now_.key ^= zobrist::white_to_move();
    now_.checkers = attackers_to(king(turn_), pieces()) & pieces(~turn_);
    now_.en_passant = en_passant.exists() ? legal_en_passant(en_passant) : Square::none();
    if (now_.en_passant.exists()) now_.key ^= zobrist::en_passant(now_.en_passant.file());
}

bool Position::is_chess960() const {
    for (Color color : {Color::White, Color::Black})
        for (Wing wing : {Wing::King, Wing::Queen})
            if (can_castle(color, wing)) {
                const File corner = wing == Wing::King ? File::H : File::A;
                if (king(color).file() != File::E || castling_rook(color, wing).file() != corner) return true;
            }
    return false;
}

Key Position::likely_key_after(Move move) const {
    const Piece piece = at(move.from()), victim = at(move.to());
    Key key =
        now_.key ^ zobrist::white_to_move() ^ zobrist::piece(piece, move.from()) ^ zobrist::piece(piece, move.to());
    if (victim.exists()) key ^= zobrist::piece(victim, move.to());
    return key;
}

// --- Attacks -----------------------------------------------------------------------------------------------------

Bitboard Position::attackers_to(Square square, Bitboard occupied) const {
    return rules::attackers_to(*this, square, occupied);
}

Bitboard Position::xrays(Square square, Bitboard occupied) const { return rules::sliders_to(*this, square, occupied); }

bool Position::gives_check(Move move) const {
    const Square enemy_king = king(~turn_);
    const Bitboard own = pieces(turn_);
    Bitboard occupied = (pieces() ^ bit(move.from())) | bit(move.to());
    Kind kind = at(move.from()).kind();

    if (move.castles()) {
        const bool kingside = move.to().index > move.from().index;
        const Square rook(kingside ? File::F : File::D, move.from().rank());
        const Square king_to(kingside ? File::G : File::C, move.from().rank());
        occupied = (pieces() & ~bit(move.from()) & ~bit(move.to())) | bit(king_to) | bit(rook);
        return contains(rook_attacks(rook, occupied), enemy_king);
    }
    if (move.promotes()) kind = move.promotion();
    if (move.type() == MoveType::EnPassant) occupied ^= bit(Square(move.to().file(), move.from().rank()));

    // Directly, or by a sliding piece that the move uncovers.
    const Bitboard direct = kind == Kind::Pawn ? pawn_attacks(move.to(), turn_) : attacks_of(kind, move.to(), occupied);
    if (kind != Kind::King && contains(direct, enemy_king)) return true;
    return (xrays(enemy_king, occupied) & own & ~bit(move.from()) & ~bit(move.to())) != 0;
}

// --- Rules of single moves ---------------------------------------------------------------------------------------

bool Position::en_passant_is_legal(Square from, Square to) const { return rules::en_passant_is_safe(*this, from, to); }

Square Position::legal_en_passant(Square target) const { return rules::legal_en_passant(*this, target); }

bool Position::castling_is_legal(Wing wing) const { return !in_check() && rules::castling_is_legal(*this, wing); }

bool Position::is_legal(Move move) const {
    const Piece piece = at(move.from());
    const Square from = move.from(), to = move.to();
    if (!move.exists() || !piece.exists() || piece.color() != turn_) return false;

    if (move.castles())
        return piece.kind() == Kind::King &&
               ((to == castling_rook(turn_, Wing::King) && castling_is_legal(Wing::King)) ||
                (to == castling_rook(turn_, Wing::Queen) && castling_is_legal(Wing::Queen)));
    if (move.type() == MoveType::EnPassant)
        return piece.kind() == Kind::Pawn && to == now_.en_passant && contains(pawn_attacks(from, turn_), to) &&
               en_passant_is_legal(from, to);
    // The promotion bits of other moves are zero; anything else is noise from a table.
    if (!move.promotes() && move.promotion() != Kind::Knight) return false;
    if (contains(pieces(turn_), to)) return false;

    if (piece.kind() == Kind::Pawn) {
        if (move.promotes() != (seen_by(to.rank(), turn_) == Rank::Eight)) return false;
        const Bitboard empty = ~pieces();
        const Bitboard one = forward(bit(from), turn_) & empty;
        Bitboard reach = one | (pawn_attacks(from, turn_) & pieces(~turn_));
        if (seen_by(from.rank(), turn_) == Rank::Two) reach |= forward(one, turn_) & empty;
        if (!contains(reach, to)) return false;
    } else if (move.promotes() || !contains(attacks_of(piece.kind(), from, pieces()), to)) {
        return false;
    }

    if (piece.kind() == Kind::King) return !attacked_by(~turn_, to, pieces() ^ bit(from));
    const Bitboard occupied = (pieces() ^ bit(from)) | bit(to);
    return (attackers_to(king(turn_), occupied) & pieces(~turn_) & ~bit(to)) == 0;
}

// --- Playing -----------------------------------------------------------------------------------------------------

void Position::play(Move move) {
    assert(is_legal(move));
    past_.push_back(now_);
    const Square from = move.from();
    Square to = move.to();
    const Piece piece = at(from);

    if (now_.en_passant.exists()) now_.key ^= zobrist::en_passant(now_.en_passant.file());
    now_.en_passant = Square::none();
    now_.move = move;
    now_.captured = Piece::none();
    ++now_.halfmove_clock;
    ++now_.plies_since_pass;

    if (move.castles()) {
        const bool kingside = to.index > from.index;
        lift_hashed(from);
        lift_hashed(to);
        put_hashed(Square(kingside ? File::G : File::C, from.rank()), piece);
        put_hashed(Square(kingside ? File::F : File::D, from.rank()), Piece(turn_, Kind::Rook));
    } else {
        const Square victim = move.type() == MoveType::EnPassant ? Square(to.file(), from.rank()) : to;
        if (at(victim).exists()) {
            now_.captured = at(victim);
            lift_hashed(victim);
            now_.halfmove_clock = 0;
        }
        lift_hashed(from);
        put_hashed(to, move.promotes() ? Piece(turn_, move.promotion()) : piece);
        if (piece.kind() == Kind::Pawn) now_.halfmove_clock = 0;
    }

    const std::uint8_t lost = now_.rights & std::uint8_t(~(keeps_[from.index] & keeps_[to.index]));
    if (lost) {
        hash_rights(lost);
        now_.rights ^= lost;
    }

    turn_ = ~turn_;
    now_.key ^= zobrist::white_to_move();
    fullmove_number_ += turn_ == Color::White;
    now_.checkers = attackers_to(king(turn_), pieces()) & pieces(~turn_);

    if (piece.kind() == Kind::Pawn && (from.index ^ to.index) == 16) {
        const Square target((from.index + to.index) / 2);
        if (pawn_attacks(target, ~turn_) & pieces(turn_, Kind::Pawn)) {
            now_.en_passant = legal_en_passant(target);
            if (now_.en_passant.exists()) now_.key ^= zobrist::en_passant(target.file());
        }
    }
}

void Position::undo() {
    assert(!past_.empty() && now_.move.exists());
    const Move move = now_.move;
    const Piece captured = now_.captured;
    const Square from = move.from(), to = move.to();
    fullmove_number_ -= turn_ == Color::White;
    turn_ = ~turn_;

    if (move.castles()) {
        const bool kingside = to.index > from.index;
        lift(Square(kingside ? File::G : File::C, from.rank()));
        lift(Square(kingside ? File::F : File::D, from.rank()));
        put(from, Piece(turn_, Kind::King));
        put(to, Piece(turn_, Kind::Rook));
    } else {
        const Piece piece = move.promotes() ? Piece(turn_, Kind::Pawn) : at(to);
        lift(to);
        put(from, piece);
        if (captured.exists()) put(move.type() == MoveType::EnPassant ? Square(to.file(), from.rank()) : to, captured);
    }
    now_ = past_.back();
    past_.pop_back();
}

void Position::pass() {
    assert(!in_check());
    past_.push_back(now_);
    if (now_.en_passant.exists()) now_.key ^= zobrist::en_passant(now_.en_passant.file());
    now_.en_passant = Square::none();
    now_.key ^= zobrist::white_to_move();
    now_.move = Move::none();
    now_.captured = Piece::none();
    now_.plies_since_pass = 0;
    ++now_.halfmove_clock;
    turn_ = ~turn_;
    fullmove_number_ += turn_ == Color::White;
    now_.checkers = 0;
}

void Position::unpass() {
    fullmove_number_ -= turn_ == Color::White;
    turn_ = ~turn_;
    now_ = past_.back();
    past_.pop_back();
}

// --- Endings -----------------------------------------------------------------------------------------------------

int Position::earlier_occurrences() const {
    const int reach = std::min({int(now_.halfmove_clock), int(now_.plies_since_pass), int(past_.size())});
    int found = 0;
    for (int back = 4; back <= reach; back += 2) found += past_[past_.size() - std::size_t(back)].key == now_.key;
    return found;
}

bool Position::repeats_within(int plies) const {
    const int reach = std::min({int(now_.halfmove_clock), int(now_.plies_since_pass), int(past_.size())});
    int found = 0;
    for (int back = 4; back <= reach; back += 2)
        if (past_[past_.size() - std::size_t(back)].key == now_.key && (back <= plies || ++found == 2)) return true;
    return false;
}

bool Position::is_fifty_moves() const { return now_.halfmove_clock >= 100 && (!in_check() || has_legal_move(*this)); }

bool Position::is_insufficient_material() const {
    if (pieces(Kind::Pawn) | pieces(Kind::Rook) | pieces(Kind::Queen)) return false;
    if (count(pieces()) <= 3) return true;
    // Any number of bishops on squares of one colour cannot mate either.
    const Bitboard bishops = pieces(Kind::Bishop);
    return !pieces(Kind::Knight) && ((bishops & kDarkSquares) == 0 || (bishops & ~kDarkSquares) == 0);
}

// --- Exchanges ---------------------------------------------------------------------------------------------------

namespace {

int worth(Piece piece) { return piece.exists() ? kSeeValue[std::size_t(piece.kind())] : 0; }

}  // namespace

// Both exchange functions let each side in turn take with its least valuable piece; sliding pieces behind it join in.
// Pins are not looked at.
int Position::see(Move move) const {
    if (move.castles()) return 0;
    std::array<int, 32> gain{};
    const Square target = move.to();
    Bitboard occupied = pieces() ^ bit(move.from());
    gain[0] = worth(captured_by(move));
    if (move.type() == MoveType::EnPassant) occupied ^= bit(Square(target.file(), move.from().rank()));
    int on_target = worth(at(move.from()));
    if (move.promotes()) {
        on_target = kSeeValue[std::size_t(move.promotion())];
        gain[0] += on_target - kSeeValue[0];
    }
    int last = 0;
    Color side = ~turn_;
    Bitboard attackers = attackers_to(target, occupied) & occupied;
    while (attackers & pieces(side)) {
        Kind kind = Kind::Pawn;
        while (!(attackers & pieces(side, kind))) kind = Kind(int(kind) + 1);
        if (kind == Kind::King && (attackers & pieces(~side))) break;
        ++last;
        gain[std::size_t(last)] = on_target - gain[std::size_t(last - 1)];
        on_target = kSeeValue[std::size_t(kind)];
        occupied ^= bit(first(attackers & pieces(side, kind)));
        attackers = (attackers | xrays(target, occupied)) & occupied;
        side = ~side;
    }
    // Either side may stop taking.
    for (; last > 0; --last)
        gain[std::size_t(last - 1)] = -std::max(-gain[std::size_t(last - 1)], gain[std::size_t(last)]);
    return gain[0];
}

bool Position::see_ge(Move move, int threshold) const {
    if (move.castles()) return threshold <= 0;
    const Square target = move.to();
    int balance = worth(captured_by(move)) - threshold;
    int on_target = worth(at(move.from()));
    if (move.promotes()) {
        on_target = kSeeValue[std::size_t(move.promotion())];
        balance += on_target - kSeeValue[0];
    }
    if (balance < 0) return false;  // not even without a recapture
    balance -= on_target;
    if (balance >= 0) return true;  // enough even if it is taken for nothing

    Bitboard occupied = pieces() ^ bit(move.from());
    if (move.type() == MoveType::EnPassant) occupied ^= bit(Square(target.file(), move.from().rank()));
    Bitboard attackers = attackers_to(target, occupied) & occupied;
    Color side = ~turn_;
    // `balance` is what `side`'s opponent has if the piece on the target is lost; whoever cannot improve on it loses.
    while (true) {
        const Bitboard own = attackers & pieces(side);
        if (!own) break;
        Kind kind = Kind::Pawn;
        while (!(own & kinds_[std::size_t(kind)])) kind = Kind(int(kind) + 1);
        side = ~side;
        balance = -balance - 1 - kSeeValue[std::size_t(kind)];
        if (balance >= 0) {
            // The king may not take what is still defended.
            if (kind == Kind::King && (attackers & pieces(side))) side = ~side;
            break;
        }
        occupied ^= bit(first(own & kinds_[std::size_t(kind)]));
        attackers = (attackers | xrays(target, occupied)) & occupied;
    }
    return side != turn_;
}

}  // namespace okapi
