"""Positions from whatever file they stand in: games, or samples of any format."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from okapi.core import Game, Move
from okapi.core.packed import NO_VALUE, SAMPLE, pack
from okapi.core.samples import Rows, as_samples
from okapi.data.convert import read_samples
from okapi.data.ingest import Complaint
from okapi.data.reading import read_games
from okapi.data.sources import StoreSource
from okapi.data.store import Store
from okapi.formats.samples import Skipped
from okapi.formats.streams import plain_suffix

__all__ = ["STORE", "Chunk", "positions_of_game", "read_positions"]

STORE: Final = ".okapi"
PGN: Final = ".pgn"
"""How names of game stores end, and of files of games."""

AT_A_TIME: Final = 4096
"""Positions that are read together."""

RESULTS: Final = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
"""For White, as samples count; others are unknown."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some thousand positions."""

    rows: Rows
    """SAMPLE, in the order of the source."""
    part: float
    """How much of all sources was read, 0 to 1."""


def read_positions(sources: Sequence[Path | str], skipped: Skipped) -> Iterator[Chunk]:
    """Yield the positions of files. What makes no sense is counted, not raised."""
    part = 0.0

    def heard(fraction: float) -> None:
        nonlocal part
        part = fraction

    for number, path in enumerate(map(Path, sources)):
        part = 0.0
        for rows in _read(path, skipped, heard):
            yield Chunk(as_samples(rows), (number + part) / len(sources))


def _read(path: Path, skipped: Skipped, heard: Callable[[float], None]) -> Iterator[Rows]:
    if path.suffix == STORE:
        return _positions_of(Store.open(path), heard)
    if plain_suffix(path) == PGN:

        def complain(trouble: Complaint) -> None:
            skipped.add(f"{path.name}, line {trouble.line}", trouble.reason)

        return _in_chunks(map(positions_of_game, count(), read_games(path, complain, heard)))
    return read_samples(path, skipped=skipped, heard=heard)


def _positions_of(store: Store, heard: Callable[[float], None]) -> Iterator[Rows]:
    """Every position in which a move was played."""
    source = StoreSource(store)
    for start in range(0, len(source), AT_A_TIME):
        end = min(start + AT_A_TIME, len(source))
        heard(end / len(source))
        yield source.take(np.arange(start, end))


def positions_of_game(number: int, game: Game) -> Rows:
    """Every position of a game in which a move was played.

    Behind a null move nobody knows what the result belongs to: there it ends.
    """
    positions, position = [], game.start.copy()
    for move in game.moves:
        if move == Move.none():
            break
        positions.append(position.copy())
        position.play_unchecked(move)
    rows = np.zeros(len(positions), SAMPLE)
    rows["position"] = pack(positions)
    rows["value"], rows["game"], rows["ply"] = NO_VALUE, number, np.arange(len(rows))
    white = RESULTS.get(game.result, -1)
    rows["result"] = white if white < 0 else np.where(rows["position"]["turn"] == 0, white, 2 - white)
    return rows


def _in_chunks(parts: Iterator[Rows]) -> Iterator[Rows]:
    waiting: list[Rows] = []
    for rows in parts:
        waiting.append(rows)
        if sum(map(len, waiting)) >= AT_A_TIME:
            yield np.concatenate(waiting)
            waiting = []
    if waiting:
        yield np.concatenate(waiting)
