#include "okapi/eval/kernels/kernels_x86.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstring>

#include "okapi/eval/kernels/accumulator_loops.h"
#include "okapi/eval/kernels/kernel_loops.h"
#include "okapi/utils/aligned.h"

namespace okapi {

namespace {

// Of a layer of bytes for which there is room.
constexpr std::size_t kMostInputs = 1024;

// Every machine that has AVX2 and FMA also has F16C.
namespace avx2 {

#define OKAPI_TARGET [[gnu::target("avx2,fma,f16c")]]

OKAPI_TARGET void update(std::int32_t* sums, const std::int32_t* before, const std::int32_t* const plus[2],
                         const std::int32_t* const minus[2], std::size_t size) {
    loops::update(sums, before, plus, minus, size);
}

OKAPI_TARGET void to_floats(float* out, const std::int32_t* sums, const float* scale, const float* bias, float sign,
                            std::size_t size) {
    loops::to_floats(out, sums, scale, bias, sign, size);
}

OKAPI_TARGET void activate(float* values, Activation activation, std::size_t size) {
    loops::activate(values, activation, size);
}

OKAPI_TARGET inline __m256 load(const float* weights) { return _mm256_load_ps(weights); }
OKAPI_TARGET inline __m256 load(const Half* weights) {
    return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(weights)));
}

template <class Weight>
OKAPI_TARGET void accumulate(float* out, const Weight* weights, std::size_t size, const std::uint32_t* where,
                             const float* active, std::size_t count) {
    for (std::size_t k = 0; k < count; k += kAtOnce) {
        const Weight* rows[kAtOnce];
        __m256 factors[kAtOnce];
        for (std::size_t r = 0; r < kAtOnce; ++r) {
            rows[r] = weights + where[k + r] * size;
            factors[r] = _mm256_set1_ps(active[k + r]);
        }
        for (std::size_t i = 0; i < size; i += 8) {
            __m256 sum = _mm256_load_ps(out + i);
            for (std::size_t r = 0; r < kAtOnce; ++r) sum = _mm256_fmadd_ps(factors[r], load(rows[r] + i), sum);
            _mm256_store_ps(out + i, sum);
        }
    }
}

OKAPI_TARGET void add_changes(std::int32_t* sums, std::size_t size, const std::int16_t* columns,
                              const std::int16_t* before, const std::int16_t* after, std::size_t pairs) {
    const auto changes = loops::find_changes(before, after, pairs);
    for (std::size_t i = 0; i < size; i += 16) {
        auto* place = reinterpret_cast<__m256i*>(sums + i);
        __m256i low = _mm256_load_si256(place), high = _mm256_load_si256(place + 1);
        for (std::size_t k = 0; k < changes.count; ++k) {
            const auto* column = reinterpret_cast<const __m256i*>(columns + 2 * (size * changes.where[k] + i));
            const __m256i change = _mm256_set1_epi32(std::bit_cast<std::int32_t>(changes.numbers[k]));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_load_si256(column), change));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_load_si256(column + 1), change));
        }
        _mm256_store_si256(place, low);
        _mm256_store_si256(place + 1, high);
    }
}

OKAPI_TARGET float judge(const std::int32_t* seen, const JudgingLayers& layers) {
    return loops::judge(seen, layers, accumulate<float>);
}

OKAPI_TARGET void change(std::int16_t* sums, const std::int16_t* before, const RowList& plus, const RowList& minus,
                         std::size_t size) {
    loops::change(sums, before, plus, minus, size);
}

OKAPI_TARGET std::int32_t output(const std::int16_t* mover, const std::int16_t* other, const std::int16_t* weights,
                                 std::size_t size) {
    return loops::output(mover, other, weights, size);
}

OKAPI_TARGET void pairs(std::uint8_t* products, const std::int16_t* sums, std::size_t size, std::int16_t most,
                        int shift) {
    loops::pairs(products, sums, size, most, shift);
}

// Products of two pairs of bytes fit 16 bits, since inputs are at most 127.
template <std::size_t vectors>
OKAPI_TARGET void dense_of(std::int32_t* sums, const std::uint8_t* inputs, const std::int8_t* weights,
                           std::size_t size) {
    auto* out = reinterpret_cast<__m256i*>(sums);
    __m256i sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = _mm256_loadu_si256(out + v);
    const __m256i ones = _mm256_set1_epi16(1);
    for (std::size_t i = 0; i < size; i += 32) {
        const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(inputs + i));
        const __m256i zero = _mm256_cmpeq_epi32(block, _mm256_setzero_si256());
        auto found = unsigned(~_mm256_movemask_ps(_mm256_castsi256_ps(zero))) & 0xFF;
        for (; found != 0; found &= found - 1) {
            const std::size_t first = i + kInputGroup * std::size_t(std::countr_zero(found));
            std::int32_t group;
            std::memcpy(&group, inputs + first, sizeof group);
            const auto* column = reinterpret_cast<const __m256i*>(weights + first * 8 * vectors);
            for (std::size_t v = 0; v < vectors; ++v) {
                const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(group), _mm256_loadu_si256(column + v));
                sum[v] = _mm256_add_epi32(sum[v], _mm256_madd_epi16(pairs, ones));
            }
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) _mm256_storeu_si256(out + v, sum[v]);
}

OKAPI_TARGET void dense(std::int32_t* sums, const std::uint8_t* inputs, const std::int8_t* weights, std::size_t size,
                        std::size_t outputs) {
    if (size % 32 == 0 && outputs == 16) return dense_of<2>(sums, inputs, weights, size);
    if (size % 32 == 0 && outputs == 32) return dense_of<4>(sums, inputs, weights, size);
    loops::dense(sums, inputs, weights, size, outputs);
}

#undef OKAPI_TARGET

}  // namespace avx2

namespace avx512 {

#define OKAPI_TARGET [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,f16c")]]

OKAPI_TARGET void update(std::int32_t* sums, const std::int32_t* before, const std::int32_t* const plus[2],
                         const std::int32_t* const minus[2], std::size_t size) {
    loops::update(sums, before, plus, minus, size);
}

OKAPI_TARGET void to_floats(float* out, const std::int32_t* sums, const float* scale, const float* bias, float sign,
                            std::size_t size) {
    loops::to_floats(out, sums, scale, bias, sign, size);
}

OKAPI_TARGET void activate(float* values, Activation activation, std::size_t size) {
    loops::activate(values, activation, size);
}

OKAPI_TARGET std::size_t find_active(const float* values, std::size_t size, std::uint32_t* where, float* active) {
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; i += 16) {
        const __mmask16 inside = size - i < 16 ? __mmask16((1u << (size - i)) - 1) : __mmask16(0xFFFF);
        const __m512 numbers = _mm512_maskz_loadu_ps(inside, values + i);
        const __mmask16 found = _mm512_cmp_ps_mask(numbers, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        const __m512i places = _mm512_add_epi32(lanes, _mm512_set1_epi32(int(i)));
        _mm512_storeu_si512(where + count, _mm512_maskz_compress_epi32(found, places));
        _mm512_storeu_ps(active + count, _mm512_maskz_compress_ps(found, numbers));
        count += std::size_t(__builtin_popcount(found));
    }
    for (; count % kAtOnce != 0; ++count) where[count] = 0, active[count] = 0;
    return count;
}

OKAPI_TARGET inline __m512 load(const float* weights) { return _mm512_load_ps(weights); }
OKAPI_TARGET inline __m512 load(const Half* weights) {
    return _mm512_maskz_cvtph_ps(0xFFFF, _mm256_load_si256(reinterpret_cast<const __m256i*>(weights)));
}

template <class Weight>
OKAPI_TARGET void accumulate(float* out, const Weight* weights, std::size_t size, const std::uint32_t* where,
                             const float* active, std::size_t count) {
    for (std::size_t k = 0; k < count; k += kAtOnce) {
        const Weight* rows[kAtOnce];
        __m512 factors[kAtOnce];
        for (std::size_t r = 0; r < kAtOnce; ++r) {
            rows[r] = weights + where[k + r] * size;
            factors[r] = _mm512_set1_ps(active[k + r]);
        }
        for (std::size_t i = 0; i < size; i += 16) {
            __m512 sum = _mm512_load_ps(out + i);
            for (std::size_t r = 0; r < kAtOnce; ++r) sum = _mm512_fmadd_ps(factors[r], load(rows[r] + i), sum);
            _mm512_store_ps(out + i, sum);
        }
    }
}

// Numbers that matter, and where they stood. Vectors are stored whole, so there is room for one more.
template <class Number> struct Found {
    std::array<Number, kMostJudged + kLane> numbers;
    std::array<std::uint32_t, kMostJudged + kLane> where;

    // Behind `count` others; returns how many there are now.
    OKAPI_TARGET std::size_t add(std::size_t count, __mmask16 found, __m512i bits, std::size_t first) {
        const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        const __m512i places = _mm512_add_epi32(lanes, _mm512_set1_epi32(int(first)));
        _mm512_storeu_si512(where.data() + count, _mm512_maskz_compress_epi32(found, places));
        _mm512_storeu_si512(numbers.data() + count, _mm512_maskz_compress_epi32(found, bits));
        return count + std::size_t(__builtin_popcount(found));
    }
};

// Adds to `vectors` vectors of sums, which stay in registers.
template <std::size_t vectors>
OKAPI_TARGET inline void add_columns(std::int32_t* sums, std::size_t size, const std::int16_t* columns,
                                     const Found<std::int32_t>& changes, std::size_t count) {
    __m512i sum[vectors];
    for (std::size_t i = 0; i < vectors; ++i) sum[i] = _mm512_load_si512(sums + 16 * i);
    for (std::size_t k = 0; k < count; ++k) {
        const std::int16_t* column = columns + 2 * size * changes.where[k];
        const __m512i change = _mm512_set1_epi32(changes.numbers[k]);
        for (std::size_t i = 0; i < vectors; ++i)
            sum[i] = _mm512_add_epi32(sum[i], _mm512_madd_epi16(_mm512_load_si512(column + 32 * i), change));
    }
    for (std::size_t i = 0; i < vectors; ++i) _mm512_store_si512(sums + 16 * i, sum[i]);
}

OKAPI_TARGET void add_changes(std::int32_t* sums, std::size_t size, const std::int16_t* columns,
                              const std::int16_t* before, const std::int16_t* after, std::size_t pairs) {
    Found<std::int32_t> changes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < pairs; i += 16) {
        const __mmask16 inside = pairs - i < 16 ? __mmask16((1u << (pairs - i)) - 1) : __mmask16(0xFFFF);
        const __m512i change = _mm512_sub_epi16(_mm512_maskz_loadu_epi32(inside, after + 2 * i),
                                                _mm512_maskz_loadu_epi32(inside, before + 2 * i));
        count = changes.add(count, _mm512_test_epi32_mask(change, change), change, i);
    }
    std::size_t i = 0;
    for (; i + 48 <= size; i += 48) add_columns<3>(sums + i, size, columns + 2 * i, changes, count);
    if (i + 32 <= size) add_columns<2>(sums + i, size, columns + 2 * i, changes, count), i += 32;
    if (i < size) add_columns<1>(sums + i, size, columns + 2 * i, changes, count);
}

// The share of `vectors` vectors of nodes in the output.
template <std::size_t vectors>
OKAPI_TARGET inline __m512 judged(const JudgingLayers& layers, std::size_t first, const Found<float>& active,
                                  std::size_t count) {
    __m512 sum[vectors];
    for (std::size_t i = 0; i < vectors; ++i) sum[i] = _mm512_load_ps(layers.bias + first + 16 * i);
    for (std::size_t k = 0; k < count; ++k) {
        const float* row = layers.weights + layers.size * active.where[k] + first;
        const __m512 number = _mm512_set1_ps(active.numbers[k]);
        for (std::size_t i = 0; i < vectors; ++i)
            sum[i] = _mm512_fmadd_ps(number, _mm512_load_ps(row + 16 * i), sum[i]);
    }
    __m512 output = _mm512_setzero_ps();
    for (std::size_t i = 0; i < vectors; ++i) {
        const __mmask16 above = _mm512_cmp_ps_mask(sum[i], _mm512_setzero_ps(), _CMP_GT_OQ);
        output = _mm512_mask3_fmadd_ps(sum[i], _mm512_load_ps(layers.output + first + 16 * i), output, above);
    }
    return output;
}

OKAPI_TARGET float judge(const std::int32_t* seen, const JudgingLayers& layers) {
    Found<float> active;
    std::size_t count = 0;
    for (std::size_t i = 0; i < layers.inputs; i += 16) {
        const __m512 sums = _mm512_maskz_cvtepi32_ps(0xFFFF, _mm512_load_si512(seen + i));
        const __m512 numbers =
            _mm512_fmadd_ps(sums, _mm512_load_ps(layers.seen_scale + i), _mm512_load_ps(layers.seen_bias + i));
        count = active.add(count, _mm512_cmp_ps_mask(numbers, _mm512_setzero_ps(), _CMP_GT_OQ),
                           _mm512_castps_si512(numbers), i);
    }
    __m512 output = _mm512_setzero_ps();
    std::size_t i = 0;
    for (; i + 64 <= layers.size; i += 64) output = _mm512_add_ps(output, judged<4>(layers, i, active, count));
    if (i + 32 <= layers.size) output = _mm512_add_ps(output, judged<2>(layers, i, active, count)), i += 32;
    if (i < layers.size) output = _mm512_add_ps(output, judged<1>(layers, i, active, count));
    std::array<float, 16> sums;
    _mm512_storeu_ps(sums.data(), output);
    return loops::sum_of(sums);
}

// The number of the first set that holds a square, counted from 1, as a byte for each square.
OKAPI_TARGET inline __m512i first_of(const std::uint64_t* sets, std::size_t kinds) {
    __m512i found = _mm512_setzero_si512();
    for (std::size_t kind = kinds; kind-- > 0;)
        found = _mm512_mask_mov_epi8(found, sets[kind], _mm512_set1_epi8(char(kind + 1)));
    return found;
}

OKAPI_TARGET void first_found(const std::uint64_t* one, const std::uint64_t* two, const std::int16_t* numbers,
                              std::size_t kinds, std::int16_t* pairs) {
    const __m512i first = first_of(one, kinds), second = first_of(two, kinds);
    const __m512i table = _mm512_maskz_loadu_epi16(((1u << kinds) - 1) << 1, numbers - 1);
    // Bytes are paired within quarters of a vector, first the lower and then the upper halves of these.
    const __m512i low = _mm512_unpacklo_epi8(first, second), high = _mm512_unpackhi_epi8(first, second);
    const __m512i in_order[2] = {_mm512_permutex2var_epi64(low, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), high),
                                 _mm512_permutex2var_epi64(low, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), high)};
    for (std::size_t half = 0; half < 2; ++half) {
        const __m512i squares = in_order[half];
        const __m512i left = _mm512_maskz_cvtepu8_epi16(~0u, _mm512_maskz_extracti64x4_epi64(0xFF, squares, 0));
        const __m512i right = _mm512_maskz_cvtepu8_epi16(~0u, _mm512_maskz_extracti64x4_epi64(0xFF, squares, 1));
        _mm512_storeu_si512(pairs + 64 * half, _mm512_permutexvar_epi16(left, table));
        _mm512_storeu_si512(pairs + 64 * half + 32, _mm512_permutexvar_epi16(right, table));
    }
}

OKAPI_TARGET void change(std::int16_t* sums, const std::int16_t* before, const RowList& plus, const RowList& minus,
                         std::size_t size) {
    loops::change(sums, before, plus, minus, size);
}

OKAPI_TARGET std::int32_t output(const std::int16_t* mover, const std::int16_t* other, const std::int16_t* weights,
                                 std::size_t size) {
    return loops::output(mover, other, weights, size);
}

OKAPI_TARGET void pairs(std::uint8_t* products, const std::int16_t* sums, std::size_t size, std::int16_t most,
                        int shift) {
    loops::pairs(products, sums, size, most, shift);
}

#undef OKAPI_TARGET

}  // namespace avx512

// The only instructions that matter here multiply four bytes by four and add the products at once.
namespace vnni {

#define OKAPI_TARGET [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,avx512vnni,avx2,fma,f16c")]]

// Adds what one group of inputs contributes.
template <std::size_t vectors>
OKAPI_TARGET inline void add_group(__m512i* sum, const std::uint8_t* inputs, const std::int8_t* weights,
                                   std::size_t place) {
    std::int32_t group;
    std::memcpy(&group, inputs + kInputGroup * place, sizeof group);
    const std::int8_t* column = weights + 64 * vectors * place;
    for (std::size_t v = 0; v < vectors; ++v)
        sum[v] = _mm512_dpbusd_epi32(sum[v], _mm512_set1_epi32(group), _mm512_loadu_si512(column + 64 * v));
}

// Four groups of inputs a round, so that no sum waits for another.
template <std::size_t vectors>
OKAPI_TARGET void dense_of(std::int32_t* sums, const std::uint8_t* inputs, const std::int8_t* weights,
                           std::size_t size) {
    constexpr std::size_t kChains = 4;
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    std::array<std::uint32_t, kMostInputs / kInputGroup + 16> where;
    std::size_t count = 0;
    for (std::size_t i = 0; i < size / kInputGroup; i += 16) {
        const __m512i block = _mm512_loadu_si512(inputs + kInputGroup * i);
        const __mmask16 found = _mm512_test_epi32_mask(block, block);
        _mm512_storeu_si512(where.data() + count,
                            _mm512_maskz_compress_epi32(found, _mm512_add_epi32(lanes, _mm512_set1_epi32(int(i)))));
        count += std::size_t(__builtin_popcount(found));
    }
    __m512i sum[kChains][vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        sum[0][v] = _mm512_loadu_si512(sums + 16 * v);
        for (std::size_t c = 1; c < kChains; ++c) sum[c][v] = _mm512_setzero_si512();
    }
    std::size_t k = 0;
    for (; k + kChains <= count; k += kChains)
        for (std::size_t c = 0; c < kChains; ++c) add_group<vectors>(sum[c], inputs, weights, where[k + c]);
    for (; k < count; ++k) add_group<vectors>(sum[0], inputs, weights, where[k]);
    for (std::size_t v = 0; v < vectors; ++v) {
        const __m512i low = _mm512_add_epi32(sum[0][v], sum[1][v]), high = _mm512_add_epi32(sum[2][v], sum[3][v]);
        _mm512_storeu_si512(sums + 16 * v, _mm512_add_epi32(low, high));
    }
}

OKAPI_TARGET void dense(std::int32_t* sums, const std::uint8_t* inputs, const std::int8_t* weights, std::size_t size,
                        std::size_t outputs) {
    if (size % 64 == 0 && size <= kMostInputs && outputs == 16) return dense_of<1>(sums, inputs, weights, size);
    avx2::dense(sums, inputs, weights, size, outputs);
}

#undef OKAPI_TARGET

}  // namespace vnni

constexpr Kernels kAvx2 = {"avx2",
                           avx2::update,
                           avx2::to_floats,
                           avx2::activate,
                           loops::find_active,
                           avx2::accumulate<float>,
                           avx2::accumulate<Half>,
                           avx2::add_changes,
                           avx2::judge,
                           loops::first_found};
constexpr Kernels kAvx512 = {"avx512",
                             avx512::update,
                             avx512::to_floats,
                             avx512::activate,
                             avx512::find_active,
                             avx512::accumulate<float>,
                             avx512::accumulate<Half>,
                             avx512::add_changes,
                             avx512::judge,
                             avx512::first_found};

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

}  // namespace

void add_x86_kernels(std::vector<Kernels>& kernels) {
    if (has_avx2()) kernels.push_back(kAvx2);
    if (has_avx512()) kernels.push_back(kAvx512);
}

void add_x86_kernels(std::vector<AccumulatorKernels>& kernels) {
    if (has_avx2()) kernels.push_back({"avx2", avx2::change, avx2::output, avx2::pairs, avx2::dense});
    if (has_avx512()) kernels.push_back({"avx512", avx512::change, avx512::output, avx512::pairs, avx2::dense});
    if (has_avx512() && __builtin_cpu_supports("avx512vnni"))
        kernels.push_back({"vnni", avx512::change, avx512::output, avx512::pairs, vnni::dense});
}

}  // namespace okapi

#else

namespace okapi {

void add_x86_kernels(std::vector<Kernels>&) {}
void add_x86_kernels(std::vector<AccumulatorKernels>&) {}

}  // namespace okapi

#endif
