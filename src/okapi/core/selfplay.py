"""Games of an evaluator against itself, in bulk: whole games as samples, and short ones for TD-Leaf."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Evaluator
from okapi.core.match import Adjudication
from okapi.core.packed import NO_GAME, POSITION, SAMPLE, in_bytes, rows
from okapi.core.search import check_least, known_heuristics

DECIDED: Final = Adjudication(resign_score=2500, resign_moves=2, draw_score=10, draw_moves=8, draw_after=40)

MOST_RANDOM_PLIES: Final = 40
"""Few games last for more random moves."""


def play_games(
    evaluator: Evaluator,
    *,
    games: int,
    nodes: int,
    seed: int,
    first: int = 0,
    random_plies: int = 8,
    balanced: int = 1000,
    adjudication: Adjudication = DECIDED,
    threads: int = 1,
) -> NDArray[np.void]:
    """Play the games with the numbers from `first` on: a SAMPLE for each searched position.

    A search begins no new depth after `nodes` nodes, and stops after eight times as many. Games begin after random
    moves, `random_plies` or one more; where a side is ahead by more than `balanced` centipawns, after others. A game
    that is too long has no result. A game starts with an empty table and uses no endgame tables: it depends on the
    arguments alone, and not on `threads`. Ctrl-C works between calls, so keep a call to some seconds.
    """
    check_least(0, games=games, first=first)
    check_least(1, nodes=nodes, threads=threads)
    if first + games > NO_GAME:
        raise ValueError(f"games end with number {first + games}: expected at most {NO_GAME}")
    if not 0 <= random_plies <= MOST_RANDOM_PLIES:
        raise ValueError(f"random_plies is {random_plies}: expected 0 to {MOST_RANDOM_PLIES}")
    rules = _core.RawAdjudication(**asdict(adjudication))
    how = {"first": first, "games": games, "nodes": nodes, "random_plies": random_plies, "balanced": balanced}
    return np.frombuffer(
        _core.play_generation(evaluator, **how, adjudication=rules, seed=seed, threads=threads), SAMPLE
    )


NOTHING: Final = 0
"""The game was over before this ply."""
LEARNS: Final = 1
"""The value is the evaluator's value of the leaf."""
FIXED: Final = 2
"""A mate, or a draw by the rules: a target without a gradient."""

PLY: Final = np.dtype(
    {
        "names": ["position", "leaf", "value", "leaf_value", "kind", "turned", "unused", "unused_too"],
        "formats": [POSITION, POSITION, "<i4", "<i4", "u1", "u1", "<u2", "<u4"],
    }
)
"""One ply of a game; cpp/okapi/selfplay/tdleaf.h has the same bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class TdLeafGames:
    """Games side by side: one row a start, one column a ply."""

    positions: NDArray[np.void]
    """POSITION: the roots."""
    values: NDArray[np.int32]
    """What the search of each ply found: centipawns for its side to move. Mates are as the core has them."""
    leaves: NDArray[np.void]
    """POSITION: the ends of the principal variations."""
    leaf_values: NDArray[np.int32]
    """The evaluator's values of the leaves, for their side to move; where a value is fixed, that value."""
    kinds: NDArray[np.uint8]
    turned: NDArray[np.bool_]
    """Is the leaf's side to move the other one than the root's? Then its value is the negative of the root's."""


def play_tdleaf(
    evaluator: Evaluator,
    positions: NDArray[np.void],
    *,
    plies: int = 12,
    nodes: int = 256,
    seed: int,
    random_moves: int = 1,
    threads: int = 1,
    without: Sequence[str] = (),
) -> TdLeafGames:
    """Play on from each POSITION, after some random moves, with searches of `nodes` nodes.

    Values are those of the last finished depth. Correction history, fading, known endings and endgame tables are off,
    so that a value is the evaluator's value of a leaf. A game that ends within its plies has one more, FIXED, for the
    position in which it is over. The result depends on the arguments alone, and not on `threads`. Ctrl-C works between
    calls, so keep a call to some seconds.
    """
    check_least(1, plies=plies, nodes=nodes)
    check_least(0, random_moves=random_moves)
    table = np.zeros((len(positions), plies), PLY)
    how = {"nodes": nodes, "seed": seed, "random_moves": random_moves, "threads": threads}
    off = known_heuristics(without)
    _core.play_tdleaf_games(evaluator, rows(positions), in_bytes(table), **how, without=off)
    names = ("position", "value", "leaf", "leaf_value", "kind")
    roots, values, leaves, leaf_values, kinds = (np.ascontiguousarray(table[name]) for name in names)
    return TdLeafGames(roots, values, leaves, leaf_values, kinds, table["turned"] != 0)
