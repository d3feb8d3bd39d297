"""Random convolutional brains, and what they answer by the plainest arithmetic: the twin of the core."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from networks import ACTIVATIONS, tensors
from numpy.typing import NDArray

from okapi.brains.files import write_brain

Floats = NDArray[np.float64]
Tensors = dict[str, NDArray[np.float32]]
Layers = Sequence[Mapping[str, Any]]

SABATELLI = (
    {"do": "convolve", "name": "1", "activation": "elu"},
    {"do": "convolve", "name": "2", "activation": "elu"},
    {"do": "flatten"},
    {"do": "dense", "name": "3", "activation": "elu"},
    {"do": "dense", "name": "4", "activation": "none"},
)
"""The layers of sabatelli2018's network."""

RESIDUAL = (
    {"do": "convolve", "name": "1", "activation": "relu"},
    {"do": "residual", "names": ["2", "3"], "squeeze": ["4", "5"], "activation": "relu"},
    {"do": "residual", "names": ["6", "7"], "activation": "tanh"},
    {"do": "flatten"},
    {"do": "dense", "name": "8", "activation": "sigmoid"},
)

FROM_TO = (
    {"do": "convolve", "name": "1", "activation": "relu"},
    {"do": "residual", "names": ["2", "3"], "squeeze": ["4", "5"], "activation": "elu"},
    {"do": "from-to", "names": ["6", "7"]},
)
"""A small network that predicts moves."""

CLASSES = {"form": "classes", "view": "white", "values": [0.1, 0.5, 0.9], "edges": [-100, 100]}


def sabatelli(seed: int = 1, *, channels: Sequence[int] = (3, 5), nodes: int = 7, outputs: int = 3) -> Tensors:
    """Random tensors for SABATELLI, as small as a test needs; the paper's own have 20 and 50 channels and 500 nodes."""
    first, second = channels
    return tensors(
        seed,
        {"1": (first, 12, 5, 5), "2": (second, first, 3, 3), "3": (nodes, second * 64), "4": (outputs, nodes)},
    )


def residual(seed: int = 1, *, outputs: int = 1) -> Tensors:
    """Random tensors for RESIDUAL."""
    kernels = dict.fromkeys("2367", (4, 4, 3, 3))
    return tensors(seed, {"1": (4, 12, 3, 3), "4": (2, 4), "5": (4, 2), "8": (outputs, 256), **kernels})


def from_to(seed: int = 1, *, channels: int = 5, width: int = 3) -> Tensors:
    """Random tensors for FROM_TO."""
    kernels = dict.fromkeys("23", (channels, channels, 3, 3)) | dict.fromkeys("67", (width, channels, 1, 1))
    return tensors(seed, {"1": (channels, 12, 3, 3), "4": (2, channels), "5": (channels, 2), **kernels})


def write(
    folder: Path,
    layers: Layers = SABATELLI,
    made: Mapping[str, NDArray[np.float32]] | None = None,
    *,
    name: str = "looker",
    encoding: str = "bitmap-12x8x8",
    output: Mapping[str, Any] = CLASSES,
    changes: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """The file of a convolutional brain; `changes` are of its card, as they stand there."""
    card = {"name": name, "kind": "convolutional", "encoding": encoding}
    path = folder / f"{name}.safetensors"
    described = {"layers": json.dumps(list(layers)), "output": json.dumps(dict(output))}
    write_brain(path, {**card, **described, **changes}, sabatelli() if made is None else made)
    return path


# --- The plain twin -------------------------------------------------------------------------------------------------


def answers(layers: Layers, made: Tensors, seen: NDArray[Any]) -> Floats:
    """What the network answers to arrays of an encoding: one row each."""
    x = seen.astype(np.float64)
    for layer in layers:
        match layer:
            case {"do": "dense", "name": name, "activation": activation}:
                x = ACTIVATIONS[activation](dense(x, made, name))
            case {"do": "convolve", "name": name, "activation": activation}:
                x = ACTIVATIONS[activation](convolve(x, made, name))
            case {"do": "residual", "names": [first, second], "activation": activation}:
                act = ACTIVATIONS[activation]
                said = convolve(act(convolve(x, made, first)), made, second)
                x = act(x + gate(said, made, layer.get("squeeze")) * said)
            case {"do": "flatten"}:
                x = x.reshape(len(x), -1)
            case {"do": "from-to", "names": [queries, keys]}:
                q, k = (convolve(x, made, name).reshape(len(x), -1, 64) for name in (queries, keys))
                x = np.einsum("nws,nwt->nst", q, k).reshape(len(x), -1) / np.sqrt(q.shape[1])
    return x


def dense(x: Floats, made: Tensors, name: str) -> Floats:
    return x @ made[f"{name}.weight"].T.astype(np.float64) + made[f"{name}.bias"]


def convolve(x: Floats, made: Tensors, name: str) -> Floats:
    kernels = made[f"{name}.weight"].astype(np.float64)
    reach = kernels.shape[2] // 2
    padded = np.pad(x, ((0, 0), (0, 0), (reach, reach), (reach, reach)))
    said = np.zeros((len(x), len(kernels), 8, 8))
    for rank in range(8):
        for file in range(8):
            window = padded[:, :, rank : rank + 2 * reach + 1, file : file + 2 * reach + 1]
            said[:, :, rank, file] = np.einsum("nchw,kchw->nk", window, kernels)
    return said + made[f"{name}.bias"][:, np.newaxis, np.newaxis]


def gate(said: Floats, made: Tensors, squeeze: Sequence[str] | None) -> Floats | float:
    if squeeze is None:
        return 1.0
    hidden = ACTIVATIONS["relu"](dense(said.mean(axis=(2, 3)), made, squeeze[0]))
    return ACTIVATIONS["sigmoid"](dense(hidden, made, squeeze[1]))[:, :, np.newaxis, np.newaxis]
