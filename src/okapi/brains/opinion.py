"""What brains think of many positions at once, with whatever else their networks say.

Not imported by `okapi.brains` itself, which works without numpy.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import CONVOLUTIONAL, card, check_that_it_judges, default_name, evaluator
from okapi.brains.convolutional import Convolutional
from okapi.brains.output import Output, expected_scores
from okapi.core import Brain
from okapi.core.evaluation import evaluate, outputs

__all__ = ["Opinions", "opinions_of"]


@dataclass(frozen=True, slots=True)
class Opinions:
    """A brain's opinion of each position, without looking ahead."""

    values: NDArray[np.float64]
    """The expected score of the side to move, 0 to 1."""
    classes: NDArray[np.float32] | None
    """The probability of each class, as the network sees it: `output` says whose view that is. None without classes."""
    output: Mapping[str, Any]
    """What the card says about its network's answers; nothing if the brain is no such network."""


def opinions_of(name: str | None, positions: NDArray[np.void], threads: int = 1) -> Opinions:
    """See okapi.brains.opinions."""
    about = card(name or default_name())
    check_that_it_judges(about)
    if about.kind not in NETWORKS:
        return Opinions(expected_scores(evaluate([evaluator(name)], positions, threads=threads)[0]), None, {})
    answers = NETWORKS[about.kind](about.path, positions, threads)
    output = Output.read(about.metadata["output"])
    values = output.expected(answers, positions["turn"])
    return Opinions(values, answers if output.form == "classes" else None, about.details()["output"])


def _perceptron(path: Path, positions: NDArray[np.void], threads: int) -> NDArray[np.float32]:
    return outputs(Brain.open(str(path)), positions, threads=threads)


def _convolutional(path: Path, positions: NDArray[np.void], threads: int) -> NDArray[np.float32]:
    return Convolutional.open(path, threads=threads).answers(positions)


NETWORKS: Final[Mapping[str, Callable[[Path, NDArray[np.void], int], NDArray[np.float32]]]] = {
    "perceptron": _perceptron,
    CONVOLUTIONAL: _convolutional,
}
"""What the networks of brains of these kinds answer, softmax applied."""
