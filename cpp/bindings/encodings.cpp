// Arrays filled in bulk. okapi.encodings has the numpy side: names, shapes, and the same numbers written to be read.
#include "okapi/encode/encode.h"
#include "okapi/encode/piece_square.h"
#include "packed.h"

namespace okapi::bindings {

namespace {

using namespace okapi::encode;

using Array = nb::ndarray<nb::device::cpu>;

// Rows of numbers; they may stand inside longer ones.
template <class T> struct NumberRows {
    T* data;
    std::int64_t stride;

    T* operator[](std::size_t n) const { return data + std::int64_t(n) * stride; }
};

template <class T> NumberRows<T> number_rows(const Array& array, std::size_t count, std::size_t size) {
    if (array.dtype() != nb::dtype<T>()) throw nb::type_error("the array to write to has another type of number");
    std::size_t inner = 1;
    for (std::size_t axis = array.ndim(); axis-- > 1;) {
        if (count > 0 && array.shape(axis) > 1 && array.stride(axis) != std::int64_t(inner))
            throw nb::value_error("the rows of the array to write to have gaps");
        inner *= array.shape(axis);
    }
    if (array.ndim() < 2 || array.shape(0) != count || inner != size)
        throw nb::value_error("the array to write to has another shape");
    return {static_cast<T*>(array.data()), array.stride(0)};
}

template <class T> bool encode_with(std::string_view name, const PackedRows& rows, const Array& array, int threads) {
    if (array.dtype() != nb::dtype<T>()) return false;
    for (const Encoder<T>& encoder : encoders<T>()) {
        if (encoder.name != name) continue;
        const NumberRows<T> out = number_rows<T>(array, rows.count, encoder.size);
        nb::gil_scoped_release release;
        for_each_board(rows, threads, [&](const Board& board, std::size_t n) { encoder.write(board, out[n]); });
        return true;
    }
    return false;
}

void encode_positions(std::string_view name, const Rows& array, const Array& out, int threads) {
    const PackedRows rows = packed_rows(array);
    if (!encode_with<std::uint8_t>(name, rows, out, threads) && !encode_with<std::int8_t>(name, rows, out, threads) &&
        !encode_with<float>(name, rows, out, threads))
        throw nb::value_error("no encoding of that name gives such numbers");
}

PieceSquare piece_square(bool mirror, const std::vector<std::uint8_t>& buckets) {
    if (buckets.size() != 64) throw nb::value_error("expected a bucket for each of the 64 squares");
    std::array<std::uint8_t, 64> table;
    std::copy(buckets.begin(), buckets.end(), table.begin());
    return {mirror, table};
}

template <class T>
bool write_dense(const PieceSquare& encoding, const PackedRows& rows, const Array& array, int threads) {
    if (array.dtype() != nb::dtype<T>()) return false;
    const NumberRows<T> out = number_rows<T>(array, rows.count, std::size_t(2 * encoding.features()));
    nb::gil_scoped_release release;
    for_each_board(rows, threads, [&](const Board& board, std::size_t n) { encoding.write_dense(board, out[n]); });
    return true;
}

void encode_piece_square(const PieceSquare& encoding, const Rows& array, const Array& out, int threads) {
    const PackedRows rows = packed_rows(array);
    if (!write_dense<std::uint8_t>(encoding, rows, out, threads) &&
        !write_dense<std::int8_t>(encoding, rows, out, threads) && !write_dense<float>(encoding, rows, out, threads))
        throw nb::value_error("piece-square is written as uint8, int8 or float32");
}

void piece_square_indices(const PieceSquare& encoding, const Rows& array, const Array& out, int threads) {
    const PackedRows rows = packed_rows(array);
    const auto indices = number_rows<std::int32_t>(out, rows.count, 2 * PieceSquare::kMaxActive);
    nb::gil_scoped_release release;
    for_each_board(rows, threads,
                   [&](const Board& board, std::size_t n) { encoding.write_indices(board, indices[n]); });
}

}  // namespace

void add_encodings(nb::module_& m) {
    m.def("encode_positions", &encode_positions, "name"_a, "rows"_a, "out"_a, "threads"_a,
          nb::sig("def encode_positions(name: str, rows: numpy.ndarray, out: numpy.ndarray, threads: int) -> None"),
          "Write packed positions into an array of uint8, int8 or float32.");
    nb::class_<PieceSquare>(m, "RawPieceSquare", "Which piece stands where. Use okapi.encodings.PieceSquare.")
        .def(nb::new_(&piece_square), "mirror"_a, "buckets"_a)
        .def_prop_ro("features", &PieceSquare::features)
        .def("encode", &encode_piece_square, "rows"_a, "out"_a, "threads"_a,
             nb::sig("def encode(self, rows: numpy.ndarray, out: numpy.ndarray, threads: int) -> None"))
        .def("indices", &piece_square_indices, "rows"_a, "out"_a, "threads"_a,
             nb::sig("def indices(self, rows: numpy.ndarray, out: numpy.ndarray, threads: int) -> None"));
}

}  // namespace okapi::bindings
