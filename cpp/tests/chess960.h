// Starts of Chess960, for tests.
#pragma once

#include <algorithm>
#include <string>

#include "okapi/chess/position.h"

namespace okapi::tests {

template <class Random> Position random_chess960(Random& random) {
    std::string row;
    do {
        row = "RNBQKBNR";
        std::shuffle(row.begin(), row.end(), random);
    } while (row.find('K') < row.find('R') || row.find('K') > row.rfind('R') ||
             row.find('B') % 2 == row.rfind('B') % 2);
    std::string lower = row;
    for (char& c : lower) c = char(c - 'A' + 'a');
    return Position::from_fen(lower + "/pppppppp/8/8/8/8/PPPPPPPP/" + row + " w KQkq - 0 1");
}

}  // namespace okapi::tests
