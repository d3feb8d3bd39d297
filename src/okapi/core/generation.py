"""Whole games of an evaluator against itself, in bulk: what a generation of players leaves to the next one.

>>> from okapi.core import Brain
>>> samples = play(Evaluator.from_brain(Brain.default()), games=2, nodes=16, seed=1)
>>> sorted(set(samples["game"].tolist())), bool((samples["move"] != 0).all())
([0, 1], True)
"""

from dataclasses import asdict
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import Evaluator
from okapi.core.duel import Adjudication
from okapi.core.packed import NO_GAME, SAMPLE

__all__ = ["DECIDED", "MOST_RANDOM_PLIES", "play"]

DECIDED: Final = Adjudication(resign_score=2500, resign_moves=2, draw_score=10, draw_moves=8, draw_after=40)
"""What ends a game early: nothing new would be learned from the rest of it."""

MOST_RANDOM_PLIES: Final = 40
"""Few games live through more random moves than that."""


def play(
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
    """Play the games with the numbers from `first` on: a SAMPLE for each position in which a move was thought about.

    A search begins no new depth after `nodes` nodes, and stops after eight times as many. Games begin after random
    moves, `random_plies` or one more; where a side is ahead by more than `balanced` centipawns, after others. Results
    are those of the games; one that is too long has none. Endgame tables are not asked.

    A game begins with nothing remembered: what comes out depends on the arguments alone, and not on `threads`, nor on
    which games are played together. Ctrl-C is heard afterwards, so ask for no more than some seconds' work.
    """
    for name, number, least in (("games", games, 0), ("nodes", nodes, 1), ("first", first, 0), ("threads", threads, 1)):
        if number < least:
            raise ValueError(f"{name} is {number}: expected {least} or more")
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
