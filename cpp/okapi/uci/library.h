// The user's brains by name, as okapi.brains.library finds them in Python: `mine` is what the run of that name left,
// `mine@12` its checkpoint of step 12.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace okapi::uci {

// The folder of the user's runs, whether it exists or not: OKAPI_RUNS, or the platform's folder for data.
std::filesystem::path runs_folder();

// The file of a brain in the runs folder, or in a folder that its index registers; empty if there is none.
std::filesystem::path find_in_runs(const std::string& name);

// The names of the runs that have a brain, in order.
std::vector<std::string> names_in_runs();

// The name that is most like `name`; empty if none is like it.
std::string nearest(std::string_view name, const std::vector<std::string>& names);

// What is in a folder, in order; nothing where it cannot be read.
std::vector<std::filesystem::path> entries(const std::filesystem::path& folder);

bool is_file(const std::filesystem::path& path);

}  // namespace okapi::uci
