// Legal moves without trying them: pins and checks become sets of squares that a move must stay within. The generator
// hands sets of moves to a sink, so the same code lists them and counts them.
#include "okapi/chess/position.h"

namespace okapi {

namespace {

struct Lister {
    MoveList& list;

    void piece(Square from, Bitboard targets) {
        for (Square to : squares(targets)) list.add(Move(from, to));
    }
    void pawns(Bitboard targets, int step) {
        for (Square to : squares(targets)) list.add(Move(Square(to.index - step), to));
    }
    void promotions(Bitboard targets, int step, Which which) {
        for (Square to : squares(targets)) {
            const Square from(to.index - step);
            if (which != Which::Quiet) list.add(Move(from, to, MoveType::Promotion, Kind::Queen));
            if (which == Which::Noisy && step != 8 && step != -8)
                add_lesser(from, to);
            else if (which == Which::All || (which == Which::Quiet && (step == 8 || step == -8)))
                add_lesser(from, to);
        }
    }
    void one(Move move) { list.add(move); }

private:
    void add_lesser(Square from, Square to) {
        for (Kind kind : {Kind::Rook, Kind::Bishop, Kind::Knight}) list.add(Move(from, to, MoveType::Promotion, kind));
    }
};

struct Counter {
    int total = 0;

    void piece(Square, Bitboard targets) { total += count(targets); }
    void pawns(Bitboard targets, int) { total += count(targets); }
    void promotions(Bitboard targets, int, Which) { total += 4 * count(targets); }
    void one(Move) { ++total; }
};

}  // namespace

template <Color Us, class Sink> struct Generator {
    static constexpr Color Them = ~Us;
    static constexpr int kUp = Us == Color::White ? 8 : -8;

    const Position& position;
    Sink& sink;
    const Which which;

    Square king;
    Bitboard own, enemy, occupied;
    Bitboard allowed;  // where a piece other than the king may land: everywhere, or what ends a check
    Bitboard straight_pins = 0, diagonal_pins = 0;  // lines from the king to a pinning piece, that piece included

    Generator(const Position& p, Sink& s, Which w) : position(p), sink(s), which(w) {}

    void run() {
        king = position.king(Us);
        own = position.pieces(Us);
        enemy = position.pieces(Them);
        occupied = own | enemy;
        king_moves();
        const Bitboard checkers = position.checkers();
        if (several(checkers)) return;
        allowed = checkers ? between(king, first(checkers)) | checkers : ~Bitboard(0);
        find_pins();
        pawn_moves();
        piece_moves();
        if (!checkers && which != Which::Noisy) castling();
    }

private:
    // What the caller asked for: captures, quiet moves or both.
    Bitboard wanted() const { return which == Which::All ? ~own : which == Which::Noisy ? enemy : ~occupied; }

    void king_moves() {
        const Bitboard targets = king_attacks(king) & wanted();
        if (!targets) return;
        const Bitboard without_king = occupied ^ bit(king);
        Bitboard safe = targets & ~attacked(without_king);
        if (safe) sink.piece(king, safe);
    }

    // Squares that the enemy attacks when the king is lifted off the board.
    Bitboard attacked(Bitboard occ) const {
        Bitboard set = pawn_attacks(position.pieces(Them, Kind::Pawn), Them) |
                       attacks::knight_from(position.pieces(Them, Kind::Knight)) | king_attacks(position.king(Them));
        const Bitboard queens = position.pieces(Them, Kind::Queen);
        for (Square s : squares(position.pieces(Them, Kind::Rook) | queens)) set |= rook_attacks(s, occ);
        for (Square s : squares(position.pieces(Them, Kind::Bishop) | queens)) set |= bishop_attacks(s, occ);
        return set;
    }

    void find_pins() {
        const Bitboard queens = position.pieces(Kind::Queen);
        const Bitboard straight = rook_attacks(king, enemy) & enemy & (position.pieces(Kind::Rook) | queens);
        const Bitboard diagonal = bishop_attacks(king, enemy) & enemy & (position.pieces(Kind::Bishop) | queens);
        for (Square s : squares(straight)) straight_pins |= pin_line(s);
        for (Square s : squares(diagonal)) diagonal_pins |= pin_line(s);
    }

    Bitboard pin_line(Square pinner) const {
        const Bitboard line = between(king, pinner);
        return count(line & own) == 1 ? line | bit(pinner) : 0;
    }

    void piece_moves() {
        const Bitboard landing = allowed & wanted();
        const Bitboard pins = straight_pins | diagonal_pins;
        for (Square s : squares(own & position.pieces(Kind::Knight) & ~pins))
            sink.piece(s, knight_attacks(s) & landing);

        const Bitboard queens = own & position.pieces(Kind::Queen);
        const Bitboard diagonals = (own & position.pieces(Kind::Bishop)) | queens;
        const Bitboard straights = (own & position.pieces(Kind::Rook)) | queens;
        // A piece pinned on one kind of line cannot move along the other.
        for (Square s : squares(diagonals & ~pins)) sink.piece(s, bishop_attacks(s, occupied) & landing);
        for (Square s : squares(diagonals & diagonal_pins))
            sink.piece(s, bishop_attacks(s, occupied) & landing & diagonal_pins);
        for (Square s : squares(straights & ~pins)) sink.piece(s, rook_attacks(s, occupied) & landing);
        for (Square s : squares(straights & straight_pins))
            sink.piece(s, rook_attacks(s, occupied) & landing & straight_pins);
    }

    static constexpr Bitboard up(Bitboard set) { return Us == Color::White ? north(set) : south(set); }
    static constexpr Bitboard kLast = bits(Us == Color::White ? Rank::Eight : Rank::One);
    static constexpr Bitboard kThird = bits(Us == Color::White ? Rank::Three : Rank::Six);

    void pawn_moves() {
        const Bitboard pawns = own & position.pieces(Kind::Pawn);
        const Bitboard empty = ~occupied;

        // A pawn pinned along a file may push; along a rank or diagonal it may not.
        const Bitboard pushers = pawns & ~diagonal_pins;
        const Bitboard pinned_pushes = up(pushers & straight_pins) & straight_pins;
        const Bitboard pushes = (up(pushers & ~straight_pins) | pinned_pushes) & empty;
        const Bitboard single = pushes & allowed;
        if (which != Which::Noisy) {
            sink.pawns(single & ~kLast, kUp);
            sink.pawns(up(pushes & kThird) & empty & allowed, 2 * kUp);
        }
        if (single & kLast) sink.promotions(single & kLast, kUp, which);
        if (which == Which::Quiet) return;

        const Bitboard takers = pawns & ~straight_pins;
        const Bitboard free = takers & ~diagonal_pins, held = takers & diagonal_pins;
        const Bitboard landing = enemy & allowed;
        captures((east(up(free)) | (east(up(held)) & diagonal_pins)) & landing, kUp + 1);
        captures((west(up(free)) | (west(up(held)) & diagonal_pins)) & landing, kUp - 1);
        en_passant();
    }

    void captures(Bitboard targets, int step) {
        sink.pawns(targets & ~kLast, step);
        if (targets & kLast) sink.promotions(targets & kLast, step, which);
    }

    void en_passant() {
        const Square target = position.en_passant();
        if (!target.exists()) return;
        for (Square from : squares(pawn_attacks(target, Them) & own & position.pieces(Kind::Pawn)))
            if (position.en_passant_is_legal(from, target)) sink.one(Move(from, target, MoveType::EnPassant));
    }

    void castling() {
        for (Wing wing : {Wing::King, Wing::Queen})
            if (position.castling_is_legal(wing))
                sink.one(Move(king, position.castling_rook(Us, wing), MoveType::Castling));
    }
};

namespace {

template <class Sink> void generate(const Position& position, Sink& sink, Which which) {
    if (position.turn() == Color::White)
        Generator<Color::White, Sink>(position, sink, which).run();
    else
        Generator<Color::Black, Sink>(position, sink, which).run();
}

}  // namespace

MoveList legal_moves(const Position& position, Which which) {
    MoveList list;
    Lister lister{list};
    generate(position, lister, which);
    return list;
}

int count_legal_moves(const Position& position) {
    Counter counter;
    generate(position, counter, Which::All);
    return counter.total;
}

bool has_legal_move(const Position& position) { return count_legal_moves(position) > 0; }

MoveList quiet_checks(const Position& position) {
    const Color us = position.turn();
    const Square king = position.king(~us);
    const Bitboard straight = rook_attacks(king, position.pieces());
    const Bitboard diagonal = bishop_attacks(king, position.pieces());
    // From where a piece of each kind attacks the king, and the own pieces that may stand in the way of others.
    const std::array<Bitboard, kKinds> attacking = {
        pawn_attacks(king, ~us), knight_attacks(king), diagonal, straight, straight | diagonal, 0};
    const Bitboard in_the_way = (straight | diagonal) & position.pieces(us);

    MoveList checks;
    for (Move move : legal_moves(position, Which::Quiet)) {
        const auto kind = std::size_t(position.at(move.from()).kind());
        const bool plain = move.type() == MoveType::Normal;
        if (plain && !contains(attacking[kind], move.to()) && !contains(in_the_way, move.from())) continue;
        if (position.gives_check(move)) checks.add(move);
    }
    return checks;
}

}  // namespace okapi
