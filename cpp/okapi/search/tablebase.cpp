#include "okapi/search/tablebase.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#ifdef OKAPI_FATHOM
#define TB_NO_HELPER_API
#include <tbprobe.h>
#endif

namespace okapi::tablebase {

#ifdef OKAPI_FATHOM

namespace {

std::atomic<int> pieces_covered = 0;
std::mutex library;  // Fathom's loading and root probing know only one caller

bool reaches(const Position& position) {
    return count(position.pieces()) <= pieces_covered.load(std::memory_order_relaxed) && !position.any_castling();
}

unsigned en_passant(const Position& position) {
    return position.en_passant().exists() ? position.en_passant().index : 0;
}

// Ignoring the fifty-move clock.
std::optional<Wdl> verdict(const Position& position) {
    const unsigned found =
        tb_probe_wdl_impl(position.pieces(Color::White), position.pieces(Color::Black), position.pieces(Kind::King),
                          position.pieces(Kind::Queen), position.pieces(Kind::Rook), position.pieces(Kind::Bishop),
                          position.pieces(Kind::Knight), position.pieces(Kind::Pawn), en_passant(position),
                          position.turn() == Color::White);
    if (found == TB_RESULT_FAILED) return std::nullopt;
    return Wdl(int(found) - 2);
}

Kind promotion(unsigned code) {
    static constexpr Kind kKinds[] = {Kind::Pawn, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight};
    return kKinds[std::min(code, 4u)];
}

bool is_mate_after(const Position& position, Move move) {
    if (!position.gives_check(move)) return false;
    Position after = position;
    after.play(move);
    return !has_legal_move(after);
}

// The winner hurries, the loser takes his time.
void sort(std::vector<RankedMove>& moves) {
    std::ranges::stable_sort(moves, [](const RankedMove& a, const RankedMove& b) {
        if (a.verdict != b.verdict) return a.verdict > b.verdict;
        return a.verdict > Wdl::Draw ? a.distance < b.distance : a.distance > b.distance;
    });
}

// From the tables of distances. Empty if one that is needed is missing.
std::vector<RankedMove> by_distance(const Position& position) {
    unsigned results[TB_MAX_MOVES];
    {
        const std::lock_guard lock(library);
        const unsigned found = tb_probe_root_impl(
            position.pieces(Color::White), position.pieces(Color::Black), position.pieces(Kind::King),
            position.pieces(Kind::Queen), position.pieces(Kind::Rook), position.pieces(Kind::Bishop),
            position.pieces(Kind::Knight), position.pieces(Kind::Pawn), unsigned(position.halfmove_clock()),
            en_passant(position), position.turn() == Color::White, results);
        if (found == TB_RESULT_FAILED || found == TB_RESULT_CHECKMATE || found == TB_RESULT_STALEMATE) return {};
    }
    std::vector<RankedMove> moves;
    for (const Move move : legal_moves(position)) {
        for (const unsigned* result = results; *result != TB_RESULT_FAILED; ++result) {
            const Kind kind = promotion(TB_GET_PROMOTES(*result));
            if (TB_GET_FROM(*result) != move.from().index || TB_GET_TO(*result) != move.to().index ||
                kind != (move.promotes() ? move.promotion() : Kind::Pawn))
                continue;
            const int distance = is_mate_after(position, move) ? 0 : int(TB_GET_DTZ(*result));
            moves.push_back({move, Wdl(int(TB_GET_WDL(*result)) - 2), distance});
            break;
        }
    }
    return moves;
}

// From the tables of results alone, blind to the fifty-move clock and to distances. Empty if one is missing.
std::vector<RankedMove> by_verdict(const Position& position) {
    std::vector<RankedMove> moves;
    for (const Move move : legal_moves(position)) {
        Position after = position;
        after.play(move);
        if (!has_legal_move(after)) {
            moves.push_back({move, after.in_check() ? Wdl::Win : Wdl::Draw, 0});
            continue;
        }
        const auto found = verdict(after);
        if (!found) return {};
        moves.push_back({move, Wdl(-int(*found)), 1});
    }
    return moves;
}

}  // namespace

bool available() { return true; }

int load(const std::string& path) {
    const std::lock_guard lock(library);
    pieces_covered = tb_init(path.c_str()) && !path.empty() ? int(TB_LARGEST) : 0;
    return pieces_covered;
}

int max_pieces() { return pieces_covered.load(std::memory_order_relaxed); }

std::optional<Wdl> probe(const Position& position) {
    if (!reaches(position) || position.halfmove_clock() != 0) return std::nullopt;
    return verdict(position);
}

std::vector<RankedMove> probe_root(const Position& position) {
    if (!reaches(position) || !has_legal_move(position)) return {};
    std::vector<RankedMove> moves = by_distance(position);
    if (moves.size() != std::size_t(count_legal_moves(position))) moves = by_verdict(position);
    sort(moves);
    return moves;
}

#else

bool available() { return false; }
int load(const std::string&) { return 0; }
int max_pieces() { return 0; }
std::optional<Wdl> probe(const Position&) { return std::nullopt; }
std::vector<RankedMove> probe_root(const Position&) { return {}; }

#endif

}  // namespace okapi::tablebase
