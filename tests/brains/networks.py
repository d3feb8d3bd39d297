"""Perceptrons made up for tests, and what they say, by numpy."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.writing import brain_file
from okapi.encodings import ENCODINGS

Floats = NDArray[np.float32]

NUMBER: Final = {"form": "number", "view": "mover", "low": -1500, "high": 1500}
SCORE: Final = {"form": "score", "view": "mover"}


def classes(count: int, view: str = "white") -> dict[str, Any]:
    """The output of a brain with so many classes, their expected scores evenly spread."""
    values = [(number + 0.5) / count for number in range(count)]
    return {"form": "classes", "view": view, "values": values, "edges": list(range(count - 1))}


ACTIVATIONS: Final = {
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


@dataclass(frozen=True)
class Perceptron:
    """Layers as a passport lists them, and their tensors."""

    encoding: str
    layers: Sequence[Mapping[str, str]]
    tensors: Mapping[str, Floats]
    output: Mapping[str, Any]

    @classmethod
    def random(
        cls, encoding: str, sizes: Sequence[int], activations: Sequence[str], output: Mapping[str, Any], seed: int = 1
    ) -> "Perceptron":
        """Weights as PyTorch would begin with, for `sizes` behind the inputs."""
        generator = np.random.default_rng(seed)
        inputs = [int(np.prod(ENCODINGS[encoding].shape)), *sizes[:-1]]
        layers, tensors = [], {}
        for number, (before, size, activation) in enumerate(zip(inputs, sizes, activations, strict=True), 1):
            spread = before**-0.5
            layers.append({"do": "dense", "name": str(number), "activation": activation})
            tensors[f"{number}.weight"] = generator.uniform(-spread, spread, (size, before)).astype(np.float32)
            tensors[f"{number}.bias"] = generator.uniform(-spread, spread, size).astype(np.float32)
        return cls(encoding, layers, tensors, output)

    def passport(self) -> dict[str, str]:
        """What its file says about it."""
        layers, output = json.dumps(self.layers), json.dumps(self.output)
        return {"name": "made", "kind": "perceptron", "encoding": self.encoding, "layers": layers, "output": output}

    def file(self, *, half: bool = False) -> bytes:
        """It as a brain."""
        return brain_file(self.passport(), self.tensors, half=half)

    def __call__(self, positions: NDArray[np.void]) -> NDArray[np.float64]:
        """What it says: a row for each packed position."""
        x = ENCODINGS[self.encoding].in_numpy(positions).reshape(len(positions), -1).astype(np.float64)
        for layer in self.layers:
            weight, bias = (self.tensors[f"{layer['name']}.{part}"].astype(np.float64) for part in ("weight", "bias"))
            x = ACTIVATIONS[layer["activation"]](x @ weight.T + bias)
        if self.output["form"] != "classes":
            return x
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)
