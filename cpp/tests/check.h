// CHECK and friends: enough to test with, nothing to install. A test program is a list of TEST() and one line,
//   int main() { return okapi::tests::run(); }
#pragma once

#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace okapi::tests {

struct Test {
    const char* name;
    void (*body)();
};

inline std::vector<Test>& all() {
    static std::vector<Test> tests;
    return tests;
}

inline int& failures() {
    static int count = 0;
    return count;
}

inline void fail(const char* file, int line, const std::string& what) {
    ++failures();
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
}

template <class A, class B>
void check_equal(const A& expected, const B& actual, const char* text, const char* file, int line) {
    if (expected == actual) return;
    std::ostringstream message;
    message << text << " is " << actual << ", expected " << expected;
    fail(file, line, message.str());
}

// Runs everything, prints `N passed, N failed` and returns the exit code.
inline int run() {
    int failed = 0;
    for (const Test& test : all()) {
        const int before = failures();
        try {
            test.body();
        } catch (const std::exception& e) {
            fail(test.name, 0, std::string("threw ") + e.what());
        }
        if (failures() != before) {
            ++failed;
            std::fprintf(stderr, "FAILED %s\n", test.name);
        }
    }
    std::printf("%zu passed, %d failed\n", all().size() - std::size_t(failed), failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace okapi::tests

#define TEST(name)                                                                              \
    static void name();                                                                         \
    static const bool name##_is_listed = (okapi::tests::all().push_back({#name, &name}), true); \
    static void name()

#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) okapi::tests::fail(__FILE__, __LINE__, #condition); \
    } while (false)

#define CHECK_EQUAL(expected, actual) okapi::tests::check_equal(expected, actual, #actual, __FILE__, __LINE__)

#define CHECK_THROWS(type, expression)                                                   \
    do {                                                                                 \
        try {                                                                            \
            (void)(expression);                                                          \
            okapi::tests::fail(__FILE__, __LINE__, #expression " did not throw " #type); \
        } catch (const type&) {                                                          \
        }                                                                                \
    } while (false)
