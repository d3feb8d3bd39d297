// Arrays of packed positions as C++ sees them: rows of 32 bytes, which may stand inside longer ones.
#pragma once

#include <nanobind/ndarray.h>

#include <cstring>

#include "bindings.h"
#include "okapi/games/packed.h"

namespace okapi::bindings {

using Rows = nb::ndarray<const std::uint8_t, nb::shape<-1, sizeof(PackedPosition)>, nb::device::cpu>;
using WritableRows = nb::ndarray<std::uint8_t, nb::shape<-1, sizeof(PackedPosition)>, nb::c_contig, nb::device::cpu>;

// Copied, because rows of a file need not be aligned.
inline PackedPosition row(const Rows& rows, std::size_t n) {
    PackedPosition packed;
    std::memcpy(&packed, rows.data() + std::int64_t(n) * rows.stride(0), sizeof(packed));
    return packed;
}

inline void set_row(const WritableRows& rows, std::size_t n, const PackedPosition& packed) {
    std::memcpy(rows.data() + n * sizeof(packed), &packed, sizeof(packed));
}

}  // namespace okapi::bindings
