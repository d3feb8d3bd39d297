"""
Pupils: brains that TD-Leaf can teach, because what they say of a position is a differentiable function of weights.

The network of lai2015, perceptrons with any output, and sums of factors.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from okapi.brains import find
from okapi.brains.card import ModelCard
from okapi.brains.writing import read_tensors
from okapi.core import Brain, Evaluator
from okapi.encodings import find_encoding
from okapi.errors import WrongBrain
from okapi.models.lai2015 import Giraffe, giraffe_brain, open_giraffe
from okapi.training.tdleaf.perceptrons import PerceptronPupil
from okapi.training.tdleaf.sums import SumPupil

__all__ = ["GiraffePupil", "Pupil", "evaluator_of", "find_pupil"]


class Pupil(Protocol):
    """What learns."""

    @property
    def module(self) -> nn.Module:
        """The weights."""
        ...

    def values(self, positions: NDArray[np.void], *, threads: int = 1) -> Tensor:
        """z for the side to move of each packed position: tanh(z) is twice the expected score, less one."""
        ...

    def brain(self, card: Mapping[str, str]) -> bytes:
        """A brain's file with the weights as they are."""
        ...


class GiraffePupil:
    """The network of lai2015."""

    def __init__(self, model: Giraffe, encoding: str = "giraffe-363-mover") -> None:
        self.module = model
        self._encoding = find_encoding(encoding)

    def values(self, positions: NDArray[np.void], *, threads: int = 1) -> Tensor:
        """As Pupil says; a network that sees the board with White's eyes answers for White."""
        z: Tensor = self.module(torch.from_numpy(self._encoding.encode_many(positions, np.float32, threads=threads)))
        if self._encoding.name == "giraffe-363-mover":
            return z
        return z * torch.from_numpy(np.where(positions["turn"] == 0, 1, -1).astype(np.float32))

    def brain(self, card: Mapping[str, str]) -> bytes:
        """As Pupil says."""
        return giraffe_brain(self.module, card, encoding=self._encoding.name)


def evaluator_of(pupil: Pupil) -> Evaluator:
    """What plays with the weights as they are."""
    return Evaluator.from_brain(Brain.from_bytes(pupil.brain({"name": "pupil"})))


def find_pupil(brain: str) -> Pupil:
    """The pupil that a brain is, by name or path: WrongBrain if nobody can teach its kind."""
    path = find(brain)
    told = ModelCard.read(path)
    if told.kind not in _KINDS:
        raise WrongBrain(
            f"brain `{told.name}` of kind `{told.kind}` cannot be taught by TD-Leaf", hint=f"{', '.join(_KINDS)} can"
        )
    pupil: Pupil = _KINDS[told.kind](told, path)
    return pupil


def _giraffe(told: ModelCard, path: Path) -> Pupil:
    return GiraffePupil(open_giraffe(path), told.encoding)


def _perceptron(told: ModelCard, path: Path) -> Pupil:
    return PerceptronPupil(told, read_tensors(path))


def _sum(told: ModelCard, path: Path) -> Pupil:
    return SumPupil(told, read_tensors(path))


_KINDS: Final[dict[str, Callable[[ModelCard, Path], Any]]] = {
    "giraffe": _giraffe,
    "perceptron": _perceptron,
    "material": _sum,
    "linear-5": _sum,
    "linear-28": _sum,
    "linear-35": _sum,
}
