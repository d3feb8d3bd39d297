#include "okapi/store/exporter.h"

#include "okapi/pgn/writer.h"

namespace okapi {

Exporter::Exporter(const std::string& store, const GameFilter& filter,
                   std::optional<std::vector<std::uint64_t>> numbers)
    : store_(store), filter_(filter), numbers_(std::move(numbers)) {}

const std::string& Exporter::next(std::size_t bytes) {
    text_.clear();
    while (done_ < size() && text_.size() < bytes) {
        const GameRecord game = store_.game(std::size_t(numbers_ ? (*numbers_)[std::size_t(done_)] : done_));
        ++done_;
        if (!filter_.admits(game)) continue;
        write_pgn(game, text_);
        ++written_;
    }
    return text_;
}

}  // namespace okapi
