#include "okapi/eval/kernels/accumulator_kernels.h"

#include <vector>

#include "okapi/eval/kernels/accumulator_loops.h"
#include "okapi/eval/kernels/kernels_x86.h"

namespace okapi {

namespace {

void change(std::int16_t* sums, const std::int16_t* before, const RowList& plus, const RowList& minus,
            std::size_t size) {
    loops::change(sums, before, plus, minus, size);
}

std::int32_t output(const std::int16_t* mover, const std::int16_t* other, const std::int16_t* weights,
                    std::size_t size) {
    return loops::output(mover, other, weights, size);
}

void pairs(std::uint8_t* products, const std::int16_t* sums, std::size_t size, std::int16_t most, int shift) {
    loops::pairs(products, sums, size, most, shift);
}

void dense(std::int32_t* sums, const std::uint8_t* inputs, const std::int8_t* weights, std::size_t size,
           std::size_t outputs) {
    loops::dense(sums, inputs, weights, size, outputs);
}

}  // namespace

std::span<const AccumulatorKernels> known_accumulator_kernels() {
    static const std::vector<AccumulatorKernels> known = [] {
        std::vector<AccumulatorKernels> kernels = {{"plain", change, output, pairs, dense}};
        add_x86_kernels(kernels);
        return kernels;
    }();
    return known;
}

}  // namespace okapi
