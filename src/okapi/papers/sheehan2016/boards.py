"""Boards as in Figures 5, 6 and 8, chosen from the test positions by rules, and the game of Figure 5."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator
from okapi.core import Color, Limits, Position, Search
from okapi.core.packed import fens, pack
from okapi.errors import NotFound
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import differential
from okapi.papers.sheehan2016.headlines import PUBLISHED
from okapi.papers.sheehan2016.training import (
    brain,
    has_weights,
    name_of,
    preferred,
    probabilities,
    splits,
    tested,
    trained_jobs,
)
from okapi.recipes.sheehan2016 import BETTER, variants

MOST_DECIDED: Final = 2000
"""Centipawns: values are clipped here, because rules would else find mates and won games only."""

LEVEL: Final = 20
"""Centipawns within which a position is level."""

NODES: Final = 200_000
"""Of Okapi's search on a board of the game."""

GAME: Final = {"Calm before the storm": "fxe5 Qe6", "Likely mate": "Ra8 Rd2", "Sacrificed for victory": "Qxe5+ fxe5"}
"""The last two moves before each board of Figure 5. The figure has lost its boards; differential and mate fit these."""


@dataclass(frozen=True, slots=True, eq=False)
class TestPositions:
    """Test positions with the teacher's values and Net A's answers."""

    positions: NDArray[np.void]
    values: NDArray[np.int64]
    """The teacher's, for White, clipped."""
    buckets: NDArray[np.int64]
    found: NDArray[np.float32]
    """Net A's probabilities."""

    @property
    def pawns(self) -> NDArray[np.int64]:
        return differential(self.positions)

    @property
    def answers(self) -> NDArray[np.int64]:
        return np.asarray(self.found.argmax(axis=1))

    @property
    def pieces(self) -> NDArray[np.int64]:
        return np.asarray(np.bitwise_count(self.positions["occupied"]), np.int64)


def storms(context: ExperimentContext) -> dict[str, Any]:
    """Boards of the figures and of the game."""
    job_set = trained_jobs(context)
    net_a = next(
        variant for variant in variants(context.size, own=False) if (variant.net, variant.how) == ("Net A", BETTER)
    )
    job = name_of(net_a, preferred(splits(context)))
    if not has_weights(job_set, job):
        raise NotFound("Net A was not trained yet", hint="--only networks")
    path = brain(context, job_set, job)
    positions, values, buckets = tested(job_set, job)
    values = values.clip(-MOST_DECIDED, MOST_DECIDED)
    test = TestPositions(positions, values, buckets, probabilities(path, positions))
    return {
        "edges": list(job_set.jobs[job].target.edges),
        "rows": [*_wrong(test), *_right(test), *_predictions(test)],
        "game": [_of_the_game(title, moves, path) for title, moves in GAME.items()],
        "nodes": NODES,
    }


# --- Rules: the row for which a number is largest, among those that fit -----------------------------------------------


def _wrong(test: TestPositions) -> list[dict[str, Any]]:
    apart = np.abs(100 * test.pawns - test.values)
    level = (np.abs(test.values) <= LEVEL) & (np.abs(test.pawns) >= 1)
    winning = (test.pawns <= -1) & (test.values >= 300)
    losing = (test.pawns >= 1) & (test.values <= -300)
    return [
        *_best(test, "5", "Ahead in pieces, but level", level, apart),
        *_best(test, "5", "Behind in pieces, but winning", winning, apart),
        *_best(test, "5", "Ahead in pieces, but losing", losing, apart),
    ]


def _right(test: TestPositions) -> list[dict[str, Any]]:
    apart = np.abs(100 * test.pawns - test.values)
    return [
        *_best(test, "6", "White is ahead by material only", test.pawns >= 3, -apart),
        *_best(test, "6", "Black is ahead by material only", test.pawns <= -3, -apart),
    ]


def _predictions(test: TestPositions) -> list[dict[str, Any]]:
    off = np.abs(test.answers - test.buckets)
    sure = test.found.max(axis=1)
    return [
        *_best(test, "8", "Direct hit in the endgame", (off == 0) & (test.pieces <= 12), sure),
        *_best(test, "8", "Direct hit in the middle game", (off == 0) & (test.pieces > 20), sure),
        *_best(test, "8", "Near miss early on", (off == 1) & (test.pieces >= 28), sure),
        *_best(test, "8", "Miss", off >= 3, off + sure),
    ]


def _best(
    test: TestPositions, figure: str, title: str, fits: NDArray[np.bool_], by: NDArray[Any]
) -> list[dict[str, Any]]:
    """The row, if any fits."""
    rows = np.flatnonzero(fits)
    if not len(rows):
        return []
    row = int(rows[np.argmax(by[rows])])
    return [
        {
            "figure": figure,
            "title": title,
            "fen": fens(test.positions[row : row + 1])[0],
            "differential": int(test.pawns[row]),
            "teacher": int(test.values[row]),
            "bucket": int(test.buckets[row]),
            "answer": int(test.answers[row]),
            "probabilities": [round(float(share), 4) for share in test.found[row]],
        }
    ]


# --- The game ---------------------------------------------------------------------------------------------------------


def _of_the_game(title: str, moves: str, path: Path) -> dict[str, Any]:
    """A board of the game: its differential, the value of Okapi's search, and Net A's answer."""
    before, found, _ = PUBLISHED.alekhine.partition(moves)
    position = Position.start()
    for san in (before + found).split():
        position.play(san)
    value = Search(evaluator()).run(position, Limits(nodes=NODES)).value.for_side(Color.WHITE)
    packed = pack([position])
    shares = probabilities(path, packed)[0]
    return {
        "title": title,
        "fen": position.fen(),
        "differential": int(differential(packed)[0]),
        "mate": value.mate,
        "teacher": value.centipawns,
        "answer": int(shares.argmax()),
        "probabilities": [round(float(share), 4) for share in shares],
    }
