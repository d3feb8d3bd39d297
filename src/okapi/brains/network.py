"""The one place where the networks of brains that predict moves are run, and what they have in common.

Not imported by `okapi.brains` itself, which works without numpy and ONNX Runtime.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains.convolutional import AT_ONCE, session
from okapi.brains.graph import graph
from okapi.errors import InvalidBrain

__all__ = ["Network", "SquareLogs", "log_softmax"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SquareLogs:
    """Logarithms of probabilities, on the mover's squares."""

    origin: Floats
    """Where the piece that moves comes from: batch x 64."""
    target: Floats
    """Where it goes, if it comes from there: batch x 64 x 64."""


def log_softmax(logits: Floats) -> Floats:
    """Along the last axis."""
    lower = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(lower - np.log(np.exp(lower).sum(axis=-1, keepdims=True)))


class Network:
    """Layers and tensors that read planes and answer a row of numbers for each position."""

    def __init__(
        self, layers: Any, tensors: Mapping[str, Floats], shape: tuple[int, ...], outputs: int, *, threads: int = 1
    ) -> None:
        """InvalidBrain says what is wrong with the layers."""
        self._session = session(graph(layers, tensors, shape, outputs), threads)

    def answers(self, planes: Floats) -> Floats:
        """One row for each array of planes."""
        parts = [self._answer(planes[begin : begin + AT_ONCE]) for begin in range(0, len(planes), AT_ONCE)]
        return np.concatenate(parts)

    def _answer(self, planes: Floats) -> Floats:
        said: Floats = self._session.run(None, {"input": planes})[0]
        if not np.isfinite(said).all():
            raise InvalidBrain("its network answers numbers that are not finite", hint="train it again")
        return said
