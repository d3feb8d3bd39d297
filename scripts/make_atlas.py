"""Map what a value network sees: NAME.atlas beside the brain, from positions of a game store.

    python scripts/make_atlas.py okapi-outcome --games games.okapi --points 1500

One position a game, from any move of it, so that no two come from one game. The same seed gives the
same file. Needs the extra `analysis`.
"""

import argparse
from pathlib import Path

import numpy as np

from okapi.analysis.embedding_map import make_embedding_map
from okapi.brains import find
from okapi.data.store import Store


def main() -> None:
    """Read the arguments, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brain", help="the name of a brain that is shipped, or a file")
    parser.add_argument("--games", type=Path, required=True, help="a game store")
    parser.add_argument("--points", type=int, default=1500)
    parser.add_argument("--perplexity", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    store, rng = Store.open(args.games), np.random.default_rng(args.seed)
    lengths = store.plies()
    games = rng.permutation(np.flatnonzero(lengths))[: args.points]
    positions = store.positions(games, rng.integers(lengths[games]))
    brain = find(args.brain)
    path = brain.with_suffix(".atlas")
    make_embedding_map(brain, positions, perplexity=args.perplexity, seed=args.seed).write(path)
    print(f"{path.name}: {len(positions):,} points, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
