"""Evaluations of many positions at once: values, the probabilities of classes, and convolutional brains."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import CONVOLUTIONAL, card, check_evaluates, default_name, evaluator
from okapi.brains.card import ModelCard
from okapi.brains.files import read_tensors
from okapi.brains.output import Output, expected_scores
from okapi.core import Color, Evaluator, RawBrain
from okapi.core.evaluation import evaluate, outputs
from okapi.core.networks import Network
from okapi.core.packed import POSITION
from okapi.encodings import Encoding, find_encoding
from okapi.errors import InvalidBrain, NotFound, WrongBrain

Positions = NDArray[np.void]

BATCH: Final = 256
"""Positions in a batch: larger batches are no faster on a CPU, because their planes leave its cache."""


class Convolutional:
    """A network, its encoding, and the meaning of its output."""

    def __init__(self, encoding: Encoding, output: Output, network: Network) -> None:
        self.encoding, self.output, self._network = encoding, output, network

    @classmethod
    def open(cls, path: Path, *, threads: int = 1) -> "Convolutional":
        """Read a brain's file; `threads` share each batch. Raises InvalidBrain."""
        about = ModelCard.read(path)
        try:
            if about.kind != CONVOLUTIONAL:
                raise WrongBrain(f"its kind is {about.kind}", hint="okapi.brains.evaluator reads every kind")
            encoding = read_encoding(about.encoding)
            output = Output.read(about.metadata.get("output", "nothing"))
            layers = json.loads(about.metadata.get("layers", "null"))
            network = Network(layers, read_tensors(path), encoding.shape, outputs=output.width, threads=threads)
            return cls(encoding, output, network)
        except InvalidBrain as error:
            raise type(error)(f"brain `{about.name}` cannot be used: {error}", hint=error.hint) from None
        except (ValueError, RecursionError):
            what = f"brain `{about.name}` cannot be used: the `layers` in its card are not JSON"
            raise InvalidBrain(what, hint="save it again with the recipe in its card") from None

    def answers(self, positions: Positions) -> NDArray[np.float32]:
        """The output of the network, a row for each packed position; probabilities if it has classes."""
        parts = (positions[begin : begin + BATCH] for begin in range(0, len(positions), BATCH))
        inputs = (self.encoding.encode_many(part, np.float32) for part in parts)
        answers = [self.output.finish(self._network.answers(each)) for each in inputs]
        return np.concatenate([np.zeros((0, self.output.width), np.float32), *answers])

    def centipawns(self, positions: Positions) -> NDArray[np.int32]:
        return np.rint(self.output.centipawns(self.answers(positions), positions["turn"])).astype(np.int32)

    def evaluator(self) -> Evaluator:
        """An evaluator for the search, called with many positions at a time."""
        return Evaluator.from_packed(self._tell)

    def _tell(self, rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        values[:] = self.centipawns(rows.view(POSITION)[:, 0])


def read_encoding(name: str) -> Encoding:
    """The encoding that a card names; raises WrongBrain for an unknown one."""
    try:
        return find_encoding(name)
    except NotFound as error:
        raise WrongBrain(f"it reads {error}", hint=error.hint) from None


@dataclass(frozen=True, slots=True)
class Evaluations:
    """A brain's evaluation of each position, without search."""

    values: NDArray[np.float64]
    """The expected score of the side to move, 0 to 1."""
    classes: NDArray[np.float32] | None
    """The probability of each class, from the side that `output` names. None without classes."""
    output: Mapping[str, Any]
    """The `output` in the card; empty if the brain is no such network."""


def opened(name: str | Path | None) -> Callable[[Positions], Evaluations]:
    """The function that evaluates many packed positions with a brain, which is read once."""
    about = card(name or default_name())
    check_evaluates(about)
    answer: Callable[[Positions], NDArray[np.float32]]  # after softmax
    if about.kind == "perceptron":
        answer = partial(outputs, RawBrain.open(str(about.path)))
    elif about.kind == CONVOLUTIONAL:
        answer = Convolutional.open(about.path).answers
    else:
        native = evaluator(name)
        return lambda positions: Evaluations(expected_scores(evaluate([native], positions)[0]), None, {})
    output = Output.read(about.metadata["output"])

    def by_network(positions: Positions) -> Evaluations:
        answers = answer(positions)
        values = output.expected(answers, positions["turn"])
        return Evaluations(values, answers if output.form == "classes" else None, about.details()["output"])

    return by_network


@dataclass(frozen=True, slots=True)
class ClassShare:
    low: float | None
    high: float | None
    """Its bounds in centipawns; None where it is open, or the card does not name them."""
    probability: float

    def as_json(self) -> dict[str, Any]:
        return {"low": self.low, "high": self.high, "probability": round(self.probability, 5)}


def class_shares(evaluated: Evaluations, row: int, turn: Color, side: Color) -> tuple[ClassShare, ...]:
    """The classes of one position, where `turn` is to move, the worst for `side` first; () without classes."""
    if evaluated.classes is None:
        return ()
    probabilities = evaluated.classes[row].tolist()
    edges = list(evaluated.output.get("edges", ()))
    if len(edges) != len(probabilities) - 1:
        edges = [None] * (len(probabilities) - 1)
    seen_by = Color.WHITE if evaluated.output.get("view") == "white" else turn
    if side is not seen_by:
        probabilities.reverse()
        edges = [None if edge is None else -edge for edge in reversed(edges)]
    return tuple(map(ClassShare, [None, *edges], [*edges, None], probabilities))
