"""Small stores of games, for those who learn by watching."""

import random
import sys
from collections.abc import Iterable
from pathlib import Path

from okapi.core import Game, Move, Position
from okapi.core._core import RawGame
from okapi.data.store import Store, StoreWriter

sys.path.insert(0, str(Path(__file__).parent.parent / "data"))

from made_games import made_game

__all__ = ["made_game", "played", "stored", "written"]


def written(text: str, **tags: str) -> Game:
    """A game by its moves."""
    return Game(Position.start(), Game.of(text.split()).moves, "*", tags=tags)


def played(seed: int, plies: int = 24, **tags: str) -> Game:
    """A game in which White plays whatever comes first in the alphabet, and Black throws dice."""
    dice = random.Random(seed)
    position = Position.start()
    moves: list[Move] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(min(legal, key=str) if len(moves) % 2 == 0 else dice.choice(legal))
        position.play(moves[-1])
    return Game(Position.start(), tuple(moves), "*", tags=tags)


def stored(path: Path, games: Iterable[Game | RawGame]) -> Store:
    """A store of them."""
    with StoreWriter.open(path) as writer:
        for game in games:
            writer.add(game)
    return Store.open(path)
