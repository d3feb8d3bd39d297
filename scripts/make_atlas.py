"""Map what a value network sees: NAME.atlas beside the brain, from positions of a game store.

    python scripts/make_atlas.py okapi-outcome --games games.okapi --points 1500

One position a game, from any move of it, so that no two are neighbours by birth. The same seed gives the same file.
"""

import argparse
from pathlib import Path

import numpy as np

from okapi.brains import find
from okapi.data.store import Store
from okapi.recipes.atlas import make_atlas


def main() -> None:
    """Read the arguments, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brain", help="the name of a brain that is shipped, or a file")
    parser.add_argument("--games", type=Path, required=True, help="a game store")
    parser.add_argument("--points", type=int, default=1500)
    parser.add_argument("--perplexity", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    store, dice = Store.open(args.games), np.random.default_rng(args.seed)
    lengths = store.plies()
    games = dice.permutation(np.flatnonzero(lengths))[: args.points]
    positions = store.positions(games, dice.integers(lengths[games]))
    brain = find(args.brain)
    path = brain.with_suffix(".atlas")
    make_atlas(brain, positions, perplexity=args.perplexity, seed=args.seed).write(path)
    print(f"{path.name}: {len(positions):,} points, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
