#include "okapi/chess/attacks.h"

#include <utility>

namespace okapi::attacks {

namespace {

constexpr Bitboard reversed(Bitboard set) {
#if defined(__clang__)
    return __builtin_bitreverse64(set);
#else
    set = ((set >> 1) & 0x5555555555555555ULL) | ((set & 0x5555555555555555ULL) << 1);
    set = ((set >> 2) & 0x3333333333333333ULL) | ((set & 0x3333333333333333ULL) << 2);
    set = ((set >> 4) & 0x0F0F0F0F0F0F0F0FULL) | ((set & 0x0F0F0F0F0F0F0F0FULL) << 4);
    set = ((set >> 8) & 0x00FF00FF00FF00FFULL) | ((set & 0x00FF00FF00FF00FFULL) << 8);
    set = ((set >> 16) & 0x0000FFFF0000FFFFULL) | ((set & 0x0000FFFF0000FFFFULL) << 16);
    return (set >> 32) | (set << 32);
#endif
}

// Subtracting the slider from the blockers of its line borrows up to the nearest one; mirrored, it does the same for
// the other direction. (Hyperbola quintessence.)
constexpr Bitboard along(Square square, Bitboard occupied, Bitboard line) {
    const Bitboard slider = bit(square);
    const Bitboard blockers = occupied & line & ~slider;
    const Bitboard up = blockers - 2 * slider;
    const Bitboard down = reversed(reversed(blockers) - 2 * reversed(slider));
    return (up ^ down) & line;
}

constexpr Bitboard diagonal(Square square, int step) {
    Bitboard set = 0;
    for (int f = int(square.file()), r = int(square.rank()); f < 8 && r >= 0 && r < 8; ++f, r += step)
        set |= bit(Square(File(f), Rank(r)));
    for (int f = int(square.file()), r = int(square.rank()); f >= 0 && r >= 0 && r < 8; --f, r -= step)
        set |= bit(Square(File(f), Rank(r)));
    return set;
}

constexpr auto kRising = tabulate([](Square s) { return diagonal(s, 1); });
constexpr auto kFalling = tabulate([](Square s) { return diagonal(s, -1); });

// Blockers on the rim change nothing unless the slider stands on that rim itself.
Bitboard relevant(Square square, Bitboard reach) {
    const Bitboard ranks = (bits(Rank::One) | bits(Rank::Eight)) & ~bits(square.rank());
    const Bitboard files = (bits(File::A) | bits(File::H)) & ~bits(square.file());
    return reach & ~(ranks | files);
}

}  // namespace

Bitboard slow_rook(Square square, Bitboard occupied) {
    return along(square, occupied, bits(square.file())) | along(square, occupied, bits(square.rank()));
}

Bitboard slow_bishop(Square square, Bitboard occupied) {
    return along(square, occupied, kRising[square.index]) | along(square, occupied, kFalling[square.index]);
}

Tables::Tables() {
    for (int a = 0; a < 64; ++a) {
        const Square from(a);
        rook[std::size_t(a)].mask = relevant(from, slow_rook(from, 0));
        bishop[std::size_t(a)].mask = relevant(from, slow_bishop(from, 0));
        for (int b = 0; b < 64; ++b) {
            const Square to(b);
            for (auto* slow : {&slow_rook, &slow_bishop}) {
                if (a == b || !contains(slow(from, 0), to)) continue;
                between[std::size_t(a)][std::size_t(b)] = slow(from, bit(to)) & slow(to, bit(from));
                line[std::size_t(a)][std::size_t(b)] = (slow(from, 0) & slow(to, 0)) | bit(from) | bit(to);
            }
        }
    }
#if defined(__BMI2__)
    std::size_t used = 0;
    for (auto [sliders, slow] : {std::pair{&rook, &slow_rook}, std::pair{&bishop, &slow_bishop}}) {
        for (int s = 0; s < 64; ++s) {
            Slider& slider = (*sliders)[std::size_t(s)];
            slider.table = &pool[used];
            const std::size_t size = std::size_t(1) << count(slider.mask);
            for (std::size_t i = 0; i < size; ++i) pool[used++] = slow(Square(s), _pdep_u64(i, slider.mask));
        }
    }
#endif
}

const Tables kTables;

}  // namespace okapi::attacks
