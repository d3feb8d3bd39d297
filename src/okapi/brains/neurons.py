"""The neurons of an NNUE brain: which pieces on which squares each likes, and what it says in a position.

Every neuron looks at the board twice, with the eyes of the mover and with those of the opponent; a view is one of
these. It adds up its weights of the pieces it sees there, and what is between nothing and FULL, squared, is weighed by
the output that speaks for so many men.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.nnue import ENCODING, FULL, KIND, UNIT, QuantisedNnue
from okapi.core import Kind
from okapi.encodings import PIECE_SQUARES
from okapi.errors import NotFound, WrongBrain

__all__ = ["FULL", "Neurons"]

Positions = NDArray[np.void]

FEATURES: Final = PIECE_SQUARES[ENCODING]
VIEWS: Final = 2


def _possible() -> NDArray[np.bool_]:
    """Own and enemy x kinds x squares: may such a piece stand there in some view?"""
    possible = np.ones((2, len(Kind), 8, 8), np.bool_)
    possible[:, Kind.PAWN.value, [0, 7]] = False
    possible[0, Kind.KING.value, :, 4:] = False
    return possible.reshape(2, len(Kind), 64)


POSSIBLE: Final = _possible()


@dataclass(frozen=True, slots=True, eq=False)
class Neurons:
    """A brain's network, neuron by neuron.

    >>> neurons = Neurons(QuantisedNnue.random(32))
    >>> len(neurons), neurons.likes(5).shape
    (32, (2, 6, 64))
    """

    network: QuantisedNnue

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a brain's file: WrongBrain where it has no such neurons."""
        about = ModelCard.read(path)
        if about.kind != KIND:
            raise WrongBrain(
                f"brain `{about.name}` is of the kind `{about.kind}`: it has no neurons that like pieces on squares",
                hint=f"name one of the kind `{KIND}`; `okapi brains list` tells kinds",
            )
        return cls(QuantisedNnue.open(path))

    def __len__(self) -> int:
        return self.network.neurons

    def check(self, number: int) -> None:
        """Raise NotFound where there is no such neuron."""
        if not 0 <= number < len(self):
            raise NotFound(f"there is no neuron {number}", hint=f"they are numbered 0 to {len(self) - 1}")

    def likes(self, number: int) -> NDArray[np.float64]:
        """What a neuron adds for each piece on each square, FULL being 1: own and enemy x kinds x 64.

        Squares are as the view's own side counts them, turned so that its king stands on a to d. Not a number where
        such a piece never stands.
        """
        return np.where(POSSIBLE, self.network.weight[:, number].reshape(POSSIBLE.shape) / FULL, np.nan)

    def strongest(self, number: int, count: int, seen: NDArray[np.float64]) -> list[tuple[str, float]]:
        """The pieces on squares that move a neuron most, up or down, in words.

        `seen` is the share of views in which each piece stands on each square: what is hardly ever there, or nearly
        always, moves nothing.
        """
        weights = np.nan_to_num(self.likes(number)).ravel()
        moving = np.abs(weights) * np.sqrt(seen * (1 - seen))
        first = np.argsort(-moving, kind="stable")[:count].tolist()
        return [(FEATURES.describe(feature), float(weights[feature])) for feature in first]

    @staticmethod
    def seen(positions: Positions) -> NDArray[np.float64]:
        """The share of views in which each piece stands on each square."""
        counts = np.bincount(FEATURES.indices(positions).ravel(), minlength=FEATURES.features + 1)
        return counts[: FEATURES.features] / (VIEWS * len(positions))

    def sums(self, positions: Positions) -> NDArray[np.int64]:
        """What each neuron adds up: positions x views x neurons, the mover's view first. `accumulators`, but fast."""
        seen = FEATURES.encoding.encode_many(positions, np.float32)
        # Exact, because these are whole numbers below 2**24; and floats multiply many times faster than integers.
        added = seen @ self.network.weight.astype(np.float32)
        return added.astype(np.int64) + self.network.bias

    def says(self, positions: Positions, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each neuron then adds to the opinion, in centipawns for the mover: positions x views x neurons."""
        outputs = self.network.output_weight.astype(np.int64).reshape(-1, VIEWS, len(self))
        loud = np.clip(sums, 0, FULL) ** 2 * outputs[self.network.buckets(positions)]
        return np.asarray(loud * (self.network.scale / (FULL * FULL * UNIT)), np.float64)
