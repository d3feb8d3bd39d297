#include "okapi/store/move_code.h"

#include <algorithm>
#include <stdexcept>

#include "okapi/chess/attacks.h"
#include "okapi/chess/text.h"
#include "okapi/store/integers.h"

namespace okapi {

namespace {

// --- Symbols of pieces: pawns by file and by how many of them stand behind on it, others by kind and number ---------
constexpr std::size_t kPawns = 0, kOthers = 48, kKing = 112, kCastling = 113, kNull = 115;
constexpr std::size_t kMostOfAKind = 16;
// --- Contexts of steps ----------------------------------------------------------------------------------------------
constexpr std::size_t kPawnContexts = 24, kMostSteps = 28, kCaptureClasses = 4;
constexpr std::uint16_t kNoStep = kStepContexts;
// --- Steps of pawns, + 4 for each kind of promotion above a knight --------------------------------------------------
enum PawnStep { One, Two, TakeWest, TakeEast };

Bitboard seen_by(Bitboard set, Color color) { return color == Color::White ? set : reversed(set); }

// The member of the set that has `n` before it; the set must have that many.
Square nth(Bitboard set, std::size_t n) {
#if defined(__BMI2__)
    return first(_pdep_u64(Bitboard(1) << n, set));
#else
    for (; n > 0; --n) set &= set - 1;
    return first(set);
#endif
}

std::size_t number_in(Bitboard set, Square member) { return std::size_t(count(set & (bit(member) - 1))); }

std::size_t piece_context(const Replay& position, const GameContext& context) {
    const int left = count(position.pieces());
    const int phase = context.ply < 10   ? 0
                      : context.ply < 20 ? 1
                      : context.ply < 40 ? 2
                      : left > 20        ? 3
                      : left > 12        ? 4
                                         : 5;
    return std::size_t((phase * 2 + context.captured) * 7 + context.before_last);
}

// Where a piece that is no pawn can go, captures and other steps apart, from its own side's view.
struct Steps {
    Bitboard captures, quiet;

    Steps(const Replay& position, Kind kind, Square from) {
        const Color us = position.turn();
        const Bitboard reach = attacks_of(kind, from, position.pieces());
        captures = seen_by(reach & position.pieces(~us), us);
        quiet = seen_by(reach & ~position.pieces(), us);
    }
    std::size_t context(Kind kind) const {
        const std::size_t takes = std::size_t(count(captures)), all = takes + std::size_t(count(quiet));
        return kPawnContexts + ((std::size_t(kind) - 1) * kMostSteps + all) * kCaptureClasses +
               std::min(takes, kCaptureClasses - 1);
    }
};

// What stands around a pawn: is the square ahead free, are there enemies to take, and how far is it?
std::size_t pawn_context(const Replay& position, Square from) {
    const Color us = position.turn();
    const Bitboard ahead = forward(bit(from), us), enemies = position.pieces(~us);
    const Rank rank = seen_by(from.rank(), us);
    const std::size_t where = rank == Rank::Two ? 0 : rank == Rank::Seven ? 2 : 1;
    return where * 8 + ((ahead & position.pieces()) == 0) + 2 * ((west(ahead) & enemies) != 0) +
           4 * ((east(ahead) & enemies) != 0);
}

// The pawn's move, or Move::none() where it has no such step.
Move pawn_move(const Replay& position, Square from, std::size_t symbol) {
    const Color us = position.turn();
    const Bitboard ahead = forward(bit(from), us), free = ~position.pieces();
    const std::size_t step = symbol % 4, promotion = symbol / 4;
    if (promotion > 3) return Move::none();
    Bitboard target = 0;
    if (step == One) target = ahead & free;
    if (step == Two && seen_by(from.rank(), us) == Rank::Two) target = forward(ahead & free, us) & free;
    if (step == TakeWest) target = west(ahead) & ~position.pieces(us);
    if (step == TakeEast) target = east(ahead) & ~position.pieces(us);
    if (!target) return Move::none();
    const Square to = first(target);
    if (seen_by(to.rank(), us) == Rank::Eight) return {from, to, MoveType::Promotion, Kind(1 + promotion)};
    if (promotion != 0) return Move::none();
    if (step < TakeWest || !(target & free)) return {from, to};
    const Square victim(to.file(), from.rank());
    return position.at(victim).is(~us, Kind::Pawn) ? Move(from, to, MoveType::EnPassant) : Move::none();
}

[[noreturn]] void refuse(Move move) {
    throw std::invalid_argument("no piece can play " + to_uci(move, true) + " where it stands in the game");
}

std::size_t pawn_symbol(const Replay& position, Square from) {
    const Color us = position.turn();
    const Bitboard file = seen_by(position.pieces(us, Kind::Pawn), us) & bits(from.file());
    return kPawns + 8 * number_in(file, from.seen_by(us)) + std::size_t(from.file());
}

}  // namespace

void GameContext::note(const Replay& position, Move move) {
    ++ply;
    before_last = last;
    last = move.exists() ? int(position.at(move.from()).kind()) : 6;
    captured = move.exists() && position.is_capture(move);
}

MoveSymbols symbols_of(const Replay& position, const GameContext& context, Move move) {
    MoveSymbols symbols{std::uint16_t(piece_context(position, context)), kNull, kNoStep, 0};
    if (!move.exists()) return symbols;
    const Color us = position.turn();
    const Square from = move.from(), to = move.to();
    const Piece piece = position.at(from);
    if (!contains(position.pieces(us), from)) refuse(move);
    if (move.castles()) {
        const Wing wing = to.index > from.index ? Wing::King : Wing::Queen;
        if (position.find_castling(wing) != move) refuse(move);
        symbols.piece = std::uint16_t(kCastling + std::size_t(wing));
    } else if (piece.kind() == Kind::Pawn) {
        symbols.piece = std::uint16_t(pawn_symbol(position, from));
        symbols.step_context = std::uint16_t(pawn_context(position, from));
        const int files = int(to.file()) - int(from.file());
        const int step = files < 0 ? TakeWest : files > 0 ? TakeEast : (from.index ^ to.index) == 16 ? Two : One;
        symbols.step = std::uint16_t(step + (move.promotes() ? 4 * (index(move.promotion()) - 1) : 0));
        if (pawn_move(position, from, symbols.step) != move) refuse(move);
    } else {
        const Kind kind = piece.kind();
        const Steps steps(position, kind, from);
        const Square target = to.seen_by(us);
        const bool takes = contains(steps.captures, target);
        if (Move(from, to) != move || (!takes && !contains(steps.quiet, target))) refuse(move);
        symbols.piece =
            std::uint16_t(kind == Kind::King ? kKing
                                             : kOthers + kMostOfAKind * (std::size_t(kind) - 1) +
                                                   number_in(seen_by(position.pieces(us, kind), us), from.seen_by(us)));
        symbols.step_context = std::uint16_t(steps.context(kind));
        symbols.step = std::uint16_t(takes ? number_in(steps.captures, target)
                                           : std::size_t(count(steps.captures)) + number_in(steps.quiet, target));
    }
    if (!move.castles() && position.at(to).is(~us, Kind::King)) refuse(move);
    return symbols;
}

// --- Codes ----------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kPieceLengths = kPieceContexts * kPieceSymbols, kStepLengths = kStepContexts * kStepSymbols;

// Most symbols never happen in most contexts, so only the others are listed: how many lengths of 0 stand before each,
// and its length.
void write_lengths(BitWriter& out, const std::vector<std::uint8_t>& lengths) {
    std::vector<std::uint64_t> gaps, used;
    std::uint64_t gap = 0;
    for (std::uint8_t length : lengths) {
        if (length == 0) {
            ++gap;
            continue;
        }
        gaps.push_back(std::exchange(gap, 0));
        used.push_back(length);
    }
    out.write(used.size(), 16);
    write_column(out, gaps);
    write_column(out, used);
}

std::vector<std::uint8_t> read_lengths(BitReader& in) {
    std::vector<std::uint8_t> lengths(kPieceLengths + kStepLengths);
    const std::size_t count = std::size_t(in.read(16));
    const std::vector<std::uint64_t> gaps = read_column(in, count, lengths.size());
    const std::vector<std::uint64_t> used = read_column(in, count, huffman::kLongest);
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        at += gaps[i];
        if (at >= lengths.size()) throw InvalidStore("there are more codes than symbols");
        lengths[std::size_t(at++)] = std::uint8_t(used[i]);
    }
    return lengths;
}

template <std::size_t Symbols>
void append_lengths(std::vector<std::uint8_t>& lengths, const std::vector<std::uint32_t>& counts) {
    for (std::size_t at = 0; at < counts.size(); at += Symbols) {
        const std::vector<std::uint8_t> code = huffman::lengths(std::span(counts).subspan(at, Symbols));
        lengths.insert(lengths.end(), code.begin(), code.end());
    }
}

// An Encoder or Decoder for each context.
template <class Code, std::size_t Symbols> std::vector<Code> codes(std::span<const std::uint8_t> lengths) {
    std::vector<Code> codes;
    codes.reserve(lengths.size() / Symbols);
    for (std::size_t at = 0; at < lengths.size(); at += Symbols) codes.emplace_back(lengths.subspan(at, Symbols));
    return codes;
}

}  // namespace

MoveEncoder::MoveEncoder() : pieces_(kPieceLengths), steps_(kStepLengths) {}

void MoveEncoder::count(const MoveSymbols& symbols) {
    ++pieces_[symbols.piece_context * kPieceSymbols + symbols.piece];
    if (symbols.step_context != kNoStep) ++steps_[symbols.step_context * kStepSymbols + symbols.step];
}

void MoveEncoder::make_codes(BitWriter& out) {
    std::vector<std::uint8_t> lengths;
    append_lengths<kPieceSymbols>(lengths, pieces_);
    append_lengths<kStepSymbols>(lengths, steps_);
    write_lengths(out, lengths);
    piece_codes_ = codes<huffman::Encoder<kPieceSymbols>, kPieceSymbols>(std::span(lengths).first(kPieceLengths));
    step_codes_ = codes<huffman::Encoder<kStepSymbols>, kStepSymbols>(std::span(lengths).subspan(kPieceLengths));
    std::fill(pieces_.begin(), pieces_.end(), 0);
    std::fill(steps_.begin(), steps_.end(), 0);
}

void MoveEncoder::write(BitWriter& out, const MoveSymbols& symbols) const {
    piece_codes_[symbols.piece_context].write(out, symbols.piece);
    if (symbols.step_context != kNoStep) step_codes_[symbols.step_context].write(out, symbols.step);
}

MoveDecoder::MoveDecoder(BitReader& in) {
    const std::vector<std::uint8_t> lengths = read_lengths(in);
    pieces_ = codes<huffman::Decoder<kPieceSymbols>, kPieceSymbols>(std::span(lengths).first(kPieceLengths));
    steps_ = codes<huffman::Decoder<kStepSymbols>, kStepSymbols>(std::span(lengths).subspan(kPieceLengths));
}

// --- Reading --------------------------------------------------------------------------------------------------------

namespace {

[[noreturn]] void fail() { throw InvalidStore("the bits of a game are no moves"); }

}  // namespace

Move MoveDecoder::read(BitReader& in, const Replay& position, const GameContext& context) const {
    const std::size_t symbol = pieces_[piece_context(position, context)].read(in);
    const Color us = position.turn();
    Move move;
    if (symbol < kOthers) {
        Bitboard file = seen_by(position.pieces(us, Kind::Pawn), us) & bits(File(symbol % 8));
        for (std::size_t behind = symbol / 8; behind > 0; --behind) file &= file - 1;
        if (!file) fail();
        const Square from = first(file).seen_by(us);
        move = pawn_move(position, from, steps_[pawn_context(position, from)].read(in));
        if (!move.exists()) fail();
    } else if (symbol <= kKing) {
        const Kind kind = Kind(1 + (symbol - kOthers) / kMostOfAKind);
        const Bitboard own = seen_by(position.pieces(us, kind), us);
        const std::size_t number = (symbol - kOthers) % kMostOfAKind;
        if (number >= std::size_t(count(own))) fail();
        const Square from = nth(own, number).seen_by(us);
        const Steps steps(position, kind, from);
        const std::size_t step = steps_[steps.context(kind)].read(in);
        const std::size_t takes = std::size_t(count(steps.captures));
        if (step >= takes + std::size_t(count(steps.quiet))) fail();
        const Square to = step < takes ? nth(steps.captures, step) : nth(steps.quiet, step - takes);
        move = Move(from, to.seen_by(us));
    } else if (symbol < kNull) {
        move = position.find_castling(Wing(symbol - kCastling));
        if (!move.exists()) fail();
    } else if (symbol != kNull) {
        fail();
    }
    if (move.exists() && !move.castles() && position.at(move.to()).is(~us, Kind::King)) fail();
    return move;
}

}  // namespace okapi
