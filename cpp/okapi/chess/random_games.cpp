#include "okapi/chess/random_games.h"

#include <random>
#include <stdexcept>

namespace okapi {

void play_randomly(const std::vector<const Position*>& starts, std::size_t positions, std::uint64_t seed,
                   const std::function<void(const Position&)>& look) {
    constexpr int kPlies = 300;
    if (starts.empty()) throw std::invalid_argument("random games need a position to start from");
    std::mt19937_64 random(seed);
    for (std::size_t game = 0; positions > 0; ++game) {
        Position position = *starts[game % starts.size()];
        for (int ply = 0; ply < kPlies && positions > 0; ++ply, --positions) {
            look(position);
            const MoveList moves = legal_moves(position);
            if (moves.empty()) {
                --positions;
                break;
            }
            position.play(moves[int(random() % std::uint64_t(moves.size()))]);
        }
    }
}

}  // namespace okapi
