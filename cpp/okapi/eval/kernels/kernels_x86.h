// Kernels for x86-64 machines with AVX2 or AVX-512.
#pragma once

#include <vector>

#include "okapi/eval/kernels/accumulator_kernels.h"
#include "okapi/eval/kernels/kernels.h"

namespace okapi {

// Adds those that this machine can run, the slower first.
void add_x86_kernels(std::vector<Kernels>& kernels);
void add_x86_kernels(std::vector<AccumulatorKernels>& kernels);

}  // namespace okapi
