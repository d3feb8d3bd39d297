"""The interface of encodings: how a position becomes an array."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from okapi.core import Position
from okapi.core.packed import POSITION, encode_positions, pack, rows
from okapi.errors import UsageError

Positions = NDArray[np.void]  # an array of okapi.core.packed.POSITION
Numbers = NDArray[Any]

FITS: Final = {
    np.dtype(np.uint8): ("uint8", "int8", "float32"),
    np.dtype(np.int8): ("int8", "float32"),
    np.dtype(np.float32): ("float32",),
}
"""The types that hold the numbers of an encoding, by the smallest of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """A name, a shape, and a function in two versions: readable in numpy, fast in C++.

    >>> from okapi.encodings import ENCODINGS
    >>> planes = ENCODINGS["planes-6"].encode(Position.start())
    >>> planes.shape, planes.dtype.name, planes[0].sum(axis=1).tolist()
    ((6, 8, 8), 'int8', [0, 8, 0, 0, 0, 0, -8, 0])
    """

    name: str
    source: str  # the paper and section it follows
    summary: str
    parts: tuple[str, ...]  # what each entry along the first axis is
    in_numpy: Callable[[Positions], Numbers]  # the definition, for a batch; slow
    shape: tuple[int, ...] = field(init=False)
    dtype: np.dtype[Any] = field(init=False)  # the smallest type that holds its numbers
    in_cpp: Callable[[NDArray[np.uint8], Numbers, int], None] | None = None
    """Writes rows of packed positions into an array, on so many threads; by default the twin of that name."""
    base: "Encoding | None" = None  # where layers were added: the encoding without them
    layers: tuple[str, ...] = ()  # inputs in the last channels: see okapi.encodings.layers

    def __post_init__(self) -> None:
        nothing = self.in_numpy(np.zeros(0, POSITION))
        object.__setattr__(self, "shape", nothing.shape[1:])
        object.__setattr__(self, "dtype", nothing.dtype)

    def encode(self, position: Position, dtype: DTypeLike | None = None) -> Numbers:
        return np.asarray(self.encode_many(pack([position]), dtype)[0])

    def encode_many(
        self, positions: Positions, dtype: DTypeLike | None = None, *, out: Numbers | None = None, threads: int = 1
    ) -> Numbers:
        """Encode an array of positions in C++. `out` may be part of a larger array.

        >>> from okapi.core.packed import random_positions
        >>> from okapi.encodings import ENCODINGS
        >>> batch = np.zeros((1000, 8, 8, 8), np.float32)      # two channels more than planes-6 has
        >>> ENCODINGS["planes-6"].encode_many(random_positions(1000, seed=1), out=batch[:, :6]).shape
        (1000, 6, 8, 8)
        """
        wanted = np.dtype(dtype if dtype is not None else self.dtype if out is None else out.dtype)
        if wanted.name not in FITS[self.dtype] or (out is not None and out.dtype != wanted):
            hint = f"its numbers fit {' or '.join(FITS[self.dtype])}"
            raise UsageError(f"{self.name} cannot be written as {wanted.name}", hint=hint)
        array = np.empty((len(positions), *self.shape), wanted) if out is None else out
        if array.shape != (len(positions), *self.shape):
            raise UsageError(f"{len(positions)} positions as {self.name} do not fit an array of shape {array.shape}")
        self.write_rows(rows(positions), array, threads)
        return array

    def write_rows(self, packed: NDArray[np.uint8], out: Numbers, threads: int) -> None:
        """Encode positions of 32 bytes into an array, without checks."""
        if self.in_cpp is None:
            encode_positions(self.name, packed, out, threads)
        else:
            self.in_cpp(packed, out, threads)
