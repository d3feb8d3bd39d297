"""Embeddings of positions by a brain's last hidden layer, and a 2-D map of them made by t-SNE.

The map is made once (okapi.analysis.embedding_map) and stored as NAME.atlas beside its brain: a safetensors file of
five arrays in half precision.

points       [m, 2]      the place of each position on the map
values       [m]         the share of the other positions that the brain values less for the mover, 0 to 1
mean         [w]         of the embeddings
directions   [w, d]      the principal directions of the embeddings
features     [m, d]      the embeddings along these directions

A new position is placed among its nearest neighbours. Needs numpy, so `okapi.brains` imports it only when it is used.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find
from okapi.brains.card import LAYERED_KINDS, ModelCard
from okapi.brains.files import brain_file, read_tensors
from okapi.core.networks import Network
from okapi.encodings import find_encoding
from okapi.errors import InvalidBrain, WrongBrain
from okapi.files import replace_file

BATCH: Final = 256
"""Positions in a batch: the planes of more would leave the CPU's cache."""


class Embedder:
    def __init__(self, path: Path, *, threads: int = 1) -> None:
        """Read a brain's file; raises WrongBrain if its last two layers are not dense."""
        card = ModelCard.read(path)
        layers = json.loads(card.metadata.get("layers", "[]")) if card.kind in LAYERED_KINDS else []
        if len(layers) < 2 or any(layer["do"] != "dense" for layer in layers[-2:]):
            raise WrongBrain(
                f"brain `{card.name}` has no dense layer before its last one, so it has no embedding",
                hint="value networks such as ChessNet-2 and perceptrons have one",
            )
        self._encoding = find_encoding(card.encoding)
        self._network = Network(layers[:-1], read_tensors(path), self._encoding.shape, threads=threads)

    def of(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        """The embedding of each packed position: a row of numbers."""
        parts = np.split(positions, range(BATCH, len(positions), BATCH))
        return np.concatenate([self._network.answers(self._encoding.encode_many(part, np.float32)) for part in parts])


Floats = NDArray[np.float32]

ATLAS: Final = "atlas"
"""The kind in the card of a map; its name until 2026 was atlas."""

NEIGHBOURS: Final = 8
"""The number of nearest points among which a new position is placed."""

AGAIN: Final = "make it again with scripts/make_atlas.py"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EmbeddingMap:
    """A map, and what is needed to place other positions on it. The module lists the arrays."""

    brain: Path
    points: Floats
    values: Floats
    mean: Floats
    directions: Floats
    features: Floats
    _embedder: list[Embedder] = field(default_factory=list, init=False, repr=False)
    """The brain's network, read when it is first needed."""

    @classmethod
    def open(cls, path: Path, brain: Path | None = None) -> Self:
        """Read a map of `brain`, by default the brain beside it. Raises InvalidBrain."""
        brain = find(str(brain or path.with_suffix(".safetensors")))
        card = ModelCard.read(path)
        if card.kind != ATLAS:
            raise WrongBrain(f"`{path.name}` is no embedding map: its kind is {card.kind}", hint=AGAIN)
        if card.metadata.get("brain_hash") != _hash(brain):
            raise WrongBrain(f"`{path.name}` is a map of another brain than `{brain.name}`", hint=AGAIN)
        arrays = read_tensors(path)
        try:
            found = cls(brain=brain, **arrays)
        except TypeError:
            raise InvalidBrain(f"`{path.name}` is damaged: it has the arrays {', '.join(arrays)}", hint=AGAIN) from None
        found._check(path.name)
        return found

    def write(self, path: Path) -> None:
        about = ModelCard.read(self.brain)
        card = {
            "name": f"map of {about.name}",
            "kind": ATLAS,
            "encoding": about.encoding,
            "brain_hash": _hash(self.brain),
        }
        arrays = {name: np.asarray(getattr(self, name), np.float32) for name in ARRAYS}
        replace_file(path, brain_file(card, arrays, bits=16))

    def place(self, positions: NDArray[np.void]) -> Floats:
        """Place packed positions on the map: the mean of their nearest points, weighted by distance."""
        if not len(positions):
            return np.zeros((0, 2), np.float32)
        if not self._embedder:
            self._embedder.append(Embedder(self.brain))
        seen = (self._embedder[0].of(positions) - self.mean) @ self.directions
        squares = (seen**2).sum(axis=1)[:, None] + (self.features**2).sum(axis=1) - 2 * seen @ self.features.T
        count = min(NEIGHBOURS, len(self.points))
        nearest = np.argpartition(squares, count - 1, axis=1)[:, :count]
        away = np.maximum(np.take_along_axis(squares, nearest, axis=1), 0)
        # The nearest decides the scale: a position far from all points is placed near the nearest of them.
        weights = 1 / (away + 0.1 * away.min(axis=1, keepdims=True) + 1e-6)
        placed = (self.points[nearest] * weights[:, :, None]).sum(axis=1) / weights.sum(axis=1, keepdims=True)
        return np.asarray(placed, np.float32)

    def _check(self, name: str) -> None:
        count, across = self.features.shape if self.features.ndim == 2 else (0, 0)
        wanted = {
            "points": (count, 2),
            "values": (count,),
            "mean": (len(self.mean),),
            "directions": (len(self.mean), across),
            "features": (count, across),
        }
        for array, shape in wanted.items():
            if not count or getattr(self, array).shape != shape:
                raise InvalidBrain(f"`{name}` is damaged: its {array} do not fit the others", hint=AGAIN)


ARRAYS: Final = ("points", "values", "mean", "directions", "features")


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
