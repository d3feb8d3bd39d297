"""How often the ladder's interval holds the truth: python bench/ladder_simulation.py [--runs 400] [--wrong 40] [--games 120]

Players of known rating climb as `okapi rate --ladder` lets them, opponents chosen by the estimate so far. `--wrong` is the
standard deviation, in Elo, of the error of the rungs' nominal ratings.
"""

import argparse
import math
import random
from statistics import fmean

from okapi.arena.elo import expected_score
from okapi.arena.games import Pairing, PlayedGame
from okapi.arena.ladder import AT_A_TIME, LADDER, LadderRating, nearest, rate_on_ladder
from okapi.arena.standings import Standings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--wrong", type=float, default=0.0)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    dice, inside, widths, errors = random.Random(asked.seed), 0, [], []
    for _ in range(asked.runs):
        truth = dice.uniform(1700, 2700)
        placing = climb(truth, [rung.elo + dice.gauss(0, asked.wrong) for rung in LADDER], asked.games, dice)
        inside += placing.low <= truth <= placing.high
        if placing.bounded:
            widths.append((placing.high - placing.low) / 2)
            errors.append(placing.elo - truth)
    spread = math.sqrt(fmean(error**2 for error in errors))
    print(
        f"{asked.runs} climbs of {asked.games} games, nominal ratings wrong by {asked.wrong:g}: inside {inside / asked.runs:.1%}, "
        f"mean ± {fmean(widths):.0f}, mean error {fmean(errors):+.1f}, root mean square {spread:.0f}"
    )


def climb(truth: float, strengths: list[float], games: int, dice: random.Random) -> LadderRating:
    table, number = Standings(["player", *(rung.name for rung in LADDER)]), 0
    for turn in range(math.ceil(games / (2 * AT_A_TIME))):
        for _, rung in nearest(LADDER, table, turn):
            for white, black in ((0, rung), (rung, 0)):
                result = play(truth - strengths[rung - 1], dice, first_is_white=white == 0)
                table.add(PlayedGame(Pairing(number, white, black, ""), result, "", None, (), ()))
                number += 1
    return rate_on_ladder({LADDER[rung - 1]: pairs for rung, pairs in table.pairs(0).items()})


def play(ahead: float, dice: random.Random, *, first_is_white: bool) -> str:
    chance = expected_score(ahead)
    drawn = 0.7 * min(chance, 1 - chance)
    thrown = dice.random()
    if chance - drawn / 2 <= thrown < chance + drawn / 2:
        return "1/2-1/2"
    return "1-0" if (thrown < chance - drawn / 2) == first_is_white else "0-1"


if __name__ == "__main__":
    main()
