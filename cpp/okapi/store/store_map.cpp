#include "okapi/store/store_map.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "okapi/store/block.h"
#include "okapi/utils/checksum.h"

namespace okapi {

namespace {

// A byte that no text has, and two line ends, so that a file that was taken for text is recognised.
constexpr std::array<std::uint8_t, 8> kMagic = {0x8F, 'O', 'K', 'A', 'P', 'I', '\r', '\n'};
constexpr std::uint32_t kVersion = 1;
constexpr std::array<std::uint8_t, 4> kBlockMagic = {0x8F, 'B', 'L', 'K'};

// What is wrong with the header; empty: nothing.
std::string complaint(ByteSpan file) {
    if (file.size() < kStoreHeaderBytes || !std::equal(kMagic.begin(), kMagic.end(), file.begin()))
        return "it does not begin like one";
    const std::uint32_t version = load<std::uint32_t>(file.data() + 8);
    if (version != kVersion) return "it has version " + std::to_string(version) + ", not " + std::to_string(kVersion);
    return load<std::uint32_t>(file.data() + 12) == 0 ? "" : "its header is damaged";
}

// The head at `offset`, if it is one.
std::optional<BlockPlace> read_head(ByteSpan file, std::uint64_t offset) {
    if (file.size() - offset < kBlockHeadBytes) return std::nullopt;
    const std::uint8_t* head = file.data() + offset;
    if (!std::equal(kBlockMagic.begin(), kBlockMagic.end(), head)) return std::nullopt;
    if (checksum({head, kBlockHeadBytes - 8}) != load<std::uint64_t>(head + 32)) return std::nullopt;
    BlockPlace place;
    place.offset = offset;
    place.games = load<std::uint32_t>(head + 4);
    place.bytes = load<std::uint64_t>(head + 8);
    place.first = load<std::uint64_t>(head + 16);
    place.checksum = load<std::uint64_t>(head + 24);
    if (place.bytes > file.size() - offset - kBlockHeadBytes || place.games > kMostGamesInBlock) return std::nullopt;
    return place;
}

// The first head from `offset` on. Games may be missing where bytes are: a game has at least its hash.
std::optional<BlockPlace> find_head(ByteSpan file, std::uint64_t offset, std::uint64_t games) {
    for (std::uint64_t at = offset; at + kBlockHeadBytes <= file.size(); ++at) {
        const std::optional<BlockPlace> place = read_head(file, at);
        if (place && place->first >= games && place->first - games <= (at - offset) / 8) return place;
    }
    return std::nullopt;
}

}  // namespace

bool BlockPlace::is_whole(ByteSpan file) const { return okapi::checksum(in(file)) == checksum; }

Bytes store_header() {
    Bytes header(kMagic.begin(), kMagic.end());
    append(header, kVersion);
    append(header, std::uint32_t(0));
    return header;
}

Bytes block_head(std::uint64_t first, std::uint32_t games, ByteSpan block) {
    Bytes head(kBlockMagic.begin(), kBlockMagic.end());
    append(head, games);
    append(head, std::uint64_t(block.size()));
    append(head, first);
    append(head, checksum(block));
    append(head, checksum(head));
    return head;
}

StoreMap::StoreMap(ByteSpan file, const std::string& name) {
    if (const std::string why = complaint(file); !why.empty())
        throw InvalidStore(name + " is no game store that this okapi can read: " + why);
    std::uint64_t next = kStoreHeaderBytes;
    while (const std::optional<BlockPlace> place = find_head(file, next, games)) {
        if (place->offset > next) gaps.push_back({next, place->offset});
        blocks.push_back(*place);
        games = place->first + place->games;
        next = place->end();
    }
    // A block that is damaged and last was most likely never written to its end.
    while (!blocks.empty() && !blocks.back().is_whole(file)) blocks.pop_back();
    games = blocks.empty() ? 0 : blocks.back().first + blocks.back().games;
    end = blocks.empty() ? kStoreHeaderBytes : blocks.back().end();
    tail = file.size() - end;
    std::erase_if(gaps, [this](const Gap& gap) { return gap.begin >= end; });
}

}  // namespace okapi
