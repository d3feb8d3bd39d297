#include "okapi/eval/mlp/network_output.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "okapi/eval/checked.h"
#include "okapi/utils/json.h"

namespace okapi {

using checked::refuse;
using json::in_quotes;

void NetworkOutput::finish(std::span<float> outputs) const {
    if (form != Form::Classes) return;
    const float most = *std::ranges::max_element(outputs);
    float sum = 0;
    for (float& y : outputs) sum += y = std::exp(y - most);
    for (float& y : outputs) y /= sum;
}

int NetworkOutput::centipawns(std::span<const float> outputs, Color turn) const {
    constexpr double kMost = kMaxEvaluation;
    const bool turned = for_white && turn == Color::Black;
    if (form == Form::Number || form == Form::Bounds) {
        const double y = form == Form::Number ? outputs[0] : (outputs[0] + outputs[1]) / 2;
        const double value = low + (high - low) * y;
        if (std::isnan(value)) return kDraw;  // sums overflow with weights this large
        return int(std::lround(std::clamp(turned ? -value : value, -kMost, kMost)));
    }
    double score = outputs[0];
    if (form == Form::Classes) {
        score = 0;
        for (std::size_t i = 0; i < outputs.size(); ++i) score += scores[i] * double(outputs[i]);
    }
    if (std::isnan(score)) return kDraw;
    return okapi::centipawns(turned ? 1 - score : score);
}

Range NetworkOutput::range(std::span<const float> outputs, Color turn) const {
    // What was taught ends at `low` and `high`, and values beyond were taught as these: near them a bound is none.
    const double edge = 0.05 * (high - low);
    const auto bound = [&](float y, bool upper) {
        const double value = low + (high - low) * double(y);
        const bool known = upper ? value < high - edge : value > low + edge;
        return known ? int(std::lround(value)) : upper ? kMaxEvaluation : -kMaxEvaluation;
    };
    const Range range{bound(std::min(outputs[0], outputs[1]), false), bound(std::max(outputs[0], outputs[1]), true)};
    const bool turned = for_white && turn == Color::Black;
    return turned ? Range{-range.high, -range.low} : range;
}

namespace {

// The `output` as it stands in the card, not checked.
struct Written {
    std::string form, view;
    std::optional<double> low, high;
    std::vector<double> values, edges;
};

Written parse(const Brain& brain) {
    const auto found = brain.card.find("output");
    if (found == brain.card.end()) refuse(brain, "its card has no 'output'. Save it again with the recipe in its card");
    Written output;
    json::Reader reader(found->second);
    const auto numbers = [&](std::vector<double>& list) { reader.array([&] { list.push_back(reader.number()); }); };
    try {
        reader.object([&](const std::string& key) {
            if (key == "form") return void(output.form = reader.string());
            if (key == "view") return void(output.view = reader.string());
            if (key == "low") return void(output.low = reader.number());
            if (key == "high") return void(output.high = reader.number());
            if (key == "values") return numbers(output.values);
            if (key == "edges") return numbers(output.edges);
            refuse(brain, "its output has the unknown field " + in_quotes(key) + ". A newer okapi may read it");
        });
        reader.end();
    } catch (const json::Malformed& malformed) {
        refuse(brain,
               std::string("in its output, ") + malformed.what() + ". Save it again with the recipe in its card");
    }
    return output;
}

bool rises(const std::vector<double>& numbers) { return std::ranges::is_sorted(numbers); }

void check_classes(const Brain& brain, const Written& output, std::size_t outputs) {
    const auto& values = output.values;
    if (values.size() != outputs || values.size() < 2)
        refuse(brain, "its output gives values for " + std::to_string(values.size()) +
                          " classes, and the last layer has " + std::to_string(outputs) + ". Save it again");
    if (!rises(values) || values.front() < 0 || values.back() > 1)
        refuse(brain, "the values of its classes are not expected scores that rise from 0 to 1. Save it again");
    if (!output.edges.empty() && (output.edges.size() + 1 != outputs || !rises(output.edges)))
        refuse(brain,
               "the edges between its classes do not rise, or are not one fewer than the classes. Save it again");
}

}  // namespace

NetworkOutput read_output(const Brain& brain, std::size_t outputs) {
    const Written written = parse(brain);
    NetworkOutput output;
    if (written.view != "white" && written.view != "mover")
        refuse(brain, "its output is for " + in_quotes(written.view) + ", expected 'white' or 'mover'. Save it again");
    output.for_white = written.view == "white";
    if (written.form == "classes") {
        check_classes(brain, written, outputs);
        output.form = NetworkOutput::Form::Classes;
        output.scores = written.values;
        return output;
    }
    const bool bounds = written.form == "bounds";
    if (written.form != "number" && written.form != "score" && !bounds)
        refuse(brain, "its output is " + in_quotes(written.form) +
                          ", expected 'number', 'score', 'bounds' or 'classes'. A newer okapi may read it");
    if (outputs != (bounds ? 2 : 1))
        refuse(brain, "its last layer has " + std::to_string(outputs) + " outputs, expected " +
                          (bounds ? "2 for bounds" : "1 for a " + written.form) + ". Save it again");
    if (written.form == "score") {
        output.form = NetworkOutput::Form::Score;
        return output;
    }
    if (!written.low || !written.high || *written.low >= *written.high)
        refuse(brain, "its output has no 'low' below a 'high', in centipawns. Save it again");
    if (bounds) output.form = NetworkOutput::Form::Bounds;
    output.low = *written.low;
    output.high = *written.high;
    return output;
}

}  // namespace okapi
