"""What brains think of many positions at once, with whatever else their networks say.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains import default_name, evaluator, find, is_native, passport
from okapi.brains.output import expected_scores
from okapi.core.exercises import judge

__all__ = ["Opinions", "opinions_of"]


@dataclass(frozen=True, slots=True)
class Opinions:
    """A brain's opinion of each position, without looking ahead."""

    values: NDArray[np.float64]
    """The expected score of the side to move, 0 to 1."""
    classes: NDArray[np.float32] | None
    """The probability of each class, as the network sees it: `output` says whose view that is. None without classes."""
    output: Mapping[str, Any]
    """What the passport says about its network's answers; nothing if the brain is no such network."""


def opinions_of(name: str | None, positions: NDArray[np.void], threads: int = 1) -> Opinions:
    """See okapi.brains.opinions."""
    output = passport(name or default_name()).details().get("output", {})
    if not is_native(name):
        assert name is not None
        from okapi.brains.convolutional import Convolutional

        brain = Convolutional.open(find(name), threads=threads)
        raw = brain.answers(positions)
        return Opinions(brain.output.expected(raw, positions["turn"]), brain.output.classes(raw), output)
    values = judge([evaluator(name)], positions, threads=threads)[0]
    return Opinions(expected_scores(values), None, output)
