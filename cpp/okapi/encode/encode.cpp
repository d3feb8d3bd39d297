#include "okapi/encode/encode.h"

#include "okapi/encode/lai2015.h"
#include "okapi/encode/planes_18.h"
#include "okapi/encode/sabatelli2018.h"
#include "okapi/encode/sheehan2016.h"
#include "okapi/encode/singh2015.h"

namespace okapi::encode {

template <> std::span<const Encoder<std::uint8_t>> encoders() {
    static constexpr std::array<Encoder<std::uint8_t>, 3> kAll = {{
        {"planes-12", 12 * 64, planes_12},
        {"planes-18", 18 * 64, planes_18},
        {"vector-64", 64, vector_64},
    }};
    return kAll;
}

template <> std::span<const Encoder<std::int8_t>> encoders() {
    static constexpr std::array<Encoder<std::int8_t>, 7> kAll = {{
        {"planes-6", 6 * 64, planes_6},
        {"planes-12", 12 * 64, planes_12},
        {"planes-18", 18 * 64, planes_18},
        {"vector-64", 64, vector_64},
        {"vector-65", 65, vector_65},
        {"bitmap-768", 768, bitmap_768},
        {"algebraic-768", 768, algebraic_768},
    }};
    return kAll;
}

template <> std::span<const Encoder<float>> encoders() {
    static constexpr std::array<Encoder<float>, 9> kAll = {{
        {"planes-6", 6 * 64, planes_6},
        {"planes-12", 12 * 64, planes_12},
        {"planes-18", 18 * 64, planes_18},
        {"vector-64", 64, vector_64},
        {"vector-65", 65, vector_65},
        {"bitmap-768", 768, bitmap_768},
        {"algebraic-768", 768, algebraic_768},
        {"giraffe-363", giraffe::kFeatures, giraffe_363},
        {"giraffe-363-mover", giraffe::kFeatures, giraffe_363_mover},
    }};
    return kAll;
}

}  // namespace okapi::encode
