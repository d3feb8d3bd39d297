#include "okapi/eval/kernels/kernels.h"

#include "okapi/eval/kernels/kernel_loops.h"
#include "okapi/eval/kernels/kernels_x86.h"

namespace okapi {

namespace {

void accumulate(float* out, const float* weights, std::size_t size, const std::uint32_t* where, const float* active,
                std::size_t count) {
    for (std::size_t k = 0; k < count; k += kAtOnce) {
        const float* rows[kAtOnce];
        for (std::size_t r = 0; r < kAtOnce; ++r) rows[r] = weights + where[k + r] * size;
        for (std::size_t i = 0; i < size; ++i) {
            float sum = out[i];
            for (std::size_t r = 0; r < kAtOnce; ++r) sum += active[k + r] * rows[r][i];
            out[i] = sum;
        }
    }
}

float judge(const std::int32_t* seen, const JudgingLayers& layers) { return loops::judge(seen, layers, accumulate); }

constexpr Kernels kPlain = {"plain",    loops::update, loops::to_floats,   loops::activate, loops::find_active,
                            accumulate, nullptr,       loops::add_changes, judge,           loops::first_found};

}  // namespace

std::span<const Kernels> known_kernels() {
    static const std::vector<Kernels> known = [] {
        std::vector<Kernels> kernels = {kPlain};
        add_x86_kernels(kernels);
        return kernels;
    }();
    return known;
}

}  // namespace okapi
