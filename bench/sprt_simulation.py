"""How often the sequential test errs: engines of known difference play simulated pairs until it decides.

    python bench/sprt_simulation.py --runs 1000

Prints one JSON object. Games follow the model of Bayeselo with openings that favour one side more or less, so that the two
games of a pair are not independent; the difference is chosen so that the mean score is exactly that of the Elo under test.
"""

import argparse
import json
import time
from typing import Any, get_args

import numpy as np

from okapi.arena.elo import NORMALISED, Array, expected_score, moments
from okapi.arena.ratings import RatingModel
from okapi.arena.sprt import Scale, Sprt, log_likelihood_ratio

OPENINGS = np.linspace(-150, 250, 41)
"""What White's side of an opening is worth in Elo, each as often as its weight says: 50 ± 80 for most."""
WEIGHTS = np.exp(-(((OPENINGS - 50) / 80) ** 2) / 2)


def pairs(difference: float, drawelo: float) -> Array:
    """Probabilities of 0, ½, 1, 1½ and 2 points in a pair between players so far apart."""
    total = np.zeros(5)
    for opening, weight in zip(OPENINGS, WEIGHTS / WEIGHTS.sum(), strict=True):
        game = RatingModel(np.zeros(2), float(opening), drawelo)
        (win, loss), (lost, won) = (game.outcomes(np.array([way])) for way in (difference, -difference))
        first = np.array([loss[0], 1 - win[0] - loss[0], win[0]])
        second = np.array([lost[0], 1 - lost[0] - won[0], won[0]])
        total += weight * np.convolve(first, second)
    return total


def engines(elo: float, scale: Scale, drawelo: float) -> Array:
    """The distribution of pairs between engines whose true difference is `elo`."""
    low, high = -1000.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        mean, variance = moments(pairs(middle, drawelo))
        reached = mean - expected_score(elo) if scale == "logistic" else (
            NORMALISED * (mean - 0.5) / np.sqrt(2 * variance) - elo
        )  # fmt: skip
        low, high = (low, middle) if reached > 0 else (middle, high)
    return pairs(low, drawelo)


def simulate(test: Sprt, truth: Array, runs: int, rng: np.random.Generator) -> tuple[float, Array]:
    """How often H1 is accepted, and the pairs that each run took. The test is judged after every pair."""
    counts = np.zeros((runs, 5))
    active = np.arange(runs)
    taken, accepted = np.zeros(runs), np.zeros(runs, dtype=bool)
    cumulative = np.cumsum(truth)[:-1]
    while len(active):
        results = np.searchsorted(cumulative, rng.random(len(active)))
        counts[active, results] += 1
        taken[active] += 1
        llr = log_likelihood_ratio(counts[active], test.elo0, test.elo1, test.scale)
        accepted[active[llr >= test.upper]] = True
        active = active[(llr > test.lower) & (llr < test.upper)]
    return float(accepted.mean()), taken


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=10.0)
    parser.add_argument("--scale", choices=get_args(Scale), default="logistic")
    parser.add_argument("--drawelo", type=float, default=200.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    begun = time.perf_counter()
    test = Sprt(args.elo0, args.elo1, scale=args.scale)
    rng = np.random.default_rng(args.seed)
    found: dict[str, Any] = {**vars(args), "alpha": test.alpha, "beta": test.beta}
    for name, elo in (("h0", args.elo0), ("h1", args.elo1)):
        truth = engines(elo, args.scale, args.drawelo)
        accepted, taken = simulate(test, truth, args.runs, rng)
        found[f"error_rate_{name}_true"] = round(accepted if name == "h0" else 1 - accepted, 4)
        found[f"mean_pairs_{name}_true"] = round(float(taken.mean()))
        found[f"longest_pairs_{name}_true"] = int(taken.max())
        found[f"distribution_{name}"] = truth.round(4).tolist()
    print(json.dumps(found | {"seconds": round(time.perf_counter() - begun, 1)}))


if __name__ == "__main__":
    main()
