"""
Positions with the move that a teacher would play, beside the games of a course.

Arrays in its folder: rows as okapi.models.torch_encodings reads them, the best moves as 64 · from + to in the mover's
squares, and the part of each row. Needs torch and numpy alone.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.errors import InvalidText
from okapi.models.torch_boards import mirrored
from okapi.recipes.arrays import TRAIN, read_array, write_array
from okapi.training.supervised import Dataset

__all__ = ["TEACHER_ELO", "BestMoves"]

NAMES: Final = ("best-rows", "best-moves", "best-parts")

TEACHER_ELO: Final = 2900
"""What a network is told of the mover's rating where a teacher moves: the highest that it knows."""

OTHER_FILES: Final = 64 * 7 + 7
"""What turns files round in both squares of a move."""

AT_ONCE: Final = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class BestMoves:
    """Arrays of one length."""

    rows: NDArray[np.uint8]
    moves: NDArray[np.uint16]
    parts: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if not len(self.rows) == len(self.moves) == len(self.parts) or self.rows.shape[1:] != (36,):
            raise InvalidText(f"{self.rows.shape} rows have {len(self.moves)} best moves and {len(self.parts)} parts")

    def write(self, folder: Path) -> None:
        """Compressed, into the folder of a course."""
        arrays: tuple[NDArray[Any], ...] = (self.rows, self.moves, self.parts)
        for name, array in zip(NAMES, arrays, strict=True):
            write_array(folder, name, array, compressed=True)

    @staticmethod
    def found_in(folder: Path) -> bool:
        """Has a course some?"""
        return any(folder.glob(f"{NAMES[0]}.npy*"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound where a course has none."""
        return cls(*(read_array(folder, name) for name in NAMES))

    def dataset(self, part: int) -> Dataset:
        """Those of a part; to train on, also with the files turned round, where nobody may castle."""
        here = self.parts == part
        rows, moves = self.rows[here], self.moves[here].astype(np.int64)
        if part == TRAIN:
            turned, changed = _turned(rows)
            rows, moves = np.concatenate([rows, turned]), np.concatenate([moves, moves[changed] ^ OTHER_FILES])
        return Dataset(rows, moves)


def _turned(rows: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """The rows that look otherwise with files turned round, and which those are."""
    pieces: list[NDArray[np.uint8]] = []
    for begin in range(0, len(rows), AT_ONCE):
        some = mirrored(torch.from_numpy(rows[begin : begin + AT_ONCE])).numpy()
        pieces.append(some)
    turned = np.concatenate([np.zeros((0, 36), np.uint8), *pieces])
    changed = (turned != rows).any(axis=1)
    turned[:, 34] ^= 7
    return turned[changed], changed
