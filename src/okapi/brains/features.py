"""What a network sees in positions: the answers of its last hidden layer, behind which only the opinion comes.

Not imported by `okapi.brains` itself, which works without numpy.
"""

import json
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.writing import read_tensors
from okapi.core.networks import Network
from okapi.encodings import find_encoding
from okapi.errors import WrongBrain

__all__ = ["Features"]

NETWORKS: Final = ("convolutional", "perceptron")
"""Kinds of brains that consist of layers."""

AT_ONCE: Final = 256
"""Positions in a batch: the planes of more would leave the processor's cache."""


class Features:
    """A network without its last layer."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        """Read a brain's file: WrongBrain if its last two layers are not dense."""
        card = ModelCard.read(path)
        layers = json.loads(card.metadata.get("layers", "[]")) if card.kind in NETWORKS else []
        if len(layers) < 2 or any(layer["do"] != "dense" for layer in layers[-2:]):
            raise WrongBrain(
                f"brain `{card.name}` has no dense layer before its last one, so there is nothing to look at",
                hint="value networks such as ChessNet-2 have one, and so have perceptrons",
            )
        self._encoding = find_encoding(card.encoding)
        self._network = Network(layers[:-1], read_tensors(path), self._encoding.shape, threads=threads)

    def of(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        """A row of numbers for each packed position."""
        parts = np.split(positions, range(AT_ONCE, len(positions), AT_ONCE))
        return np.concatenate([self._network.answers(self._encoding.encode_many(part, np.float32)) for part in parts])
