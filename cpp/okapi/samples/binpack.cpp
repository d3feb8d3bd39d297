#include "okapi/samples/binpack.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

#include "okapi/chess/attacks.h"
#include "okapi/chess/replay.h"
#include "okapi/utils/bits.h"

namespace okapi {

namespace {

constexpr std::size_t kStemBytes = 32;
constexpr std::size_t kBlockBytes = 1 << 20;  // a block ends with the chain that reaches this
constexpr int kLatestPly = (1 << 14) - 1;     // that a stem can hold
constexpr std::uint16_t kMostInChain = 0xFFFF;

// Codes of pieces beyond Piece::code.
constexpr int kJustJumped = 12;  // a pawn that may be taken en passant
constexpr int kWhiteCastlingRook = 13;
constexpr int kBlackCastlingRook = 14;
constexpr int kBlackKingToMove = 15;

constexpr int kBitsOfScore = 4;  // in a piece of it; a fifth bit says whether another follows

// The types of a move, in the file's order.
constexpr std::array kTypes = {MoveType::Normal, MoveType::Promotion, MoveType::Castling, MoveType::EnPassant};

struct Unreadable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// --- Numbers --------------------------------------------------------------------------------------------------------

// The sign goes to the lowest bit, so that small numbers have few bits.
constexpr std::uint16_t folded(std::int16_t number) {
    const auto bits = std::uint16_t(number);
    return std::rotl(std::uint16_t(number < 0 ? bits ^ 0x7FFF : bits), 1);
}

constexpr std::int16_t unfolded(std::uint16_t number) {
    const std::uint16_t bits = std::rotr(number, 1);
    return std::int16_t(bits & 0x8000 ? bits ^ 0x7FFF : bits);
}

// Bits that tell `count` things apart.
constexpr int bits_for(int count) { return count <= 1 ? 0 : int(std::bit_width(unsigned(count - 1))); }

std::int16_t read_score(BitReader& bits) {
    unsigned value = 0;
    for (int shift = 0; shift < 16; shift += kBitsOfScore) {
        const auto piece = unsigned(bits.read(kBitsOfScore + 1));
        value |= (piece & ((1 << kBitsOfScore) - 1)) << shift;
        if (piece >> kBitsOfScore == 0) return unfolded(std::uint16_t(value));
    }
    throw Unreadable("a score has no end");
}

void write_score(BitWriter& bits, std::int16_t score) {
    unsigned left = folded(score);
    do {
        const unsigned piece = left & ((1 << kBitsOfScore) - 1);
        left >>= kBitsOfScore;
        bits.write(piece | unsigned(left != 0) << kBitsOfScore, kBitsOfScore + 1);
    } while (left != 0);
}

std::uint16_t big_endian(const std::uint8_t* bytes) { return std::uint16_t(bytes[0] << 8 | bytes[1]); }

void put_big_endian(std::string& bytes, unsigned value) {
    bytes.push_back(char(value >> 8));
    bytes.push_back(char(value));
}

// --- Moves ----------------------------------------------------------------------------------------------------------

// Where the piece on `from` could go, by pseudo-legal moves; without castling.
Bitboard targets(const Replay& board, Square from) {
    const Color side = board.turn();
    const Kind kind = board.at(from).kind();
    if (kind != Kind::Pawn) return attacks_of(kind, from, board.pieces()) & ~board.pieces(side);
    Bitboard prey = board.pieces(~side);
    if (const Square passed = board.en_passant(); passed.exists()) prey |= bit(passed);
    const Bitboard one = forward(bit(from), side) & ~board.pieces();
    const Bitboard two = seen_by(from.rank(), side) == Rank::Two ? forward(one, side) & ~board.pieces() : 0;
    return (pawn_attacks(from, side) & prey) | one | two;
}

Square nth(Bitboard set, int n) {
    while (n-- > 0) set &= set - 1;
    return first(set);
}

int number_of(Bitboard set, Square square) { return count(set & (bit(square) - 1)); }

bool promotes_from(Square from, Color side) { return seen_by(from.rank(), side) == Rank::Seven; }

bool is_legal(const Replay& board, Move move) {
    const Square from = move.from(), to = move.to();
    const Piece piece = board.at(from);
    if (!piece.exists() || piece.color() != board.turn()) return false;
    if (move.castles()) return move == board.find_castling(Wing::King) || move == board.find_castling(Wing::Queen);
    const bool pawn = piece.kind() == Kind::Pawn;
    const bool passing = pawn && to == board.en_passant();
    return contains(targets(board, from), to) && board.is_safe(from, to) &&
           move.promotes() == (pawn && promotes_from(from, board.turn())) &&
           (move.type() == MoveType::EnPassant) == passing;
}

// The moves of one piece in the file's order: targets from a1 to h8, four promotions each for a pawn about to promote;
// then, for a king, the wings it may still castle to, the queen's first.
struct Choices {
    const Replay& board;
    Square from;
    Bitboard to = targets(board, from);
    bool promotes = board.at(from).kind() == Kind::Pawn && promotes_from(from, board.turn());
    bool is_king = board.at(from).kind() == Kind::King;

    int castlings() const {
        return is_king ? board.can_castle(board.turn(), Wing::King) + board.can_castle(board.turn(), Wing::Queen) : 0;
    }
    int size() const { return count(to) * (promotes ? 4 : 1) + castlings(); }

    Move operator[](int n) const {
        const int plain = count(to) * (promotes ? 4 : 1);
        if (n >= plain) {
            const bool long_way = n == plain && board.can_castle(board.turn(), Wing::Queen);
            return Move(from, board.castling_rook(board.turn(), long_way ? Wing::Queen : Wing::King),
                        MoveType::Castling);
        }
        if (promotes) return Move(from, nth(to, n / 4), MoveType::Promotion, Kind(1 + n % 4));
        const Square target = nth(to, n);
        const bool passing = board.at(from).kind() == Kind::Pawn && target == board.en_passant();
        return Move(from, target, passing ? MoveType::EnPassant : MoveType::Normal);
    }

    int number(Move move) const {
        if (move.castles()) return size() - (move.to().index > from.index || castlings() == 1 ? 1 : 2);
        return number_of(to, move.to()) * (promotes ? 4 : 1) + (promotes ? int(move.promotion()) - 1 : 0);
    }
};

Move read_move(BitReader& bits, const Replay& board) {
    const Bitboard own = board.pieces(board.turn());
    const auto piece = int(bits.read(bits_for(count(own))));
    if (piece >= count(own)) throw Unreadable("a move is of a piece that is not there");
    const Choices choices{board, nth(own, piece)};
    const auto number = int(bits.read(bits_for(choices.size())));
    if (number >= choices.size()) throw Unreadable("a move is none that the piece has");
    const Move move = choices[number];
    if (!is_legal(board, move)) throw Unreadable("a move is illegal");
    return move;
}

void write_move(BitWriter& bits, const Replay& board, Move move) {
    const Bitboard own = board.pieces(board.turn());
    const Choices choices{board, move.from()};
    bits.write(unsigned(number_of(own, move.from())), bits_for(count(own)));
    bits.write(unsigned(choices.number(move)), bits_for(choices.size()));
}

// --- Stems: the first position of a chain ---------------------------------------------------------------------------

PackedPosition read_position(const std::uint8_t* bytes) {
    PackedPosition packed;
    for (int i = 0; i < 8; ++i) packed.occupied = packed.occupied << 8 | bytes[i];
    if (count(packed.occupied) > 32) throw Unreadable("a position has more than 32 pieces");
    Square jumped;
    std::size_t n = 0;
    for (Square square : squares(packed.occupied)) {
        int code = bytes[8 + n / 2] >> (n % 2 * 4) & 15;
        if (code == kJustJumped) {
            jumped = square;
            code = Piece(square.rank() == Rank::Four ? Color::White : Color::Black, Kind::Pawn).code;
        } else if (code == kBlackKingToMove) {
            packed.turn = 1;
            code = Piece(Color::Black, Kind::King).code;
        } else if (code == kWhiteCastlingRook || code == kBlackCastlingRook) {
            code = code - 1;  // as packed.h has them
        }
        packed.pieces[n / 2] |= std::uint8_t(code << (n % 2 * 4));
        ++n;
    }
    // Where no capture is legal, the square is not kept: Position would not know it, either.
    if (jumped.exists() && seen_by(jumped.rank(), ~Color(packed.turn)) == Rank::Four)
        packed.en_passant = std::uint8_t(jumped.index + (packed.turn == 1 ? -8 : 8));
    return packed;
}

// Throws what unpack() does.
Position checked(PackedPosition packed) {
    const Square passed(packed.en_passant);
    packed.en_passant = 64;
    const Position position = unpack(packed);
    if (!passed.exists() || position.at(passed).exists()) return position;
    packed.en_passant = passed.index;
    // The reader of FENs drops the square if the pawn cannot have come from behind it.
    return Position::from_fen(unpack_unchecked(packed).fen(true));
}

Sample read_stem(const std::uint8_t* bytes) {
    Sample sample;
    PackedPosition packed = read_position(bytes);
    const std::uint16_t move = big_endian(bytes + 24);
    const std::uint16_t ply_and_result = big_endian(bytes + 28);
    sample.ply = ply_and_result & kLatestPly;
    packed.fullmove_number = std::uint16_t(sample.ply / 2 + 1);
    packed.halfmove_clock = big_endian(bytes + 30);
    const Position position = checked(packed);
    sample.position = pack(position);
    if (move != 0) {
        const Move chosen(Square(move >> 8 & 63), Square(move >> 2 & 63), kTypes[move >> 14],
                          move >> 14 == 1 ? Kind(1 + (move & 3)) : Kind::Knight);
        if (!is_legal(Replay(position), chosen)) throw Unreadable("the first move of a chain is illegal");
        sample.move = chosen.bits;
    }
    sample.value = unfolded(big_endian(bytes + 26));
    const int result = unfolded(ply_and_result >> 14);
    if (result < -1) throw Unreadable("a result is neither won, drawn nor lost");
    sample.result = std::int8_t(result + 1);
    return sample;
}

int ply_of(const PackedPosition& packed) { return 2 * (packed.fullmove_number - 1) + packed.turn; }

void write_stem(std::string& bytes, const Sample& sample) {
    const PackedPosition& packed = sample.position;
    for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(char(packed.occupied >> shift));
    std::array<std::uint8_t, 16> pieces{};
    const int jumped = packed.en_passant == 64 ? 64 : packed.en_passant + (packed.turn == 1 ? 8 : -8);
    std::size_t n = 0;
    for (Square square : squares(packed.occupied)) {
        int code = packed.pieces[n / 2] >> (n % 2 * 4) & 15;
        if (code >= 12) code = code + 1;  // castling rooks
        if (square.index == jumped) code = kJustJumped;
        if (packed.turn == 1 && code == Piece(Color::Black, Kind::King).code) code = kBlackKingToMove;
        pieces[n / 2] |= std::uint8_t(code << (n % 2 * 4));
        ++n;
    }
    for (std::uint8_t byte : pieces) bytes.push_back(char(byte));
    const Move move(sample.move);
    const auto type = std::find(kTypes.begin(), kTypes.end(), move.type()) - kTypes.begin();
    const int promotion = move.promotes() ? int(move.promotion()) - 1 : 0;
    put_big_endian(
        bytes, move.exists() ? unsigned(type << 14 | move.from().index << 8 | move.to().index << 2 | promotion) : 0);
    put_big_endian(bytes, folded(sample.value));
    put_big_endian(bytes, unsigned(ply_of(packed)) | unsigned(folded(std::int16_t(sample.result - 1))) << 14);
    put_big_endian(bytes, packed.halfmove_clock);
}

// --- Chains ---------------------------------------------------------------------------------------------------------

// Appends the samples of one chain and returns its bytes.
std::size_t read_chain(std::span<const std::uint8_t> bytes, std::uint32_t game, std::vector<Sample>& samples) {
    if (bytes.size() < kStemBytes + 2) throw Unreadable("the block ends inside a chain");
    Sample sample = read_stem(bytes.data());
    sample.game = game;
    samples.push_back(sample);
    const int plies = big_endian(bytes.data() + kStemBytes);
    Replay board(unpack_unchecked(sample.position));
    BitReader bits(bytes.subspan(kStemBytes + 2));
    for (int n = 0; n < plies; ++n) {
        if (sample.move == 0) throw Unreadable("a chain goes on without a move");
        board.play(Move(sample.move));
        sample.move = read_move(bits, board).bits;
        sample.value = Centipawns(read_score(bits) - sample.value);
        sample.position = pack(board);
        sample.result = std::int8_t(2 - sample.result);
        ++sample.ply;
        samples.push_back(sample);
    }
    if (bits.overran()) throw Unreadable("the block ends inside a chain");
    return kStemBytes + 2 + std::size_t(bits.position() + 7) / 8;
}

bool is_unknown_to_the_format(const Sample& sample) {
    return sample.result < 0 || sample.result > 2 || ply_of(sample.position) > kLatestPly;
}

// A chain in the making.
struct Chain {
    explicit Chain(const Sample& stem, const Position& position) : board(position), last(stem) {}

    // Takes the sample if it is what the last one's move leads to.
    bool add(const Sample& sample) {
        if (last.move == 0 || sample.move == 0 || sample.result != 2 - last.result || plies == kMostInChain)
            return false;
        Replay after = board;
        after.play(Move(last.move));
        if (!(pack(after) == sample.position) || !is_legal(after, Move(sample.move))) return false;
        board = after;
        write_move(bits, board, Move(sample.move));
        write_score(bits, std::int16_t(sample.value + last.value));
        last = sample;
        ++plies;
        return true;
    }

    Replay board;
    Sample last;
    BitWriter bits{};
    std::uint16_t plies = 0;
};

void end_block(std::string& bytes, std::string& block) {
    if (block.empty()) return;
    bytes += "BINP";
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(char(block.size() >> shift));
    bytes += block;
    block.clear();
}

}  // namespace

BinpackRead read_binpack(std::span<const std::uint8_t> block, std::uint32_t first_game) {
    BinpackRead read;
    while (read.offset < block.size()) {
        const std::size_t before = read.samples.size();
        try {
            read.offset += read_chain(block.subspan(read.offset), first_game + read.chains, read.samples);
            ++read.chains;
        } catch (const std::exception& error) {  // of ours, of unpack(), or of the FEN reader that it asks
            read.trouble = error.what();
            read.samples.resize(before);
            break;
        }
    }
    return read;
}

BinpackWritten write_binpack(std::span<const Sample> samples) {
    BinpackWritten written;
    std::string block;
    std::optional<Chain> chain;
    const auto end_chain = [&] {
        if (!chain) return;
        put_big_endian(block, chain->plies);
        for (std::uint8_t byte : chain->bits.take()) block.push_back(char(byte));
        chain.reset();
        if (block.size() >= kBlockBytes) end_block(written.bytes, block);
    };
    for (std::size_t n = 0; n < samples.size(); ++n) {
        const Sample& sample = samples[n];
        if (is_unknown_to_the_format(sample)) {
            written.refused.push_back(n);
            continue;
        }
        if (chain && chain->add(sample)) continue;
        end_chain();
        try {
            const Position position = unpack(sample.position);
            if (position.is_chess960() || (sample.move != 0 && !is_legal(Replay(position), Move(sample.move))))
                throw Unreadable("nothing that the format knows");
            write_stem(block, sample);
            chain.emplace(sample, position);
        } catch (const std::exception&) {
            written.refused.push_back(n);
        }
    }
    end_chain();
    end_block(written.bytes, block);
    return written;
}

}  // namespace okapi
