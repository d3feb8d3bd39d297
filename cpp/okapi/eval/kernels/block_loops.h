// The functions of blocks.h for one set of instructions. No guard: blocks.cpp includes this once for each set, in a
// namespace of its own, with OKAPI_TARGET, OKAPI_LANES (numbers in a vector) and OKAPI_ROWS (rows that are multiplied
// at once: so many that their sums fill the registers). Functions inlined across targets would lose their wide vectors.

#if OKAPI_LANES == 1
using Vector = float;
#else
using Vector [[gnu::vector_size(4 * OKAPI_LANES), gnu::may_alias]] = float;
#endif

constexpr std::size_t kLanes = OKAPI_LANES;
constexpr std::size_t kVectors = kPanel / kLanes;

OKAPI_TARGET inline const Vector& vector_at(const float* numbers) { return *reinterpret_cast<const Vector*>(numbers); }
OKAPI_TARGET inline Vector& vector_at(float* numbers) { return *reinterpret_cast<Vector*>(numbers); }

// --- Products -------------------------------------------------------------------------------------------------------

template <std::size_t rows_at_once>
OKAPI_TARGET inline void multiply_rows(const float* rows, std::size_t step, const float* panel, std::size_t depth,
                                       bool add, float* out, std::size_t out_step) {
    Vector sums[rows_at_once][kVectors];
    for (std::size_t r = 0; r < rows_at_once; ++r)
        for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = Vector{};
    for (std::size_t k = 0; k < depth; ++k)
        for (std::size_t r = 0; r < rows_at_once; ++r)
            for (std::size_t v = 0; v < kVectors; ++v)
                sums[r][v] += rows[r * step + k] * vector_at(panel + k * kPanel + v * kLanes);
    for (std::size_t r = 0; r < rows_at_once; ++r)
        for (std::size_t v = 0; v < kVectors; ++v) {
            Vector& place = vector_at(out + r * out_step + v * kLanes);
            place = add ? place + sums[r][v] : sums[r][v];
        }
}

// Most rows in large blocks, what is left in smaller ones: each number is summed up in the same order in all of them.
template <std::size_t rows_at_once>
OKAPI_TARGET void multiply(const float* rows, std::size_t step, std::size_t count, const float* panel,
                           std::size_t depth, bool add, float* out, std::size_t out_step) {
    for (; count >= rows_at_once; count -= rows_at_once) {
        multiply_rows<rows_at_once>(rows, step, panel, depth, add, out, out_step);
        rows += rows_at_once * step;
        out += rows_at_once * out_step;
    }
    constexpr std::size_t kFewer = rows_at_once > 8 ? 8 : rows_at_once / 2;
    if constexpr (kFewer > 0)
        if (count > 0) multiply<kFewer>(rows, step, count, panel, depth, add, out, out_step);
}

// --- Frequencies ----------------------------------------------------------------------------------------------------

// Six numbers at the points 0, 1, -1, 2, -2 and infinity.
OKAPI_TARGET inline void to_points(const float* const numbers[6], float* points, std::size_t step) {
    const Vector x0 = vector_at(numbers[0]), x1 = vector_at(numbers[1]), x2 = vector_at(numbers[2]);
    const Vector x3 = vector_at(numbers[3]), x4 = vector_at(numbers[4]), x5 = vector_at(numbers[5]);
    const Vector even = x4 - 4 * x2, odd = x3 - 4 * x1, far_even = x4 - x2, far_odd = 2 * (x3 - x1);
    vector_at(points) = 4 * x0 - 5 * x2 + x4;
    vector_at(points + step) = even + odd;
    vector_at(points + 2 * step) = even - odd;
    vector_at(points + 3 * step) = far_even + far_odd;
    vector_at(points + 4 * step) = far_even - far_odd;
    vector_at(points + 5 * step) = 4 * x1 - 5 * x3 + x5;
}

// And back: four numbers.
OKAPI_TARGET inline void from_points(const float* points, std::size_t step, float* numbers) {
    const Vector x0 = vector_at(points), x1 = vector_at(points + step), x2 = vector_at(points + 2 * step);
    const Vector x3 = vector_at(points + 3 * step), x4 = vector_at(points + 4 * step),
                 x5 = vector_at(points + 5 * step);
    const Vector sum = x1 + x2, difference = x1 - x2, far_sum = x3 + x4, far_difference = x3 - x4;
    vector_at(numbers) = x0 + sum + far_sum;
    vector_at(numbers + kLanes) = difference + 2 * far_difference;
    vector_at(numbers + 2 * kLanes) = sum + 4 * far_sum;
    vector_at(numbers + 3 * kLanes) = difference + 8 * far_difference + x5;
}

OKAPI_TARGET void to_frequencies(const float* board, std::size_t step, std::size_t channels, float* out,
                                 TileSteps steps) {
    alignas(64) static constexpr float kOutside[kLanes] = {};
    for (std::size_t tile = 0; tile < kTiles; ++tile) {
        const int top = int(tile / 2) * 4 - 1, left = int(tile % 2) * 4 - 1;
        for (std::size_t channel = 0; channel < channels; channel += kLanes) {
            alignas(64) float halfway[6][6][kLanes];  // [point][file]
            for (int file = 0; file < 6; ++file) {
                const float* seen[6];
                for (int rank = 0; rank < 6; ++rank) {
                    const int r = top + rank, f = left + file;
                    const bool inside = r >= 0 && r < 8 && f >= 0 && f < 8;
                    seen[rank] = inside ? board + std::size_t(r * 8 + f) * step + channel : kOutside;
                }
                to_points(seen, halfway[0][file], 6 * kLanes);
            }
            float* place = out + tile * steps.tile + channel;
            for (int point = 0; point < 6; ++point, place += 6 * steps.frequency) {
                const float* seen[6];
                for (int file = 0; file < 6; ++file) seen[file] = halfway[point][file];
                to_points(seen, place, steps.frequency);
            }
        }
    }
}

OKAPI_TARGET void from_frequencies(const float* tiles, TileSteps steps, Finish finish, float* board, std::size_t step) {
    for (std::size_t tile = 0; tile < kTiles; ++tile)
        for (std::size_t channel = 0; channel < kPanel; channel += kLanes) {
            const float* points = tiles + tile * steps.tile + channel;
            alignas(64) float halfway[6][4][kLanes];
            for (std::size_t point = 0; point < 6; ++point, points += 6 * steps.frequency)
                from_points(points, steps.frequency, halfway[point][0]);
            const Vector bias = vector_at(finish.bias + channel);
            for (std::size_t file = 0; file < 4; ++file) {
                alignas(64) float column[4][kLanes];
                from_points(halfway[0][file], 4 * kLanes, column[0]);
                for (std::size_t rank = 0; rank < 4; ++rank) {
                    const std::size_t square = (tile / 2 * 4 + rank) * 8 + tile % 2 * 4 + file;
                    Vector sum = vector_at(column[rank]) + bias;
                    if (finish.add) sum += vector_at(finish.add + square * step + channel);
                    if (finish.relu) sum = sum < 0 ? Vector{} : sum;
                    vector_at(board + square * step + channel) = sum;
                }
            }
        }
}
