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
from okapi.brains.nnue import ENCODING, KIND, UNIT, QuantisedNnue
from okapi.brains.nnue import FULL as FULL
from okapi.core import Color, Kind
from okapi.core.samples import Rows
from okapi.encodings import PIECE_SQUARES
from okapi.errors import NotFound, WrongBrain

Positions = NDArray[np.void]

FEATURES: Final = PIECE_SQUARES[ENCODING]
VIEWS: Final = 2

POSSIBLE: Final = np.ones((2, len(Kind), 64), np.bool_)
"""Own and enemy x kinds x squares: can such a piece be there in some view?"""
POSSIBLE[:, Kind.PAWN.value, [*range(8), *range(56, 64)]] = False
POSSIBLE[0, Kind.KING.value, np.arange(64) % 8 >= 4] = False


@dataclass(frozen=True, slots=True, eq=False)
class Neurons:
    """The neurons of a brain's network."""

    network: QuantisedNnue

    @classmethod
    def open(cls, path: Path) -> Self:
        """WrongBrain where the file is not an NNUE."""
        about = ModelCard.read(path)
        if about.kind != KIND:
            text = f"brain `{about.name}` is of the kind `{about.kind}`: it has no neurons for pieces on squares"
            raise WrongBrain(text, hint=f"name one of the kind `{KIND}`; `okapi brains list` tells kinds")
        return cls(QuantisedNnue.open(path))

    def __len__(self) -> int:
        return self.network.neurons

    def check(self, number: int) -> None:
        """Raise NotFound where there is no such neuron."""
        if not 0 <= number < len(self):
            raise NotFound(f"there is no neuron {number}", hint=f"they are numbered 0 to {len(self) - 1}")

    def weights(self, number: int) -> NDArray[np.float64]:
        """A neuron's weight of each piece on each square, in units of FULL: own and enemy x kinds x 64.

        Squares are from the side of the view, mirrored so that its king is on files a to d. NaN where such a piece
        cannot be. With king buckets it is the mean over them.
        """
        weights = self.network.weight[:, number].reshape(-1, *POSSIBLE.shape).mean(axis=0)
        return np.where(POSSIBLE, weights / FULL, np.nan)

    def strongest(self, number: int, count: int, seen: NDArray[np.float64]) -> list[tuple[str, float]]:
        """The pieces on squares with the most influence on a neuron, as text, with their weights.

        `seen` is the share of views that have each piece on each square: what is nearly never or nearly always there
        has little influence.
        """
        weights = np.nan_to_num(self.weights(number)).ravel()
        moving = np.abs(weights) * np.sqrt(seen * (1 - seen))
        first = np.argsort(-moving, kind="stable")[:count].tolist()
        return [(FEATURES.describe(feature), float(weights[feature])) for feature in first]

    @staticmethod
    def seen(positions: Positions) -> NDArray[np.float64]:
        """The share of views that have each piece on each square."""
        counts = np.bincount(FEATURES.indices(positions).ravel(), minlength=FEATURES.features + 1)
        return counts[: FEATURES.features] / (VIEWS * len(positions))

    def sums(self, positions: Positions) -> NDArray[np.int64]:
        """The accumulators: positions x views x neurons, the mover's view first."""
        seen = self.network.inputs.encoding.encode_many(positions, np.float32)
        # Exact, because these are whole numbers below 2**24; and floats multiply many times faster than integers.
        added = seen @ self.network.weight.astype(np.float32)
        return added.astype(np.int64) + self.network.bias

    def contributions(self, positions: Positions, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each neuron adds to the evaluation, in centipawns for the mover: positions x views x neurons."""
        outputs = self.network.output_weight.astype(np.int64).reshape(-1, VIEWS, len(self))
        clipped = np.clip(sums, 0, FULL) ** 2 * outputs[self.network.buckets(positions)]
        return np.asarray(clipped * (self.network.scale / (FULL * FULL * UNIT)), np.float64)


# --- Statistics over many positions -----------------------------------------------------------------------------------

AT_A_TIME = 512  # positions whose neurons are in memory together


@dataclass(frozen=True, slots=True)
class NeuronStats:
    number: int
    influence: float  # the standard deviation of its contribution, in centipawns
    active: float  # the share of views with an activation above 0
    saturated: float  # the share of views with an activation of 1 or more
    mean_contribution: float  # in views where it is active, in centipawns for the side of the view


@dataclass(frozen=True, slots=True)
class NeuronActivation:
    row: int  # the number of the position
    side: Color  # the side of the view
    activation: float  # the sum of its weights; it is clipped at 1


@dataclass(frozen=True, slots=True, eq=False)
class NeuronSurvey:
    rows: Rows
    sums: NDArray[np.int16]  # positions x views x neurons, the mover's view first
    seen: NDArray[np.float64]  # the share of views in which each piece stands on each square
    neurons: tuple[NeuronStats, ...]  # those with the most influence first

    @classmethod
    def of(cls, neurons: Neurons, rows: Rows) -> Self:
        count = len(neurons)
        sums = np.zeros((len(rows), 2, count), np.int16)
        total, squares, for_view = np.zeros(count), np.zeros(count), np.zeros(count)
        for start in range(0, len(rows), AT_A_TIME):
            positions = rows["position"][start : start + AT_A_TIME]
            found = neurons.sums(positions)
            added = neurons.contributions(positions, found)
            both = added.sum(axis=1)
            sums[start : start + AT_A_TIME] = found
            total += both.sum(axis=0)
            squares += np.square(both).sum(axis=0)
            for_view += (added[:, 0] - added[:, 1]).sum(axis=0)
        views = 2 * len(rows)
        active, saturated = (sums > 0).sum(axis=(0, 1)), (sums >= FULL).sum(axis=(0, 1))
        influence = np.sqrt(np.maximum(0, squares / len(rows) - np.square(total / len(rows))))
        columns = (influence, active / views, saturated / views, for_view / np.maximum(1, active))
        order = np.argsort(-influence, kind="stable")
        stats = map(NeuronStats, order.tolist(), *(column[order].tolist() for column in columns))
        return cls(rows, sums, neurons.seen(rows["position"]), tuple(stats))

    def most_active(self, number: int, count: int) -> list[NeuronActivation]:
        """The views with the highest activations, the highest first: no position and no game twice."""
        sums, turns = self.sums[:, :, number], self.rows["position"]["turn"]
        most = sums.max(axis=1).astype(np.float64)
        rows = largest_gaps(self.rows, most, count).tolist()
        sides = (Color(int(turns[row]) ^ int(sums[row].argmax())) for row in rows)
        return [NeuronActivation(row, side, float(most[row]) / FULL) for row, side in zip(rows, sides, strict=True)]
