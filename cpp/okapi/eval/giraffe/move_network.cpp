#include "okapi/eval/giraffe/move_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "okapi/eval/giraffe/giraffe_features.h"
#include "okapi/eval/giraffe/move_features.h"

namespace okapi {

namespace {

// A layer whose inputs are few: a row for each input, and only rows of inputs that are not zero are added.
struct Rows {
    explicit Rows(const DenseLayer& dense) : Rows(dense, 0, dense.inputs) {
        std::ranges::copy(dense.bias, bias.begin());
    }

    // Some of the inputs alone, without bias.
    Rows(const DenseLayer& dense, std::size_t first, std::size_t count)
        : inputs(count), size(padded(dense.outputs)), weights(count * size), bias(size) {
        for (std::size_t output = 0; output < dense.outputs; ++output)
            for (std::size_t input = 0; input < count; ++input)
                weights[input * size + output] = dense.weights[output * dense.inputs + first + input];
    }

    std::size_t inputs;
    std::size_t size;  // outputs, padded
    AlignedVector<float> weights, bias;
};

constexpr std::size_t kMost = 16;  // features of a move that are not zero, filled up
static_assert(kMost % kAtOnce == 0);

// Features of a move that are not zero, and how much they are. What is left over adds nothing.
struct MoveFeatures {
    std::array<std::uint32_t, kMost> where{};
    std::array<float, kMost> active{};
    std::size_t count = 0;

    void put(std::uint32_t feature, float value) {
        where[count] = feature;
        active[count++] = value;
    }
};

// The thesis' features (lai2015, section 6.1): kind, coordinates of both squares, promotion, rank.
MoveFeatures plain_features(const Position& position, Move move, Color view) {
    constexpr std::uint32_t kCoordinates = 6, kPromotion = 10;
    const Square from = move.from().seen_by(view), to = target_of(move).seen_by(view);
    const std::array<int, 4> coordinates = {int(from.file()), int(from.rank()), int(to.file()), int(to.rank())};
    MoveFeatures features;
    features.put(std::uint32_t(position.at(move.from()).kind()), 1);
    for (std::uint32_t i = 0; i < 4; ++i) features.put(kCoordinates + i, float(coordinates[i]) / 7.0F);
    if (move.promotes()) features.put(kPromotion + std::uint32_t(move.promotion()) - 1, 1);
    return features;
}

// What stands before the rank in giraffe-moves-20: capture, check, an exchange that wins or loses, how many moves.
void add_exchanges(MoveFeatures& features, const Position& position, Move move, std::size_t moves) {
    constexpr std::uint32_t kCapture = 14, kCheck = 15, kWins = 16, kLoses = 17, kMoves = 18;
    constexpr float kManyMoves = 64;
    if (position.is_capture(move)) features.put(kCapture, 1);
    if (position.gives_check(move)) features.put(kCheck, 1);
    if (position.see_ge(move, 1))
        features.put(kWins, 1);
    else if (!position.see_ge(move, 0))
        features.put(kLoses, 1);
    features.put(kMoves, float(moves) / kManyMoves);
}

// The sum of a[i] * b[i], a lane at a time, so that compilers make vectors of it. Sizes are padded.
float dot(const AlignedVector<float>& a, const AlignedVector<float>& b) {
    std::array<float, kLane> sums{};
    for (std::size_t i = 0; i < a.size(); i += kLane)
        for (std::size_t k = 0; k < kLane; ++k) sums[k] += a[i + k] * b[i + k];
    return std::accumulate(sums.begin(), sums.end(), 0.0F);
}

// The share of the moves that are likelier, for each.
std::vector<float> ranked(std::span<const float> scores) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<float> shares(scores.size());
    for (std::size_t place = 0; place < order.size(); ++place)
        shares[order[place]] = float(place) / float(order.size());
    return shares;
}

}  // namespace

struct MoveNetwork::Network {
    Network(const MoveNetworkWeights& weights, const Kernels& fastest);

    Kernels kernels;
    bool mover, alone, exchanges;
    std::vector<Rows> first, joining;  // of each modality: its own layer, and what that adds to the joined one
    Rows move, joined;                 // of a move
    std::optional<Rows> hidden;
    AlignedVector<float> output;
    float output_bias;
    AlignedVector<float> joined_bias;
    std::size_t widest = 0;  // of all that is looked through for what is not zero
};

MoveNetwork::Network::Network(const MoveNetworkWeights& weights, const Kernels& fastest)
    : kernels(fastest),
      mover(weights.mover),
      alone(weights.alone),
      exchanges(weights.exchanges),
      move(weights.move),
      joined(weights.joined, weights.joined.inputs - weights.move.outputs, weights.move.outputs),
      output(padded(weights.output.inputs)),
      output_bias(weights.output.bias[0]),
      joined_bias(joined.size) {
    std::size_t input = 0;
    for (const DenseLayer& part : weights.first) {
        first.emplace_back(part);
        joining.emplace_back(weights.joined, input, part.outputs);
        input += part.outputs;
        widest = std::max({widest, padded(part.inputs), padded(part.outputs)});
    }
    if (weights.hidden) hidden.emplace(*weights.hidden);
    std::ranges::copy(weights.joined.bias, joined_bias.begin());
    std::ranges::copy(weights.output.weights, output.begin());
    widest = std::max({widest, move.size, joined.size});
}

MoveNetwork::MoveNetwork(const MoveNetworkWeights& weights, const Kernels& kernels)
    : MoveNetwork(std::make_shared<const Network>(weights, kernels)) {}

MoveNetwork::MoveNetwork(std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      seen_(network_->widest),
      here_(network_->joined.size),
      told_(std::max(network_->widest, network_->move.size)),
      joined_(network_->joined.size),
      hidden_(network_->hidden ? network_->hidden->size : 0),
      where_(network_->widest + kLane),
      active_(network_->widest + kLane) {}

std::unique_ptr<MovePrior> MoveNetwork::clone() const { return std::unique_ptr<MovePrior>(new MoveNetwork(network_)); }

void MoveNetwork::probabilities(const Position& position, std::span<const Move> moves, std::span<float> out) {
    Memory& memory = memory_[position.key() & (kRemembered - 1)];
    if (memory.key == position.key() && std::ranges::equal(moves, std::span(memory.moves).first(memory.count))) {
        std::copy_n(memory.probabilities.begin(), memory.count, out.begin());
        return;
    }
    compute(position, moves, out);
    if (moves.size() > Memory::kMoves) return;
    memory.key = position.key();
    memory.count = std::uint32_t(moves.size());
    std::ranges::copy(moves, memory.moves.begin());
    std::ranges::copy(out, memory.probabilities.begin());
}

void MoveNetwork::compute(const Position& position, std::span<const Move> moves, std::span<float> out) {
    scores(position, moves, out);
    if (network_->alone)
        for (float& score : out) score = 1 / (1 + std::exp(-score));
    else {
        const float highest = *std::ranges::max_element(out);
        for (float& score : out) score = std::exp(score - highest);
    }
    const float total = std::accumulate(out.begin(), out.end(), 0.0F);
    for (float& share : out) share = total > 0 ? share / total : 1 / float(out.size());
}

void MoveNetwork::scores(const Position& position, std::span<const Move> moves, std::span<float> out) {
    look_at(position);
    if (!network_->alone) {
        const MoveQuestions questions(position);
        MoveFeatures features;
        std::fill_n(features.active.begin(), MoveQuestions::kQuestions, 1.0F);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            std::ranges::copy(questions.answers(moves[i]), features.where.begin());
            out[i] = say(features.where.data(), features.active.data());
        }
        return;
    }
    const Color view = network_->mover ? position.turn() : Color::White;
    const std::uint32_t rank = network_->exchanges ? 19 : 14;
    std::vector<MoveFeatures> told;
    for (const Move move : moves) {
        told.push_back(plain_features(position, move, view));
        if (network_->exchanges) add_exchanges(told.back(), position, move, moves.size());
        told.back().put(rank, 0);  // in the first pass each is the best
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t i = 0; i < moves.size(); ++i) out[i] = say(told[i].where.data(), told[i].active.data());
        const std::vector<float> shares = ranked(out);
        for (std::size_t i = 0; i < moves.size(); ++i) told[i].active[told[i].count - 1] = shares[i];
    }
}

void MoveNetwork::look_at(const Position& position) {
    const Network& network = *network_;
    const Kernels& kernels = network.kernels;
    giraffe::Features features;
    giraffe::write(network.mover ? giraffe::seen_by_mover(position) : giraffe::seen_by_white(position), kernels,
                   features);
    std::ranges::copy(network.joined_bias, here_.begin());
    for (std::size_t part = 0; part < network.first.size(); ++part) {
        const Rows &layer = network.first[part], &joining = network.joining[part];
        for (std::size_t i = 0; i < layer.inputs; ++i)
            seen_[i] = float(features.numbers[giraffe::kPlaces[giraffe::kModalities[part].first + i]]) *
                       (1.0F / float(giraffe::kUnit));
        std::size_t count = kernels.find_active(seen_.data(), layer.inputs, where_.data(), active_.data());
        std::ranges::copy(layer.bias, told_.begin());
        kernels.accumulate(told_.data(), layer.weights.data(), layer.size, where_.data(), active_.data(), count);
        kernels.activate(told_.data(), Activation::Relu, layer.size);
        count = kernels.find_active(told_.data(), joining.inputs, where_.data(), active_.data());
        kernels.accumulate(here_.data(), joining.weights.data(), joining.size, where_.data(), active_.data(), count);
    }
}

float MoveNetwork::say(const std::uint32_t* features, const float* active) {
    const Network& network = *network_;
    const Kernels& kernels = network.kernels;
    std::ranges::copy(network.move.bias, told_.begin());
    kernels.accumulate(told_.data(), network.move.weights.data(), network.move.size, features, active, kMost);
    kernels.activate(told_.data(), Activation::Relu, network.move.size);
    std::size_t count = kernels.find_active(told_.data(), network.joined.inputs, where_.data(), active_.data());
    std::ranges::copy(here_, joined_.begin());
    kernels.accumulate(joined_.data(), network.joined.weights.data(), network.joined.size, where_.data(),
                       active_.data(), count);
    kernels.activate(joined_.data(), Activation::Relu, network.joined.size);
    if (!network.hidden) return dot(joined_, network.output) + network.output_bias;
    const Rows& hidden = *network.hidden;
    count = kernels.find_active(joined_.data(), hidden.inputs, where_.data(), active_.data());
    std::ranges::copy(hidden.bias, hidden_.begin());
    kernels.accumulate(hidden_.data(), hidden.weights.data(), hidden.size, where_.data(), active_.data(), count);
    kernels.activate(hidden_.data(), Activation::Relu, hidden.size);
    return dot(hidden_, network.output) + network.output_bias;
}

}  // namespace okapi
