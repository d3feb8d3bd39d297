"""The one place where the networks of brains are run, and what those that predict moves have in common.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.core import networks
from okapi.errors import InvalidBrain

__all__ = ["Network", "SquareLogs", "SquarePairs", "log_softmax", "log_sum"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SquareLogs:
    """Logarithms of probabilities, on the mover's squares."""

    origin: Floats
    """Where the piece that moves comes from: batch x 64."""
    target: Floats
    """Where it goes, if it comes from there: batch x 64 x 64."""


@dataclass(frozen=True, slots=True)
class SquarePairs:
    """Moves of many positions as pairs of the mover's squares."""

    rows: NDArray[np.int64]
    """The number of each move's position."""
    origin: NDArray[np.int64]
    target: NDArray[np.int64]


def log_softmax(logits: Floats) -> Floats:
    """Along the last axis."""
    return logits - log_sum(logits)[..., np.newaxis]


def log_sum(logs: Floats) -> Floats:
    """The logarithm of the sum of what the numbers along the last axis are logarithms of."""
    highest = logs.max(axis=-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(logs - highest).sum(axis=-1)))


class Network:
    """Layers and tensors that read planes and answer a row of numbers for each position."""

    def __init__(
        self, layers: Any, tensors: Mapping[str, Floats], shape: tuple[int, ...], outputs: int, *, threads: int = 1
    ) -> None:
        """InvalidBrain says what is wrong with the layers."""
        self._network = networks.Network(layers, tensors, shape, outputs=outputs, threads=threads)

    def answers(self, planes: Floats) -> Floats:
        """One row for each array of planes."""
        said = self._network.answers(planes)
        if not np.isfinite(said).all():
            raise InvalidBrain("its network answers numbers that are not finite", hint="train it again")
        return said
