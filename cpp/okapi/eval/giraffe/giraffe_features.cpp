#include "okapi/eval/giraffe/giraffe_features.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "okapi/chess/attacks.h"

#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VL__) && defined(__AVX512BW__)
#define OKAPI_COUNTS_VECTORS
#include <immintrin.h>
#endif

namespace okapi::giraffe {

namespace {

constexpr std::array kColors = {Color::White, Color::Black};
constexpr std::size_t kSquares = kModalities[2].begin;
constexpr std::size_t kNowhere = 64;  // tables have a row for it, so that a slot needs no test for empty

// The cheaper the least valuable attacker, the better a square is controlled: (1.5 K - worth) / (2 K), with Giraffe's
// own 100, 325, 325, 500, 975, K = 1500.
constexpr std::array<std::int16_t, kKinds> kControl = {1204, 1078, 1078, 980, 714, 420};

enum Direction { East, West, North, South, NorthEast, NorthWest, SouthEast, SouthWest };

// The squares from one to the edge of the board, in each direction.
alignas(64) constexpr auto kRays = [] {
    std::array<std::array<Bitboard, 8>, 65> rays{};
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

// How a slot begins: exists, x, y, and a 0 that other pieces than pawns write over.
constexpr auto kBeginnings = [] {
    std::array<std::array<std::int16_t, 4>, 65> beginnings{};
    for (int square = 0; square < 64; ++square)
        beginnings[std::size_t(square)] = {kUnit, std::int16_t(square % 8 * kUnit / 7),
                                           std::int16_t(square / 8 * kUnit / 7), 0};
    return beginnings;
}();

constexpr std::array<std::array<std::int16_t, 2>, 4> kCastling = {{{0, 0}, {kUnit, 0}, {0, kUnit}, {kUnit, kUnit}}};

// A piece in a slot, or none.
struct Slot {
    std::size_t square;
    Bitboard attacked;
};

// What one side attacks: with which kinds, and with more than one piece.
struct Reach {
    std::array<Bitboard, kKinds> by_kind;
    Bitboard all, twice;
    std::array<Slot, 1> king, queen;
    std::array<Slot, 2> rooks, bishops, knights;  // the first two from a1 on

    Reach(const std::array<Bitboard, kKinds>& pieces, Color color, Bitboard occupied) {
        const Bitboard ahead = forward(pieces[std::size_t(Kind::Pawn)], color);
        by_kind[std::size_t(Kind::Pawn)] = all = east(ahead) | west(ahead);
        twice = east(ahead) & west(ahead);
        look<Kind::Knight>(knights, pieces, occupied);
        look<Kind::Bishop>(bishops, pieces, occupied);
        look<Kind::Rook>(rooks, pieces, occupied);
        look<Kind::Queen>(queen, pieces, occupied);
        look<Kind::King>(king, pieces, occupied);
    }

private:
    template <Kind kind, std::size_t slots>
    [[gnu::always_inline]] void look(std::array<Slot, slots>& men, const std::array<Bitboard, kKinds>& pieces,
                                     Bitboard occupied) {
        Bitboard left = pieces[std::size_t(kind)], attacked_by_kind = 0;
        const auto add = [&](Bitboard attacked) {
            twice |= all & attacked;
            all |= attacked;
            attacked_by_kind |= attacked;
        };
        for (Slot& man : men) {
            const Bitboard exists = Bitboard(0) - Bitboard(left != 0);  // all ones, and no branch to guess
            man.square = std::size_t(std::countr_zero(left));
            man.attacked = exists & attacks_of(kind, Square(int(man.square & 63)), occupied);
            add(man.attacked);
            left &= left - 1;
        }
        for (Square square : squares(left)) add(attacks_of(kind, square, occupied));
        by_kind[std::size_t(kind)] = attacked_by_kind;
    }
};

// How far a piece can go in some directions: to the edge, or to and including the first piece in its way.
template <Direction first, std::size_t directions>
[[gnu::always_inline]] inline void write_reach(const Slot& man, std::int16_t* out) {
    const Bitboard* rays = kRays[man.square].data() + first;
#if defined(OKAPI_COUNTS_VECTORS)
    if constexpr (directions == 8) {
        const __m512i reached =
            _mm512_and_si512(_mm512_set1_epi64(std::int64_t(man.attacked)), _mm512_load_si512(rays));
        const __m128i counts = _mm512_maskz_cvtepi64_epi16(0xFF, _mm512_popcnt_epi64(reached));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_mullo_epi16(counts, _mm_set1_epi16(kUnit / 7)));
        return;
    } else if constexpr (directions == 4) {
        const __m256i reached = _mm256_and_si256(_mm256_set1_epi64x(std::int64_t(man.attacked)),
                                                 _mm256_load_si256(reinterpret_cast<const __m256i*>(rays)));
        const __m128i counts = _mm256_maskz_cvtepi64_epi16(0xF, _mm256_popcnt_epi64(reached));
        _mm_storeu_si64(out, _mm_mullo_epi16(counts, _mm_set1_epi16(kUnit / 7)));
        return;
    }
#endif
    for (std::size_t i = 0; i < directions; ++i) out[i] = std::int16_t(count(man.attacked & rays[i]) * (kUnit / 7));
}

class Writer {
public:
    Writer(const View& view, const Kernels& kernels, Features& features)
        : view_(view),
          start_(features.numbers.data()),
          out_(start_),
          occupied_(all_pieces(view)),
          reach_{Reach(view.pieces[0], Color::White, occupied_), Reach(view.pieces[1], Color::Black, occupied_)} {
        kernels.first_found(reach_[0].by_kind.data(), reach_[1].by_kind.data(), kControl.data(), kKinds,
                            start_ + kSquares);
    }

    void write() {
        write_position();
        for (Color color : kColors) write_pawns(color);
        const std::array<Safe, 2> safe = {Safe(reach_[0], reach_[1]), Safe(reach_[1], reach_[0])};
        for (std::size_t color : {0, 1}) write_piece<East, 8>(reach_[color].queen[0], safe[color].queen);
        for (std::size_t color : {0, 1}) {
            write_pair<East, 4>(reach_[color].rooks, safe[color].rook);
            write_castling(color);
        }
        for (std::size_t color : {0, 1}) write_pair<NorthEast, 4>(reach_[color].bishops, safe[color].minor);
        for (std::size_t color : {0, 1}) write_pair<East, 0>(reach_[color].knights, safe[color].minor);
    }

private:
    // Where a side's pieces could stay: where the enemy does not attack; or only with what is worth as much, while a
    // friend besides the piece looks on.
    struct Safe {
        Bitboard minor, rook, queen;

        Safe(const Reach& ours, const Reach& theirs) {
            const auto by = [&](Kind kind) { return theirs.by_kind[std::size_t(kind)]; };
            const Bitboard minors = by(Kind::Pawn) | by(Kind::Knight) | by(Kind::Bishop);
            minor = ~theirs.all | (ours.twice & ~by(Kind::Pawn));
            rook = ~theirs.all | (ours.twice & ~minors);
            queen = ~theirs.all | (ours.twice & ~(minors | by(Kind::Rook)));
        }
    };

    static Bitboard all_pieces(const View& view) {
        Bitboard all = 0;
        for (const auto& side : view.pieces)
            for (Bitboard pieces : side) all |= pieces;
        return all;
    }

    void put(int number) { *out_++ = std::int16_t(number); }
    template <class Numbers> void put_all(const Numbers& numbers) {
        std::memcpy(out_, &numbers, sizeof(numbers));
        out_ += sizeof(numbers) / sizeof(*out_);
    }

    void write_castling(std::size_t color) { put_all(kCastling[view_.castling[color]]); }

    void write_position() {
        for (const auto& side : view_.pieces)
            for (Kind kind : {Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn}) {
                const int usual = kind == Kind::Queen ? 1 : kind == Kind::Pawn ? 8 : 2;
                put(count(side[std::size_t(kind)]) * (kUnit / usual));
            }
        put(view_.white_to_move * kUnit);
        for (std::size_t color : {0, 1}) {
            const auto& king = kBeginnings[first(view_.pieces[color][std::size_t(Kind::King)]).index];
            put_all(std::array{king[1], king[2]});
            write_castling(color);
        }
        put(0);
    }

    // A pawn takes the slot of its file; one that finds it taken, the nearest free one.
    void write_pawns(Color color) {
        const Bitboard pawns = view_.pieces[std::size_t(color)][std::size_t(Kind::Pawn)];
        std::array<std::size_t, 8> slots;
        Bitboard spare = pawns;
        for (std::size_t file = 0; file < 8; ++file) {
            const Bitboard on_file = pawns & bits(File(file));
            slots[file] = std::size_t(std::countr_zero(on_file));
            spare ^= on_file & (~on_file + 1);
        }
        for (Square pawn : squares(spare)) put_aside(pawn, slots);
        for (std::size_t square : slots) {
            put_all(kBeginnings[square]);
            write_controls(square);
        }
    }

    static void put_aside(Square pawn, std::array<std::size_t, 8>& slots) {
        int nearest = -1;
        for (int slot = 0; slot < 8; ++slot)
            if (slots[std::size_t(slot)] == kNowhere &&
                (nearest < 0 || std::abs(slot - int(pawn.file())) < std::abs(nearest - int(pawn.file()))))
                nearest = slot;
        if (nearest >= 0) slots[std::size_t(nearest)] = pawn.index;  // a ninth pawn has no slot
    }

    // The one further left first. A single one takes the slot of its half of the board.
    template <Direction first, std::size_t directions>
    [[gnu::always_inline]] void write_pair(const std::array<Slot, 2>& men, Bitboard safe) {
        const std::size_t one = men[0].square, two = men[1].square;
        const bool swapped = one % 8 > (two == kNowhere ? 3 : two % 8);
        write_piece<first, directions>(men[swapped], safe);
        write_piece<first, directions>(men[!swapped], safe);
    }

    template <Direction first, std::size_t directions>
    [[gnu::always_inline]] void write_piece(const Slot& man, Bitboard safe) {
        put_all(kBeginnings[man.square]);
        --out_;
        write_reach<first, directions>(man, out_);
        out_ += directions;
        put(count(man.attacked & safe) * (kUnit / 16));
        write_controls(man.square);
    }

    void write_controls(std::size_t square) {
        std::memcpy(out_, start_ + kSquares + 2 * square, 2 * sizeof(*out_));
        out_ += 2;
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

void write(const View& view, const Kernels& kernels, Features& features) { Writer(view, kernels, features).write(); }

}  // namespace okapi::giraffe
