"""Games of an evaluator against itself, in bulk: whole games as samples, and short ones for TD-Leaf.

>>> from okapi.core import RawBrain
>>> evaluator = Evaluator.from_brain(RawBrain.default())
>>> samples = play_games(evaluator, games=2, nodes=16, seed=1)
>>> sorted(set(samples["game"].tolist())), bool((samples["move"] != 0).all())
([0, 1], True)
>>> from okapi.core.packed import random_positions
>>> played = play_tdleaf(evaluator, random_positions(3, seed=1), plies=4, nodes=64, seed=2)
>>> played.values.shape, bool((played.kinds == LEARNS).all())
((3, 4), True)
>>> bool((played.values == np.where(played.turned, -1, 1) * played.leaf_values).all())
True
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Evaluator
from okapi.core.match import Adjudication
from okapi.core.packed import NO_GAME, POSITION, SAMPLE, rows
from okapi.core.search import check_least, known_heuristics

# --- Whole games ------------------------------------------------------------------------------------------------------

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
    moves, `random_plies` or one more; where a side is ahead by more than `balanced` centipawns, after others. Results
    are those of the games; one that is too long has none. Endgame tables are not used.

    A game starts with an empty table: the result depends on the arguments alone, and not on `threads`, nor on
    which games are played together. Ctrl-C works between calls, so keep a call to some seconds.
    """
    check_least(0, games=games, first=first)
    check_least(1, nodes=nodes, threads=threads)
    if first + games > NO_GAME:
        raise ValueError(f"games end with number {first + games}: expected at most {NO_GAME}")
    if not 0 <= random_plies <= MOST_RANDOM_PLIES:
        raise ValueError(f"random_plies is {random_plies}: expected 0 to {MOST_RANDOM_PLIES}")
    played = _core.play_generation(
        evaluator,
        first=first,
        games=games,
        nodes=nodes,
        random_plies=random_plies,
        balanced=balanced,
        adjudication=_core.RawAdjudication(**asdict(adjudication)),
        seed=seed,
        threads=threads,
    )
    return np.frombuffer(played, SAMPLE)


# --- TD-Leaf ----------------------------------------------------------------------------------------------------------

NOTHING: Final = 0
"""The game was over before this ply."""
LEARNS: Final = 1
"""The value is the evaluator's value of the leaf."""
FIXED: Final = 2
"""A mate, or a draw by the rules: a target without a gradient."""

PLY: Final = np.dtype(
    [
        ("position", POSITION),
        ("leaf", POSITION),
        ("value", "<i4"),
        ("leaf_value", "<i4"),
        ("kind", "u1"),
        ("turned", "u1"),
        ("unused", "<u2"),
        ("unused_too", "<u4"),
    ]
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
    so that a value is the evaluator's value of a leaf. A game that ends within its plies has
    one more, FIXED, for the position in which it is over.

    A game starts with an empty table and histories: the result depends on the arguments alone, and
    not on `threads`. Ctrl-C works between calls, so keep a call to some seconds.
    """
    check_least(1, plies=plies, nodes=nodes)
    check_least(0, random_moves=random_moves)
    table = np.zeros((len(positions), plies), PLY)
    _core.play_tdleaf_games(
        evaluator,
        rows(positions),
        table[:, :, np.newaxis].view(np.uint8),
        nodes=nodes,
        seed=seed,
        random_moves=random_moves,
        without=known_heuristics(without),
        threads=threads,
    )
    return TdLeafGames(
        positions=np.ascontiguousarray(table["position"]),
        values=np.ascontiguousarray(table["value"]),
        leaves=np.ascontiguousarray(table["leaf"]),
        leaf_values=np.ascontiguousarray(table["leaf_value"]),
        kinds=np.ascontiguousarray(table["kind"]),
        turned=table["turned"] != 0,
    )
