"""Small stores of games, for those who learn by watching."""

import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from okapi.core import Game, Move, Position
from okapi.core._core import RawGame
from okapi.data.store import Store, StoreWriter

sys.path.insert(0, str(Path(__file__).parent.parent / "data"))

from made_games import made_game

__all__ = ["made_game", "played", "season", "stored", "written"]

Habit = Callable[..., Move]
"""Chooses among legal moves: min or max."""


def written(text: str, **tags: str) -> Game:
    """A game by its moves."""
    return Game(Position.start(), Game.of(text.split()).moves, "*", tags=tags)


def played(seed: int, habit: Habit = min, plies: int = 24, **tags: str) -> Game:
    """A game in which White plays whatever comes first in the alphabet, or last; Black moves at random, and loses."""
    rng = random.Random(seed)
    position = Position.start()
    moves: list[Move] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(habit(legal, key=str) if len(moves) % 2 == 0 else rng.choice(legal))
        position.play(moves[-1])
    return Game(Position.start(), tuple(moves), "1-0", tags=tags)


def season(count: int, white: str, habit: Habit = min, seed: int = 0) -> list[Game]:
    """Games of somebody with White: two a day, one after another, in tournaments of three."""
    return [
        played(
            seed + number,
            habit,
            Event=f"Cup {number // 3}",
            Date=f"2020.{1 + number // 40:02}.{1 + number // 2 % 20:02}",
            White=white,
            Black=f"Guest {number % 3}",
            WhiteElo=str(2000 + number),
            BlackElo="2100",
        )
        for number in range(count)
    ]


def stored(path: Path, games: Iterable[Game | RawGame]) -> Store:
    """A store of them."""
    with StoreWriter.open(path) as writer:
        for game in games:
            writer.add(game)
    return Store.open(path)
