"""What the neurons of an NNUE brain do in many positions: how much each has to say, and what excites it."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.disagreement import most_apart
from okapi.brains.neurons import FULL, Neurons
from okapi.core import Color
from okapi.core.samples import Rows

__all__ = ["Excited", "NeuronFacts", "Survey"]

AT_A_TIME = 512
"""Positions whose neurons are in memory together."""


@dataclass(frozen=True, slots=True)
class NeuronFacts:
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
class Excited:
    """A view that moves a neuron much."""

    row: int
    """The number of the position."""
    side: Color
    """Whose view it is."""
    loudness: float
    """What the neuron adds up; 1 is as loud as it can be."""


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What all neurons did in some positions."""

    rows: Rows
    sums: NDArray[np.int16]
    """Positions x views x neurons, the mover's view first."""
    seen: NDArray[np.float64]
    """The share of views in which each piece stands on each square."""
    neurons: tuple[NeuronFacts, ...]
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
            NeuronFacts(
                number,
                float(influence[number]),
                float(awake[number] / views),
                float(full[number] / views),
                float(favour[number] / max(1, awake[number])),
            )
            for number in np.argsort(-influence, kind="stable").tolist()
        )
        return cls(rows, sums, neurons.seen(rows["position"]), tuple(facts))

    def exciting(self, number: int, count: int) -> list[Excited]:
        """The views that move a neuron most, the most first: no position, and no game, twice."""
        sums = self.sums[:, :, number]
        most = sums.max(axis=1).astype(np.float64)
        turns = self.rows["position"]["turn"]
        return [
            Excited(row, Color(int(turns[row]) ^ int(sums[row].argmax())), float(most[row]) / FULL)
            for row in most_apart(self.rows, most, count).tolist()
        ]
