// The bytes of the brain compiled into this program; cmake/embed.cmake writes the file that defines them.
#pragma once

#include <cstddef>

namespace okapi {

extern const unsigned char kDefaultBrain[];
extern const std::size_t kDefaultBrainSize;

}  // namespace okapi
