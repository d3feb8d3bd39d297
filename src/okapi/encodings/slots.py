"""The slot system of lai2015: which piece stands in which line of the list."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Kind
from okapi.encodings.boards import Codes, Mask, code

__all__ = ["Slot", "first_slot", "pair_slots", "pawn_slots"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A potential piece, for a batch of positions."""

    exists: Mask
    square: NDArray[np.int64]
    """Meaningless where nothing is."""

    @property
    def file(self) -> NDArray[np.int64]:
        """0 to 7."""
        return self.square & 7

    @property
    def rank(self) -> NDArray[np.int64]:
        """0 to 7."""
        return self.square >> 3


def first_slot(codes: Codes, color: Color, kind: Kind) -> Slot:
    """The first piece of a kind, from a1 to h8."""
    return next(_in_order(codes == code(color, kind)))


def pair_slots(codes: Codes, color: Color, kind: Kind) -> tuple[Slot, Slot]:
    """The first two of a kind, the one further left first. A single one takes the slot of its half of the board."""
    order = _in_order(codes == code(color, kind))
    one, two = next(order), next(order)
    swapped = np.where(two.exists, one.file > two.file, one.file >= 4)
    return _chosen(swapped, two, one), _chosen(swapped, one, two)


def pawn_slots(codes: Codes, color: Color) -> list[Slot]:
    """A pawn takes the slot of its file; one that finds it taken, the nearest free one."""
    pawns = codes == code(color, Kind.PAWN)
    squares = np.full((len(codes), 8), -1)
    on_files = pawns.reshape(-1, 8, 8)
    lowest = on_files.argmax(axis=1) * 8 + np.arange(8)
    squares = np.where(on_files.any(axis=1), lowest, squares)
    spare = pawns & ~(np.arange(64)[:, np.newaxis] == squares[:, np.newaxis, :]).any(axis=2)
    for slot in _in_order(spare):
        free = squares < 0
        late = slot.exists & free.any(axis=1)
        if not late.any():
            break
        distance = np.abs(np.arange(8) - slot.file[:, np.newaxis])
        nearest = np.where(free, distance, 8).argmin(axis=1)
        squares[late, nearest[late]] = slot.square[late]
    return [Slot(squares[:, n] >= 0, squares[:, n]) for n in range(8)]


def _in_order(pieces: Mask) -> Iterator[Slot]:
    """The pieces of each position, from a1 to h8, then slots in which nothing exists."""
    left = pieces.copy()
    rows = np.arange(len(left))
    while True:
        square = left.argmax(axis=1)
        yield Slot(np.asarray(left.any(axis=1)), square)
        left[rows, square] = False


def _chosen(condition: Mask, yes: Slot, no: Slot) -> Slot:
    return Slot(np.where(condition, yes.exists, no.exists), np.where(condition, yes.square, no.square))
