// Encodings in bulk: nothing is written beside its row, threads change nothing, and no bytes do harm.
#include <cstring>
#include <memory>
#include <random>

#include "check.h"
#include "okapi/chess/random_games.h"
#include "okapi/encode/encode.h"
#include "okapi/encode/piece_square.h"

using namespace okapi;
using namespace okapi::encode;

namespace {

std::vector<PackedPosition> some_positions(std::size_t count) {
    const Position start = Position::start();
    std::vector<PackedPosition> positions;
    play_randomly({&start}, count, 1, [&](const Position& position) { positions.push_back(pack(position)); });
    return positions;
}

PackedRows rows(const std::vector<PackedPosition>& positions) {
    return {reinterpret_cast<const std::uint8_t*>(positions.data()), positions.size(), sizeof(PackedPosition)};
}

template <class T>
std::vector<T> encoded(const Encoder<T>& encoder, const std::vector<PackedPosition>& positions, int threads) {
    std::vector<T> numbers(positions.size() * encoder.size);
    for_each_board(rows(positions), threads,
                   [&](const Board& board, std::size_t n) { encoder.write(board, &numbers[n * encoder.size]); });
    return numbers;
}

template <class T> void check_threads(const std::vector<PackedPosition>& positions) {
    for (const Encoder<T>& encoder : encoders<T>())
        CHECK(encoded(encoder, positions, 1) == encoded(encoder, positions, 5));
}

// Writes into memory of just its size, so that a sanitizer sees what goes beyond.
template <class T> void check_stays_inside(const Board& board) {
    for (const Encoder<T>& encoder : encoders<T>()) {
        const std::unique_ptr<T[]> numbers(new T[encoder.size]);
        encoder.write(board, numbers.get());
    }
}

}  // namespace

TEST(random_games_are_as_many_and_the_same) {
    const std::vector<PackedPosition> positions = some_positions(2000);
    CHECK_EQUAL(2000u, positions.size());
    CHECK(positions == some_positions(2000));
    CHECK(positions[0] == pack(Position::start()));
}

TEST(threads_change_nothing) {
    const std::vector<PackedPosition> positions = some_positions(1003);
    check_threads<std::uint8_t>(positions);
    check_threads<std::int8_t>(positions);
    check_threads<float>(positions);
}

TEST(the_first_position_that_is_none_is_named) {
    std::vector<PackedPosition> positions = some_positions(100);
    positions[70].pieces.fill(0xFF);
    positions[90].occupied = 0;
    for (int threads : {1, 4, 200}) try {
            encoded(encoders<float>()[0], positions, threads);
            CHECK(false);
        } catch (const InvalidPosition& e) {
            CHECK(std::string(e.what()).starts_with("number 70: "));
        }
}

TEST(no_bytes_do_harm) {
    std::mt19937 random(3);
    int read = 0;
    for (PackedPosition packed : some_positions(20000)) {
        std::array<std::uint8_t, sizeof(packed)> bytes;
        std::memcpy(bytes.data(), &packed, sizeof(packed));
        for (int n = 0; n < 3; ++n) bytes[random() % bytes.size()] ^= std::uint8_t(1U << random() % 8);
        std::memcpy(&packed, bytes.data(), sizeof(packed));
        try {
            const Board board(packed);
            check_stays_inside<std::uint8_t>(board);
            check_stays_inside<std::int8_t>(board);
            check_stays_inside<float>(board);
            const PieceSquare piece_square(true, {});
            std::array<std::int32_t, 64> indices;
            piece_square.write_indices(board, indices.data());
            for (std::int32_t feature : indices) CHECK(feature >= 0 && feature <= PieceSquare::kPlain);
            ++read;
        } catch (const InvalidPosition&) {
        }
    }
    CHECK(read > 1000);
}

int main() { return okapi::tests::run(); }
