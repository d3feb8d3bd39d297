#include "okapi/eval/giraffe_features.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "okapi/chess/attacks.h"

namespace okapi::giraffe {

namespace {

constexpr std::array kColors = {Color::White, Color::Black};
constexpr std::size_t kSquares = kModalities[2].begin;

// The cheaper the least valuable attacker, the better a square is controlled: (1.5 K - worth) / (2 K), with Giraffe's
// own 100, 325, 325, 500, 975, K = 1500.
constexpr std::array<std::int16_t, kKinds> kControl = {1204, 1078, 1078, 980, 714, 420};

enum Direction { East, West, North, South, NorthEast, NorthWest, SouthEast, SouthWest };

// The squares from one to the edge of the board, in each direction.
constexpr auto kRays = [] {
    std::array<std::array<Bitboard, 8>, 64> rays{};
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
                rays[std::size_t(square)][std::size_t(direction)] |= next;
        }
    return rays;
}();

// The first two of a kind from a1 on, and what they attack.
struct Pair {
    std::array<Square, 2> square;
    std::array<Bitboard, 2> attacked;
};

// What one side attacks: with which kinds, and with more than one piece.
struct Reach {
    std::array<Bitboard, kKinds> by_kind{};
    Bitboard all = 0;
    Bitboard twice = 0;
    std::array<Pair, kKinds> first{};

    Reach(const std::array<Bitboard, kKinds>& pieces, Color color, Bitboard occupied) {
        const Bitboard ahead = forward(pieces[0], color);
        twice = east(ahead) & west(ahead);
        all = by_kind[0] = east(ahead) | west(ahead);
        for (Kind kind : {Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King}) {
            const auto k = std::size_t(kind);
            std::size_t n = 0;
            for (Square square : squares(pieces[k])) {
                const Bitboard attacked = attacks_of(kind, square, occupied);
                twice |= all & attacked;
                all |= attacked;
                by_kind[k] |= attacked;
                if (n < 2) first[k].square[n] = square, first[k].attacked[n++] = attacked;
            }
        }
    }
};

class Writer {
public:
    Writer(const View& view, Features& features)
        : view_(view),
          start_(features.numbers.data()),
          out_(start_),
          occupied_(all_pieces(view)),
          reach_{Reach(view.pieces[0], Color::White, occupied_), Reach(view.pieces[1], Color::Black, occupied_)} {}

    void write() {
        for (Color color : kColors) write_control(color);
        write_position();
        out_ = start_ + kModalities[1].begin;
        for (Color color : kColors) write_pawns(color);
        for (Color color : kColors) write_piece<Kind::Queen>(color, 0);
        for (Color color : kColors) {
            write_pair<Kind::Rook>(color);
            write_castling(color);
        }
        for (Color color : kColors) write_pair<Kind::Bishop>(color);
        for (Color color : kColors) write_pair<Kind::Knight>(color);
        std::fill(out_, start_ + kSquares, std::int16_t(0));
    }

private:
    static Bitboard all_pieces(const View& view) {
        Bitboard all = 0;
        for (const auto& side : view.pieces)
            for (Bitboard pieces : side) all |= pieces;
        return all;
    }

    void put(int number) { *out_++ = std::int16_t(number); }
    void put_coordinates(Square square) {
        put(int(square.file()) * (kUnit / 7));
        put(int(square.rank()) * (kUnit / 7));
    }

    void write_castling(Color color) {
        for (bool may : view_.castling[std::size_t(color)]) put(may ? kUnit : 0);
    }

    void write_position() {
        for (const auto& side : view_.pieces)
            for (Kind kind : {Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn}) {
                const int usual = kind == Kind::Queen ? 1 : kind == Kind::Pawn ? 8 : 2;
                put(count(side[std::size_t(kind)]) * (kUnit / usual));
            }
        put(view_.white_to_move ? kUnit : 0);
        for (Color color : kColors) {
            put_coordinates(first(view_.pieces[std::size_t(color)][std::size_t(Kind::King)]));
            write_castling(color);
        }
        put(0);
    }

    // For each square, from the least valuable attackers of one side to the king.
    void write_control(Color color) {
        const auto& by_kind = reach_[std::size_t(color)].by_kind;
        std::int16_t* map = start_ + kSquares + std::size_t(color);
        for (std::size_t square = 0; square < 64; ++square) map[2 * square] = 0;
        Bitboard seen = 0;
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            for (Square square : squares(by_kind[kind] & ~seen)) map[2 * square.index] = kControl[kind];
            seen |= by_kind[kind];
        }
    }

    // A pawn takes the slot of its file; one that finds it taken, the nearest free one.
    void write_pawns(Color color) {
        std::array<Square, 8> slots{};
        Bitboard spare = 0;
        for (Square pawn : squares(view_.pieces[std::size_t(color)][std::size_t(Kind::Pawn)])) {
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
        for (Square slot : slots) {
            if (!write_existence(slot, 6)) continue;
            put(0);
            write_controls(slot);
        }
    }

    // The one further left first. A single one takes the slot of its half of the board.
    template <Kind kind> void write_pair(Color color) {
        const auto [one, two] = reach_[std::size_t(color)].first[std::size_t(kind)].square;
        const bool swapped = two.exists() ? one.file() > two.file() : one.exists() && one.file() >= File::E;
        write_piece<kind>(color, swapped);
        write_piece<kind>(color, !swapped);
    }

    template <Kind kind> void write_piece(Color color, std::size_t number) {
        constexpr bool straight = kind == Kind::Queen || kind == Kind::Rook;
        constexpr bool diagonal = kind == Kind::Queen || kind == Kind::Bishop;
        const Pair& pair = reach_[std::size_t(color)].first[std::size_t(kind)];
        const Square square = pair.square[number];
        if (!write_existence(square, 6 + 4 * straight + 4 * diagonal)) return;
        const Bitboard attacked = pair.attacked[number];
        if (straight) write_reach(square, attacked, East);
        if (diagonal) write_reach(square, attacked, NorthEast);
        put(count(attacked & safe_squares(color, kind)) * (kUnit / 16));
        write_controls(square);
    }

    // Exists, x, y; or as many zeros as the slot has places.
    bool write_existence(Square square, int places) {
        if (!square.exists()) {
            out_ = std::fill_n(out_, places, std::int16_t(0));
            return false;
        }
        put(kUnit);
        put_coordinates(square);
        return true;
    }

    // How far a piece can go in four directions: to the edge, or to and including the first piece in its way.
    void write_reach(Square square, Bitboard attacked, Direction first) {
        for (int direction = first; direction < first + 4; ++direction)
            put(count(attacked & kRays[square.index][std::size_t(direction)]) * (kUnit / 7));
    }

    void write_controls(Square square) {
        std::memcpy(out_, start_ + kSquares + 2 * square.index, 2 * sizeof(*out_));
        out_ += 2;
    }

    // Where the enemy does not attack; or only with what is worth as much, while a friend besides the piece looks on.
    Bitboard safe_squares(Color color, Kind kind) const {
        const Reach& enemy = reach_[std::size_t(~color)];
        Bitboard cheaper = 0;
        for (std::size_t other = 0; other < kKinds; ++other)
            if (kControl[other] > kControl[std::size_t(kind)]) cheaper |= enemy.by_kind[other];
        return ~enemy.all | (reach_[std::size_t(color)].twice & ~cheaper);
    }

    const View& view_;
    std::int16_t* start_;
    std::int16_t* out_;
    Bitboard occupied_;
    std::array<Reach, 2> reach_;
};

constexpr std::size_t kPawnSlots = 16;

}  // namespace

// Only pawns have a gap: of six places the fourth, so that both controls are a pair.
constinit const std::array<std::uint16_t, kFeatures> kPlaces = [] {
    std::array<std::uint16_t, kFeatures> places{};
    for (const Modality& modality : kModalities)
        for (std::size_t i = 0; i < modality.count; ++i) {
            const bool pieces = modality.first == kModalities[1].first;
            const std::size_t gaps = !pieces ? 0 : i < 5 * kPawnSlots ? i / 5 + (i % 5 > 2) : kPawnSlots;
            places[modality.first + i] = std::uint16_t(modality.begin + i + gaps);
        }
    return places;
}();

double most(std::size_t feature) {
    if (feature < 10) return 15;                                // pieces that a side can have of one kind
    return feature == 110 || feature == 124 ? 27.0 / 16 : 1.0;  // queens reach more squares than 16
}

View View::turned() const {
    View other{{pieces[1], pieces[0]}, {castling[1], castling[0]}, !white_to_move};
    for (auto& side : other.pieces)
        for (Bitboard& set : side) set = __builtin_bswap64(set);
    return other;
}

View seen_by_white(const Position& position) {
    View view;
    for (Color color : kColors) {
        const auto c = std::size_t(color);
        for (std::size_t kind = 0; kind < kKinds; ++kind) view.pieces[c][kind] = position.pieces(color, Kind(kind));
        for (Wing wing : {Wing::King, Wing::Queen})
            view.castling[c][std::size_t(wing)] = position.can_castle(color, wing);
    }
    view.white_to_move = position.turn() == Color::White;
    return view;
}

View seen_by_mover(const Position& position) {
    const View view = seen_by_white(position);
    return view.white_to_move ? view : view.turned();
}

void write(const View& view, Features& features) { Writer(view, features).write(); }

}  // namespace okapi::giraffe
