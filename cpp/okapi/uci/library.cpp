#include "okapi/uci/library.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <system_error>

#include "okapi/utils/json.h"

namespace okapi::uci {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRunsVariable = "OKAPI_RUNS";
constexpr const char* kOldRuns = "runs";  // of the folder that the program was started in: until the next release
constexpr const char* kIndex = "index.json";
constexpr const char* kBrain = "brain.safetensors";
constexpr const char* kSnapshots[] = {"checkpoints", "champions"};

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool is_folder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

// The runs that lie in other folders, by name; a damaged index has none.
std::map<std::string, fs::path> registered() {
    std::map<std::string, fs::path> found;
    std::ifstream file(runs_folder() / kIndex, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    json::Reader reader(text);
    try {
        reader.object([&](std::string name) { found[std::move(name)] = reader.string(); });
    } catch (const json::Malformed&) {
        found.clear();
    }
    return found;
}

// Every run by name; those of the runs folder come first.
std::map<std::string, fs::path> runs() {
    std::map<std::string, fs::path> found;
    const auto add = [&](const fs::path& folder) {
        for (const fs::path& path : entries(folder))
            if (is_folder(path) && !path.filename().string().starts_with('.'))
                found.emplace(path.filename().string(), path);
    };
    add(runs_folder());
    for (const auto& [name, path] : registered())
        if (is_folder(path)) found.emplace(name, path);
    if (environment(kRunsVariable).empty()) add(kOldRuns);
    return found;
}

std::optional<std::uint32_t> step_of(std::string_view digits) {
    std::uint32_t step = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return step;
}

// The checkpoint of a step, or the last one; empty if there is none.
fs::path checkpoint(const fs::path& folder, std::optional<std::uint32_t> wanted) {
    std::optional<std::uint32_t> newest;
    fs::path found;
    for (const char* inside : kSnapshots)
        for (const fs::path& file : entries(folder / inside)) {
            const auto step = step_of(file.stem().string());
            if (!step || file.extension() != fs::path(kBrain).extension()) continue;
            if (wanted ? *step != *wanted : newest && *step < *newest) continue;
            newest = step;
            found = file;
        }
    return found;
}

// The brain of a run; while it is in progress, its last checkpoint.
fs::path brain_of(const fs::path& folder) {
    if (is_file(folder / kBrain)) return folder / kBrain;
    return checkpoint(folder, std::nullopt);
}

}  // namespace

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        found.push_back(entry->path());
    std::ranges::sort(found);
    return found;
}

bool is_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

fs::path runs_folder() {
    if (const std::string named = environment(kRunsVariable); !named.empty()) return named;
#ifdef _WIN32
    const fs::path data = environment("LOCALAPPDATA");
#elif defined(__APPLE__)
    const fs::path data = fs::path(environment("HOME")) / "Library" / "Application Support";
#else
    const std::string shared = environment("XDG_DATA_HOME");
    const fs::path data = shared.empty() ? fs::path(environment("HOME")) / ".local" / "share" : fs::path(shared);
#endif
    return data.is_absolute() ? data / "okapi" / "runs" : fs::path(kOldRuns);
}

fs::path find_in_runs(const std::string& name) {
    const auto at = name.rfind('@');
    const fs::path base = fs::path(name.substr(0, at)).lexically_normal();
    if (base.empty() || base.is_absolute() || *base.begin() == "." || *base.begin() == "..") return {};
    const auto all = runs();
    const auto run = all.find(base.begin()->string());
    if (run == all.end()) return {};
    const fs::path folder = std::accumulate(std::next(base.begin()), base.end(), run->second,
                                            [](const fs::path& path, const fs::path& part) { return path / part; });
    if (at == std::string::npos) {
        if (fs::path file = brain_of(folder); !file.empty()) return file;
        const fs::path file = folder.string() + fs::path(kBrain).extension().string();
        return folder != run->second && is_file(file) ? file : fs::path();
    }
    const auto step = step_of(std::string_view(name).substr(at + 1));
    return step ? checkpoint(folder, step) : fs::path();
}

std::vector<std::string> names_in_runs() {
    std::vector<std::string> names;
    for (const auto& [name, folder] : runs())
        if (!brain_of(folder).empty()) names.push_back(name);
    return names;
}

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
    std::string best;
    std::size_t least = name.size() / 3 + 1;  // more letters than these are another name
    for (const std::string& other : names) {
        std::vector<std::size_t> row(other.size() + 1);  // Levenshtein's distances from the beginning of `name`
        std::iota(row.begin(), row.end(), std::size_t(0));
        for (std::size_t i = 0; i < name.size(); ++i) {
            std::size_t diagonal = row[0]++;
            for (std::size_t j = 0; j < other.size(); ++j) {
                const std::size_t replaced = diagonal + (name[i] != other[j]);
                diagonal = row[j + 1];
                row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
            }
        }
        if (row.back() > least || (row.back() == least && !best.empty())) continue;
        least = row.back();
        best = other;
    }
    return best;
}

}  // namespace okapi::uci
