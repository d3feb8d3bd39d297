#include "okapi/eval/kernels_x86.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "okapi/eval/kernel_loops.h"

namespace okapi {

namespace {

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

OKAPI_TARGET float dot(const float* a, const float* b, std::size_t size) { return loops::dot(a, b, size); }

OKAPI_TARGET void add_pairs(std::int32_t* sums, const std::int16_t* columns, std::size_t size,
                            const std::uint32_t* where, const std::int32_t* changes, std::size_t count) {
    for (std::size_t k = 0; k < count; k += kAtOnce) {
        const std::int16_t* column[kAtOnce];
        __m256i change[kAtOnce];
        for (std::size_t r = 0; r < kAtOnce; ++r) {
            column[r] = columns + 2 * size * where[k + r];
            change[r] = _mm256_set1_epi32(changes[k + r]);
        }
        for (std::size_t i = 0; i < size; i += 8) {
            auto* place = reinterpret_cast<__m256i*>(sums + i);
            __m256i sum = _mm256_load_si256(place);
            for (std::size_t r = 0; r < kAtOnce; ++r) {
                const __m256i pairs = _mm256_load_si256(reinterpret_cast<const __m256i*>(column[r] + 2 * i));
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, change[r]));
            }
            _mm256_store_si256(place, sum);
        }
    }
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

OKAPI_TARGET float dot(const float* a, const float* b, std::size_t size) { return loops::dot(a, b, size); }

OKAPI_TARGET std::size_t find_changed(const std::int16_t* before, const std::int16_t* after, std::size_t pairs,
                                      std::uint32_t* where, std::int32_t* changes) {
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < pairs; i += 16) {
        const __mmask16 inside = pairs - i < 16 ? __mmask16((1u << (pairs - i)) - 1) : __mmask16(0xFFFF);
        const __m512i change = _mm512_sub_epi16(_mm512_maskz_loadu_epi32(inside, after + 2 * i),
                                                _mm512_maskz_loadu_epi32(inside, before + 2 * i));
        const __mmask16 found = _mm512_test_epi32_mask(change, change);
        const __m512i places = _mm512_add_epi32(lanes, _mm512_set1_epi32(int(i)));
        _mm512_storeu_si512(where + count, _mm512_maskz_compress_epi32(found, places));
        _mm512_storeu_si512(changes + count, _mm512_maskz_compress_epi32(found, change));
        count += std::size_t(__builtin_popcount(found));
    }
    for (; count % kAtOnce != 0; ++count) where[count] = 0, changes[count] = 0;
    return count;
}

OKAPI_TARGET void add_pairs(std::int32_t* sums, const std::int16_t* columns, std::size_t size,
                            const std::uint32_t* where, const std::int32_t* changes, std::size_t count) {
    for (std::size_t k = 0; k < count; k += kAtOnce) {
        const std::int16_t* column[kAtOnce];
        __m512i change[kAtOnce];
        for (std::size_t r = 0; r < kAtOnce; ++r) {
            column[r] = columns + 2 * size * where[k + r];
            change[r] = _mm512_set1_epi32(changes[k + r]);
        }
        for (std::size_t i = 0; i < size; i += 16) {
            __m512i sum = _mm512_load_si512(sums + i);
            for (std::size_t r = 0; r < kAtOnce; ++r)
                sum = _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_load_si512(column[r] + 2 * i), change[r]));
            _mm512_store_si512(sums + i, sum);
        }
    }
}

#undef OKAPI_TARGET

}  // namespace avx512

constexpr Kernels kAvx2 = {"avx2",
                           avx2::update,
                           avx2::to_floats,
                           avx2::activate,
                           loops::find_active,
                           avx2::accumulate<float>,
                           avx2::accumulate<Half>,
                           avx2::dot,
                           loops::find_changed,
                           avx2::add_pairs};
constexpr Kernels kAvx512 = {"avx512",
                             avx512::update,
                             avx512::to_floats,
                             avx512::activate,
                             avx512::find_active,
                             avx512::accumulate<float>,
                             avx512::accumulate<Half>,
                             avx512::dot,
                             avx512::find_changed,
                             avx512::add_pairs};

}  // namespace

void add_x86_kernels(std::vector<Kernels>& kernels) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
    kernels.push_back(kAvx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        kernels.push_back(kAvx512);
}

}  // namespace okapi

#else

namespace okapi {

void add_x86_kernels(std::vector<Kernels>&) {}

}  // namespace okapi

#endif
