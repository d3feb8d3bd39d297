"""Evaluations of many positions at once: values, and the probabilities of classes.

Needs numpy, so `okapi.brains` imports it only when it is used.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains import CONVOLUTIONAL, card, check_evaluates, default_name, evaluator
from okapi.brains.convolutional import Convolutional
from okapi.brains.output import Output, expected_scores
from okapi.core import Color, RawBrain
from okapi.core.evaluation import evaluate, outputs


@dataclass(frozen=True, slots=True)
class Evaluations:
    """A brain's evaluation of each position, without search."""

    values: NDArray[np.float64]
    """The expected score of the side to move, 0 to 1."""
    classes: NDArray[np.float32] | None
    """The probability of each class, from the side that `output` names. None without classes."""
    output: Mapping[str, Any]
    """The `output` in the card; empty if the brain is no such network."""


Positions = NDArray[np.void]


def opened(name: str | Path | None, threads: int = 1) -> Callable[[Positions], Evaluations]:
    """The function that evaluates many packed positions with a brain, which is read once."""
    about = card(name or default_name())
    check_evaluates(about)
    answer: Callable[[Positions], NDArray[np.float32]]  # after softmax
    if about.kind == "perceptron":
        answer = partial(outputs, RawBrain.open(str(about.path)), threads=threads)
    elif about.kind == CONVOLUTIONAL:
        answer = Convolutional.open(about.path, threads=threads).answers
    else:
        native = evaluator(name)
        return lambda positions: Evaluations(
            expected_scores(evaluate([native], positions, threads=threads)[0]), None, {}
        )
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
    """The classes of one position, where `turn` is to move, the worst for `side` first; () without classes.

    >>> import numpy as np
    >>> output = {"form": "classes", "view": "white", "values": [0.1, 0.5, 0.8], "edges": [-150, 50]}
    >>> seen = Evaluations(np.array([0.7]), np.array([[0.1, 0.2, 0.7]], np.float32), output)
    >>> [(share.low, share.high) for share in class_shares(seen, 0, Color.BLACK, Color.BLACK)]
    [(None, -50), (-50, 150), (150, None)]
    """
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
