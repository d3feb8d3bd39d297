#include "okapi/store/filter.h"

#include <charconv>

#include "okapi/store/names.h"

namespace okapi {

namespace {

constexpr double kUsualMoves = 40;

std::optional<double> read_number(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !(number >= 0)) return std::nullopt;
    return number;
}

std::optional<int> tagged_number(const GameRecord& game, std::string_view name) {
    const auto tag = find_tag(game, name);
    const auto number = tag ? read_number(*tag) : std::nullopt;
    return number && *number < 1e6 ? std::optional(int(*number)) : std::nullopt;
}

std::optional<int> date_of(const GameRecord& game) {
    for (std::string_view name : {"Date", "UTCDate", "EventDate"})
        if (const auto tag = find_tag(game, name))
            if (const auto date = read_date(*tag)) return date;
    return std::nullopt;
}

template <class T>
bool is_within(const std::optional<T>& value, const std::optional<T>& low, const std::optional<T>& high) {
    if (!low && !high) return true;
    return value && (!low || *value >= *low) && (!high || *value <= *high);
}

bool has_time(const GameFilter& filter, const GameRecord& game) {
    if (!filter.min_seconds && !filter.max_seconds) return true;
    const auto tag = find_tag(game, "TimeControl");
    const auto seconds = tag ? read_time_control(*tag) : std::nullopt;
    return seconds && (!filter.min_seconds || *seconds >= *filter.min_seconds) &&
           (!filter.max_seconds || *seconds < *filter.max_seconds);
}

bool has_player(const GameRecord& game, const std::string& part) {
    const std::string wanted = folded(part);
    for (std::string_view side : {"White", "Black"})
        if (const auto name = find_tag(game, side); name && folded(*name).find(wanted) != std::string::npos)
            return true;
    return false;
}

// moves/seconds, seconds+increment or seconds.
std::optional<double> read_period(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::size_t plus = text.find('+');
    std::string_view base = text.substr(0, plus);
    double share = 1;
    if (slash != std::string_view::npos) {
        const auto moves = read_number(text.substr(0, slash));
        if (!moves || *moves < 1) return std::nullopt;
        base = text.substr(slash + 1, plus == std::string_view::npos ? plus : plus - slash - 1);
        if (*moves < kUsualMoves) share = kUsualMoves / *moves;
    }
    const auto seconds = read_number(base);
    const auto increment = plus == std::string_view::npos ? std::optional(0.0) : read_number(text.substr(plus + 1));
    if (!seconds || !increment) return std::nullopt;
    return *seconds * share + *increment * kUsualMoves;
}

}  // namespace

std::optional<std::string_view> find_tag(const GameRecord& game, std::string_view name) {
    for (const auto& [key, value] : game.tags)
        if (key == name) return value;
    return std::nullopt;
}

bool GameFilter::admits(const GameRecord& game) const {
    if (game.moves.size() < min_plies || game.moves.size() > max_plies) return false;
    if (!(results >> (game.result ? int(*game.result) : 3) & 1)) return false;
    if (min_elo || max_elo)
        for (std::string_view elo : {"WhiteElo", "BlackElo"})
            if (!is_within(tagged_number(game, elo), min_elo, max_elo)) return false;
    if ((since || until) && !is_within(date_of(game), since, until)) return false;
    return has_time(*this, game) && (player.empty() || has_player(game, player));
}

std::optional<int> read_date(std::string_view text) {
    if (text.size() < 4) return std::nullopt;
    const auto year = read_number(text.substr(0, 4));
    if (!year || *year < 1) return std::nullopt;
    const auto part = [text](std::size_t at) {
        const auto number = text.size() >= at + 2 ? read_number(text.substr(at, 2)) : std::nullopt;
        return number && *number >= 1 ? int(*number) : 1;
    };
    return int(*year) * 10000 + part(5) * 100 + part(8);
}

std::optional<double> read_time_control(std::string_view text) {
    double seconds = 0;
    while (true) {
        const std::size_t colon = text.find(':');
        const auto period = read_period(text.substr(0, colon));
        if (!period) return std::nullopt;
        seconds += *period;
        if (colon == std::string_view::npos) return seconds;
        text.remove_prefix(colon + 1);
    }
}

}  // namespace okapi
