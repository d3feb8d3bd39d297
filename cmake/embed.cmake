# Writes a C++ file that holds the bytes of the default brain (declared in cpp/okapi/eval/default_brain.h).
#   cmake -DINPUT=brain.safetensors -DOUTPUT=default_brain_bytes.cpp -P cmake/embed.cmake
foreach(argument INPUT OUTPUT)
  if(NOT DEFINED ${argument})
    message(FATAL_ERROR "embed.cmake needs -D${argument}=FILE")
  endif()
endforeach()

file(READ "${INPUT}" hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
if(size EQUAL 0)
  message(FATAL_ERROR "embed.cmake: ${INPUT} is empty")
endif()

string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "    \\1\n" bytes "${bytes}")
get_filename_component(name "${INPUT}" NAME)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
// Made by cmake/embed.cmake from @name@.
#include <cstddef>

namespace okapi {

extern const unsigned char kDefaultBrain[];
extern const std::size_t kDefaultBrainSize;

alignas(16) const unsigned char kDefaultBrain[] = {
@bytes@};
const std::size_t kDefaultBrainSize = @size@;

}  // namespace okapi
]] @ONLY)
