"""
A learner that was killed is run again from its beginning, and the tape answers what was asked before.

So no learner has to know how to write itself down: being deterministic is enough. The tape is a journal with a line for
each question: a digest of the population, and its scores.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from okapi.errors import UsageError
from okapi.optimize.generation import Score, ask
from okapi.optimize.genes import FloatArray
from okapi.optimize.journal import Journal

__all__ = ["Tape"]


class Tape:
    """A score function that writes down what it answered: each answer is on the disk before it is given."""

    def __init__(self, path: Path, score: Score, about: Mapping[str, Any]) -> None:
        """Open or begin a tape: UsageError if what is on it is about something else."""
        self.calls = 0
        """Questions that were asked in this life."""
        self._score = score
        self._journal = Journal(path, about)

    @property
    def replaying(self) -> bool:
        """Is the answer to the next question known?"""
        return self.calls < len(self._journal.lines)

    def __call__(self, population: FloatArray, number: int) -> FloatArray:
        """The scores, from the tape as long as it lasts."""
        asked = {"call": number, "population": _digest(population)}
        if self.replaying:
            answer = self._journal.lines[self.calls]
            if {key: answer[key] for key in asked} != asked:
                raise UsageError(
                    f"question {self.calls} is another than when `{self._journal.path}` was recorded",
                    hint="okapi or numpy has changed since: begin again in another folder",
                )
        else:
            answer = {**asked, "scores": ask(self._score, population, number).tolist()}
            self._journal.add(answer)
        self.calls += 1
        return np.array(answer["scores"], dtype=np.float64)


def _digest(population: FloatArray) -> str:
    """Bytes of the numbers themselves: the least difference is one."""
    shape = repr(population.shape).encode()
    return hashlib.sha256(shape + np.ascontiguousarray(population, dtype="<f8").tobytes()).hexdigest()[:32]
