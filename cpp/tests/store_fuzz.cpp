// Reads blocks that no writer wrote: whatever stands in them, reading ends soon, with games or with InvalidStore.
// Blocks are read without their checksums, which would keep all of this away. Meant for sanitizers.
//
//   store_fuzz [BLOCKS [SEED]]      100,000 damaged blocks and seed 1 if nothing is said
//
// With OKAPI_FUZZ the same is a target of libFuzzer: store_fuzz [CORPUS]
#include <cstdio>
#include <cstdlib>
#include <random>

#include "made_games.h"
#include "okapi/store/block.h"

using namespace okapi;

namespace {

// The first two bytes say how many games there should be.
void read_everything(ByteSpan bytes) {
    if (bytes.size() < 2) return;
    const std::size_t games = bytes[0] | std::size_t(bytes[1]) << 8;
    try {
        const Block block(bytes.subspan(2), games);
        for (std::size_t game = 0; game < block.size(); ++game) try {
                const GameRecord record = block.played(game);
                for (GameWalk walk = block.walk(game); !walk.over(); walk.next()) pack(walk.position());
                game_hash(record.start, record.moves);
                block.tags().tags(game);
            } catch (const InvalidStore&) {
            }
    } catch (const InvalidStore&) {
    }
}

#ifndef OKAPI_FUZZ

Bytes made_block(unsigned seed) {
    BlockBuilder builder;
    for (unsigned game = 0; game < 1 + seed % 5; ++game) builder.add(tests::made_game(seed * 8 + game));
    Bytes bytes = {std::uint8_t(builder.size()), 0};
    append(bytes, builder.take("cursor"));
    return bytes;
}

// A few bytes changed, or a piece cut out or doubled.
void damage(Bytes& bytes, std::mt19937& random) {
    const std::size_t at = random() % bytes.size(), size = std::min<std::size_t>(random() % 9, bytes.size() - at);
    const auto from = bytes.begin() + std::ptrdiff_t(at), to = from + std::ptrdiff_t(size);
    switch (random() % 8) {
        case 0:
            bytes.erase(from, to);
            break;
        case 1: {
            const Bytes piece(from, to);
            bytes.insert(from, piece.begin(), piece.end());
            break;
        }
        case 2:
            bytes[at] = random() % 2 ? 0 : 0xFF;
            break;
        default:
            bytes[at] ^= std::uint8_t(1 << random() % 8);
    }
}

#endif

}  // namespace

#ifdef OKAPI_FUZZ

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read_everything({data, size});
    return 0;
}

#else

int main(int argc, char** argv) {
    const int blocks = argc > 1 ? std::atoi(argv[1]) : 100000;
    std::mt19937 random(argc > 2 ? unsigned(std::atoi(argv[2])) : 1);
    std::vector<Bytes> whole;
    for (unsigned seed = 0; seed < 50; ++seed) whole.push_back(made_block(seed));
    for (int i = 0; i < blocks; ++i) {
        Bytes bytes = whole[random() % whole.size()];
        for (unsigned n = 1 + random() % 3; n > 0 && !bytes.empty(); --n) damage(bytes, random);
        read_everything(bytes);
    }
    std::printf("%d blocks read\n", blocks);
    return 0;
}

#endif
