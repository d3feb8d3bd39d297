// Arrays of packed positions as C++ sees them: rows of 32 bytes, which may stand inside longer ones.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstring>

#include "bindings.h"
#include "okapi/samples/packed.h"

namespace okapi::bindings {

using Rows = nb::ndarray<const std::uint8_t, nb::shape<-1, sizeof(PackedPosition)>, nb::device::cpu>;
using WritableRows = nb::ndarray<std::uint8_t, nb::shape<-1, sizeof(PackedPosition)>, nb::c_contig, nb::device::cpu>;
template <class T> using Column = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline PackedRows packed_rows(const Rows& rows) { return {rows.data(), rows.shape(0), rows.stride(0)}; }
inline PackedPosition row(const Rows& rows, std::size_t n) { return packed_rows(rows)[n]; }

inline void set_row(const WritableRows& rows, std::size_t n, const PackedPosition& packed) {
    std::memcpy(rows.data() + n * sizeof(packed), &packed, sizeof(packed));
}

// The fields of a record with their offsets, and last its size: for tests that hold it to its numpy twin.
using Layout = std::vector<std::pair<std::string, std::size_t>>;
#define OKAPI_FIELD(record, field) {#field, offsetof(record, field)}

}  // namespace okapi::bindings
