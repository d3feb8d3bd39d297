"""Perceptrons and brains that predict moves, made up for tests, and what perceptrons say, by numpy."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.files import brain_file, write_brain
from okapi.encodings import ENCODINGS, find_encoding

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
    """Layers as a card lists them, and their tensors."""

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

    def card(self) -> dict[str, str]:
        """What its file says about it."""
        layers, output = json.dumps(self.layers), json.dumps(self.output)
        return {"name": "made", "kind": "perceptron", "encoding": self.encoding, "layers": layers, "output": output}

    def file(self) -> bytes:
        """It as a brain."""
        return brain_file(self.card(), self.tensors)

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


# --- Brains that predict moves --------------------------------------------------------------------------------------

KINDS: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
SHARES: Final = (0.9, 0.06, 0.01, 0.03)
"""How often a pawn becomes a queen, rook, bishop and knight."""


def write_mover(
    folder: Path,
    *,
    encoding: str = "planes-18+elo",
    name: str = "mover",
    channels: int = 4,
    width: int = 3,
    seed: int = 1,
) -> Path:
    """The file of one random network that predicts moves: a convolution, a residual block, and pairs of squares."""
    planes = find_encoding(encoding).shape[0]
    shapes = {
        "1": (channels, planes, 3, 3),
        "2": (channels, channels, 3, 3),
        "3": (channels, channels, 3, 3),
        "4": (2, channels),
        "5": (channels, 2),
        "6": (width, channels, 1, 1),
        "7": (width, channels, 1, 1),
    }
    layers = [
        {"do": "convolve", "name": "1", "activation": "relu"},
        {"do": "residual", "names": ["2", "3"], "squeeze": ["4", "5"], "activation": "relu"},
        {"do": "from-to", "names": ["6", "7"]},
    ]
    card = {
        "name": name,
        "kind": "convolutional",
        "encoding": encoding,
        "layers": json.dumps(layers),
        "output": json.dumps({"form": "moves", "promotions": SHARES}),
    }
    return _written(folder, card, tensors(seed, shapes))


def write_seven(
    folder: Path,
    *,
    encoding: str = "planes-12+elo",
    name: str = "seven",
    piece_layer: bool = True,
    channels: int = 3,
    nodes: int = 8,
    seed: int = 1,
) -> Path:
    """The file of the seven networks, random: two convolutions and two dense layers each."""
    networks: dict[str, Any] = {}
    weights: dict[str, Floats] = {}
    for number, which in enumerate(("piece", *KINDS)):
        sees = f"{encoding}+piece" if piece_layer and which != "piece" else encoding
        planes = find_encoding(sees).shape[0]
        shapes = {
            "1": (channels, planes, 3, 3),
            "2": (channels, channels, 3, 3),
            "3": (nodes, 64 * channels),
            "4": (64, nodes),
        }
        layers = [
            {"do": "convolve", "name": "1", "activation": "relu"},
            {"do": "convolve", "name": "2", "activation": "relu"},
            {"do": "flatten"},
            {"do": "dense", "name": "3", "activation": "relu"},
            {"do": "dense", "name": "4", "activation": "none"},
        ]
        networks[which] = {"encoding": sees, "layers": layers}
        made = tensors(seed + number, shapes)
        weights |= {f"{which}/{key}": tensor for key, tensor in made.items()}
    card = {
        "name": name,
        "kind": "seven-networks",
        "encoding": encoding,
        "networks": json.dumps(networks),
        "output": json.dumps({"form": "squares", "promotions": SHARES}),
    }
    return _written(folder, card, weights)


def tensors(seed: int, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Floats]:
    """Weights of these shapes, each with its bias, so large that answers neither vanish nor explode."""
    rng = np.random.default_rng(seed)
    made: dict[str, Floats] = {}
    for name, shape in shapes.items():
        scale = np.sqrt(2 / np.prod(shape[1:]))
        made[f"{name}.weight"] = (scale * rng.standard_normal(shape)).astype(np.float32)
        made[f"{name}.bias"] = (0.1 * rng.standard_normal(shape[0])).astype(np.float32)
    return made


def _written(folder: Path, card: Mapping[str, str], weights: Mapping[str, Floats]) -> Path:
    path = folder / f"{card['name']}.safetensors"
    write_brain(path, card, weights)
    return path
