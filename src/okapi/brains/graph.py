"""The layers of a passport and the tensors beside them, as an ONNX model.

dense       act(x W' + b)                            {"do": "dense", "name": "1", "activation": "relu"}
convolve    act(kernels over x, zeros around it)     {"do": "convolve", "name": "1", "activation": "elu"}
residual    act(x + g * conv(act(conv(x))))          {"do": "residual", "names": ["2", "3"], "squeeze": ["4", "5"], …}
            g is 1; with `squeeze` sigmoid(dense(relu(dense(mean over the squares of what conv says))))
flatten     planes as one row of numbers             {"do": "flatten"}

Tensors are called NAME.weight and NAME.bias and lie as PyTorch has them. Every size is checked here, so that whoever
runs the model can trust it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.onnx_model import model, node, tensor
from okapi.errors import InvalidBrain

__all__ = ["Tensors", "graph"]

Tensors = Mapping[str, NDArray[np.float32]]

ACTIVATIONS: Final = {"none": None, "relu": "Relu", "elu": "Elu", "tanh": "Tanh", "sigmoid": "Sigmoid"}
"""As passports call them, and as ONNX does; its Elu has alpha 1 unless told otherwise."""

MOST_LAYERS: Final = 256
MOST_CHANNELS: Final = 4096
MOST_NODES: Final = 65_536
LARGEST_KERNEL: Final = 15
"""From one edge of the board it reaches the other."""

AGAIN: Final = "save it again with the recipe in its passport, or install a newer okapi"


def graph(layers: Any, tensors: Tensors, shape: tuple[int, ...], outputs: int) -> bytes:
    """The ONNX model that reads arrays of this shape and answers so many numbers: InvalidBrain says what is wrong."""
    if not isinstance(layers, list) or not 0 < len(layers) <= MOST_LAYERS:
        raise InvalidBrain(f"its passport lists no layers, or more than {MOST_LAYERS}", hint=AGAIN)
    drawing = _Drawing(tensors, shape)
    for number, layer in enumerate(layers, start=1):
        do = layer.get("do") if isinstance(layer, dict) else None
        if not isinstance(do, str) or do not in DRAWN:
            raise InvalidBrain(f"layer {number} does `{do}`", hint=f"known are {', '.join(DRAWN)}; {AGAIN}")
        drawing.number = number
        DRAWN[do](drawing, layer)
    return drawing.finish(outputs)


class _Drawing:
    """A model that grows layer by layer: `at` is the array so far, `shape` that of one of its rows."""

    def __init__(self, tensors: Tensors, shape: tuple[int, ...]) -> None:
        self.tensors = tensors
        self.inputs = self.shape = shape
        self.at = "input"
        self.number = 0
        self._nodes: list[bytes] = []
        self._used: dict[str, bytes] = {}

    # --- Layers -----------------------------------------------------------------------------------------------------

    def dense(self, layer: Mapping[str, Any]) -> None:
        if len(self.shape) != 1:
            raise self._wrong(f"is dense, but sees planes of shape {list(self.shape)}", "put a flatten before it")
        weight, bias = self._linear(layer.get("name"), inputs=self.shape[0])
        self.at = self._add("Gemm", self.at, weight, bias, transB=1)
        self.activate(layer)

    def convolve(self, layer: Mapping[str, Any]) -> None:
        self._convolution(layer.get("name"))
        self.activate(layer)

    def residual(self, layer: Mapping[str, Any]) -> None:
        before, shape = self.at, self.shape
        first, second = self._pair(layer, "names")
        self._convolution(first)
        self.activate(layer)
        self._convolution(second)
        if self.shape != shape:
            raise self._wrong(f"adds {self.shape[0]} channels to {shape[0]}", "both have to be as many")
        if "squeeze" in layer:
            self.at = self._add("Mul", self.at, self._gate(*self._pair(layer, "squeeze")))
        self.at = self._add("Add", before, self.at)
        self.activate(layer)

    def flatten(self, layer: Mapping[str, Any]) -> None:
        self.at = self._add("Flatten", self.at, axis=1)
        self.shape = (int(np.prod(self.shape)),)

    def activate(self, layer: Mapping[str, Any]) -> None:
        name = layer.get("activation", "none")
        if not isinstance(name, str) or name not in ACTIVATIONS:
            raise self._wrong(f"has the activation `{name}`", f"known are {', '.join(ACTIVATIONS)}; {AGAIN}")
        kind = ACTIVATIONS[name]
        if kind is not None:
            self.at = self._add(kind, self.at)

    def finish(self, outputs: int) -> bytes:
        if self.shape != (outputs,):
            raise InvalidBrain(
                f"its last layer answers {list(self.shape)} numbers, and its output is made of {outputs}", hint=AGAIN
            )
        self._nodes.append(node("Identity", [self.at], "output"))
        return model(self._nodes, list(self._used.values()), self.inputs, outputs)

    # --- Parts ------------------------------------------------------------------------------------------------------

    def _convolution(self, name: Any) -> None:
        weight, bias = self._tensor(name, "weight"), self._tensor(name, "bias")
        kernels = self.tensors[weight].shape
        if len(self.shape) != 3:
            raise self._wrong("convolves what is no longer planes", "put it before the flatten")
        if len(kernels) != 4 or kernels[1] != self.shape[0] or kernels[2] != kernels[3]:
            raise self._wrong(f"has kernels {list(kernels)} for {self.shape[0]} channels", AGAIN)
        channels, _, size, _ = kernels
        if not (size % 2 and size <= LARGEST_KERNEL and 0 < channels <= MOST_CHANNELS):
            raise self._wrong(
                f"has {channels} kernels of size {size}",
                f"sizes are odd and at most {LARGEST_KERNEL}, and at most {MOST_CHANNELS} are allowed",
            )
        self._check_bias(bias, channels)
        self.at = self._add("Conv", self.at, weight, bias, pads=[size // 2] * 4)
        self.shape = (channels, *self.shape[1:])

    def _gate(self, first: Any, second: Any) -> str:
        """How much of each channel counts: two dense layers, as kernels of one square over the mean of all squares."""
        channels = self.shape[0]
        hidden = self._linear(first, inputs=channels, as_kernels=True)
        narrow = self.tensors[hidden[1]].shape[0]
        wide = self._linear(second, inputs=narrow, as_kernels=True)
        self._check_bias(wide[1], channels)
        mean = self._add("GlobalAveragePool", self.at)
        return self._add("Sigmoid", self._add("Conv", self._add("Relu", self._add("Conv", mean, *hidden)), *wide))

    def _linear(self, name: Any, *, inputs: int, as_kernels: bool = False) -> tuple[str, str]:
        weight, bias = self._tensor(name, "weight"), self._tensor(name, "bias")
        shape = self.tensors[weight].shape
        if len(shape) != 2 or shape[1] != inputs or not 0 < shape[0] <= MOST_NODES:
            raise self._wrong(f"has weights {list(shape)} for {inputs} inputs", AGAIN)
        self._check_bias(bias, shape[0])
        if as_kernels:
            self._used[weight] = tensor(weight, self.tensors[weight].reshape(*shape, 1, 1))
        else:
            self.shape = (shape[0],)
        return weight, bias

    def _tensor(self, name: Any, part: str) -> str:
        full = f"{name}.{part}"
        if full not in self.tensors:
            raise self._wrong(f"needs the tensor `{full}`, which is not there", AGAIN)
        if full in self._used:
            raise self._wrong(f"uses the tensor `{full}` again", "each layer has tensors of its own")
        if not np.isfinite(self.tensors[full]).all():
            raise self._wrong(f"has a number in `{full}` that is not finite", "train it again")
        self._used[full] = tensor(full, self.tensors[full])
        return full

    def _check_bias(self, name: str, outputs: int) -> None:
        if self.tensors[name].shape != (outputs,):
            raise self._wrong(f"has `{name}` {list(self.tensors[name].shape)} for {outputs} outputs", AGAIN)

    def _pair(self, layer: Mapping[str, Any], key: str) -> tuple[Any, Any]:
        names = layer.get(key)
        if not isinstance(names, list) or len(names) != 2:
            raise self._wrong(f"has no two `{key}`", AGAIN)
        return names[0], names[1]

    def _add(self, kind: str, *inputs: str, **attributes: int | Sequence[int]) -> str:
        output = f"step {len(self._nodes) + 1}"
        self._nodes.append(node(kind, inputs, output, **attributes))
        return output

    def _wrong(self, what: str, hint: str) -> InvalidBrain:
        return InvalidBrain(f"layer {self.number} {what}", hint=hint)


DRAWN: Final = {
    "dense": _Drawing.dense,
    "convolve": _Drawing.convolve,
    "residual": _Drawing.residual,
    "flatten": _Drawing.flatten,
}
