// Eight bytes with the length of the header, the header in JSON, then the tensors' bytes without gaps.
#include "okapi/utils/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "okapi/utils/half.h"
#include "okapi/utils/json.h"

namespace okapi {

namespace {

using json::in_quotes;

static_assert(std::endian::native == std::endian::little, "safetensors are read as they lie in memory");

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeader = 16 << 20;  // a card with its loss curve stays far below
constexpr std::size_t kMaxDimensions = 8;

// clang-format off
constexpr std::array<std::pair<std::string_view, int>, 15> kTypeBytes = {{
    {"BOOL", 1}, {"U8", 1}, {"I8", 1}, {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
    {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4}, {"F64", 8}, {"I64", 8}, {"U64", 8},
}};
// clang-format on

[[noreturn]] void refuse(const std::string& why) {
    throw InvalidTensors("not a brain file: " + why +
                         ". Expected a safetensors file written by okapi; was it copied whole?");
}

struct Entry {
    std::string name;
    std::string type;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> offsets;
};

Entry read_entry(json::Reader& reader, std::string name) {
    Entry entry{.name = std::move(name), .type = {}, .shape = {}, .offsets = {}};
    bool has_type = false, has_shape = false, has_offsets = false;
    const auto once = [&](bool& seen, const std::string& key) {
        if (std::exchange(seen, true)) refuse("tensor " + in_quotes(entry.name) + " has two of " + in_quotes(key));
    };
    const auto numbers = [&](std::vector<std::int64_t>& out, std::size_t most) {
        reader.array([&] {
            if (out.size() == most) refuse("tensor " + in_quotes(entry.name) + " has a list that is too long");
            out.push_back(reader.whole_number());
        });
    };
    reader.object([&](std::string key) {
        if (key == "dtype")
            once(has_type, key), entry.type = reader.string();
        else if (key == "shape")
            once(has_shape, key), numbers(entry.shape, kMaxDimensions);
        else if (key == "data_offsets")
            once(has_offsets, key), numbers(entry.offsets, 2);
        else
            refuse("tensor " + in_quotes(entry.name) + " has an unknown field " + in_quotes(key));
    });
    if (!has_type || !has_shape || entry.offsets.size() != 2)
        refuse("tensor " + in_quotes(entry.name) + " lacks its dtype, shape or data_offsets");
    return entry;
}

// The bytes that the shape needs.
std::int64_t expected_bytes(const Entry& entry) {
    const auto* type =
        std::find_if(kTypeBytes.begin(), kTypeBytes.end(), [&](auto& t) { return t.first == entry.type; });
    if (type == kTypeBytes.end())
        refuse("tensor " + in_quotes(entry.name) + " has the unknown dtype " + in_quotes(entry.type));
    if (std::find(entry.shape.begin(), entry.shape.end(), 0) != entry.shape.end()) return 0;
    std::int64_t bytes = type->second;
    for (std::int64_t side : entry.shape) {
        if (bytes > std::numeric_limits<std::int64_t>::max() / side)
            refuse("tensor " + in_quotes(entry.name) + " is too large");
        bytes *= side;
    }
    return bytes;
}

void read_metadata(json::Reader& reader, std::map<std::string, std::string>& metadata) {
    reader.object([&](std::string key) {
        std::string text = reader.string();
        if (!metadata.emplace(key, std::move(text)).second) refuse("its card names " + in_quotes(key) + " twice");
    });
}

std::vector<Entry> read_header(std::string_view header, Safetensors& file) {
    std::vector<Entry> entries;
    bool has_metadata = false;
    json::Reader reader(header);
    try {
        reader.object([&](std::string key) {
            if (key != "__metadata__") {
                entries.push_back(read_entry(reader, std::move(key)));
            } else {
                if (std::exchange(has_metadata, true)) refuse("it has two cards");
                read_metadata(reader, file.metadata);
            }
        });
        reader.end();
    } catch (const json::Malformed& malformed) {
        refuse(std::string("in its header, ") + malformed.what());
    }
    return entries;
}

// Tensors must lie one behind the other and fill the file.
void read_tensors(std::vector<Entry>& entries, std::span<const std::byte> data, Safetensors& file) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.offsets < b.offsets; });
    std::int64_t at = 0;
    for (Entry& entry : entries) {
        const std::int64_t begin = entry.offsets[0], end = entry.offsets[1];
        if (begin != at || end < begin || std::uint64_t(end) > data.size())
            refuse("the bytes of tensor " + in_quotes(entry.name) + " overlap, leave a gap or lie outside the file");
        if (end - begin != expected_bytes(entry))
            refuse("tensor " + in_quotes(entry.name) + " has more or fewer bytes than its shape");
        const auto bytes = data.subspan(std::size_t(begin), std::size_t(end - begin));
        Tensor tensor{std::move(entry.type), std::move(entry.shape), {bytes.begin(), bytes.end()}};
        if (!file.tensors.emplace(entry.name, std::move(tensor)).second)
            refuse("it has two tensors " + in_quotes(entry.name));
        at = end;
    }
    if (std::uint64_t(at) != data.size()) refuse("bytes are left over behind its last tensor");
}

}  // namespace

Safetensors Safetensors::read(std::span<const std::byte> file) {
    if (file.size() < kLengthBytes)
        refuse("it has " + std::to_string(file.size()) + " bytes, fewer than the shortest one");
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), kLengthBytes);
    const auto rest = file.subspan(kLengthBytes);
    if (length > kMaxHeader)
        refuse("its header claims " + std::to_string(length) + " bytes, more than any brain needs");
    if (length > rest.size()) refuse("its header claims " + std::to_string(length) + " bytes, more than the file has");

    Safetensors found;
    const std::string_view header(reinterpret_cast<const char*>(rest.data()), std::size_t(length));
    std::vector<Entry> entries = read_header(header, found);
    read_tensors(entries, rest.subspan(std::size_t(length)), found);
    return found;
}

std::vector<float> Tensor::floats() const {
    if (type == "F16") {
        std::vector<float> values(data.size() / sizeof(Half));
        for (std::size_t i = 0; i < values.size(); ++i) {
            Half half;
            std::memcpy(&half, data.data() + i * sizeof(Half), sizeof(Half));
            values[i] = to_float(half);
        }
        return values;
    }
    if (type != "F32") throw InvalidTensors("a tensor is " + type + " where F32 is needed; save it as float32");
    std::vector<float> values(data.size() / sizeof(float));
    if (!values.empty()) std::memcpy(values.data(), data.data(), values.size() * sizeof(float));
    return values;
}

}  // namespace okapi
