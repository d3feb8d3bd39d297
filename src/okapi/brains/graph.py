"""The layers of a card and the tensors beside them as an ONNX model, for others: the core thinks without."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.onnx_model import model, node, tensor
from okapi.core.networks import Convolve, Dense, Flatten, FromTo, Layer, Residual, Tensors, Weights, read

__all__ = ["Tensors", "graph"]

ACTIVATIONS: Final = {"none": None, "relu": "Relu", "elu": "Elu", "tanh": "Tanh", "sigmoid": "Sigmoid"}
"""As cards call them, and as ONNX does; its Elu has alpha 1 unless told otherwise."""


def graph(layers: Any, tensors: Tensors, shape: tuple[int, ...], outputs: int) -> bytes:
    """The ONNX model that reads arrays of this shape and answers so many numbers: InvalidBrain says what is wrong."""
    found, _ = read(layers, tensors, shape, outputs)
    drawing = _Drawing()
    for layer in found:
        drawing.draw(layer)
    return drawing.finish(shape, outputs)


class _Drawing:
    """A model that grows layer by layer: `at` is the array so far."""

    def __init__(self) -> None:
        self.at = "input"
        self._nodes: list[bytes] = []
        self._used: list[bytes] = []

    def draw(self, layer: Layer) -> None:
        match layer:
            case Dense(weights, activation):
                self.at = self._add("Gemm", self.at, *self._linear(weights), transB=1)
                self._activate(activation)
            case Convolve(weights, activation):
                self.at = self._convolution(weights)
                self._activate(activation)
            case Residual():
                self._residual(layer)
            case Flatten():
                self.at = self._add("Flatten", self.at, axis=1)
            case FromTo(queries, keys):
                self._from_to(queries, keys)

    def finish(self, inputs: tuple[int, ...], outputs: int) -> bytes:
        self._nodes.append(node("Identity", [self.at], "output"))
        return model(self._nodes, self._used, inputs, outputs)

    # --- Parts ------------------------------------------------------------------------------------------------------

    def _residual(self, layer: Residual) -> None:
        before = self.at
        self.at = self._convolution(layer.first)
        self._activate(layer.activation)
        self.at = self._convolution(layer.second)
        if layer.squeeze is not None:
            self.at = self._add("Mul", self.at, self._gate(*layer.squeeze))
        self.at = self._add("Add", before, self.at)
        self._activate(layer.activation)

    def _from_to(self, queries: Weights, keys: Weights) -> None:
        """One row of numbers a square, of queries and of keys; the product of both has all pairs of squares."""
        width = len(queries.bias)
        asked = self._rows_of_squares(self._convolution(queries), width, "queries")
        known = self._rows_of_squares(self._convolution(keys), width, "keys")
        scale = self._constant("scale", np.array(1 / np.sqrt(width), np.float32))
        logits = self._add("MatMul", self._add("Transpose", asked, perm=[0, 2, 1]), known)
        self.at = self._add("Flatten", self._add("Mul", logits, scale), axis=1)

    def _rows_of_squares(self, planes: str, width: int, what: str) -> str:
        """[boards, width, squares]"""
        return self._add("Reshape", planes, self._constant(f"shape of {what}", np.array([0, width, -1], np.int64)))

    def _convolution(self, weights: Weights) -> str:
        return self._add("Conv", self.at, *self._linear(weights), pads=[weights.weight.shape[2] // 2] * 4)

    def _gate(self, first: Weights, second: Weights) -> str:
        """How much of each channel counts: two dense layers, as kernels of one square over the mean of all squares."""
        mean = self._add("GlobalAveragePool", self.at)
        hidden = self._add("Relu", self._add("Conv", mean, *self._linear(_as_kernels(first))))
        return self._add("Sigmoid", self._add("Conv", hidden, *self._linear(_as_kernels(second))))

    def _activate(self, activation: str) -> None:
        kind = ACTIVATIONS[activation]
        if kind is not None:
            self.at = self._add(kind, self.at)

    def _linear(self, weights: Weights) -> tuple[str, str]:
        return (
            self._constant(f"{weights.name}.weight", weights.weight),
            self._constant(f"{weights.name}.bias", weights.bias),
        )

    def _constant(self, name: str, values: NDArray[np.float32] | NDArray[np.int64]) -> str:
        self._used.append(tensor(name, values))
        return name

    def _add(self, kind: str, *inputs: str, **attributes: int | Sequence[int]) -> str:
        output = f"step {len(self._nodes) + 1}"
        self._nodes.append(node(kind, inputs, output, **attributes))
        return output


def _as_kernels(weights: Weights) -> Weights:
    return Weights(weights.name, weights.weight[:, :, np.newaxis, np.newaxis], weights.bias)
