// PGN into a store: bytes in, blocks out. The caller decides when a block is written and what its cursor holds,
// so that an import can be resumed from the file alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/pgn/reader.h"
#include "okapi/store/duplicates.h"
#include "okapi/store/filter.h"
#include "okapi/store/store.h"

namespace okapi {

struct ImportCounts {
    std::uint64_t games = 0;       // added
    std::uint64_t skipped = 0;     // could not be read
    std::uint64_t duplicates = 0;  // were there before
    std::uint64_t filtered = 0;    // not wanted
    std::uint64_t plies = 0;       // of those added
};

class Importer {
public:
    // Opens or begins the store. Throws as StoreWriter does.
    Importer(const std::string& store, const GameFilter& filter, const StoreOptions& options = {});

    // The last writer's cursor.
    const std::string& cursor() const { return writer_.cursor(); }
    std::uint64_t size() const { return writer_.size(); }

    // A new file, or one from the middle.
    void begin(std::uint64_t offset = 0, std::uint64_t line = 1) { reader_.emplace(offset, line); }
    void feed(std::string_view bytes) { reader_->feed(bytes); }
    void finish() { reader_->finish(); }
    // Works until a block is full and has to be flushed, or until there is nothing left of what was fed: false.
    bool run();
    void flush(std::string_view cursor) { writer_.flush(cursor); }

    // Just behind the last game: where to go on after a flush.
    std::uint64_t offset() const { return reader_->offset(); }
    std::uint64_t line() const { return reader_->line(); }

    ImportCounts counts{};
    std::vector<Complaint> complaints{};  // the reader clears them

private:
    void add(const GameRecord& game);

    StoreWriter writer_;
    const GameFilter filter_;
    Duplicates known_;
    std::optional<PgnReader> reader_;
};

}  // namespace okapi
