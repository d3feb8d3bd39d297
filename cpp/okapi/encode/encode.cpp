#include "okapi/encode/encode.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "okapi/encode/lai2015.h"
#include "okapi/encode/sabatelli2018.h"
#include "okapi/encode/sheehan2016.h"
#include "okapi/encode/singh2015.h"

namespace okapi::encode {

template <> std::span<const Encoder<std::uint8_t>> encoders() {
    static constexpr std::array<Encoder<std::uint8_t>, 2> kAll = {{
        {"planes-12", 12 * 64, planes_12},
        {"vector-64", 64, vector_64},
    }};
    return kAll;
}

template <> std::span<const Encoder<std::int8_t>> encoders() {
    static constexpr std::array<Encoder<std::int8_t>, 6> kAll = {{
        {"planes-6", 6 * 64, planes_6},
        {"planes-12", 12 * 64, planes_12},
        {"vector-64", 64, vector_64},
        {"vector-65", 65, vector_65},
        {"bitmap-768", 768, bitmap_768},
        {"algebraic-768", 768, algebraic_768},
    }};
    return kAll;
}

template <> std::span<const Encoder<float>> encoders() {
    static constexpr std::array<Encoder<float>, 7> kAll = {{
        {"planes-6", 6 * 64, planes_6},
        {"planes-12", 12 * 64, planes_12},
        {"vector-64", 64, vector_64},
        {"vector-65", 65, vector_65},
        {"bitmap-768", 768, bitmap_768},
        {"algebraic-768", 768, algebraic_768},
        {"giraffe-363", kGiraffeFeatures, giraffe_363},
    }};
    return kAll;
}

void share(std::size_t count, int threads, const std::function<void(std::size_t, std::size_t)>& work) {
    const std::size_t shares = std::min(std::size_t(std::max(threads, 1)), std::max<std::size_t>(count, 1));
    std::vector<std::exception_ptr> errors(shares);
    const auto run = [&](std::size_t i) {
        try {
            work(count * i / shares, count * (i + 1) / shares);
        } catch (...) {
            errors[i] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < shares; ++i) others.emplace_back(run, i);
    run(0);
    for (std::thread& thread : others) thread.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace okapi::encode
