"""Networks over the squares of the board, many positions at a time, from the layers that a card lists.

dense       act(x W' + b)                            {"do": "dense", "name": "1", "activation": "relu"}
convolve    act(kernels over x, zeros around it)     {"do": "convolve", "name": "1", "activation": "elu"}
residual    act(x + g * conv(act(conv(x))))          {"do": "residual", "names": ["2", "3"], "squeeze": ["4", "5"], …}
            g is 1; with `squeeze` sigmoid(dense(relu(dense(mean over the squares of what conv says))))
flatten     planes as one row of numbers             {"do": "flatten"}
from-to     q . k / sqrt(width)                      {"do": "from-to", "names": ["6", "7"]}
            of every two squares: q is what kernels of one square say of the first, k what others say of the second

Tensors are called NAME.weight and NAME.bias and lie as PyTorch has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.errors import InvalidBrain

Tensors = Mapping[str, NDArray[np.float32]]

LAYERS: Final = ("dense", "convolve", "residual", "flatten", "from-to")
ACTIVATIONS: Final = ("none", "relu", "elu", "tanh", "sigmoid")

MOST_LAYERS: Final = 256
MOST_CHANNELS: Final = 4096
MOST_NODES: Final = 65_536
LARGEST_KERNEL: Final = 15
"""From one edge of the board it reaches the other."""

AGAIN: Final = "save it again with the recipe in its card, or install a newer okapi"


@dataclass(frozen=True, slots=True)
class Weights:
    name: str
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of a card, checked."""

    do: str
    weights: tuple[Weights, ...] = ()
    """Of a residual layer those of both convolutions, then those of both layers of `squeeze`."""
    activation: str = "none"


def read(layers: Any, tensors: Tensors, shape: tuple[int, ...], outputs: int | None = None) -> tuple[list[Layer], int]:
    """The layers of a network with inputs of this shape, and its number of outputs.

    InvalidBrain says what is wrong, also if they are not as many as `outputs`.
    """
    if not isinstance(layers, list) or not 0 < len(layers) <= MOST_LAYERS:
        raise InvalidBrain(f"its card lists no layers, or more than {MOST_LAYERS}", hint=AGAIN)
    reader = _LayerReader(tensors, shape)
    found = [reader.read(layer) for layer in layers]
    answered = f"its last layer answers {list(reader.shape)} numbers"
    if len(reader.shape) != 1:
        raise InvalidBrain(f"{answered}, which is no row", hint="put a flatten behind it")
    if outputs is not None and reader.shape != (outputs,):
        raise InvalidBrain(f"{answered}, and its output is made of {outputs}", hint=AGAIN)
    return found, reader.shape[0]


@dataclass(slots=True)
class _LayerReader:
    """Reads layer after layer: `shape` is that of one row of the last one's output."""

    _tensors: Tensors
    shape: tuple[int, ...]
    _used: set[str] = field(default_factory=set)
    _number: int = 0

    def read(self, layer: Any) -> Layer:
        self._number += 1
        do = layer.get("do") if isinstance(layer, dict) else None
        match do:
            case "dense":
                return Layer(do, (self._dense(layer),), self._activation(layer))
            case "convolve":
                return Layer(do, (self._kernels(layer.get("name")),), self._activation(layer))
            case "residual":
                return Layer(do, self._residual(layer), self._activation(layer))
            case "flatten":
                self.shape = (int(np.prod(self.shape)),)
                return Layer(do)
            case "from-to":
                return Layer(do, self._from_to(layer))
        raise self._wrong(f"does `{do}`", f"known are {', '.join(LAYERS)}; {AGAIN}")

    def _dense(self, layer: Mapping[str, Any]) -> Weights:
        if len(self.shape) != 1:
            raise self._wrong(f"is dense, but sees planes of shape {list(self.shape)}", "put a flatten before it")
        weights = self._linear(layer.get("name"), inputs=self.shape[0])
        self.shape = weights.bias.shape
        return weights

    def _residual(self, layer: Mapping[str, Any]) -> tuple[Weights, ...]:
        shape = self.shape
        first, second = (self._kernels(name) for name in self._pair(layer, "names"))
        if self.shape != shape:
            raise self._wrong(f"adds {self.shape[0]} channels to {shape[0]}", "both have to be as many")
        if "squeeze" not in layer:
            return first, second
        names = self._pair(layer, "squeeze")
        narrow = self._linear(names[0], inputs=shape[0])
        wide = self._linear(names[1], inputs=len(narrow.bias))
        self._check_bias(wide, shape[0])
        return first, second, narrow, wide

    def _from_to(self, layer: Mapping[str, Any]) -> tuple[Weights, ...]:
        shape, names = self.shape, self._pair(layer, "names")
        queries = self._kernels(names[0])
        self.shape = shape
        keys = self._kernels(names[1])
        kernels, others = list(queries.weight.shape), list(keys.weight.shape)
        if kernels != others or kernels[2] != 1:
            raise self._wrong(f"has kernels {kernels} and {others}", "both have one square and are as many")
        self.shape = ((shape[1] * shape[2]) ** 2,)
        return queries, keys

    def _kernels(self, name: Any) -> Weights:
        weights = self._weights(name)
        kernels = weights.weight.shape
        if len(self.shape) != 3:
            raise self._wrong("convolves what is no longer planes", "put it before the flatten")
        if len(kernels) != 4 or kernels[1] != self.shape[0] or kernels[2] != kernels[3]:
            raise self._wrong(f"has kernels {list(kernels)} for {self.shape[0]} channels", AGAIN)
        channels, _, size, _ = kernels
        if not (size % 2 and size <= LARGEST_KERNEL and 0 < channels <= MOST_CHANNELS):
            hint = f"sizes are odd and at most {LARGEST_KERNEL}, and at most {MOST_CHANNELS} are allowed"
            raise self._wrong(f"has {channels} kernels of size {size}", hint)
        self._check_bias(weights, channels)
        self.shape = (channels, *self.shape[1:])
        return weights

    def _linear(self, name: Any, *, inputs: int) -> Weights:
        weights = self._weights(name)
        shape = weights.weight.shape
        if len(shape) != 2 or shape[1] != inputs or not 0 < shape[0] <= MOST_NODES:
            raise self._wrong(f"has weights {list(shape)} for {inputs} inputs", AGAIN)
        self._check_bias(weights, shape[0])
        return weights

    def _weights(self, name: Any) -> Weights:
        return Weights(str(name), self._tensor(f"{name}.weight"), self._tensor(f"{name}.bias"))

    def _tensor(self, name: str) -> NDArray[np.float32]:
        if name not in self._tensors:
            raise self._wrong(f"needs the tensor `{name}`, which is not there", AGAIN)
        if name in self._used:
            raise self._wrong(f"uses the tensor `{name}` again", "each layer has tensors of its own")
        values = self._tensors[name]
        if not np.isfinite(values).all():
            raise self._wrong(f"has a number in `{name}` that is not finite", "train it again")
        self._used.add(name)
        return values

    def _check_bias(self, weights: Weights, outputs: int) -> None:
        if weights.bias.shape != (outputs,):
            raise self._wrong(f"has `{weights.name}.bias` {list(weights.bias.shape)} for {outputs} outputs", AGAIN)

    def _activation(self, layer: Mapping[str, Any]) -> str:
        name = layer.get("activation", "none")
        if not isinstance(name, str) or name not in ACTIVATIONS:
            raise self._wrong(f"has the activation `{name}`", f"known are {', '.join(ACTIVATIONS)}; {AGAIN}")
        return name

    def _pair(self, layer: Mapping[str, Any], key: str) -> tuple[Any, Any]:
        names = layer.get(key)
        if not isinstance(names, list) or len(names) != 2:
            raise self._wrong(f"has no two `{key}`", AGAIN)
        return names[0], names[1]

    def _wrong(self, what: str, hint: str) -> InvalidBrain:
        return InvalidBrain(f"layer {self._number} {what}", hint=hint)


class Network:
    """The layers of a card, ready to run. The output for a position depends on that position alone."""

    def __init__(
        self, layers: Any, tensors: Tensors, shape: tuple[int, ...], *, outputs: int | None = None, threads: int = 1
    ) -> None:
        """`shape` is that of one input array; a batch is divided among `threads`. InvalidBrain: see read()."""
        self.shape, self.threads = tuple(shape), threads
        found, self.outputs = read(layers, tensors, self.shape, outputs)
        self._native = _core.ConvolutionalNetwork(self.shape)
        for layer in found:
            self._add(layer)

    def answers(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        if planes.shape[1:] != self.shape:
            raise ValueError(f"the arrays have the shape {planes.shape[1:]}: expected {self.shape}")
        rows = np.ascontiguousarray(planes, np.float32).reshape(len(planes), int(np.prod(self.shape)))
        answers = np.empty((len(planes), self.outputs), np.float32)
        self._native.answer(rows, answers, self.threads)
        if not np.isfinite(answers).all():
            raise InvalidBrain("its network gives numbers that are not finite", hint="train it again")
        return answers

    def _add(self, layer: Layer) -> None:
        weights, activation = [_pair(weights) for weights in layer.weights], ACTIVATIONS.index(layer.activation)
        match layer.do:
            case "dense":
                self._native.dense(*weights[0], activation)
            case "convolve":
                self._native.convolve(*weights[0], activation)
            case "residual":
                self._native.residual(weights[0], weights[1], weights[2:], activation)
            case "flatten":
                self._native.flatten()
            case "from-to":
                self._native.from_to(*weights)


def _pair(weights: Weights) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weights as the core takes them: kernels in one row for each output."""
    flat = np.ascontiguousarray(weights.weight, np.float32).reshape(len(weights.bias), -1)
    return flat, np.ascontiguousarray(weights.bias, np.float32)
