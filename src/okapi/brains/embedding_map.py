"""Embeddings of positions by a brain's last hidden layer, and a 2-D map of them made by t-SNE.

The map is made once (okapi.analysis.embedding_map) and stored as NAME.atlas beside its brain: a safetensors file of
five arrays in half precision.

points       [m, 2]      the place of each position on the map
values       [m]         the share of the other positions that the brain values less for the mover, 0 to 1
mean         [w]         of the embeddings
directions   [w, d]      the principal directions of the embeddings
features     [m, d]      the embeddings along these directions

A new position is placed among its nearest neighbours.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find
from okapi.brains.card import LAYERED_KINDS, ModelCard
from okapi.brains.evaluation import BATCH
from okapi.brains.files import brain_file, read_tensors
from okapi.core.networks import Network
from okapi.encodings import find_encoding
from okapi.errors import InvalidBrain, WrongBrain
from okapi.files import file_hash, replace_file

Floats = NDArray[np.float32]


def embedder(path: Path, *, threads: int = 1) -> Callable[[NDArray[np.void]], Floats]:
    """The function that embeds packed positions, a row each; WrongBrain unless the last two layers are dense."""
    card = ModelCard.read(path)
    layers = json.loads(card.metadata.get("layers", "[]")) if card.kind in LAYERED_KINDS else []
    if len(layers) < 2 or any(layer["do"] != "dense" for layer in layers[-2:]):
        what = f"brain `{card.name}` has no dense layer before its last one, so it has no embedding"
        raise WrongBrain(what, hint="value networks such as ChessNet-2 and perceptrons have one")
    encoding = find_encoding(card.encoding)
    network = Network(layers[:-1], read_tensors(path), encoding.shape, threads=threads)

    def embed(positions: NDArray[np.void]) -> Floats:
        parts = np.split(positions, range(BATCH, len(positions), BATCH))
        return np.concatenate([network.answers(encoding.encode_many(part, np.float32)) for part in parts])

    return embed


ATLAS: Final = "atlas"
"""The kind in the card of a map; its name until 2026 was atlas."""

ARRAYS: Final = ("points", "values", "mean", "directions", "features")
NEIGHBOURS: Final = 8
AGAIN: Final = "make it again with scripts/make_atlas.py"


@dataclass(frozen=True, kw_only=True, eq=False)
class EmbeddingMap:
    """A map, and what is needed to place other positions on it. The module lists the arrays."""

    brain: Path
    points: Floats
    values: Floats
    mean: Floats
    directions: Floats
    features: Floats

    @classmethod
    def open(cls, path: Path, brain: Path | None = None) -> Self:
        """Read a map of `brain`, by default the brain beside it. Raises InvalidBrain."""
        brain = find(str(brain or path.with_suffix(".safetensors")))
        card = ModelCard.read(path)
        if card.kind != ATLAS:
            raise WrongBrain(f"`{path.name}` is no embedding map: its kind is {card.kind}", hint=AGAIN)
        if card.metadata.get("brain_hash") != file_hash(brain):
            raise WrongBrain(f"`{path.name}` is a map of another brain than `{brain.name}`", hint=AGAIN)
        arrays = read_tensors(path)
        try:
            found = cls(brain=brain, **arrays)
        except TypeError:
            raise InvalidBrain(f"`{path.name}` is damaged: it has the arrays {', '.join(arrays)}", hint=AGAIN) from None
        count, across = found.features.shape if found.features.ndim == 2 else (0, 0)
        width = len(found.mean)
        shapes = ((count, 2), (count,), (width,), (width, across), (count, across))
        for array, shape in zip(ARRAYS, shapes, strict=True):
            if not count or arrays[array].shape != shape:
                raise InvalidBrain(f"`{path.name}` is damaged: its {array} do not fit the others", hint=AGAIN)
        return found

    def write(self, path: Path) -> None:
        about = ModelCard.read(self.brain)
        card = {"name": f"map of {about.name}", "kind": ATLAS, "encoding": about.encoding}
        card["brain_hash"] = file_hash(self.brain)
        arrays = {name: np.asarray(getattr(self, name), np.float32) for name in ARRAYS}
        replace_file(path, brain_file(card, arrays, bits=16))

    @cached_property
    def _embed(self) -> Callable[[NDArray[np.void]], Floats]:
        return embedder(self.brain)

    def place(self, positions: NDArray[np.void]) -> Floats:
        """Place packed positions on the map: the mean of their nearest points, weighted by distance."""
        if not len(positions):
            return np.zeros((0, 2), np.float32)
        seen = (self._embed(positions) - self.mean) @ self.directions
        squares = (seen**2).sum(axis=1)[:, None] + (self.features**2).sum(axis=1) - 2 * seen @ self.features.T
        count = min(NEIGHBOURS, len(self.points))
        nearest = np.argpartition(squares, count - 1, axis=1)[:, :count]
        away = np.maximum(np.take_along_axis(squares, nearest, axis=1), 0)
        # The nearest decides the scale: a position far from all points is placed near the nearest of them.
        weights = 1 / (away + 0.1 * away.min(axis=1, keepdims=True) + 1e-6)
        placed = (self.points[nearest] * weights[:, :, None]).sum(axis=1) / weights.sum(axis=1, keepdims=True)
        return np.asarray(placed, np.float32)
