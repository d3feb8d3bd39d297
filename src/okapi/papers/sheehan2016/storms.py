"""
Boards as in Figures 5, 6 and 8, chosen from the test positions by rules, and the game of Figure 5 itself.

Figure 5: the differential is wrong. Figure 6: it is right. Figure 8: Net A hits, nearly misses, and misses.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator
from okapi.core import Color, Limits, Position, Thinker
from okapi.core.packed import fens, pack
from okapi.errors import NotFound
from okapi.papers.sheehan2016.certainty import probabilities, tested
from okapi.papers.sheehan2016.courses import brain, has_weights, name_of, preferred, splits, taught
from okapi.papers.sheehan2016.differential import differential
from okapi.papers.sheehan2016.published import ALEKHINE
from okapi.recipes.lab import Lab
from okapi.recipes.sheehan2016 import BETTER, variants

__all__ = ["storms"]

MOST_DECIDED: Final = 2000
"""Centipawns: mates and won games count as so many, or they would be all that rules find."""

LEVEL: Final = 20
"""Centipawns within which a position is level."""

NODES: Final = 200_000
"""How long Okapi looks at a board of the game."""

GAME: Final = {"Calm before the storm": "fxe5 Qe6", "Likely mate": "Ra8 Rd2", "Sacrificed for victory": "Qxe5+ fxe5"}
"""The last two moves before each board of Figure 5. The figure has lost its boards; differential and mate fit these."""


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """Test positions with all that is said of them."""

    positions: NDArray[np.void]
    values: NDArray[np.int64]
    """The teacher's, for White, no mates."""
    buckets: NDArray[np.int64]
    found: NDArray[np.float32]
    """Net A's probabilities."""

    @property
    def pawns(self) -> NDArray[np.int64]:
        """Piece differentials."""
        return differential(self.positions)

    @property
    def answers(self) -> NDArray[np.int64]:
        """Net A's buckets."""
        return np.asarray(self.found.argmax(axis=1))

    @property
    def pieces(self) -> NDArray[np.int64]:
        """How many stand on each board."""
        return np.asarray(np.bitwise_count(self.positions["occupied"]), np.int64)


def storms(lab: Lab) -> dict[str, Any]:
    """All boards."""
    course = taught(lab)
    net_a = next(
        variant for variant in variants(lab.size, own=False) if (variant.net, variant.how) == ("Net A", BETTER)
    )
    lesson = name_of(net_a, preferred(splits(lab)))
    if not has_weights(course, lesson):
        raise NotFound("Net A was not taught yet", hint="--only networks")
    path = brain(lab, course, lesson)
    positions, values, buckets = tested(course, lesson)
    values = values.clip(-MOST_DECIDED, MOST_DECIDED)
    test = Test(positions, values, buckets, probabilities(path, positions))
    return {
        "edges": list(course.lessons[lesson].target.edges),
        "rows": [*_wrong(test), *_right(test), *_predictions(test)],
        "game": [_of_the_game(title, moves, path) for title, moves in GAME.items()],
        "nodes": NODES,
    }


# --- Rules: the row for which a number is largest, among those that fit -----------------------------------------------


def _wrong(test: Test) -> list[dict[str, Any]]:
    apart = np.abs(100 * test.pawns - test.values)
    level = (np.abs(test.values) <= LEVEL) & (np.abs(test.pawns) >= 1)
    winning = (test.pawns <= -1) & (test.values >= 300)
    losing = (test.pawns >= 1) & (test.values <= -300)
    return [
        *_best(test, "5", "Ahead in pieces, and level", level, apart),
        *_best(test, "5", "Behind in pieces, and winning", winning, apart),
        *_best(test, "5", "Ahead in pieces, and losing", losing, apart),
    ]


def _right(test: Test) -> list[dict[str, Any]]:
    apart = np.abs(100 * test.pawns - test.values)
    return [
        *_best(test, "6", "White is ahead, and that is all", test.pawns >= 3, -apart),
        *_best(test, "6", "Black is ahead, and that is all", test.pawns <= -3, -apart),
    ]


def _predictions(test: Test) -> list[dict[str, Any]]:
    off = np.abs(test.answers - test.buckets)
    sure = test.found.max(axis=1)
    return [
        *_best(test, "8", "Direct hit in the endgame", (off == 0) & (test.pieces <= 12), sure),
        *_best(test, "8", "Direct hit in the middle game", (off == 0) & (test.pieces > 20), sure),
        *_best(test, "8", "Near miss early on", (off == 1) & (test.pieces >= 28), sure),
        *_best(test, "8", "Miss", off >= 3, off + sure),
    ]


def _best(test: Test, figure: str, title: str, fits: NDArray[np.bool_], by: NDArray[Any]) -> list[dict[str, Any]]:
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
    """A board of the game as differential, Okapi's search and Net A see it."""
    before, found, _ = ALEKHINE.partition(moves)
    position = Position.start()
    for san in (before + found).split():
        position.play(san)
    value = Thinker(evaluator()).think(position, Limits(nodes=NODES)).value.for_side(Color.WHITE)
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
