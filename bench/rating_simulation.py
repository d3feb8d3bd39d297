"""How often the truth lies inside the interval: pools of simulated players whose ratings are known.

    python bench/rating_simulation.py --pools 200

Prints one JSON object. Results come from the model itself. Each game is between two players drawn by lot; ratings are
compared as distances from the mean of the pool, or from an anchor.
"""

import argparse
import json
import time

import numpy as np

from okapi.arena.elo import Array
from okapi.arena.ratings import RatingModel, RatingPool, Ratings, rate


def pool_of(truth: RatingModel, games: int, rng: np.random.Generator) -> RatingPool:
    """Games between players drawn by lot."""
    size = len(truth.elo)
    white = rng.integers(size, size=games)
    black = (white + rng.integers(1, size, size=games)) % size
    win, loss = truth.outcomes(truth.elo[white] - truth.elo[black])
    luck = rng.random(games)
    points = np.where(luck < win, 1.0, np.where(luck > 1 - loss, 0.0, 0.5))
    return RatingPool.of(zip(map(str, white), map(str, black), points.tolist(), strict=True))


def inside(found: Ratings, elo: Array) -> tuple[float, float, float]:
    """Share of intervals that hold the truth, root of the mean squared error, and mean half width."""
    shown = [player for player in found.players if player.high > player.low]
    true = np.array([elo[int(player.name)] for player in shown])
    low, high, middle = (np.array([getattr(player, key) for player in shown]) for key in ("low", "high", "elo"))
    error = np.sqrt(((middle - true) ** 2).mean())
    return float(((low <= true) & (true <= high)).mean()), float(error), float((high - low).mean() / 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pools", type=int, default=200)
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--spread", type=float, default=200.0, help="standard deviation of the true ratings")
    parser.add_argument("--advantage", type=float, default=35.0)
    parser.add_argument("--drawelo", type=float, default=150.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    begun = time.perf_counter()
    rng = np.random.default_rng(args.seed)
    to_mean, to_anchor, exact, seconds = [], [], [], []
    for _ in range(args.pools):
        raw = RatingModel(rng.normal(0, args.spread, args.players), args.advantage, args.drawelo)
        elo = raw.scale * raw.elo
        pool = pool_of(raw, args.games, rng)
        started = time.perf_counter()
        found = rate(pool)
        seconds.append(time.perf_counter() - started)
        to_mean.append(inside(found, elo - elo.mean()))
        to_anchor.append(inside(rate(pool, anchors={"0": float(elo[0])}), elo))
        exact.append(inside(rate(pool, exact=True), elo - elo.mean()))
    figures: dict[str, float] = {}
    for name, measured in (("mean", to_mean), ("anchor", to_anchor), ("exact", exact)):
        coverage, error, width = np.mean(measured, axis=0)
        figures |= {
            f"inside_{name}": round(float(coverage), 4),
            f"error_{name}": round(float(error), 2),
            f"half_width_{name}": round(float(width), 2),
        }
    figures |= {"fit_ms": round(1000 * float(np.median(seconds)), 1), "seconds": round(time.perf_counter() - begun, 1)}
    print(json.dumps({**vars(args), **figures}))


if __name__ == "__main__":
    main()
