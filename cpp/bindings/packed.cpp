// Positions in bulk. okapi.core.packed has the numpy side: it makes the arrays that are filled and read here.
#include "packed.h"

#include "okapi/chess/random_games.h"

namespace okapi::bindings {

namespace {

void pack_positions(const std::vector<const Position*>& positions, const WritableRows& rows) {
    for (std::size_t n = 0; n < positions.size(); ++n) set_row(rows, n, pack(*positions[n]));
}

void pack_fens(const std::vector<std::string_view>& fens, const WritableRows& rows) {
    nb::gil_scoped_release release;
    for (std::size_t n = 0; n < fens.size(); ++n) try {
            set_row(rows, n, pack(Position::from_fen(fens[n])));
        } catch (const InvalidFen& e) {
            throw InvalidFen(e.fen, "number " + std::to_string(n) + ": " + e.field, e.start, e.end, e.expected);
        }
}

void random_positions(const std::vector<const Position*>& starts, std::uint64_t seed, const WritableRows& rows) {
    nb::gil_scoped_release release;
    std::size_t n = 0;
    play_randomly(starts, rows.shape(0), seed, [&](const Position& position) { set_row(rows, n++, pack(position)); });
}

std::vector<std::string> packed_fens(const Rows& rows) {
    nb::gil_scoped_release release;
    std::vector<std::string> fens;
    fens.reserve(rows.shape(0));
    for (std::size_t n = 0; n < rows.shape(0); ++n) fens.push_back(unpack(packed_rows(rows), n).fen());
    return fens;
}

Layout position_layout() {
    return {OKAPI_FIELD(PackedPosition, occupied),       OKAPI_FIELD(PackedPosition, pieces),
            OKAPI_FIELD(PackedPosition, turn),           OKAPI_FIELD(PackedPosition, en_passant),
            OKAPI_FIELD(PackedPosition, halfmove_clock), OKAPI_FIELD(PackedPosition, fullmove_number),
            OKAPI_FIELD(PackedPosition, unused),         {"", sizeof(PackedPosition)}};
}

Layout sample_layout() {
    return {OKAPI_FIELD(Sample, position), OKAPI_FIELD(Sample, value), OKAPI_FIELD(Sample, move),
            OKAPI_FIELD(Sample, result),   OKAPI_FIELD(Sample, flags), OKAPI_FIELD(Sample, ply),
            OKAPI_FIELD(Sample, game),     OKAPI_FIELD(Sample, nodes), {"", sizeof(Sample)}};
}

}  // namespace

void add_packed(nb::module_& m) {
    m.def("pack_positions", &pack_positions, "positions"_a, "rows"_a, "Write positions into rows of 32 bytes.");
    m.def("pack_fens", &pack_fens, "fens"_a, "rows"_a,
          "Read FENs into rows of 32 bytes. InvalidFen says the number of one that is wrong.");
    m.def(
        "unpack_position", [](const Rows& rows) { return unpack(row(rows, 0)); }, "rows"_a,
        "The position of the first row. Throws InvalidPosition.");
    m.def("random_positions", &random_positions, "starts"_a, "seed"_a, "rows"_a,
          "Fill rows with positions of random games.");
    m.def("packed_fens", &packed_fens, "rows"_a, "The FEN of each row.");
    m.def("position_layout", &position_layout, "The fields of a packed position with their offsets; last, its size.");
    m.def("sample_layout", &sample_layout, "The same of a sample.");
}

}  // namespace okapi::bindings
