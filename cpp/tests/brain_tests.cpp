// Brain files: those that ship can be read, and invalid files are refused.
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "check.h"
#include "linear_brain.h"
#include "okapi/eval/brain.h"
#include "okapi/utils/json.h"

using namespace okapi;

namespace {

using Bytes = std::string;

Bytes little_endian(std::uint64_t length) { return Bytes(reinterpret_cast<const char*>(&length), sizeof length); }

Bytes file(const std::string& header, const Bytes& data = {}) { return little_endian(header.size()) + header + data; }

Bytes raw(const std::vector<float>& values) {
    return Bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

Brain read(const Bytes& bytes) { return Brain::read(std::as_bytes(std::span(bytes))); }

Bytes shipped() {
    std::ifstream file(tests::kLinearBrain, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

// A material brain with these weights; `card` replaces the usual one.
Brain material(const std::vector<float>& weights,
               const std::string& card = R"("okapi":"1","name":"m","kind":"material","encoding":"material-5")") {
    const std::string size = std::to_string(weights.size());
    return read(file(R"({"__metadata__":{)" + card + R"(},"weights":{"dtype":"F32","shape":[)" + size +
                         R"(],"data_offsets":[0,)" + std::to_string(4 * weights.size()) + "]}}",
                     raw(weights)));
}

// A perceptron of two layers with classes, half of its tensors in 16 bits.
Bytes perceptron() {
    return file(R"({"__metadata__":{"okapi":"1","name":"p","kind":"perceptron","encoding":"vector-64",)"
                R"("layers":"[{\"do\":\"dense\",\"name\":\"1\",\"activation\":\"relu\"},)"
                R"({\"do\":\"dense\",\"name\":\"2\",\"activation\":\"none\"}]",)"
                R"("output":"{\"form\":\"classes\",\"view\":\"white\",\"values\":[0.1,8e-1],\"edges\":[-20]}"},)"
                R"("1.weight":{"dtype":"F32","shape":[3,64],"data_offsets":[0,768]},)"
                R"("1.bias":{"dtype":"F32","shape":[3],"data_offsets":[768,780]},)"
                R"("2.weight":{"dtype":"F16","shape":[2,3],"data_offsets":[780,792]},)"
                R"("2.bias":{"dtype":"F16","shape":[2],"data_offsets":[792,796]}})",
                Bytes(796, '\x22'));
}

std::string message(const std::function<void()>& action) {
    try {
        action();
    } catch (const InvalidBrain& invalid) {
        return invalid.what();
    }
    return "";
}

}  // namespace

TEST(the_default_brain_thinks) {
    const Brain& brain = default_brain();
    CHECK_EQUAL(std::string("nnue"), brain.kind());
    const auto evaluator = make_evaluator(brain);
    CHECK(std::abs(evaluator->values({Position::start()}).front()) < 100);
    const Position queen_up = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    CHECK(evaluator->values({queen_up}).front() > 400);
}

TEST(a_good_file_is_read_whole) {
    const Brain brain = material({100, 300, 300, 500, 900});
    CHECK_EQUAL(std::string("m"), brain.name());
    CHECK_EQUAL(std::string("material-5"), brain.encoding());
    CHECK(brain.tensors.at("weights").floats() == (std::vector<float>{100, 300, 300, 500, 900}));
    CHECK_EQUAL(900, make_evaluator(brain)->value(Position::from_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")));
}

TEST(malformed_headers_are_refused) {
    const char* headers[] = {
        // clang-format off
        "", "{", "[]", "null", "{}x", "{\"a\"}", "{\"a\":}", "{,}", "{\"a\":1}", "{\"a\":{}}",
        // clang-format on
        R"({"__metadata__":{"a":1}})",
        R"({"__metadata__":{"a":"1","a":"2"}})",
        R"({"__metadata__":{},"__metadata__":{}})",
        R"({"__metadata__":{"a":"unfinished}})",
        R"({"__metadata__":{"a":"\x"}})",
        R"({"__metadata__":{"a":"\u12"}})",
        R"({"__metadata__":{"a":"\ud800"}})",
        R"({"__metadata__":{"a":"\udc00\ud800"}})",
        "{\"__metadata__\":{\"a\":\"\n\"}}",
        "{\"__metadata__\":{\"a\":\"\xC0\x80\"}}",
        "{\"__metadata__\":{\"a\":\"\xED\xA0\x80\"}}",
        "{\"__metadata__\":{\"a\":\"\xF4\x90\x80\x80\"}}",
        "{\"__metadata__\":{\"a\":\"\xE2\x82",
        R"({"w":{"dtype":"F32","shape":[1]}})",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0]}})",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}})",
        R"({"w":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})",
        R"({"w":{"dtype":"F32","shape":[9223372036854775807,9],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})",
        R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"v":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
        R"({"w":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"v":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}})",
        R"({"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"w":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
    };
    for (const char* header : headers) {
        const std::string text = message([&] { read(file(header, Bytes(4, '\0'))); });
        if (text.find("not a brain file") == Bytes::npos)
            tests::fail(__FILE__, __LINE__, std::string("not refused: ") + header);
    }
}

TEST(lying_lengths_are_refused) {
    const std::uint64_t lengths[] = {1, 1000, std::uint64_t(1) << 25, std::uint64_t(1) << 63,
                                     std::numeric_limits<std::uint64_t>::max()};
    for (std::uint64_t length : lengths) CHECK_THROWS(InvalidBrain, read(little_endian(length)));
    for (std::size_t size = 0; size < shipped().size(); ++size)
        CHECK_THROWS(InvalidBrain, read(shipped().substr(0, size)));
    CHECK_THROWS(InvalidBrain, read(shipped() + "x"));
}

TEST(every_changed_byte_is_either_refused_or_harmless) {
    const Position start = Position::start();
    for (const Bytes& good : {shipped(), perceptron()}) {
        make_evaluator(read(good));
        for (std::size_t at = 0; at < good.size(); ++at)
            for (const char c : {'\0', '"', '9', '{', '\x7f', '\xff'}) {
                Bytes bytes = good;
                bytes[at] = c;
                try {
                    const auto evaluator = make_evaluator(read(bytes));
                    evaluator->reset(start);
                    CHECK(std::abs(evaluator->value(start)) <= kMaxEvaluation);
                } catch (const InvalidBrain&) {
                }
            }
    }
}

TEST(numbers_are_read_as_json_has_them) {
    const auto number = [](const char* text) {
        json::Reader reader(text);
        const double found = reader.number();
        reader.end();
        return found;
    };
    CHECK_EQUAL(0.0, number("0"));
    CHECK_EQUAL(-12.5, number(" -12.5 "));
    CHECK_EQUAL(1.5e-7, number("1.5E-7"));
    CHECK_EQUAL(100.0, number("1e+2"));
    for (const char* text : {"", "-", "01", "1.", ".5", "1e", "1e+", "+1", "NaN", "Infinity", "1e999", "0x1", "1,5"})
        CHECK_THROWS(json::Malformed, number(text));
}

TEST(escapes_become_the_text_they_mean) {
    const Brain brain = read(file(R"( {"__metadata__" : {"a":"\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00"} } )"));
    CHECK_EQUAL(std::string("\"\\/\b\f\n\r\t\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), brain.card.at("a"));
}

TEST(a_stranger_s_text_is_tame_in_messages) {
    CHECK_EQUAL(std::string("'a?b'"), json::in_quotes("a\nb"));
    CHECK_EQUAL(4u, json::in_quotes("\xC3\xA9").size());
    CHECK(json::in_quotes(std::string(1000, 'a')).size() < 70);
}

TEST(a_brain_that_does_not_fit_is_refused_with_advice) {
    const std::vector<float> good = {100, 300, 300, 500, 900};
    const auto refusal = [](const Brain& brain) { return message([&] { make_evaluator(brain); }); };
    const auto says = [&](const char* words, const Brain& brain) {
        if (refusal(brain).find(words) == std::string::npos)
            tests::fail(__FILE__, __LINE__, "expected '" + std::string(words) + "' in: " + refusal(brain));
    };
    says("no okapi card", material(good, R"("kind":"material")"));
    says("linear-28", material(good, R"("okapi":"1","kind":"telepathy","encoding":"mind")"));
    says("encoding", material(good, R"("okapi":"1","kind":"material","encoding":"planes-12")"));
    says("expected F32 [5]", material({1, 2, 3}));
    says("expected F32 [5]", read(file(R"({"__metadata__":{"okapi":"1","kind":"material","encoding":"material-5"},)"
                                       R"("weights":{"dtype":"I32","shape":[5],"data_offsets":[0,20]}})",
                                       Bytes(20, '\0'))));
    says("no tensor 'weights'", read(file(R"({"__metadata__":{"okapi":"1","kind":"material","encoding":"material-5"},)"
                                          R"("wights":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                                          Bytes(4, '\0'))));
    says("nan", material({100, std::nanf(""), 300, 500, 900}));
    says("inf", material({100, 300, 300, 500, std::numeric_limits<float>::infinity()}));
    says("at most 20,000", material({100, 300, 300, 500, 1e9f}));

    Brain zero = tests::linear_brain();
    std::memset(zero.tensors.at("divisors").data.data(), 0, 4);
    says("above 0", zero);
    Brain more = tests::linear_brain();
    more.tensors["extra"] = {};
    says("newer okapi", more);
}

TEST(a_file_that_is_not_there_says_what_to_do) {
    CHECK(message([] { Brain::open("/nowhere/at/all"); }).find("okapi brains list") != std::string::npos);
    CHECK_THROWS(InvalidBrain, Brain::open("/"));
}

int main() { return tests::run(); }
