// Damaged .binpack blocks and damaged packed positions: reading ends, with samples that are legal or with a reason.
// Meant for sanitizers.
//
//   samples_fuzz [BLOCKS [SEED]]      20,000 damaged blocks, as many positions, and seed 1 if nothing is said
//
// With OKAPI_FUZZ the same is a target of libFuzzer: samples_fuzz [CORPUS]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>

#include "made_games.h"
#include "okapi/encode/board.h"
#include "okapi/samples/binpack.h"

using namespace okapi;

namespace {

using Random = std::mt19937;
using Block = std::vector<std::uint8_t>;

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

// What was read of a block can be unpacked, its moves are legal, and it can be written again.
void read_block(std::span<const std::uint8_t> block) {
    const BinpackRead read = read_binpack(block, 0);
    if (read.offset > block.size()) fail("read beyond the end");
    for (const Sample& sample : read.samples)
        if (sample.move && !unpack(sample.position).is_legal(Move(sample.move))) fail("a move that is not legal");
    write_binpack(read.samples);
}

void read_position(const PackedPosition& packed) {
    try {
        encode::Board board(packed);
    } catch (const InvalidPosition&) {
    }
    try {
        const Position position = unpack(packed);
        if (Position::from_fen(position.fen(true)).fen(true) != position.fen(true)) fail("another position as FEN");
    } catch (const InvalidPosition&) {
    }
}

#ifndef OKAPI_FUZZ

// The block of one game, without its header.
Block made_block(unsigned number) {
    Random random(number);
    const auto& starts = tests::made_starts();
    Position position =
        number % 2 ? Position::start() : Position::from_fen(starts[1 + number / 2 % (starts.size() - 1)]);
    std::vector<Sample> samples;
    for (const Move move : tests::made_moves(position, random, 40, false)) {
        Sample sample;
        sample.position = pack(position);
        sample.move = move.bits;
        sample.value = Centipawns(int(random() % 400) - 200);
        sample.result = std::int8_t(random() % 3);
        sample.ply = std::uint16_t(samples.size());
        samples.push_back(sample);
        position.play(move);
    }
    const std::string bytes = write_binpack(samples).bytes;
    return {bytes.begin() + 8, bytes.end()};
}

void damage(std::uint8_t* bytes, std::size_t size, Random& random) {
    const std::size_t at = random() % size;
    if (random() % 4 == 0)
        bytes[at] = std::uint8_t(random());
    else
        bytes[at] ^= std::uint8_t(1 << random() % 8);
}

#endif

}  // namespace

#ifdef OKAPI_FUZZ

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read_block({data, size});
    PackedPosition packed;
    if (size >= sizeof packed) {
        std::memcpy(&packed, data, sizeof packed);
        read_position(packed);
    }
    return 0;
}

#else

int main(int argc, char** argv) {
    const int blocks = argc > 1 ? std::atoi(argv[1]) : 20'000;
    Random random(argc > 2 ? unsigned(std::atoi(argv[2])) : 1);
    std::vector<Block> whole;
    for (unsigned number = 0; number < 40; ++number) whole.push_back(made_block(number));
    for (int i = 0; i < blocks; ++i) {
        Block block = whole[random() % whole.size()];
        if (block.empty()) fail("an empty block");
        for (unsigned n = 1 + random() % 3; n > 0; --n) damage(block.data(), block.size(), random);
        if (random() % 4 == 0) block.resize(random() % block.size());
        read_block(block);

        Position position = Position::from_fen(tests::made_starts()[random() % tests::made_starts().size()]);
        for (const Move move : tests::made_moves(position, random, int(random() % 8), false)) position.play(move);
        PackedPosition packed = pack(position);
        for (unsigned n = 1 + random() % 3; n > 0; --n)
            damage(reinterpret_cast<std::uint8_t*>(&packed), sizeof packed, random);
        read_position(packed);
    }
    std::printf("%d damaged blocks and %d damaged positions read\n", blocks, blocks);
}

#endif
