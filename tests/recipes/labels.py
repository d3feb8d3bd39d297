"""Games of a few moves, and positions of them labelled by hand."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from okapi.core import Game, Position
from okapi.core.packed import NO_GAME, SAMPLE, pack
from okapi.data.sources import write_samples
from okapi.data.store import StoreWriter

OPENINGS = (
    "e4 e5 Nf3 Nc6 Bb5 a6",
    "d4 d5 c4 e6 Nc3 Nf6",
    "e4 c5 Nf3 d6 d4 cxd4",
    "c4 e5 Nc3 Nf6 g3 d5",
    "f4 d5 Nf3 g6",
)


def game(moves: str) -> Game:
    """A game from the start."""
    position = Position.start()
    for move in moves.split():
        position.play(move)
    return Game(Position.start(), tuple(position.history()), "1/2-1/2")


def along(moves: str) -> list[Position]:
    """Every position of it, the last one included."""
    positions = [Position.start()]
    for move in moves.split():
        positions.append(positions[-1].after(move))
    return positions


def write_games(path: Path, games: Sequence[str] = OPENINGS) -> Path:
    """A store of these games."""
    with StoreWriter.open(path) as writer:
        for moves in games:
            writer.add(game(moves))
    return path


def consecutive(games: Sequence[str] = OPENINGS) -> np.ndarray:
    """Samples of every position of these games but the start, each game with its number; value: its row."""
    rows = []
    for number, moves in enumerate(games):
        positions = along(moves)[1:]
        some = np.zeros(len(positions), SAMPLE)
        some["position"] = pack(positions)
        some["game"], some["ply"] = number, np.arange(1, len(positions) + 1)
        rows.append(some)
    samples = np.concatenate(rows)
    samples["value"] = np.arange(len(samples))
    return samples


def nameless(positions: Sequence[Position]) -> np.ndarray:
    """Samples that name no games; value: their row."""
    samples = np.zeros(len(positions), SAMPLE)
    samples["position"] = pack(positions)
    samples["game"], samples["value"] = NO_GAME, np.arange(len(samples))
    return samples


def write_labels(path: Path, samples: np.ndarray) -> Path:
    """A file of them, in whatever format its name says."""
    write_samples(path, [samples])
    return path
