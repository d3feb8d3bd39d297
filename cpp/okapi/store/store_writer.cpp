#include <algorithm>
#include <stdexcept>

#include "okapi/store/store.h"

namespace okapi {

StoreWriter::StoreWriter(const std::string& path, const StoreOptions& options) : options_(options), file_(path) {
    if (options.games_in_block < 1 || options.games_in_block > kMostGamesInBlock)
        throw std::invalid_argument("a block has 1 to " + std::to_string(kMostGamesInBlock) + " games");
    const MappedFile mapped(path);
    const ByteSpan bytes = mapped.bytes();
    const Bytes header = store_header();
    // A file that was never written to, or not even to the end of its header.
    if (bytes.size() < header.size() && std::equal(bytes.begin(), bytes.end(), header.begin())) {
        file_.truncate(0);
        file_.append(header);
        end_ = header.size();
        return;
    }
    const StoreMap map(bytes, path);
    games_ = map.games;
    end_ = map.end;
    dropped_ = map.tail;
    if (!map.blocks.empty()) cursor_ = cursor_of(map.blocks.back().in(bytes));
    if (dropped_ > 0) file_.truncate(end_);
}

void StoreWriter::add(const GameRecord& game) {
    if (full()) flush();
    builder_.add(game);
}

void StoreWriter::flush(std::string_view cursor) {
    const std::uint32_t games = std::uint32_t(builder_.size());
    if (games == 0 && (cursor.empty() || cursor == cursor_)) return;
    const Bytes block = builder_.take(cursor);
    Bytes bytes = block_head(games_, games, block);
    append(bytes, block);
    try {
        file_.append(bytes);
        if (options_.sync) file_.sync();
    } catch (...) {
        file_.truncate(end_);
        throw;
    }
    games_ += games;
    end_ += bytes.size();
    cursor_ = cursor;
}

}  // namespace okapi
