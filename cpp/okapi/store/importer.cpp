#include "okapi/store/importer.h"

#include <stdexcept>

namespace okapi {

Importer::Importer(const std::string& store, const GameFilter& filter, const StoreOptions& options)
    : writer_(store, options), filter_(filter) {
    if (writer_.size() > 0) known_.learn(store);
}

bool Importer::run() {
    while (true) {
        switch (reader_->next()) {
            case PgnReader::Found::Nothing:
                return false;
            case PgnReader::Found::Complaint:
                ++counts.skipped;
                complaints.push_back(reader_->complaint());
                break;
            case PgnReader::Found::Game:
                add(reader_->game());
                if (writer_.full()) return true;
                break;
        }
    }
}

void Importer::add(const GameRecord& game) {
    if (!filter_.admits(game)) {
        ++counts.filtered;
        return;
    }
    if (!known_.insert(game)) {
        ++counts.duplicates;
        return;
    }
    try {
        writer_.add(game);
        ++counts.games;
        counts.plies += game.moves.size();
    } catch (const std::invalid_argument& error) {  // what PGN can hold, but a store cannot
        ++counts.skipped;
        complaints.push_back({line(), offset(), error.what()});
    }
}

}  // namespace okapi
