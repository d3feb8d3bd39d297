// An NNUE brain: accumulator.weight and accumulator.bias, then output.weight and output.bias, or the tensors of
// layers.h; all whole numbers, and in its card what they stand for. No sum that a position can have may overflow.
#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

#include "okapi/eval/checked.h"
#include "okapi/eval/nnue/nnue.h"
#include "okapi/utils/json.h"

namespace okapi {

namespace {

using json::in_quotes;

template <class To, class From> void fill(To& to, const From& from) { to.assign(from.begin(), from.end()); }

constexpr std::int64_t kMostBuckets = 32;
constexpr int kMostOthers = 15;  // men of a side beside its king

// piece-square-mirrored-4: a king in its corner, in the middle of its first rank, on the second rank, or above.
AccumulatorLayout four_king_buckets() {
    AccumulatorLayout layout{.buckets = 4};
    for (std::size_t square = 0; square < 64; ++square) {
        const std::size_t rank = square / 8, file = square % 8;
        layout.bucket[square] = std::uint8_t(rank > 1 ? 3 : rank == 1 ? 2 : file > 1 && file < 6 ? 1 : 0);
    }
    return layout;
}

std::int64_t read_scale(const Brain& brain) {
    constexpr int kMostScale = 1'000'000;
    const auto found = brain.card.find("scale");
    const std::string text = found == brain.card.end() ? "" : found->second;
    int scale = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
    if (error != std::errc() || end != text.data() + text.size() || scale < 1 || scale > kMostScale)
        checked::refuse(brain, "its card has the scale " + in_quotes(text) +
                                   ", expected a whole number from 1 to 1,000,000. Export it again");
    return scale;
}

void check_quantisation(const Brain& brain) {
    const std::string expected = std::to_string(NnueWeights::kFull) + " " + std::to_string(NnueWeights::kUnit);
    const auto found = brain.card.find("quantisation");
    const std::string text = found == brain.card.end() ? "" : found->second;
    if (text != expected)
        checked::refuse(brain, "its card has the quantisation " + in_quotes(text) + ", expected " +
                                   in_quotes(expected) + ". Export it again");
}

// --- Sums that could overflow ------------------------------------------------------------------------------------

// The most that the men of one side can add to a neuron, or the least, if `better` says so: a king, and others of any
// kind on squares of their own, or fewer. `plane` is that side's first.
template <class Better>
int extreme(const AccumulatorWeights& weights, std::size_t neuron, std::size_t plane, Better better) {
    const auto weight = [&](int kind, int square) {
        const std::size_t row = 64 * (plane + std::size_t(kind)) + std::size_t(square);
        return int(weights.rows[row * weights.neurons + neuron]);
    };
    std::array<int, 64> others;
    int king = weight(index(Kind::King), 0);
    for (int square = 0; square < 64; ++square) {
        king = std::max(king, weight(index(Kind::King), square), better);
        int best = 0;  // nobody stands there
        for (int kind = 0; kind < index(Kind::King); ++kind) best = std::max(best, weight(kind, square), better);
        others[std::size_t(square)] = best;
    }
    std::partial_sort(others.begin(), others.begin() + kMostOthers, others.end(),
                      [&](int a, int b) { return better(b, a); });
    int sum = king;
    for (int i = 0; i < kMostOthers; ++i) sum += others[std::size_t(i)];
    return sum;
}

void check_accumulator(const Brain& brain, const AccumulatorWeights& weights) {
    using Limits = std::numeric_limits<std::int16_t>;
    for (std::size_t at = 0; at < weights.layout.buckets * weights.neurons; ++at) {
        const std::size_t neuron = at % weights.neurons, own = 12 * (at / weights.neurons), enemy = own + 6;
        const int bias = weights.bias[neuron];
        const int most =
            bias + extreme(weights, neuron, own, std::less()) + extreme(weights, neuron, enemy, std::less());
        const int least =
            bias + extreme(weights, neuron, own, std::greater()) + extreme(weights, neuron, enemy, std::greater());
        if (most > Limits::max() || least < Limits::min())
            checked::refuse(brain, "neuron " + std::to_string(neuron) + " could reach " +
                                       std::to_string(most > Limits::max() ? most : least) +
                                       ", and 16 bits hold -32,768 to 32,767. Train it with smaller weights");
    }
}

void check_output(const Brain& brain, const NnueWeights& weights) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() / (NnueWeights::kFull * NnueWeights::kFull);
    const std::size_t size = 2 * weights.accumulator.neurons;
    for (std::size_t bucket = 0; bucket < weights.buckets; ++bucket) {
        std::int64_t above = 0, below = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::int64_t weight = weights.output[bucket * size + i];
            (weight > 0 ? above : below) += weight;
        }
        if (above > kMost || -below > kMost)
            checked::refuse(brain, "the weights of one sign of output " + std::to_string(bucket) + " add up to " +
                                       std::to_string(std::max(above, -below)) + ", expected at most " +
                                       std::to_string(kMost) + ". Train it with smaller weights");
    }
}

// The length of a tensor's first dimension.
std::int64_t length(const Brain& brain, const char* name) {
    const checked::Shape& shape = checked::tensor(brain, name).shape;
    return shape.empty() ? 0 : shape[0];
}

void check_neurons(const Brain& brain, std::int64_t multiple) {
    const std::int64_t neurons = length(brain, "accumulator.bias");
    if (neurons < 1 || neurons > std::int64_t(kMostNeurons) || neurons % multiple != 0)
        checked::refuse(brain, "it has " + std::to_string(neurons) + " neurons, expected a multiple of " +
                                   std::to_string(multiple) + " up to 1,024. Train it again");
}

std::size_t read_buckets(const Brain& brain, const char* name) {
    const std::int64_t buckets = length(brain, name);
    if (buckets < 1 || buckets > kMostBuckets)
        checked::refuse(brain, "it has " + std::to_string(buckets) + " outputs, expected 1 to 32. Train it again");
    return std::size_t(buckets);
}

AccumulatorWeights read_accumulator(const Brain& brain) {
    AccumulatorWeights weights;
    const std::int64_t neurons = length(brain, "accumulator.bias");
    weights.neurons = std::size_t(neurons);
    if (brain.encoding() == "piece-square-mirrored-4") weights.layout = four_king_buckets();
    fill(weights.rows, checked::whole_numbers<std::int16_t>(brain, "accumulator.weight",
                                                            {std::int64_t(weights.layout.rows()), neurons}));
    fill(weights.bias, checked::whole_numbers<std::int16_t>(brain, "accumulator.bias", {neurons}));
    return weights;
}

}  // namespace

NnueWeights read_nnue(const Brain& brain) {
    checked::check_tensor_count(brain, 4);
    check_quantisation(brain);
    check_neurons(brain, kNeuronLane);

    NnueWeights weights;
    weights.buckets = read_buckets(brain, "output.bias");
    weights.scale = read_scale(brain);
    weights.accumulator = read_accumulator(brain);
    const auto buckets = std::int64_t(weights.buckets), neurons = std::int64_t(weights.accumulator.neurons);
    fill(weights.output, checked::whole_numbers<std::int8_t>(brain, "output.weight", {buckets, 2 * neurons}));
    fill(weights.output_bias, checked::whole_numbers<std::int32_t>(brain, "output.bias", {buckets}));
    check_accumulator(brain, weights.accumulator);
    check_output(brain, weights);
    return weights;
}

LayeredNnueWeights read_layered_nnue(const Brain& brain) {
    checked::check_tensor_count(brain, 8);
    check_quantisation(brain);
    check_neurons(brain, 2 * kNeuronLane);

    LayeredNnueWeights weights;
    const std::size_t stacks = read_buckets(brain, "last_bias");
    weights.scale = read_scale(brain);
    weights.accumulator = read_accumulator(brain);
    weights.stacks = read_layer_stacks(brain, stacks, weights.accumulator.neurons);
    check_accumulator(brain, weights.accumulator);
    return weights;
}

}  // namespace okapi
