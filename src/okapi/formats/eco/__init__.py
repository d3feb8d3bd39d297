"""The names of openings: ECO codes and their lines, found by position, so that transpositions are recognised.

The table is the five files beside this one, one for each volume: a code, a name and moves on every line, and comments
(#) at the top. It was written for Okapi and has Okapi's licence; docs/howto/report.md tells of its sources.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from okapi.core import Game, Position
from okapi.core.keys import Keys


@dataclass(frozen=True, slots=True)
class Opening:
    eco: str
    name: str
    ply: int  # moves of either side until it is reached

    def __str__(self) -> str:
        return f"{self.eco} {self.name}"


@dataclass(frozen=True, slots=True)
class NamedLine:
    eco: str
    name: str
    moves: tuple[str, ...]  # in SAN, from the start of the game


def opening(game: Game) -> Opening | None:
    """The opening of a game: the last of its positions that has a name."""
    found, position = None, game.start.copy()
    for ply, move in enumerate(game.moves, start=1):
        position.play(move)
        if (here := openings_by_key().get(position.key)) is not None:
            found = replace(here, ply=ply)
    return found


@cache
def openings_by_key() -> Mapping[int, Opening]:
    """The opening of every position that has a name, by Polyglot key."""
    known = {}
    for line in named_lines():
        position = Position.start()
        for move in line.moves:
            position.play(move)
        known[position.key] = Opening(line.eco, line.name, len(line.moves))
    return MappingProxyType(known)


def find_openings(keys: Keys) -> NDArray[np.int32]:
    """Where each key stands in `named_lines()`, or -1: for positions by the million."""
    known, order = _sorted_keys()
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[places] == keys, order[places], np.int32(-1))


@cache
def _sorted_keys() -> tuple[Keys, NDArray[np.int32]]:
    keys = np.fromiter(openings_by_key(), np.uint64)
    order = np.argsort(keys)
    return keys[order], order.astype(np.int32)


@cache
def named_lines() -> tuple[NamedLine, ...]:
    """The whole table, in the order of the codes; a code's own line before those that branch from it."""
    texts = ((files(__name__) / f"{volume}.tsv").read_text(encoding="utf-8") for volume in "abcde")
    rows = (line.split("\t") for text in texts for line in text.splitlines() if not line.startswith("#"))
    return tuple(NamedLine(eco, name, tuple(moves.split())) for eco, name, moves in rows)
