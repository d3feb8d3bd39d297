// Where brains are found by name: those that ship lie in the Python package, which is installed beside this program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "okapi/eval/brain.h"

namespace okapi::uci {

// The folders that brains are looked for in, as far as they exist, in this order: those of the environment variable
// OKAPI_BRAINS (several as in PATH); the package that was installed with a program in `folder`; the source tree around
// it.
std::vector<std::filesystem::path> brain_folders(const std::filesystem::path& folder);

// The folder of the program that runs, without symbolic links; empty where the system does not tell.
std::filesystem::path program_folder();

// A brain by its name, shipped or of the user's runs (library.h), or by the path of its file; a name comes first.
// Throws InvalidBrain, which says what was tried.
Brain find_brain(const std::string& name);

}  // namespace okapi::uci
