#include "okapi/uci/brain_files.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "okapi/uci/library.h"
#include "okapi/uci/tokens.h"

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace okapi::uci {

namespace fs = std::filesystem;

namespace {

#ifdef _WIN32
constexpr char kBetweenFolders = ';';
#else
constexpr char kBetweenFolders = ':';
#endif

constexpr const char* kVariable = "OKAPI_BRAINS";
constexpr std::string_view kEnding = ".safetensors";

// A build folder or a virtual environment in the source tree is at most so deep, the program's own folder included.
constexpr int kLevelsUp = 4;

std::string variable() {
    const char* value = std::getenv(kVariable);
    return value ? value : "";
}

// Every folder that may hold brains, whether it exists or not.
std::vector<fs::path> places(const fs::path& folder) {
    static const fs::path kShipped = fs::path("okapi") / "brains" / "shipped";
    std::vector<fs::path> all;
    for (std::string left = variable(); !left.empty();) {
        const auto end = std::min(left.find(kBetweenFolders), left.size());
        if (end > 0) all.emplace_back(left.substr(0, end));
        left.erase(0, end + 1);
    }
    if (folder.empty()) return all;

    // pip: PREFIX/bin and PREFIX/lib/python3.12/site-packages (Debian: dist-packages), on Windows PREFIX\Scripts and
    // PREFIX\Lib\site-packages; with --target both lie in one folder.
    const fs::path prefix = folder.parent_path();
    for (const char* lib : {"lib", "lib64"})
        for (const fs::path& python : entries(prefix / lib))
            if (python.filename().string().starts_with("python"))
                for (const char* packages : {"site-packages", "dist-packages"})
                    all.push_back(python / packages / kShipped);
    all.push_back(prefix / "Lib" / "site-packages" / kShipped);
    all.push_back(prefix / "site-packages" / kShipped);
    all.push_back(prefix / kShipped);

    fs::path above = folder;
    for (int level = 0; level < kLevelsUp; ++level, above = above.parent_path())
        all.push_back(above / "src" / kShipped);
    return all;
}

// A name that may have been meant, and those that would have worked, or where they were looked for.
std::string what_there_is(const std::string& wrong) {
    std::string text = "there is " + default_brain().name() + " inside this program";
    std::vector<std::string> known = names_in_runs();
    std::string own;
    for (const std::string& name : known) append(own, name, ", ");
    if (!own.empty()) text += "; your brains are " + own;
    known.push_back(default_brain().name());
    const fs::path here = program_folder();
    const auto folders = brain_folders(here);
    for (const fs::path& folder : folders) {
        std::string names;
        for (const fs::path& file : entries(folder))
            if (file.extension() == kEnding) {
                append(names, file.stem().string(), ", ");
                known.push_back(file.stem().string());
            }
        text += "; " + folder.string() + " has " + (names.empty() ? "none" : names);
    }
    if (const std::string meant = nearest(wrong.substr(0, wrong.rfind('@')), known); !meant.empty())
        text = "did you mean " + meant + "? " + text;
    if (!folders.empty()) return text;
    const std::string set = variable();
    return text + "; others were looked for in " + kVariable + (set.empty() ? " (not set)" : " (" + set + ")") +
           ", in " + runs_folder().string() + ", in the Python packages beside " + here.string() +
           " and in the source tree around it. Give the path of " + "a file, or set " + kVariable +
           " to the folder with the brains";
}

}  // namespace

fs::path program_folder() {
    std::error_code error;
#ifdef _WIN32
    std::wstring name(32768, L'\0');  // the longest path that Windows has
    name.resize(GetModuleFileNameW(nullptr, name.data(), DWORD(name.size())));
    return fs::weakly_canonical(fs::path(name), error).parent_path();
#elif defined(__APPLE__)
    std::uint32_t size = 0;
    _NSGetExecutablePath(nullptr, &size);
    std::string name(size, '\0');
    if (_NSGetExecutablePath(name.data(), &size) != 0) return {};
    return fs::weakly_canonical(fs::path(name.c_str()), error).parent_path();
#else
    return fs::read_symlink("/proc/self/exe", error).parent_path();
#endif
}

std::vector<fs::path> brain_folders(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const fs::path& place : places(folder)) {
        std::error_code error;
        const bool known = std::ranges::any_of(
            found, [&](const fs::path& other) { return fs::equivalent(place, other, error) && !error; });
        if (!known && fs::is_directory(place, error)) found.push_back(place);
    }
    return found;
}

Brain find_brain(const std::string& name) {
    if (name == default_brain().name()) return default_brain();
    const bool is_name = name.find_first_of("/\\") == std::string::npos;
    if (is_name)
        for (const fs::path& folder : brain_folders(program_folder()))
            if (const fs::path file = folder / (name + std::string(kEnding)); is_file(file))
                return Brain::open(file.string());
    if (const fs::path file = find_in_runs(name); !file.empty()) return Brain::open(file.string());
    if (is_file(name)) return Brain::open(name);
    throw InvalidBrain((is_name ? "no brain and no file is called " : "no file at ") + printable(name) + "; " +
                       what_there_is(name));
}

}  // namespace okapi::uci
