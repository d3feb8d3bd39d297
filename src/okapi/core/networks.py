"""Networks over the squares of the board, many positions at a time.

>>> weights = {"1.weight": np.ones((2, 3), np.float32), "1.bias": np.zeros(2, np.float32)}
>>> network = Network([{"do": "dense", "name": "1", "activation": "relu"}], weights, (3,))
>>> network.answers(np.array([[1, 2, 3], [0, -1, 0]], np.float32))
array([[6., 6.],
       [0., 0.]], dtype=float32)
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core.layers import ACTIVATIONS, Convolve, Dense, Flatten, FromTo, Layer, Residual, Tensors, Weights, read

__all__ = ["Network"]


class Network:
    """Layers as a card lists them, ready to answer. What it says of a position depends on that position alone."""

    def __init__(
        self, layers: Any, tensors: Tensors, shape: tuple[int, ...], *, outputs: int | None = None, threads: int = 1
    ) -> None:
        """`shape` is that of one array it reads; a batch is shared by so many threads.

        InvalidBrain says what is wrong with it, also if it does not answer so many `outputs`.
        """
        self.shape = tuple(shape)
        self.threads = threads
        found, self.outputs = read(layers, tensors, self.shape, outputs)
        self._native = _core.ConvolutionalNetwork(self.shape)
        for layer in found:
            self._add(layer)

    def answers(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """One row of numbers for each array of an encoding."""
        if planes.shape[1:] != self.shape:
            raise ValueError(f"the arrays have the shape {planes.shape[1:]}: expected {self.shape}")
        rows = np.ascontiguousarray(planes, np.float32).reshape(len(planes), int(np.prod(self.shape)))
        answers = np.empty((len(planes), self.outputs), np.float32)
        self._native.answer(rows, answers, self.threads)
        return answers

    def _add(self, layer: Layer) -> None:
        match layer:
            case Dense(weights, activation):
                self._native.dense(*_pair(weights), ACTIVATIONS.index(activation))
            case Convolve(weights, activation):
                self._native.convolve(*_pair(weights), ACTIVATIONS.index(activation))
            case Residual(first, second, squeeze, activation):
                gate = [_pair(weights) for weights in squeeze or ()]
                self._native.residual(_pair(first), _pair(second), gate, ACTIVATIONS.index(activation))
            case Flatten():
                self._native.flatten()
            case FromTo(queries, keys):
                self._native.from_to(_pair(queries), _pair(keys))


def _pair(weights: Weights) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weights as the core takes them: kernels in one row for each output."""
    flat = np.ascontiguousarray(weights.weight, np.float32).reshape(len(weights.bias), -1)
    return flat, np.ascontiguousarray(weights.bias, np.float32)
