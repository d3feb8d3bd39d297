#include "okapi/uci/book.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>

namespace okapi {

namespace {

constexpr std::size_t kRecordBytes = 16;
// No position has more legal moves; a file with more entries for one key is broken.
constexpr std::size_t kMostEntries = 256;

std::uint64_t big_endian(const unsigned char* bytes, int count) {
    std::uint64_t number = 0;
    for (int i = 0; i < count; ++i) number = number << 8 | bytes[i];
    return number;
}

// bits 0-5: to, 6-11: from, 12-14: promotion (0 none, 1 knight ... 4 queen). Castling is the king taking its rook.
std::optional<Move> decode(const Position& position, std::uint16_t code) {
    const Square to(code & 63);
    const Square from((code >> 6) & 63);
    const int promotion = (code >> 12) & 7;
    for (const Move move : legal_moves(position)) {
        const bool same_promotion = move.promotes() ? int(move.promotion()) == promotion : promotion == 0;
        if (move.from() == from && move.to() == to && same_promotion) return move;
    }
    return std::nullopt;
}

}  // namespace

Book Book::open(const std::string& path) {
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (error) throw InvalidBook("cannot read the book: " + error.message());
    if (bytes == 0 || bytes % kRecordBytes != 0)
        throw InvalidBook("no Polyglot book: its size is not a multiple of " + std::to_string(kRecordBytes) + " bytes");
    Book book;
    book.file_.open(path, std::ios::binary);
    if (!book.file_) throw InvalidBook("cannot read the book");
    book.size_ = bytes / kRecordBytes;

    // A sample shows whether it is sorted: text and other formats fail here.
    const std::uint64_t step = std::max<std::uint64_t>(1, book.size_ / 64);
    Key former = 0;
    for (std::uint64_t i = 0; i < book.size_; i += step) {
        const Key key = book.at(i).key;
        if (key < former) throw InvalidBook("no Polyglot book: its entries are not sorted");
        former = key;
    }
    return book;
}

Book::Record Book::at(std::uint64_t i) const {
    std::array<unsigned char, kRecordBytes> bytes{};
    file_.clear();
    file_.seekg(std::streamoff(i * kRecordBytes));
    file_.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
    if (file_.gcount() != std::streamsize(bytes.size())) throw InvalidBook("the book cannot be read to its end");
    return {big_endian(bytes.data(), 8), std::uint16_t(big_endian(bytes.data() + 8, 2)),
            std::uint16_t(big_endian(bytes.data() + 10, 2))};
}

std::vector<Book::Entry> Book::entries(const Position& position) const {
    std::uint64_t low = 0;
    std::uint64_t high = size_;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (at(middle).key < position.key())
            low = middle + 1;
        else
            high = middle;
    }
    std::vector<Entry> found;
    for (; low < size_ && found.size() < kMostEntries; ++low) {
        const Record record = at(low);
        if (record.key != position.key()) break;
        if (const auto move = decode(position, record.move)) found.push_back({*move, record.weight});
    }
    std::ranges::stable_sort(found, [](const Entry& a, const Entry& b) { return a.weight > b.weight; });
    return found;
}

std::optional<Move> Book::draw(const Position& position, std::uint64_t seed) const {
    const std::vector<Entry> known = entries(position);
    if (known.empty()) return std::nullopt;
    std::uint64_t sum = 0;
    for (const Entry& entry : known) sum += std::uint64_t(entry.weight);
    std::mt19937_64 random(seed);
    if (sum == 0) return known[random() % known.size()].move;
    std::uint64_t drawn = random() % sum;
    for (const Entry& entry : known) {
        if (drawn < std::uint64_t(entry.weight)) return entry.move;
        drawn -= std::uint64_t(entry.weight);
    }
    return known.front().move;
}

std::optional<Move> Book::best(const Position& position) const {
    const std::vector<Entry> known = entries(position);
    return known.empty() ? std::nullopt : std::optional(known.front().move);
}

}  // namespace okapi
