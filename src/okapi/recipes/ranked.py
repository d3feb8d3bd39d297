"""At which rank a brain that predicts moves has the best ones: lai2015's Tables 4 and 5."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.move_prediction import Predictor
from okapi.recipes.inner_nodes import is_quiet
from okapi.training.moves import RANKS

__all__ = ["Ranked", "ranked"]

AT_ONCE: Final = 4096


@dataclass(frozen=True, slots=True)
class Ranked:
    """How often the best move had rank 0, 1, … 10, or a lower one."""

    all: list[int]
    """Table 4."""
    quiet: list[int]
    """Table 5: without positions whose best move is a winning capture."""


def ranked(predictor: Predictor, samples: NDArray[np.void]) -> Ranked:
    """Of SAMPLEs whose moves are the best ones."""
    found = np.zeros(len(samples), np.int64)
    for begin in range(0, len(samples), AT_ONCE):
        some = samples[begin : begin + AT_ONCE]
        likely = predictor.probabilities(some["position"].copy())
        counts = np.diff(likely.starts)
        best = np.repeat(some["move"], counts) == likely.moves
        place = np.arange(len(best)) - np.repeat(likely.starts[:-1], counts)
        here = np.full(len(some), RANKS)
        here[np.repeat(np.arange(len(some)), counts)[best]] = place[best]
        found[begin : begin + AT_ONCE] = here.clip(max=RANKS)
    quiet = np.array([is_quiet(sample["position"], int(sample["move"])) for sample in samples], np.bool_)
    return Ranked(_counted(found), _counted(found[quiet]))


def _counted(ranks: NDArray[np.int64]) -> list[int]:
    counts: list[int] = np.bincount(ranks, minlength=RANKS + 1).tolist()
    return counts
