#include "okapi/eval/kernels/blocks.h"

#include <vector>

namespace okapi {

namespace {

namespace plain_blocks {
#define OKAPI_TARGET
#define OKAPI_ROWS 1
#if defined(__GNUC__)
#define OKAPI_LANES 4
#else
#define OKAPI_LANES 1
#endif
#include "okapi/eval/kernels/block_loops.h"
constexpr Blocks kBlocks = {"plain", multiply<OKAPI_ROWS>, to_frequencies, from_frequencies};
#undef OKAPI_TARGET
#undef OKAPI_ROWS
#undef OKAPI_LANES
}  // namespace plain_blocks

#if defined(__x86_64__) && defined(__GNUC__)

namespace avx2_blocks {
#define OKAPI_TARGET [[gnu::target("avx2,fma")]]
#define OKAPI_ROWS 3
#define OKAPI_LANES 8
#include "okapi/eval/kernels/block_loops.h"
constexpr Blocks kBlocks = {"avx2", multiply<OKAPI_ROWS>, to_frequencies, from_frequencies};
#undef OKAPI_TARGET
#undef OKAPI_ROWS
#undef OKAPI_LANES
}  // namespace avx2_blocks

namespace avx512_blocks {
#define OKAPI_TARGET [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]]
#define OKAPI_ROWS 12
#define OKAPI_LANES 16
#include "okapi/eval/kernels/block_loops.h"
constexpr Blocks kBlocks = {"avx512", multiply<OKAPI_ROWS>, to_frequencies, from_frequencies};
#undef OKAPI_TARGET
#undef OKAPI_ROWS
#undef OKAPI_LANES
}  // namespace avx512_blocks

void add_faster_blocks(std::vector<Blocks>& blocks) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
    blocks.push_back(avx2_blocks::kBlocks);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        blocks.push_back(avx512_blocks::kBlocks);
}

#else

void add_faster_blocks(std::vector<Blocks>&) {}

#endif

}  // namespace

std::span<const Blocks> known_blocks() {
    static const std::vector<Blocks> known = [] {
        std::vector<Blocks> blocks = {plain_blocks::kBlocks};
        add_faster_blocks(blocks);
        return blocks;
    }();
    return known;
}

}  // namespace okapi
