// Damaged brain files of every kind: each is refused with InvalidBrain, or evaluates positions within bounds. Meant for
// sanitizers, and run in the project's folder.
//
//   brain_fuzz [FILES [SEED]]      5,000 damaged files and seed 1 if nothing is said
//
// With OKAPI_FUZZ the same is a target of libFuzzer: brain_fuzz [CORPUS]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "okapi/eval/brain.h"
#include "okapi/eval/prior.h"
#include "okapi/search/time_manager.h"
#include "okapi/uci/predicted_moves.h"
#include "wander.h"

using namespace okapi;

namespace {

using Bytes = std::string;

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
}

const std::vector<Position>& positions() {
    static const std::vector<Position> all = [] {
        std::vector<Position> found;
        for (const char* fen : tests::kPositions) found.push_back(Position::from_fen(fen));
        return found;
    }();
    return all;
}

void check_moves(float sum, std::size_t moves) {
    if (moves > 0 && !(std::abs(sum - 1) < 1e-3f)) fail("probabilities add up to " + std::to_string(sum));
}

// Uses a brain as whatever its card says it is. `number` chooses the positions.
void use(const Brain& brain, std::size_t number) {
    Position position = positions()[number % positions().size()];
    const MoveList legal = legal_moves(position);
    if (brain.kind() == "time") return void(TimeNetwork(brain).of(IterationStats{}));
    if (uci::PredictedMoves::predicts(brain)) {
        float sum = 0;
        const auto likely = uci::PredictedMoves(brain).moves(position, int(number % 3000));
        for (const auto& each : likely) sum += each.probability;
        return check_moves(sum, likely.size());
    }
    if (brain.kind() == "giraffe-moves") {
        std::vector<float> out(std::size_t(legal.size()));
        uci::make_prior(brain)->probabilities(position, {legal.begin(), legal.end()}, out);
        float sum = 0;
        for (float each : out) sum += each;
        return check_moves(sum, out.size());
    }
    const auto evaluator = make_evaluator(brain);
    const auto value = [&] {
        const int found = evaluator->value(position);
        if (std::abs(found) > kMaxEvaluation) fail("a value of " + std::to_string(found));
    };
    evaluator->reset(position);
    value();
    if (legal.empty()) return;
    const Move move = legal[int(number % std::size_t(legal.size()))];
    evaluator->push(position, move);
    position.play(move);
    value();
    position.undo();
    evaluator->pop();
    value();
}

// True if it was a brain.
bool read_and_use(std::string_view file, std::size_t number) {
    try {
        use(Brain::read(std::as_bytes(std::span(file))), number);
        return true;
    } catch (const InvalidBrain&) {
        return false;
    }
}

#ifndef OKAPI_FUZZ

using Random = std::mt19937_64;

// --- Whole brains: small ones that ship, and made ones of the other kinds ---------------------------------------

Bytes shipped(const std::string& name) {
    std::ifstream file("src/okapi/brains/shipped/" + name + ".safetensors", std::ios::binary);
    const Bytes bytes(std::istreambuf_iterator<char>(file), {});
    if (bytes.empty()) fail("no brain " + name + ": run this in the project's folder");
    return bytes;
}

struct Part {
    const char* name;
    const char* type;
    std::vector<std::size_t> shape;
};

// A brain with this card and small random numbers.
Bytes made(const std::string& card, const std::vector<Part>& parts) {
    Random random(7);
    std::string header = "{\"__metadata__\":{\"okapi\":\"1\",\"name\":\"made\"," + card + "}", data;
    for (const Part& part : parts) {
        std::size_t numbers = 1;
        std::string shape;
        for (std::size_t side : part.shape) {
            numbers *= side;
            shape += (shape.empty() ? "" : ",") + std::to_string(side);
        }
        const std::size_t begin = data.size();
        for (std::size_t i = 0; i < numbers; ++i) {
            const int small = int(random() % 9) - 4;
            const float real = float(small) / 16;
            const bool whole = part.type[0] == 'I';
            data.append(whole ? reinterpret_cast<const char*>(&small) : reinterpret_cast<const char*>(&real),
                        std::strcmp(part.type, "I8") == 0    ? 1
                        : std::strcmp(part.type, "I16") == 0 ? 2
                                                             : 4);
        }
        header += ",\"" + std::string(part.name) + "\":{\"dtype\":\"" + part.type + "\",\"shape\":[" + shape +
                  "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
    }
    header += "}";
    const std::uint64_t length = header.size();
    return Bytes(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::vector<Bytes> whole_brains() {
    std::vector<Bytes> all;
    for (const char* name : {"material", "vazquez-five", "okapi-28", "vazquez-pieces-results"})
        all.push_back(shipped(name));
    all.push_back(made(R"("kind":"mlp","encoding":"vector-64",)"
                       R"("layers":"[{\"do\":\"dense\",\"name\":\"1\",\"activation\":\"relu\"},)"
                       R"({\"do\":\"dense\",\"name\":\"2\",\"activation\":\"none\"}]",)"
                       R"("output":"{\"form\":\"classes\",\"view\":\"white\",\"values\":[0.1,8e-1],\"edges\":[-20]}")",
                       {{"1.weight", "I8", {3, 64}},
                        {"1.weight.scale", "F32", {3}},
                        {"1.bias", "F32", {3}},
                        {"2.weight", "F32", {2, 3}},
                        {"2.bias", "F32", {2}}}));
    all.push_back(made(R"("kind":"nnue","encoding":"piece-square-mirrored","scale":"174","quantisation":"255 64")",
                       {{"accumulator.weight", "I16", {768, 32}},
                        {"accumulator.bias", "I16", {32}},
                        {"output.weight", "I8", {8, 64}},
                        {"output.bias", "I32", {8}}}));
    all.push_back(
        made(R"("kind":"nnue-layers","encoding":"piece-square-mirrored","scale":"174","quantisation":"255 64")",
             {{"accumulator.weight", "I16", {768, 64}},
              {"accumulator.bias", "I16", {64}},
              {"first_weight", "I8", {2, 16, 64}},
              {"first_bias", "I32", {2, 16}},
              {"second_weight", "I8", {2, 32, 32}},
              {"second_bias", "I32", {2, 32}},
              {"last_weight", "I8", {2, 32}},
              {"last_bias", "I32", {2}}}));
    all.push_back(
        made(R"("kind":"convolutional","encoding":"planes-6+elo",)"
             R"("layers":"[{\"do\":\"convolve\",\"name\":\"1\",\"activation\":\"relu\"},)"
             R"({\"do\":\"residual\",\"names\":[\"2\",\"3\"],\"activation\":\"elu\",\"squeeze\":[\"4\",\"5\"]},)"
             R"({\"do\":\"from-to\",\"names\":[\"6\",\"7\"]}]",)"
             R"("output":"{\"form\":\"moves\",\"promotions\":[0.97,0.01,0.0,0.02]}")",
             {{"1.weight", "F32", {2, 7, 3, 3}},
              {"1.bias", "F32", {2}},
              {"2.weight", "F32", {2, 2, 3, 3}},
              {"2.bias", "F32", {2}},
              {"3.weight", "F32", {2, 2, 3, 3}},
              {"3.bias", "F32", {2}},
              {"4.weight", "F32", {1, 2}},
              {"4.bias", "F32", {1}},
              {"5.weight", "F32", {2, 1}},
              {"5.bias", "F32", {2}},
              {"6.weight", "F32", {1, 2, 1, 1}},
              {"6.bias", "F32", {1}},
              {"7.weight", "F32", {1, 2, 1, 1}},
              {"7.bias", "F32", {1}}}));
    return all;
}

// These are large, and come less often.
std::vector<Bytes> large_brains() {
    return {shipped("giraffe"), shipped("giraffe-moves"),
            made(R"("kind":"halfka","encoding":"halfka-v2-mirrored")", {{"weight", "I16", {22528, 1024}},
                                                                        {"bias", "I16", {1024}},
                                                                        {"material", "I32", {22528, 8}},
                                                                        {"first_weight", "I8", {8, 16, 1024}},
                                                                        {"first_bias", "I32", {8, 16}},
                                                                        {"second_weight", "I8", {8, 32, 32}},
                                                                        {"second_bias", "I32", {8, 32}},
                                                                        {"last_weight", "I8", {8, 32}},
                                                                        {"last_bias", "I32", {8}}})};
}

// --- Damage -----------------------------------------------------------------------------------------------------

// Texts that have a meaning in a header.
constexpr const char* kTexts[] = {"0",       "-1",        "1",        "9223372036854775807",
                                  "1e308",   "\"",        "\\",       "{",
                                  "}",       "[",         "]",        ",",
                                  "null",    "F16",       "I8",       "F32",
                                  "relu",    "dense",     "moves",    "halfka",
                                  "nnue",    "planes-18", "64",       "\\u0000",
                                  "flatten", "time",      "\xFF",     "+elo",
                                  "mlp",     "from-to",   "residual", ".scale"};
constexpr float kNumbers[] = {0,        -0.0f,
                              1e-45f,   3.4e38f,
                              -3.4e38f, std::numeric_limits<float>::infinity(),
                              20000,    1e9f,
                              -1,       std::numeric_limits<float>::quiet_NaN()};

void damage_header(Bytes& bytes, std::size_t header, Random& random) {
    const std::size_t at = 8 + random() % header;
    const char* text = kTexts[random() % std::size(kTexts)];
    const auto put = [&](std::size_t removed) {
        bytes.replace(at, removed, text);
        if (random() % 8 == 0) return;  // mostly with the right length, or all of these end at once
        const std::uint64_t length = header + std::strlen(text) - removed;
        std::memcpy(bytes.data(), &length, 8);
    };
    switch (random() % 5) {
        case 0:
            bytes[at] = char(random());
            break;
        case 1:
            put(0);
            break;
        case 2:
            put(std::min(std::strlen(text), 8 + header - at));
            break;
        case 3:
            put(std::min<std::size_t>(random() % 20, 8 + header - at));
            break;
        default: {  // a digit, so that shapes change
            const std::size_t digit = bytes.find_first_of("0123456789", at);
            if (digit < 8 + header) bytes[digit] = char('0' + random() % 10);
        }
    }
}

void damage_data(Bytes& bytes, std::size_t begin, Random& random) {
    if (begin + 4 > bytes.size()) return;
    const std::size_t at = begin + random() % (bytes.size() - begin - 3);
    if (random() % 3 == 0) {
        bytes[at] = char(random());
    } else {
        const float number = kNumbers[random() % std::size(kNumbers)];
        const std::uint32_t whole = random() % 2 ? 0x7FFFFFFF : 0x80000000;
        const std::size_t place = begin + (at - begin) / 4 * 4;
        std::memcpy(bytes.data() + place, random() % 2 ? static_cast<const void*>(&number) : &whole, 4);
    }
}

Bytes damaged(Bytes bytes, Random& random) {
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    for (std::size_t n = 1 + random() % 3; n > 0; --n) switch (random() % 8) {
            case 0:
                bytes.resize(random() % (bytes.size() + 1));
                break;
            case 1:
                bytes[random() % 8] = char(random());
                break;
            case 2:
            case 3:
            case 4:
                if (header > 0 && 8 + header <= bytes.size()) damage_header(bytes, header, random);
                break;
            default:
                damage_data(bytes, 8 + header, random);
        }
    return bytes;
}

#endif

}  // namespace

#ifdef OKAPI_FUZZ

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read_and_use({reinterpret_cast<const char*>(data), size}, size);
    return 0;
}

#else

int main(int argc, char** argv) {
    constexpr std::size_t kLargeEvery = 1000;
    const std::size_t files = argc > 1 ? std::size_t(std::atol(argv[1])) : 5'000;
    Random random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    const std::vector<Bytes> small = whole_brains(), large = large_brains();
    for (const auto& all : {small, large})
        for (const Bytes& bytes : all)
            if (!read_and_use(bytes, 0)) fail("a whole brain is refused");
    std::size_t brains = 0;
    for (std::size_t i = 0; i < files; ++i) {
        const auto& all = i % kLargeEvery == 0 ? large : small;
        brains += read_and_use(damaged(all[random() % all.size()], random), i);
    }
    std::printf("%zu damaged files, %zu of them brains, the others refused\n", files, brains);
}

#endif
