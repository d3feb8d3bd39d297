"""Sums of weighted factors as pupils: what KnightCap learned (Baxter, Tridgell and Weaver 1998)."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from okapi.brains.card import ModelCard
from okapi.brains.writing import brain_file
from okapi.core import Brain, Evaluator
from okapi.core.evaluation import evaluate, factors
from okapi.training.tdleaf.errors import CENTIPAWNS

__all__ = ["SumPupil"]

MOBILITY: Final = 5
"""Where the weight of mobility stands in linear-5, which none of the factors is."""

SCALE: Final = 100.0
"""Centipawns. Weights are learned in pawns: then they are as large as a network's, and suit the same learning rates."""


class SumPupil:
    """A brain of kind material, linear-5, linear-28 or linear-35."""

    def __init__(self, told: ModelCard, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        self._kept = dict(told.metadata)
        self._kind = told.kind
        weights = tensors["weights"]
        self._divisors = tensors.get("divisors", np.ones_like(weights))
        self.module = nn.Linear(len(weights), 1, bias=False)
        with torch.no_grad():
            self.module.weight.copy_(torch.from_numpy(weights / SCALE))

    def values(self, positions: NDArray[np.void], *, threads: int = 1) -> Tensor:
        """As Pupil says."""
        seen = factors(positions, threads=threads)[:, : len(self._divisors)].astype(np.float32)
        if self._kind == "linear-5":
            seen = np.column_stack([seen[:, :MOBILITY], _mobility(positions, threads)])
        scaled = torch.from_numpy(seen / self._divisors * np.float32(SCALE / CENTIPAWNS))
        z: Tensor = self.module(scaled)
        return z[:, 0]

    def brain(self, card: Mapping[str, str]) -> bytes:
        """As Pupil says."""
        weights = (self.module.weight.detach()[0] * SCALE).numpy().astype(np.float32)
        tensors = {"weights": weights}
        if self._kind in ("linear-28", "linear-35"):
            tensors["divisors"] = self._divisors
        return brain_file({**self._kept, **card}, tensors)


def _mobility(positions: NDArray[np.void], threads: int) -> NDArray[np.float32]:
    """Moves of the mover less those of the other side: what a brain says that weighs nothing else."""
    worth = np.array([0, 0, 0, 0, 0, 10], np.float32)
    alone = {"name": "mobility", "kind": "linear-5", "encoding": "mobility-6"}
    evaluator = Evaluator.from_brain(Brain.from_bytes(brain_file(alone, {"weights": worth})))
    return np.asarray(evaluate([evaluator], positions, threads=threads)[0] / worth[MOBILITY], np.float32)
