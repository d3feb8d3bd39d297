"""Where there are no labels: Okapi plays games, and what its search says of each position is the label."""

import tempfile
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import load
from okapi.core import Color, Duel, Duellist, Evaluator, Limits, random_openings
from okapi.core.keys import KeySet, position_keys
from okapi.data.sources import StoreSource
from okapi.data.store import Store, StoreWriter
from okapi.recipes.order import Size

__all__ = ["GAMES", "NODES", "PLAYER", "made_here"]

GAMES: Final[dict[Size, int]] = {"tiny": 40, "quick": 800, "full": 4000}

PLAYER: Final = "okapi-28"
NODES: Final = 400
"""Who plays and labels, and how much it thinks about a move."""

SEED: Final = 2016
"""Of the openings, which are random moves: games that begin so are decided more often than those of masters."""


def made_here(size: Size, threads: int) -> NDArray[np.void]:
    """Rows of SAMPLE, each position once: the same ones always, however many threads play."""
    player = Duellist(Evaluator.from_brain(load(PLAYER)), Limits(nodes=NODES))
    starts = random_openings(GAMES[size], seed=SEED)
    duel = Duel(player, player, [(start, Color.WHITE) for start in starts], thoughts=True, threads=threads)
    with tempfile.TemporaryDirectory(prefix="okapi-") as folder:
        path = Path(folder) / "games.okapi"
        with StoreWriter.open(path) as writer:
            for bout in duel.raw():
                writer.add(bout.record(starts[bout.number], []))
        source = StoreSource(Store.open(path))
        rows = source.take(np.arange(len(source)))
    return rows[KeySet(len(rows)).add(position_keys(rows["position"]))]
