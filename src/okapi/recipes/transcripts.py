"""
Transcripts: games as bare moves, small enough to travel, which a machine with torch alone can play through again.

Two bytes a move, from the common starting position; with each game its result, the two ratings, and which part of a
course it is for. A folder may hold several files of them. Needs numpy alone.
"""

import io
import lzma
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidText, NotFound
from okapi.files import replace_file

__all__ = ["Transcripts"]

NAME: Final = "transcripts-{}.npz.xz"


@dataclass(frozen=True, slots=True, eq=False)
class Transcripts:
    """Arrays: the moves of all games, one behind the other, and what is known of each game."""

    moves: NDArray[np.uint8]
    """Where a piece comes from and goes to, n x 2; castling is the king's move of two squares.

    What a pawn becomes is in the two highest bits of where it goes: queen 0, rook 1, bishop 2, knight 3.
    """
    lengths: NDArray[np.uint16]
    """Moves of each game."""
    results: NDArray[np.uint8]
    """0 Black won, 1 drawn, 2 White won."""
    elos: NDArray[np.uint16]
    """White's and Black's rating, games x 2."""
    parts: NDArray[np.uint8]
    """What each game is for: okapi.recipes.arrays."""

    def __post_init__(self) -> None:
        games = len(self.lengths)
        shapes = (self.moves.shape, self.results.shape, self.elos.shape, self.parts.shape)
        if shapes != ((int(self.lengths.sum(dtype=np.int64)), 2), (games,), (games, 2), (games,)):
            raise InvalidText(f"transcripts of {games} games have arrays of other lengths: {shapes}")

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, games: NDArray[Any]) -> Self:
        """Some of the games, in this order."""
        ends = self.lengths.cumsum(dtype=np.int64)
        begins = ends - self.lengths
        lengths = self.lengths[games].astype(np.int64)
        # Of each chosen move: how far it lies from where its game begins here, and where the game began there.
        steps = np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths)
        here = np.repeat(begins[games], lengths) + steps
        return type(self)(
            self.moves[here], self.lengths[games], self.results[games], self.elos[games], self.parts[games]
        )

    def write(self, folder: Path, files: int = 1) -> list[Path]:
        """Into so many files of about the same size."""
        folder.mkdir(parents=True, exist_ok=True)
        paths: list[Path] = []
        for number, games in enumerate(np.array_split(np.arange(len(self)), files), start=1):
            some = self.take(games)
            buffer = io.BytesIO()
            np.savez(buffer, **{each.name: getattr(some, each.name) for each in fields(self)})
            paths.append(folder / NAME.format(number))
            replace_file(paths[-1], lzma.compress(buffer.getvalue()))
        return paths

    @classmethod
    def read(cls, folder: Path) -> Self:
        """All files of a folder: NotFound if there is none, InvalidText if one is damaged."""
        paths = sorted(folder.glob(NAME.format("*")))
        if not paths:
            raise NotFound(f"`{folder}` holds no transcripts of games")
        return cls._joined([cls._read(path) for path in paths])

    @classmethod
    def _read(cls, path: Path) -> Self:
        try:
            with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as arrays:
                return cls(**{each.name: arrays[each.name] for each in fields(cls)})
        except (OSError, ValueError, KeyError, EOFError, lzma.LZMAError) as error:
            raise InvalidText(f"`{path}` holds no transcripts: {error}", hint="make it again") from None

    @classmethod
    def _joined(cls, several: Sequence[Self]) -> Self:
        return cls(**{each.name: np.concatenate([getattr(one, each.name) for one in several]) for each in fields(cls)})
