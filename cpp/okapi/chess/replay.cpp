#include "okapi/chess/replay.h"

#include "okapi/chess/rules.h"

namespace okapi {

Replay::Replay(const Position& start)
    : turn_(start.turn()),
      rights_(start.castling_rights()),
      passed_(start.en_passant()),
      halfmove_clock_(std::uint16_t(start.halfmove_clock())),
      fullmove_number_(start.fullmove_number()) {
    for (Square square : squares(start.pieces())) put(square, start.at(square));
    keeps_.fill(15);
    for (Color color : {Color::White, Color::Black})
        for (Wing wing : {Wing::King, Wing::Queen}) {
            if (!can_castle(color, wing)) continue;
            const Square rook = start.castling_rook(color, wing);
            rooks_[std::size_t(2 * int(color) + int(wing))] = rook;
            keeps_[rook.index] &= std::uint8_t(~right(color, wing));
            keeps_[king(color).index] &= std::uint8_t(~right(color, wing));
        }
}

Square Replay::en_passant() const {
    return passed_.exists() ? rules::legal_en_passant(*this, passed_) : Square::none();
}

Bitboard Replay::checkers() const { return rules::attackers_to(*this, king(turn_), pieces()) & pieces(~turn_); }

Bitboard Replay::reaching(Kind kind, Square to) const {
    const Bitboard own = pieces(turn_, kind), occupied = pieces();
    if (contains(pieces(turn_), to)) return 0;
    if (kind != Kind::Pawn) return attacks_of(kind, to, occupied) & own;
    if (contains(occupied, to) || to == passed_) return pawn_attacks(to, ~turn_) & own;
    const Bitboard behind = forward(bit(to), ~turn_);
    if ((behind & occupied) || seen_by(to.rank(), turn_) != Rank::Four) return behind & own;
    return forward(behind, ~turn_) & own;
}

bool Replay::is_safe(Square from, Square to) const {
    Bitboard occupied = (pieces() ^ bit(from)) | bit(to);
    Bitboard enemies = pieces(~turn_) & ~bit(to);
    const Kind kind = at(from).kind();
    if (kind == Kind::Pawn && to == passed_) {
        const Bitboard taken = bit(Square(to.file(), from.rank()));
        occupied ^= taken;
        enemies ^= taken;
    }
    return (rules::attackers_to(*this, kind == Kind::King ? to : king(turn_), occupied) & enemies) == 0;
}

Move Replay::find(const SanParts& parts) const {
    const bool pawn = parts.kind == Kind::Pawn, promotes = parts.promotion != Kind::Pawn;
    if (promotes != (pawn && seen_by(parts.to.rank(), turn_) == Rank::Eight)) return Move::none();
    Square found;
    for (Square from : squares(reaching(parts.kind, parts.to) & parts.from)) {
        if (!is_safe(from, parts.to)) continue;
        if (found.exists()) return Move::none();
        found = from;
    }
    if (!found.exists()) return Move::none();
    if (promotes) return Move(found, parts.to, MoveType::Promotion, parts.promotion);
    return Move(found, parts.to, pawn && parts.to == passed_ ? MoveType::EnPassant : MoveType::Normal);
}

Move Replay::find_castling(Wing wing) const {
    if (!can_castle(turn_, wing) || in_check() || !rules::castling_is_legal(*this, wing)) return Move::none();
    return Move(king(turn_), castling_rook(turn_, wing), MoveType::Castling);
}

bool Replay::has_legal_move() const {
    const Square own_king = king(turn_);
    const Bitboard checks = checkers();
    Bitboard targets = ~pieces(turn_);  // of other pieces than the king
    if (checks) targets &= checks | between(own_king, first(checks)) | (passed_.exists() ? bit(passed_) : 0);
    for (int kind = kKinds - 1; kind >= 0; --kind)
        for (Square to : squares(Kind(kind) == Kind::King ? king_attacks(own_king) : targets))
            for (Square from : squares(reaching(Kind(kind), to)))
                if (is_safe(from, to)) return true;
    return find_castling(Wing::King).exists() || find_castling(Wing::Queen).exists();
}

}  // namespace okapi
