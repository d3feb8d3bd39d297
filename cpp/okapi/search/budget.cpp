#include "okapi/search/budget.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace okapi {

namespace {

constexpr std::array<std::pair<std::string_view, BudgetRule::Kind>, 4> kNames = {{
    {"depth", BudgetRule::Kind::Depth},
    {"even", BudgetRule::Kind::Even},
    {"shares", BudgetRule::Kind::Shares},
    {"learned", BudgetRule::Kind::Learned},
}};

struct Setting {
    std::string_view name;
    double BudgetRule::* member;
    double min, max;
};

constexpr Setting kSettings[] = {
    {"steps", &BudgetRule::steps, 1, 8},
    {"ask", &BudgetRule::ask, 0, 100},
    {"temperature", &BudgetRule::temperature, 0.1, 10},
    {"floor", &BudgetRule::floor, 0, 1},
    {"trust", &BudgetRule::trust, 0, 0.99},
};

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string number(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

BudgetRule rule_named(std::string_view name) {
    for (const auto& [known, kind] : kNames)
        if (known == name) {
            BudgetRule rule;
            rule.kind = kind;
            // Likely moves cost little: a whole ply more of budget makes the tree several times as large.
            rule.steps = rule.by_probability() ? 2 : 1;
            return rule;
        }
    throw std::invalid_argument("no shape is called " + std::string(name) + "; there are " +
                                joined(BudgetRule::names()));
}

void set(BudgetRule& rule, std::string_view item) {
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    std::vector<std::string> known;
    for (const Setting& setting : kSettings) {
        known.emplace_back(setting.name);
        if (setting.name != name || equals == item.npos) continue;
        const std::string_view text = item.substr(equals + 1);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        // Written so that what is no number at all fails, too.
        if (error != std::errc() || end != text.data() + text.size() || !(value >= setting.min && value <= setting.max))
            throw std::invalid_argument(std::string(name) + " is a number from " + number(setting.min) + " to " +
                                        number(setting.max) + ", not " + std::string(text));
        rule.*setting.member = value;
        return;
    }
    throw std::invalid_argument("no setting of a shape is written " + std::string(item) + "; there are " +
                                joined(known) + ", as in learned+ask=2");
}

}  // namespace

Budget cost_of(double probability) {
    constexpr double kBitsInAPly = 5;
    constexpr double kLeast = 1e-9;  // less likely than that is not worth telling apart
    return Budget(std::lround(-std::log2(std::max(probability, kLeast)) * kPly / kBitsInAPly));
}

Budget cost_of_one_in(int moves) {
    static const auto kCosts = [] {
        std::array<Budget, 257> costs{};
        for (int n = 1; n < 257; ++n) costs[std::size_t(n)] = cost_of(1.0 / n);
        return costs;
    }();
    return kCosts[std::size_t(moves)];
}

BudgetRule BudgetRule::parse(std::string_view text) {
    std::size_t plus = text.find('+');
    BudgetRule rule = rule_named(text.substr(0, plus));
    while (plus != text.npos) {
        text.remove_prefix(plus + 1);
        plus = text.find('+');
        set(rule, text.substr(0, plus));
    }
    return rule;
}

std::vector<std::string> BudgetRule::names() {
    std::vector<std::string> names;
    for (const auto& [name, kind] : kNames) names.emplace_back(name);
    return names;
}

}  // namespace okapi
