"""The tournament of chapter 4: everybody plays the same number of games against opponents that the dice choose."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from okapi.arena.openings import load_openings
from okapi.core import Brain, Color, Duel, Duellist, Evaluator, Limits, Position
from okapi.optimize.executor import Executor
from okapi.optimize.generation import Score
from okapi.optimize.genes import FloatArray

__all__ = ["Pairing", "Sitting", "pairings", "play", "tournament"]

GAMES_AT_ONCE = 5
"""In a task of the executor: enough that loading brains does not matter, few enough that all hands end together."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game: who has White, who has Black, and which of the openings."""

    white: int
    black: int
    opening: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """Some games of a tournament, with all that is needed to play them anywhere."""

    brains: dict[int, bytes]
    pairings: tuple[Pairing, ...]
    depth: int
    without: tuple[str, ...] = ()


def pairings(players: int, games: int, dice: random.Random) -> list[Pairing]:
    """As many rounds as each is to play games; in each round the dice say who meets whom, and who has White.

    >>> [(game.white, game.black) for game in pairings(4, 2, random.Random(1))]
    [(1, 2), (0, 3), (3, 1), (2, 0)]
    """
    drawn = []
    for _ in range(games):
        order = dice.sample(range(players), players)
        drawn += [Pairing(order[i], order[i + 1], dice.randrange(len(_openings()))) for i in range(0, players - 1, 2)]
    return drawn


def tournament(
    express: Callable[[FloatArray], bytes],
    executor: Executor,
    *,
    games: int,
    depth: int,
    seed: int,
    without: Sequence[str] = (),
) -> Score:
    """A score function: the points that each player takes. The same for the same seed and number of the question."""

    def score(population: FloatArray, number: int) -> FloatArray:
        brains = [express(player) for player in population]
        drawn = pairings(len(brains), games, random.Random(f"{seed} {number}"))
        sittings = [
            Sitting(
                {i: brains[i] for game in some for i in (game.white, game.black)}, tuple(some), depth, tuple(without)
            )
            for some in (drawn[i : i + GAMES_AT_ONCE] for i in range(0, len(drawn), GAMES_AT_ONCE))
        ]
        results = [result for some in executor.map(play, sittings) for result in some]
        points = np.zeros(len(brains))
        for game, result in zip(drawn, results, strict=True):
            points[game.white] += result
            points[game.black] += 1.0 - result
        return points

    return score


def play(sitting: Sitting) -> list[float]:
    """White's points in each game."""
    limits = Limits(depth=sitting.depth)
    duellists = {
        player: Duellist(Evaluator.from_brain(Brain.from_bytes(brain)), limits, without=sitting.without)
        for player, brain in sitting.brains.items()
    }
    return [
        bout.score
        for game in sitting.pairings
        for bout in Duel(duellists[game.white], duellists[game.black], [(_openings()[game.opening], Color.WHITE)])
    ]


@cache
def _openings() -> tuple[Position, ...]:
    return tuple(load_openings(seed=None))
