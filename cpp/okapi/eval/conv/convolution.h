// Convolutions over the squares of a board, with zero padding.
#pragma once

#include <optional>

#include "okapi/eval/conv/product.h"

namespace okapi {

// Planes of one board: squares one after the other, each with its channels, which fill whole panels.
struct Planes {
    std::size_t channels, ranks, files;

    std::size_t squares() const { return ranks * files; }
    std::size_t step() const { return whole_panels(channels); }
    std::size_t size() const { return squares() * step(); }
};

// Memory that is used again from one layer to the next, and from one batch to the next.
struct Scratch {
    AlignedVector<float> frequencies, products, windows;

    // Room for so many numbers at least.
    static float* room(AlignedVector<float>& memory, std::size_t size) {
        if (memory.size() < size) memory.resize(size);
        return memory.data();
    }
};

// 3 for kernels of 3x3 over so many channels; 0 if they have no odd size.
std::size_t kernel_size(LinearView kernels, std::size_t channels);

class Convolution {
public:
    // Of kernels that have a size.
    Convolution(LinearView kernels, const Planes& seen);

    std::size_t kernel() const { return kernel_; }
    const Planes& seen() const { return seen_; }
    Planes answered() const { return {outputs_, seen_.ranks, seen_.files}; }

    // Boards whose frequencies stay in a cache of 1 MiB, while kernels, which do not, are used for enough of them.
    std::size_t boards_at_once() const;

    // out = activation(kernels over boards + add), where `add`, if there is any, lies as `out` does.
    void convolve(const float* boards, std::size_t count, const float* add, Activation activation, float* out,
                  Scratch& scratch) const;

private:
    void by_frequencies(const float* boards, std::size_t count, const float* add, bool relu, float* out,
                        Scratch& scratch) const;
    void by_windows(const float* boards, std::size_t count, float* out, Scratch& scratch) const;
    // What a kernel sees from a square. Returns where the next window begins.
    float* copy_window(const float* board, std::size_t square, float* at) const;

    Planes seen_;
    std::size_t outputs_, kernel_;
    // 3x3 on 8x8 squares: the frequencies of kernels, [panel][frequency][input][kPanel].
    AlignedVector<float> frequencies_, bias_;
    // All others: windows, the numbers that a kernel sees in one place, are multiplied with the kernels.
    std::optional<Product> windows_;
};

}  // namespace okapi
