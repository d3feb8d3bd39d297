"""Convolutional brains, evaluated in batches.

Needs numpy, so `okapi.brains` imports it only when it is used.
"""

import json
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import CONVOLUTIONAL
from okapi.brains.card import ModelCard
from okapi.brains.files import read_tensors
from okapi.brains.output import Output
from okapi.core import Evaluator
from okapi.core.networks import Network
from okapi.core.packed import POSITION
from okapi.encodings import Encoding, find_encoding
from okapi.errors import InvalidBrain, NotFound, WrongBrain

BATCH: Final = 256
"""Positions in a batch: larger batches are no faster on a CPU, because their planes leave its cache."""


class Convolutional:
    """A network, its encoding, and the meaning of its output."""

    def __init__(self, encoding: Encoding, output: Output, network: Network) -> None:
        self.encoding = encoding
        self.output = output
        self._network = network

    @classmethod
    def open(cls, path: Path, *, threads: int = 1) -> "Convolutional":
        """Read a brain's file; `threads` share each batch. Raises InvalidBrain."""
        card = ModelCard.read(path)
        try:
            if card.kind != CONVOLUTIONAL:
                raise WrongBrain(f"its kind is {card.kind}", hint="okapi.brains.evaluator reads every kind")
            encoding = read_encoding(card.encoding)
            output = Output.read(card.metadata.get("output", "nothing"))
            layers = json.loads(card.metadata.get("layers", "null"))
            network = Network(layers, read_tensors(path), encoding.shape, outputs=output.width, threads=threads)
            return cls(encoding, output, network)
        except InvalidBrain as error:
            raise type(error)(f"brain `{card.name}` cannot be used: {error}", hint=error.hint) from None
        except (ValueError, RecursionError):
            raise InvalidBrain(
                f"brain `{card.name}` cannot be used: the `layers` in its card are not JSON",
                hint="save it again with the recipe in its card",
            ) from None

    def answers(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        """The output of the network, a row for each packed position; probabilities if it has classes."""
        answers = [self._answer(positions[begin : begin + BATCH]) for begin in range(0, len(positions), BATCH)]
        return np.concatenate([np.zeros((0, self.output.width), np.float32), *answers])

    def centipawns(self, positions: NDArray[np.void]) -> NDArray[np.int32]:
        values = self.output.centipawns(self.answers(positions), positions["turn"])
        return np.rint(values).astype(np.int32)

    def evaluator(self) -> Evaluator:
        """An evaluator for the search, called with many positions at a time."""
        return Evaluator.from_packed(self._tell)

    def _tell(self, rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        values[:] = self.centipawns(rows.view(POSITION)[:, 0])

    def _answer(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        seen = self.encoding.encode_many(positions, np.float32)
        return self.output.finish(self._network.answers(seen))


def read_encoding(name: str) -> Encoding:
    """The encoding that a card names; raises WrongBrain for an unknown one."""
    try:
        return find_encoding(name)
    except NotFound as error:
        raise WrongBrain(f"it reads {error}", hint=error.hint) from None
