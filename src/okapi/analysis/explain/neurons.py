"""The neurons of an NNUE brain: their weights, what each adds to an evaluation, and statistics over many positions.

A view is the board from one side. Every neuron has two, the mover's and the opponent's. It sums its weights of the
pieces; the sum is clipped to 0 … FULL, squared, and multiplied by the output weight for the number of men.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.compare import largest_gaps
from okapi.brains.card import ModelCard
from okapi.brains.nnue import ENCODING, FULL, KIND, UNIT, QuantisedNnue
from okapi.core import Color, Kind
from okapi.core.samples import Rows
from okapi.encodings import PIECE_SQUARES
from okapi.errors import NotFound, WrongBrain

__all__ = ["FULL", "NeuronActivation", "NeuronStats", "NeuronSurvey", "Neurons"]

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


# --- Statistics over many positions -----------------------------------------------------------------------------------


AT_A_TIME = 512
"""Positions whose neurons are in memory together."""


@dataclass(frozen=True, slots=True)
class NeuronStats:
    """How one neuron behaves."""

    number: int
    influence: float
    """By how many centipawns what it says differs from position to position: the standard deviation."""
    awake: float
    """The share of views in which it says anything."""
    full: float
    """The share of views in which it is as loud as it can be."""
    favour: float
    """What it says where it is awake, in centipawns for the side whose view it is."""


@dataclass(frozen=True, slots=True)
class NeuronActivation:
    """A view that moves a neuron much."""

    row: int
    """The number of the position."""
    side: Color
    """Whose view it is."""
    loudness: float
    """What the neuron adds up; 1 is as loud as it can be."""


@dataclass(frozen=True, slots=True, eq=False)
class NeuronSurvey:
    """What all neurons did in some positions."""

    rows: Rows
    sums: NDArray[np.int16]
    """Positions x views x neurons, the mover's view first."""
    seen: NDArray[np.float64]
    """The share of views in which each piece stands on each square."""
    neurons: tuple[NeuronStats, ...]
    """Those with the most influence first."""

    @classmethod
    def of(cls, neurons: Neurons, rows: Rows) -> Self:
        """Ask every neuron about every position."""
        count = len(neurons)
        sums = np.zeros((len(rows), 2, count), np.int16)
        said, squares, favour = np.zeros(count), np.zeros(count), np.zeros(count)
        for start in range(0, len(rows), AT_A_TIME):
            positions = rows["position"][start : start + AT_A_TIME]
            found = neurons.sums(positions)
            says = neurons.says(positions, found)
            whole = says.sum(axis=1)
            sums[start : start + AT_A_TIME] = found
            said += whole.sum(axis=0)
            squares += np.square(whole).sum(axis=0)
            favour += (says[:, 0] - says[:, 1]).sum(axis=0)
        views = 2 * len(rows)
        awake, full = (sums > 0).sum(axis=(0, 1)), (sums >= FULL).sum(axis=(0, 1))
        influence = np.sqrt(np.maximum(0, squares / len(rows) - np.square(said / len(rows))))
        facts = (
            NeuronStats(
                number,
                float(influence[number]),
                float(awake[number] / views),
                float(full[number] / views),
                float(favour[number] / max(1, awake[number])),
            )
            for number in np.argsort(-influence, kind="stable").tolist()
        )
        return cls(rows, sums, neurons.seen(rows["position"]), tuple(facts))

    def exciting(self, number: int, count: int) -> list[NeuronActivation]:
        """The views that move a neuron most, the most first: no position, and no game, twice."""
        sums = self.sums[:, :, number]
        most = sums.max(axis=1).astype(np.float64)
        turns = self.rows["position"]["turn"]
        return [
            NeuronActivation(row, Color(int(turns[row]) ^ int(sums[row].argmax())), float(most[row]) / FULL)
            for row in largest_gaps(self.rows, most, count).tolist()
        ]
