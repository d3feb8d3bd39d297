// Where the blocks of a store are: its header, and the heads of its blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "okapi/utils/bytes.h"

namespace okapi {

inline constexpr std::uint64_t kStoreHeaderBytes = 16, kBlockHeadBytes = 40;

// Where a block stands in its file, and which games it has.
struct BlockPlace {
    std::uint64_t offset = 0;  // of its head
    std::uint64_t bytes = 0;   // without its head
    std::uint64_t first = 0;   // game
    std::uint32_t games = 0;
    std::uint64_t checksum = 0;

    std::uint64_t end() const { return offset + kBlockHeadBytes + bytes; }
    ByteSpan in(ByteSpan file) const { return file.subspan(std::size_t(offset + kBlockHeadBytes), std::size_t(bytes)); }
    bool is_whole(ByteSpan file) const;
};

Bytes store_header();
// As it stands before a block with these bytes.
Bytes block_head(std::uint64_t first, std::uint32_t games, ByteSpan block);

struct StoreMap {
    // Throws InvalidStore, with the file's name, for bytes that are no store.
    StoreMap(ByteSpan file, const std::string& name);

    struct Gap {
        std::uint64_t begin, end;
    };
    std::vector<BlockPlace> blocks{};  // all whose heads can be read; the last one is whole
    std::vector<Gap> gaps{};           // bytes between them that should be blocks
    std::uint64_t games = 0;           // in all, those of lost blocks included
    std::uint64_t end = 0;             // of the last block
    std::uint64_t tail = 0;            // bytes behind it: a block that was not written to its end
};

}  // namespace okapi
