"""Brains as ONNX models: layers and tensors written as an ONNX graph, without the onnx package.

ONNX is protobuf: a message is fields, each a tag (number and wire type) and content. The numbers are of onnx.proto.
"""

from collections.abc import Iterable, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import LAYERED_KINDS, ModelCard
from okapi.brains.evaluation import read_encoding
from okapi.brains.files import read_tensors
from okapi.core.networks import Layer, Tensors, Weights, read
from okapi.errors import WrongBrain

Attribute = int | Sequence[int]
IR_VERSION: Final = 8
OPSET: Final = 17
"""Supported by ONNX Runtime since 1.12."""

FLOAT, INT64 = 1, 7
"""In TensorProto.DataType."""
INT, INTS = 2, 7
"""In AttributeProto.AttributeType."""


def model(nodes: Sequence[bytes], tensors: Sequence[bytes], inputs: Sequence[int], outputs: int) -> bytes:
    """A model from rows of an `inputs` array, named "input", to rows of `outputs` numbers, named "output"."""
    ends = ((11, _value("input", inputs)), (12, _value("output", (outputs,))))
    graph = _fields(1, nodes) + _field(2, b"okapi") + _fields(5, tensors) + b"".join(starmap(_field, ends))
    return _field(1, IR_VERSION) + _field(7, graph) + _field(8, _field(2, OPSET))


def node(kind: str, inputs: Sequence[str], output: str, **attributes: Attribute) -> bytes:
    """One operation: its ONNX name, its input arrays and its output array."""
    names = _fields(1, map(str.encode, inputs)) + _field(2, output.encode()) + _field(4, kind.encode())
    return names + _fields(5, starmap(_attribute, attributes.items()))


def tensor(name: str, values: NDArray[np.float32] | NDArray[np.int64]) -> bytes:
    dims = _fields(1, values.shape)
    kind, layout = (INT64, "<i8") if values.dtype == np.int64 else (FLOAT, "<f4")
    raw = np.ascontiguousarray(values, layout).tobytes()
    return dims + _field(2, kind) + _field(8, name.encode()) + _field(9, raw)


def _attribute(name: str, value: Attribute) -> bytes:
    content = _field(3, value) + _field(20, INT) if isinstance(value, int) else _fields(8, value) + _field(20, INTS)
    return _field(1, name.encode()) + content


def _value(name: str, shape: Sequence[int]) -> bytes:
    """An array of any number of rows, each of this shape."""
    dims = _fields(1, [_field(2, b"rows"), *(_field(1, side) for side in shape)])
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, FLOAT) + _field(2, dims)))


def _field(number: int, content: int | bytes) -> bytes:
    if isinstance(content, int):
        return _tag(number, 0) + _varint(content)
    return _tag(number, 2) + _varint(len(content)) + content


def _fields(number: int, contents: Iterable[int | bytes]) -> bytes:
    return b"".join(_field(number, content) for content in contents)


def _tag(number: int, how: int) -> bytes:
    return _varint(number << 3 | how)


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth bit marks that more follow."""
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


ACTIVATIONS: Final = {"none": None, "relu": "Relu", "elu": "Elu", "tanh": "Tanh", "sigmoid": "Sigmoid"}
"""Names in cards and in ONNX, whose Elu has alpha 1 by default."""


def export_onnx(path: Path) -> bytes:
    """A brain's file as an ONNX model, from arrays of its encoding, `input`, to its last layer's numbers, `output`.

    The `output` in the card says what these mean; of classes they are logits. WrongBrain if it has no such layers.
    """
    card = ModelCard.read(path)
    layers = card.details().get("layers")
    if card.kind not in LAYERED_KINDS or not isinstance(layers, list):
        hint = f"brains of the kinds {' and '.join(LAYERED_KINDS)} can; `okapi brains list` shows kinds"
        raise WrongBrain(f"brain `{card.name}` of the kind `{card.kind}` cannot be exported to ONNX", hint=hint)
    return onnx_model(layers, read_tensors(path), read_encoding(card.encoding).shape)


def onnx_model(layers: Any, tensors: Tensors, shape: tuple[int, ...]) -> bytes:
    """The ONNX model of layers, from arrays of this shape; raises InvalidBrain."""
    found, outputs = read(layers, tensors, shape)
    builder = _GraphBuilder()
    for layer in found:
        builder.add_layer(layer)
    builder.nodes.append(node("Identity", [builder.at], "output"))
    return model(builder.nodes, builder.tensors, shape, outputs)


class _GraphBuilder:
    """Builds a model layer by layer; `at` is the name of the last array."""

    def __init__(self) -> None:
        self.at = "input"
        self.nodes: list[bytes] = []
        self.tensors: list[bytes] = []

    def add_layer(self, layer: Layer) -> None:
        before = self.at
        match layer:
            case Layer("dense", (weights,)):
                self.at = self._add("Gemm", self.at, *self._linear(weights), transB=1)
            case Layer("convolve", (weights,)):
                self.at = self._convolution(weights)
            case Layer("residual", (first, second, *squeeze)):
                self.at = self._convolution(first)
                self._activate(layer.activation)
                self.at = self._convolution(second)
                if squeeze:
                    self.at = self._add("Mul", self.at, self._gate(*squeeze))
                self.at = self._add("Add", before, self.at)
            case Layer("flatten"):
                self.at = self._add("Flatten", self.at, axis=1)
            case Layer("from-to", (queries, keys)):
                self._from_to(queries, keys)
        self._activate(layer.activation)

    def _from_to(self, queries: Weights, keys: Weights) -> None:
        """Queries and keys, a row for each square; their product is a logit for each pair of squares."""
        width = len(queries.bias)
        query = self._rows_of_squares(self._convolution(queries), width, "queries")
        key = self._rows_of_squares(self._convolution(keys), width, "keys")
        scale = self._constant("scale", np.array(1 / np.sqrt(width), np.float32))
        logits = self._add("MatMul", self._add("Transpose", query, perm=[0, 2, 1]), key)
        self.at = self._add("Flatten", self._add("Mul", logits, scale), axis=1)

    def _rows_of_squares(self, planes: str, width: int, what: str) -> str:
        """[boards, width, squares]"""
        return self._add("Reshape", planes, self._constant(f"shape of {what}", np.array([0, width, -1], np.int64)))

    def _convolution(self, weights: Weights) -> str:
        return self._add("Conv", self.at, *self._linear(weights), pads=[weights.weight.shape[2] // 2] * 4)

    def _gate(self, first: Weights, second: Weights) -> str:
        """Squeeze and excitation: two dense layers over the mean of all squares, as 1 x 1 convolutions."""
        found = self._add("GlobalAveragePool", self.at)
        for dense, activation in ((first, "Relu"), (second, "Sigmoid")):
            kernels = Weights(dense.name, dense.weight[:, :, np.newaxis, np.newaxis], dense.bias)
            found = self._add(activation, self._add("Conv", found, *self._linear(kernels)))
        return found

    def _activate(self, activation: str) -> None:
        if (kind := ACTIVATIONS[activation]) is not None:
            self.at = self._add(kind, self.at)

    def _linear(self, weights: Weights) -> tuple[str, str]:
        name = weights.name
        return self._constant(f"{name}.weight", weights.weight), self._constant(f"{name}.bias", weights.bias)

    def _constant(self, name: str, values: NDArray[np.float32] | NDArray[np.int64]) -> str:
        self.tensors.append(tensor(name, values))
        return name

    def _add(self, kind: str, *inputs: str, **attributes: int | Sequence[int]) -> str:
        output = f"step {len(self.nodes) + 1}"
        self.nodes.append(node(kind, inputs, output, **attributes))
        return output
