#include "okapi/encode/lai2015.h"

#include <cstdlib>

#include "okapi/chess/attacks.h"

namespace okapi::encode {

namespace {

constexpr std::array<int, kKinds> kWorth = {100, 325, 325, 500, 975, 1500};  // Giraffe's own

constexpr std::array kColors = {Color::White, Color::Black};

// The cheaper the least valuable attacker, the better a square is controlled; 0 where there is none.
constexpr float control(Kind least) {
    const int king = kWorth[std::size_t(Kind::King)];
    return float(3 * king / 2 - kWorth[std::size_t(least)]) / float(2 * king);
}

enum Direction { East, West, North, South, NorthEast, NorthWest, SouthEast, SouthWest };

// The squares from one to the edge of the board, in each direction.
constexpr auto kRays = [] {
    std::array<std::array<Bitboard, 64>, 8> rays{};
    for (int square = 0; square < 64; ++square)
        for (int direction = East; direction <= SouthWest; ++direction) {
            const auto step = [direction](Bitboard set) {
                if (direction == North || direction == NorthEast || direction == NorthWest) set = north(set);
                if (direction == South || direction == SouthEast || direction == SouthWest) set = south(set);
                if (direction == East || direction == NorthEast || direction == SouthEast) set = east(set);
                if (direction == West || direction == NorthWest || direction == SouthWest) set = west(set);
                return set;
            };
            for (Bitboard next = step(bit(Square(square))); next; next = step(next))
                rays[std::size_t(direction)][std::size_t(square)] |= next;
        }
    return rays;
}();

// What one side attacks: with which kinds, and with more than one piece.
struct Reach {
    std::array<Bitboard, kKinds> by_kind{};
    Bitboard all = 0;
    Bitboard twice = 0;

    Reach(const Board& board, Color color) {
        for (const auto [square, piece] : board.men()) {
            if (piece.color() != color) continue;
            const Bitboard attacked = piece.kind() == Kind::Pawn ? pawn_attacks(square, color)
                                                                 : attacks_of(piece.kind(), square, board.occupied());
            twice |= all & attacked;
            all |= attacked;
            by_kind[std::size_t(piece.kind())] |= attacked;
        }
    }

    std::array<float, 64> control_map() const {
        std::array<float, 64> map{};
        for (Kind kind : {Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn})
            for (Square square : squares(by_kind[std::size_t(kind)])) map[square.index] = control(kind);
        return map;
    }

    // Squares attacked by something cheaper than that kind.
    Bitboard by_cheaper_than(Kind kind) const {
        Bitboard set = 0;
        for (std::size_t other = 0; other < kKinds; ++other)
            if (kWorth[other] < kWorth[std::size_t(kind)]) set |= by_kind[other];
        return set;
    }
};

class Giraffe {
public:
    Giraffe(const Board& board, float* out)
        : board_(board),
          out_(out),
          reach_{Reach(board, Color::White), Reach(board, Color::Black)},
          control_{reach_[0].control_map(), reach_[1].control_map()} {}

    void write() {
        write_position();
        for (Color color : kColors) write_pawns(color);
        for (Color color : kColors) write_piece(color, Kind::Queen, first_of(board_.pieces(color, Kind::Queen)));
        for (Kind kind : {Kind::Rook, Kind::Bishop, Kind::Knight})
            for (Color color : kColors) {
                for (Square square : pair(board_.pieces(color, kind))) write_piece(color, kind, square);
                if (kind == Kind::Rook) write_castling(color);
            }
        for (std::size_t square = 0; square < 64; ++square)
            for (Color color : kColors) put(control_[std::size_t(color)][square]);
    }

private:
    void put(float value) { *out_++ = value; }
    void put_coordinates(Square square) {
        put(float(square.file()) / 7.0F);
        put(float(square.rank()) / 7.0F);
    }

    void write_castling(Color color) {
        put(board_.can_castle(color, Wing::King));
        put(board_.can_castle(color, Wing::Queen));
    }

    void write_position() {
        for (Color color : kColors)
            for (Kind kind : {Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn}) {
                const float usual = kind == Kind::Queen ? 1 : kind == Kind::Pawn ? 8 : 2;
                put(float(count(board_.pieces(color, kind))) / usual);
            }
        put(board_.turn() == Color::White);
        for (Color color : kColors) {
            put_coordinates(board_.king(color));
            write_castling(color);
        }
    }

    // A pawn takes the slot of its file; one that finds it taken, the nearest free one.
    void write_pawns(Color color) {
        std::array<Square, 8> slots{};
        Bitboard spare = 0;
        for (Square pawn : squares(board_.pieces(color, Kind::Pawn))) {
            Square& slot = slots[std::size_t(pawn.file())];
            if (slot.exists())
                spare |= bit(pawn);
            else
                slot = pawn;
        }
        for (Square pawn : squares(spare)) {
            int nearest = -1;
            for (int slot = 0; slot < 8; ++slot)
                if (!slots[std::size_t(slot)].exists() &&
                    (nearest < 0 || std::abs(slot - int(pawn.file())) < std::abs(nearest - int(pawn.file()))))
                    nearest = slot;
            if (nearest >= 0) slots[std::size_t(nearest)] = pawn;  // a ninth pawn has no slot
        }
        for (Square slot : slots)
            if (write_existence(slot, 5)) write_controls(slot);
    }

    void write_piece(Color color, Kind kind, Square square) {
        const bool straight = kind == Kind::Queen || kind == Kind::Rook;
        const bool diagonal = kind == Kind::Queen || kind == Kind::Bishop;
        if (!write_existence(square, 6 + 4 * straight + 4 * diagonal)) return;
        const Bitboard attacked = attacks_of(kind, square, board_.occupied());
        if (straight) write_reach(square, attacked, East);
        if (diagonal) write_reach(square, attacked, NorthEast);
        put(float(count(attacked & safe_squares(color, kind))) / 16.0F);
        write_controls(square);
    }

    // Exists, x, y; or as many zeros as the slot has features.
    bool write_existence(Square square, int features) {
        if (!square.exists()) {
            for (int i = 0; i < features; ++i) put(0);
            return false;
        }
        put(1);
        put_coordinates(square);
        return true;
    }

    // How far a piece can go in four directions: to the edge, or to and including the first piece in its way.
    void write_reach(Square square, Bitboard attacked, Direction first) {
        for (int direction = first; direction < first + 4; ++direction)
            put(float(count(attacked & kRays[std::size_t(direction)][square.index])) / 7.0F);
    }

    void write_controls(Square square) {
        for (Color color : kColors) put(control_[std::size_t(color)][square.index]);
    }

    // Where the enemy does not attack; or only with what is worth as much, while a friend besides the piece looks on.
    Bitboard safe_squares(Color color, Kind kind) const {
        const Reach& enemy = reach_[std::size_t(~color)];
        return ~enemy.all | (reach_[std::size_t(color)].twice & ~enemy.by_cheaper_than(kind));
    }

    static Square first_of(Bitboard pieces) { return pieces ? first(pieces) : Square::none(); }

    // The first two of a kind, the one further left first. A single one takes the slot of its half of the board.
    static std::array<Square, 2> pair(Bitboard pieces) {
        const Square one = first_of(pieces), two = first_of(pieces & (pieces - 1));
        if (!two.exists()) return one.exists() && one.file() >= File::E ? std::array{two, one} : std::array{one, two};
        return one.file() > two.file() ? std::array{two, one} : std::array{one, two};
    }

    const Board& board_;
    float* out_;
    std::array<Reach, 2> reach_;
    std::array<std::array<float, 64>, 2> control_;
};

}  // namespace

void giraffe_363(const Board& board, float* out) { Giraffe(board, out).write(); }

}  // namespace okapi::encode
