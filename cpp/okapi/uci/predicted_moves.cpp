#include "okapi/uci/predicted_moves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "okapi/eval/checked.h"
#include "okapi/eval/giraffe/move_network.h"
#include "okapi/uci/tokens.h"
#include "okapi/utils/json.h"

namespace okapi::uci {

namespace {

using checked::refuse;
using json::in_quotes;

constexpr std::size_t kMostLayers = 256;
constexpr float kToWin = 1;  // the outcome of the players whose moves are asked for

std::string entry(const Brain& brain, const std::string& key) {
    const auto found = brain.card.find(key);
    return found == brain.card.end() ? "" : found->second;
}

struct Listed {
    std::string what, name, activation = "none";
    std::vector<std::string> names, squeeze;
};

Listed parse_layer(const Brain& brain, json::Reader& reader) {
    Listed layer;
    const auto pair = [&](std::vector<std::string>& names) {
        reader.array([&] { names.push_back(reader.string()); });
        if (names.size() != 2) refuse(brain, "a layer names another number of tensors than two");
    };
    reader.object([&](const std::string& key) {
        if (key == "do") return void(layer.what = reader.string());
        if (key == "name") return void(layer.name = reader.string());
        if (key == "activation") return void(layer.activation = reader.string());
        if (key == "names") return pair(layer.names);
        if (key == "squeeze") return pair(layer.squeeze);
        refuse(brain, "a layer has the unknown field " + in_quotes(key) + ". A newer okapi may read it");
    });
    return layer;
}

Activation activation(const Brain& brain, const Listed& layer) {
    for (std::size_t i = 0; i < kActivationNames.size(); ++i)
        if (layer.activation == kActivationNames[i]) return Activation(i);
    refuse(brain, "a layer has the unknown activation " + in_quotes(layer.activation));
}

// The tensors of a name, which a layer copies.
struct Linear {
    std::vector<float> weights, bias;

    Linear(const Brain& brain, const std::string& name)
        : weights(checked::floats(brain, name + ".weight", checked::tensor(brain, name + ".weight").shape)),
          bias(checked::floats(brain, name + ".bias", checked::tensor(brain, name + ".bias").shape)) {}
    LinearView view() const { return {weights, bias}; }
};

void add_layer(const Brain& brain, const Listed& layer, ConvolutionalNetwork& network) {
    const auto linear = [&](const std::string& name) { return Linear(brain, name); };
    if (layer.what == "flatten") return network.flatten();
    if (layer.what == "dense") return network.dense(linear(layer.name).view(), activation(brain, layer));
    if (layer.what == "convolve") return network.convolve(linear(layer.name).view(), activation(brain, layer));
    if ((layer.what != "residual" && layer.what != "from-to") || layer.names.empty())
        refuse(brain, "it has a layer that does " + in_quotes(layer.what) + ". A newer okapi may read it");
    const Linear first = linear(layer.names[0]), second = linear(layer.names[1]);
    if (layer.what == "from-to") return network.from_to(first.view(), second.view());
    std::vector<Linear> gate;
    for (const std::string& name : layer.squeeze) gate.push_back(linear(name));
    std::vector<LinearView> views;
    for (const Linear& each : gate) views.push_back(each.view());
    network.residual(first.view(), second.view(), views, activation(brain, layer));
}

Square target(Move move) {
    if (!move.castles()) return move.to();
    return Square(move.to().index > move.from().index ? File::G : File::C, move.from().rank());
}

}  // namespace

bool PredictedMoves::predicts(const Brain& brain) {
    return brain.kind() == "convolutional" && entry(brain, "output").find("\"moves\"") != std::string::npos;
}

PredictedMoves::PredictedMoves(const Brain& brain) {
    try {
        read_encoding(brain);
        read_output(brain);
        read_layers(brain);
    } catch (const json::Malformed& malformed) {
        refuse(brain, std::string("in its card, ") + malformed.what() + ". Save it again with the recipe in its card");
    }
    if (network_->outputs() != 64 * 64)
        refuse(brain, "its network answers " + std::to_string(network_->outputs()) + " numbers, expected 4096");
    if (const auto elo = parse_number(entry(brain, "elo")); elo && *elo >= 1 && *elo <= 9999) own_elo_ = int(*elo);
}

void PredictedMoves::read_encoding(const Brain& brain) {
    std::string name = brain.encoding();
    std::ranges::replace(name, '+', ' ');
    Tokens tokens(name);
    const std::string_view base = tokens.next();
    for (const auto& encoder : encode::encoders<float>())
        if (encoder.name == base && base.starts_with("planes-")) board_ = encoder;
    while (!tokens.done()) inputs_.emplace_back(tokens.next());
    const bool known =
        std::ranges::all_of(inputs_, [](const auto& each) { return each == "elo" || each == "outcome"; });
    if (!board_.write || !known || inputs_.size() > 2)
        refuse(brain, "it reads the encoding " + in_quotes(brain.encoding()) + ". `okapi uci --brain BRAIN` plays it");
    network_ =
        std::make_unique<ConvolutionalNetwork>(std::vector<std::size_t>{board_.size / 64 + inputs_.size(), 8, 8});
}

void PredictedMoves::read_output(const Brain& brain) {
    const std::string text = entry(brain, "output");
    json::Reader reader(text);
    std::vector<float> shares = {1, 0, 0, 0};  // queen to knight
    reader.object([&](const std::string& key) {
        if (key == "form") return void(reader.string());
        if (key != "promotions") refuse(brain, "its output has the unknown field " + in_quotes(key));
        shares.clear();
        reader.array([&] { shares.push_back(float(reader.number())); });
    });
    reader.end();
    const float sum = std::accumulate(shares.begin(), shares.end(), 0.0f);
    if (shares.size() != 4 || *std::ranges::min_element(shares) < 0 || !(std::abs(sum - 1) < 1e-3f))
        refuse(brain, "the promotions in its card are not four shares that sum to 1");
    std::ranges::reverse_copy(shares, promotions_.begin());
}

void PredictedMoves::read_layers(const Brain& brain) {
    const std::string text = entry(brain, "layers");
    json::Reader reader(text);
    std::size_t layers = 0;
    reader.array([&] {
        if (++layers > kMostLayers) refuse(brain, "it has more than 256 layers. Train a smaller one");
        add_layer(brain, parse_layer(brain, reader), *network_);
    });
    reader.end();
}

std::vector<float> PredictedMoves::logits(const Position& position, int elo) const {
    std::vector<float> planes(network_->inputs()), logits(network_->outputs());
    board_.write(encode::Board(pack(position)), planes.data());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const float rating = float((elo ? elo : own_elo_) - kLowestElo) / float(kHighestElo - kLowestElo);
        std::fill_n(planes.data() + board_.size + 64 * i, 64, inputs_[i] == "elo" ? rating : kToWin);
    }
    network_->answer(planes.data(), 1, logits.data());
    return logits;
}

void PredictedMoves::probabilities(const Position& position, std::span<const Move> legal, int elo,
                                   std::span<float> out) const {
    const std::vector<float> every = logits(position, elo);
    const auto logit = [&](Move move) {
        const Color turn = position.turn();
        return every[std::size_t(64 * move.from().seen_by(turn).index + target(move).seen_by(turn).index)];
    };
    float highest = -std::numeric_limits<float>::infinity(), sum = 0;
    for (const Move move : legal) highest = std::max(highest, logit(move));
    if (!std::isfinite(highest)) throw InvalidBrain("its network gives numbers that are not finite. Train it again");
    for (std::size_t i = 0; i < legal.size(); ++i) {
        // In Chess960, castling and a king's move may have the same squares, and share their probability.
        const Move move = legal[i];
        const auto same = std::ranges::count_if(legal, [&](Move other) {
            return !other.promotes() && other.from() == move.from() && target(other) == target(move);
        });
        const float share = move.promotes() ? promotions_[std::size_t(move.promotion()) - 1] : 1 / float(same);
        sum += out[i] = std::exp(logit(move) - highest) * share;
    }
    for (float& each : out) each = sum > 0 ? each / sum : 1 / float(legal.size());
}

std::vector<LikelyMove> PredictedMoves::moves(const Position& position, int elo) const {
    const MoveList legal = legal_moves(position);
    std::vector<float> shares(std::size_t(legal.size()));
    if (!legal.empty()) probabilities(position, {legal.begin(), legal.end()}, elo, shares);
    std::vector<LikelyMove> likely;
    for (int i = 0; i < legal.size(); ++i) likely.push_back({legal[i], shares[std::size_t(i)]});
    std::ranges::stable_sort(likely, std::ranges::greater{}, &LikelyMove::probability);
    return likely;
}

namespace {

// What a network says of the moves of people; all threads share it.
class PredictedPrior final : public MovePrior {
public:
    explicit PredictedPrior(std::shared_ptr<const PredictedMoves> network) : network_(std::move(network)) {}

    void probabilities(const Position& position, std::span<const Move> moves, std::span<float> out) override {
        network_->probabilities(position, moves, 0, out);
    }
    std::unique_ptr<MovePrior> clone() const override { return std::make_unique<PredictedPrior>(network_); }

private:
    std::shared_ptr<const PredictedMoves> network_;
};

}  // namespace

std::unique_ptr<MovePrior> make_prior(const Brain& brain) {
    if (PredictedMoves::predicts(brain))
        return std::make_unique<PredictedPrior>(std::make_shared<const PredictedMoves>(brain));
    if (brain.kind() != "giraffe-moves")
        refuse(brain, "it does not tell how likely moves are. Choose one that predicts moves, such as giraffe-moves");
    return std::make_unique<MoveNetwork>(read_move_network(brain));
}

}  // namespace okapi::uci
