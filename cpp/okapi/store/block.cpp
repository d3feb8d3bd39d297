#include "okapi/store/block.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "okapi/utils/checksum.h"

namespace okapi {

namespace {

const PackedPosition& usual_start() {
    static const PackedPosition packed = pack(Position::start());
    return packed;
}

constexpr std::size_t kStartBytes = sizeof(PackedPosition);

ByteSpan bytes_of(const PackedPosition& packed) {
    return {reinterpret_cast<const std::uint8_t*>(&packed), kStartBytes};
}

std::uint64_t hash_of(const PackedPosition& start, std::span<const Move> moves) {
    thread_local Bytes bytes;
    bytes.clear();
    append(bytes, bytes_of(start));
    append(bytes, {reinterpret_cast<const std::uint8_t*>(moves.data()), moves.size_bytes()});
    return checksum(bytes);
}

}  // namespace

std::uint64_t game_hash(const Position& start, std::span<const Move> moves) { return hash_of(pack(start), moves); }

// --- Writing --------------------------------------------------------------------------------------------------------

void BlockBuilder::add(const GameRecord& game) {
    CodedGame coded(game);
    tags_.add(game.tags);
    games_.push_back(std::move(coded));
    const PackedPosition start = pack(game.start);
    hashes_.push_back(hash_of(start, game.moves));
    results_.push_back(game.result ? 1 + std::uint64_t(*game.result) : 0);
    if (start == usual_start()) {
        starts_.push_back(0);
        return;
    }
    const auto [known, is_new] = found_.try_emplace(checksum(bytes_of(start)), listed_.size());
    if (is_new) listed_.push_back(start);
    starts_.push_back(1 + known->second);
}

// Codes the games into `games`, and returns the columns that say where each begins.
Bytes BlockBuilder::columns(GameEncoder& encoder, BitWriter& games) const {
    BitWriter out;
    encoder.make_codes(out);
    std::vector<std::uint64_t> plies, remarks, sizes;
    for (const CodedGame& game : games_) {
        const std::uint64_t begin = games.size();
        encoder.write(games, game);
        sizes.push_back(games.size() - begin);
        plies.push_back(game.moves.size());
        remarks.push_back(game.remarks);
    }
    for (std::span<const std::uint64_t> column :
         std::initializer_list<std::span<const std::uint64_t>>{results_, starts_, plies, remarks, sizes})
        write_column(out, column);
    return out.take();
}

Bytes BlockBuilder::take(std::string_view cursor) {
    GameEncoder encoder;
    for (const CodedGame& game : games_) encoder.count(game);
    BitWriter games;
    const Bytes columns = this->columns(encoder, games);
    const Bytes tags = tags_.take();

    Bytes bytes;
    append_varint(bytes, cursor.size());
    append(bytes, okapi::bytes_of(cursor));
    append_varint(bytes, listed_.size());
    for (const PackedPosition& start : listed_) append(bytes, bytes_of(start));
    for (std::uint64_t hash : hashes_) append(bytes, hash);
    append_varint(bytes, columns.size());
    append(bytes, columns);
    append_varint(bytes, tags.size());
    append(bytes, tags);
    append(bytes, games.take());
    *this = BlockBuilder();
    return bytes;
}

// --- Reading --------------------------------------------------------------------------------------------------------

std::string_view cursor_of(ByteSpan block) {
    ByteReader in(block);
    const ByteSpan cursor = in.take(in.varint());
    return {reinterpret_cast<const char*>(cursor.data()), cursor.size()};
}

Block::Block(ByteSpan bytes, std::size_t games) {
    ByteReader in(bytes);
    in.take(in.varint());  // the cursor
    const std::uint64_t starts = in.varint();
    if (starts > games) throw InvalidStore("there are more starts than games");
    starts_ = in.take(starts * kStartBytes);
    hashes_ = in.take(std::uint64_t(games) * 8);
    const ByteSpan columns = in.take(in.varint());
    tag_bytes_ = in.take(in.varint());
    bits_ = in.take(in.left());
    read_columns(BitReader(columns), games);
}

void Block::read_columns(BitReader in, std::size_t games) {
    decoder_.emplace(in);
    const std::vector<std::uint64_t> results = read_column(in, games, 3),
                                     starts = read_column(in, games, starts_.size() / kStartBytes),
                                     plies = read_column(in, games, kMostPlies),
                                     remarks = read_column(in, games, kAllRemarks),
                                     sizes = read_column(in, games, bits_.size() * 8);
    games_.reserve(games);
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < games; ++i) {
        games_.push_back({begin, std::uint32_t(starts[i]), std::uint16_t(plies[i]), std::uint8_t(results[i]),
                          std::uint8_t(remarks[i])});
        begin += sizes[i];
    }
    if ((begin + 7) / 8 != bits_.size()) throw InvalidStore("the games do not fill the block");
}

std::optional<Result> Block::result(std::size_t game) const {
    const std::uint8_t code = games_[game].result;
    return code == 0 ? std::nullopt : std::optional(Result(code - 1));
}

Position Block::start(std::size_t game) const {
    static const Position usual = Position::start();
    const std::uint32_t number = games_[game].start;
    if (number == 0) return usual;
    PackedPosition packed;
    std::memcpy(&packed, starts_.data() + kStartBytes * (number - 1), kStartBytes);
    try {
        return unpack(packed);
    } catch (const InvalidPosition& e) {
        throw InvalidStore(std::string("a game begins with no position: ") + e.what());
    }
}

GameWalk Block::walk(std::size_t game) const {
    static const Replay usual{Position::start()};
    const Entry& entry = games_[game];
    const BitReader in(bits_, entry.begin);
    return {decoder_->moves(), in, entry.start == 0 ? usual : Replay(start(game)), GameContext(), entry.plies};
}

GameRecord Block::played(std::size_t game, int remarks) const {
    GameRecord record;
    record.start = start(game);
    record.result = result(game);
    record.moves.reserve(plies(game));
    GameWalk walk = this->walk(game);
    while (!walk.over()) record.moves.push_back(walk.next());
    BitReader in = walk.reader();
    // Remarks stand one after the other, so that those before the wanted ones have to be read, too.
    const int wanted = games_[game].remarks & (std::bit_ceil(unsigned(remarks) + 1) - 1);
    decoder_->read_remarks(in, wanted, record);
    return record;
}

const TagReader& Block::tags() const {
    return tags_.get([this] { return std::make_unique<const TagReader>(tag_bytes_, size()); });
}

}  // namespace okapi
