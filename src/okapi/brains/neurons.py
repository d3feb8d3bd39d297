"""The neurons of an incremental brain: which pieces on which squares each likes, and what it says in a position.

Every neuron looks at the board twice, with the eyes of the mover and with those of the opponent; a view is one of
these. It adds up its weights of the pieces it sees there, and what is between nothing and FULL, squared, is weighed by
an output, of which there are several: few men are judged by another one than many.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains.passport import Passport
from okapi.brains.writing import read_tensors
from okapi.core import Kind
from okapi.encodings import PIECE_SQUARES
from okapi.errors import WrongBrain

__all__ = ["FULL", "Neurons"]

INCREMENTAL: Final = "incremental"
FEATURES: Final = PIECE_SQUARES["piece-square-mirrored"]

FULL: Final = 255
"""A neuron that adds up so much, or more, is as loud as it can be: the accumulator's 1.0."""

OUTPUT_ONE: Final = 64
"""An output weight's 1.0."""

MOST_MEN: Final = 32


def _possible() -> NDArray[np.bool_]:
    """Own and enemy x kinds x squares: may such a piece stand there in some view?"""
    possible = np.ones((2, 6, 8, 8), np.bool_)
    possible[:, Kind.PAWN.value, [0, 7]] = False
    possible[0, Kind.KING.value, :, 4:] = False
    return possible.reshape(2, 6, 64)


POSSIBLE: Final = _possible()


@dataclass(frozen=True, slots=True, eq=False)
class Neurons:
    """The weights of such a brain, as whole numbers."""

    weight: NDArray[np.int64]
    """768 x neurons: what each neuron adds for a piece on a square."""
    bias: NDArray[np.int64]
    output: NDArray[np.int64]
    """Outputs x views x neurons."""
    output_bias: NDArray[np.int64]
    scale: int

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a brain's file: WrongBrain where it has no such neurons."""
        about = Passport.read(path)
        if about.kind != INCREMENTAL:
            raise WrongBrain(
                f"brain `{about.name}` is of kind {about.kind}, and has no neurons that see pieces on squares",
                hint="name one of kind incremental; `okapi brains list` tells kinds",
            )
        tensors = {name: np.asarray(values, np.int64) for name, values in read_tensors(path).items()}
        outputs = tensors["output.weight"]
        return cls(
            tensors["accumulator.weight"],
            tensors["accumulator.bias"],
            outputs.reshape(len(outputs), 2, -1),
            tensors["output.bias"],
            int(about.metadata["scale"]),
        )

    def __len__(self) -> int:
        return len(self.bias)

    def likes(self, number: int) -> NDArray[np.float64]:
        """What a neuron adds for each piece on each square, FULL being 1: own and enemy x kinds x 64.

        Squares are as the view's own side counts them, turned so that its king stands on a to d. Not a number where
        such a piece never stands.
        """
        return np.where(POSSIBLE, self.weight[:, number].reshape(2, 6, 64) / FULL, np.nan)

    def strongest(self, number: int, count: int) -> list[tuple[str, float]]:
        """The pieces on squares that move a neuron most, up or down, in words."""
        weights = np.nan_to_num(self.likes(number)).ravel()
        first = np.argsort(-np.abs(weights), kind="stable")[:count].tolist()
        return [(FEATURES.describe(feature), float(weights[feature])) for feature in first]

    def sums(self, positions: NDArray[np.void]) -> NDArray[np.int64]:
        """What each neuron adds up: batch x views x neurons, the mover's view first."""
        seen = FEATURES.encoding.encode_many(positions, np.float32)
        # Exact: whole numbers below 2**24, and a product of floats is many times faster than one of integers.
        return (seen @ self.weight.astype(np.float32)).astype(np.int64) + self.bias

    def says(self, positions: NDArray[np.void], sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each neuron then adds to the opinion, in centipawns for the mover: batch x views x neurons."""
        loud = np.clip(sums, 0, FULL) ** 2 * self.output[self._bucket(positions)]
        return loud * (self.scale / (FULL * FULL * OUTPUT_ONE))

    def values(self, positions: NDArray[np.void]) -> NDArray[np.int64]:
        """The opinions as the core computes them, in centipawns for the mover; it knows some endings by rules besides."""
        bucket = self._bucket(positions)
        whole = (np.clip(self.sums(positions), 0, FULL) ** 2 * self.output[bucket]).sum(axis=(1, 2))
        return _divided((_divided(whole, FULL) + self.output_bias[bucket]) * self.scale, FULL * OUTPUT_ONE)

    def _bucket(self, positions: NDArray[np.void]) -> NDArray[np.int64]:
        """Which output judges each position: it depends on the men on the board."""
        bits = np.ascontiguousarray(positions["occupied"]).view(np.uint8).reshape(-1, 8)
        men = np.unpackbits(bits, axis=1).sum(axis=1, dtype=np.int64)
        return (men - 2) * len(self.output) // MOST_MEN


def _divided(numbers: NDArray[np.int64], by: int) -> NDArray[np.int64]:
    """As C++ divides: towards nothing."""
    return np.sign(numbers) * (np.abs(numbers) // by)
