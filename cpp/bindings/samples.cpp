// Samples in bulk: moves as text, quiet ones, and .binpack blocks. okapi.core.samples has the numpy side.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <span>

#include "okapi/samples/binpack.h"
#include "okapi/samples/traits.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

// No move goes from a square to itself.
constexpr std::uint16_t kNoSuchMove = 0xFFFF;

using MoveColumn = nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::device::cpu>;
using SampleRows = nb::ndarray<const std::uint8_t, nb::shape<-1, sizeof(Sample)>, nb::c_contig, nb::device::cpu>;

Move move_of(const MoveColumn& moves, std::size_t n) {
    std::uint16_t bits;
    std::memcpy(&bits, moves.data() + std::int64_t(n) * moves.stride(0), sizeof(bits));
    return Move(bits);
}

// UCI first: it is quicker, and no move means one thing as UCI and another as SAN.
std::uint16_t parse_move(const Position& position, std::string_view text) {
    if (text.empty()) return 0;
    std::optional<Move> move = parse_uci(position, text);
    if (!move) move = parse_san(position, text);
    return move ? move->bits : kNoSuchMove;
}

// Position and move together: what costs time is setting up the position.
std::vector<std::uint16_t> pack_lines(const std::vector<std::string_view>& fens,
                                      const std::vector<std::string_view>& texts, const WritableRows& rows) {
    if (texts.size() != fens.size() || rows.shape(0) != fens.size())
        throw std::invalid_argument("as many texts and rows as FENs are needed");
    nb::gil_scoped_release release;
    std::vector<std::uint16_t> moves(texts.size());
    for (std::size_t n = 0; n < fens.size(); ++n) {
        const Position position = Position::from_fen(fens[n]);
        set_row(rows, n, pack(position));
        moves[n] = parse_move(position, texts[n]);
    }
    return moves;
}

std::vector<std::string> move_texts(const Rows& rows, const MoveColumn& moves, bool san) {
    if (moves.shape(0) != rows.shape(0)) throw std::invalid_argument("as many moves as positions are needed");
    nb::gil_scoped_release release;
    std::vector<std::string> texts(moves.shape(0));
    for (std::size_t n = 0; n < texts.size(); ++n) {
        const Move move = move_of(moves, n);
        if (!move.exists()) continue;
        const Position position = unpack(row(rows, n));
        if (!position.is_legal(move)) continue;
        texts[n] = san ? to_san(position, move) : to_uci(move, position.is_chess960());
    }
    return texts;
}

void quiet(const Rows& rows, const MoveColumn& moves,
           const nb::ndarray<bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>& out) {
    if (moves.shape(0) != rows.shape(0) || out.shape(0) != rows.shape(0))
        throw std::invalid_argument("as many moves and answers as positions are needed");
    nb::gil_scoped_release release;
    for (std::size_t n = 0; n < rows.shape(0); ++n) out.data()[n] = is_quiet(row(rows, n), move_of(moves, n));
}

std::tuple<nb::bytes, std::uint32_t, std::string, std::size_t> read_block(const nb::bytes& block,
                                                                          std::uint32_t first_game) {
    BinpackRead read;
    {
        const std::span bytes(static_cast<const std::uint8_t*>(block.data()), block.size());
        nb::gil_scoped_release release;
        read = read_binpack(bytes, first_game);
    }
    return {nb::bytes(read.samples.data(), read.samples.size() * sizeof(Sample)), read.chains, read.trouble,
            read.offset};
}

std::pair<nb::bytes, std::vector<std::size_t>> write_blocks(const SampleRows& rows) {
    BinpackWritten written;
    {
        nb::gil_scoped_release release;
        std::vector<Sample> samples(rows.shape(0));  // a copy, because rows of a file need not be aligned
        if (!samples.empty()) std::memcpy(samples.data(), rows.data(), samples.size() * sizeof(Sample));
        written = write_binpack(samples);
    }
    return {nb::bytes(written.bytes.data(), written.bytes.size()), written.refused};
}

}  // namespace

void add_samples(nb::module_& m) {
    m.attr("NO_SUCH_MOVE") = kNoSuchMove;
    m.def("pack_lines", &pack_lines, "fens"_a, "texts"_a, "rows"_a,
          "Read FENs into rows, and of each the move that a text, UCI or SAN, means: its bits, 0 for an empty text, "
          "NO_SUCH_MOVE for a wrong one.");
    m.def("move_texts", &move_texts, "rows"_a, "moves"_a, "san"_a,
          "Moves as UCI or SAN; nothing for none or an illegal one.");
    m.def("quiet", &quiet, "rows"_a, "moves"_a, "out"_a,
          "Write of each row whether nobody is in check and the move, 0 for none, neither takes nor promotes.");
    m.def("read_binpack", &read_block, "block"_a, "first_game"_a,
          "Samples of a block as bytes, its chains, why reading ended early if it did, and where.");
    m.def("write_binpack", &write_blocks, "rows"_a, "Blocks, and the numbers of samples that they cannot hold.");
}

}  // namespace okapi::bindings
