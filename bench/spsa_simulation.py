"""
How far does tuning walk, and how far does noise carry it? Simulated games, in which one constant matters and one does not.

    python bench/spsa_simulation.py
    python bench/spsa_simulation.py --pairs 1000 10000 --slopes 1 3 --walks 200

The constant that matters is worth so many Elo for each step uphill, for as far as it goes; half of the games are drawn.
"""

import argparse
import json

import numpy as np

from okapi.optimize.population import FloatArray, ParameterSpace, Score
from okapi.optimize.spsa import Gains, spsa, usual_rate

DRAWS = 0.5
"""The share of the games between equals that are drawn; of others, fewer."""

BOTH = ParameterSpace(("matters", "does not"), np.full(2, -100.0), np.full(2, 100.0))
DIRECTIONS = 8


def games(slope: float, walk: int) -> Score:
    """Pairs of games between players that differ by their first gene."""

    def score(population: FloatArray, number: int) -> FloatArray:
        dice = np.random.default_rng([walk, number])
        better = slope * (population[0::2, 0] - population[1::2, 0])
        expected = 1 / (1 + 10 ** (-better / 400))
        drawn = DRAWS * 2 * np.minimum(expected, 1 - expected)
        wins = expected - drawn / 2
        thrown = dice.random((2, len(better)))
        points = np.where(thrown < wins, 1.0, np.where(thrown < wins + drawn, 0.5, 0.0)).sum(axis=0)
        return np.stack([points, 2.0 - points], axis=1).reshape(-1)

    return score


def ends(pairs: int, slope: float, walks: int) -> FloatArray:
    """Where walks of so many pairs end, in steps: the gene that matters, and the one that does not."""
    gains = Gains(iterations=max(1, pairs // DIRECTIONS), rate=usual_rate(pairs))
    found = []
    for walk in range(walks):
        *_, last = spsa(
            games(slope, walk),
            BOTH,
            start=np.zeros(2),
            reach=np.ones(2),
            gains=gains,
            seed=walk,
            directions=DIRECTIONS,
        )
        found.append(last.best)
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--slopes", type=float, nargs="+", default=[1.0, 3.0, 5.0])
    parser.add_argument("--walks", type=int, default=100)
    args = parser.parse_args()
    for pairs in args.pairs:
        for slope in args.slopes:
            matters, other = ends(pairs, slope, args.walks).T
            told = {
                "pairs": pairs,
                "elo_a_step": slope,
                "steps": round(float(matters.mean()), 2),
                "uphill": round(float((matters > 0).mean()), 3),
                "noise": round(float(other.std()), 2),
            }
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
