"""
A learner that was killed is run again from its beginning, and the tape answers what was asked before.

So no learner has to know how to write itself down: being deterministic is enough. One line of JSON for what the tape is
about, then one for each question: a digest of the population, and its scores.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from okapi.errors import UsageError
from okapi.learn.generation import Score, ask
from okapi.learn.genes import FloatArray

__all__ = ["Tape", "whole_lines"]


class Tape:
    """A score function that writes down what it answered: each answer is on the disk before it is given."""

    def __init__(self, path: Path, score: Score, about: Mapping[str, Any]) -> None:
        """Open or begin a tape: UsageError if what is on it is about something else."""
        self.calls = 0
        """Questions that were asked in this life."""
        self._path = path
        self._score = score
        self._head = json.loads(json.dumps(about, sort_keys=True, default=str))
        self._answers = self._read()
        if not path.exists() or path.stat().st_size == 0:
            self._append(self._head)

    @property
    def replaying(self) -> bool:
        """Is the answer to the next question known?"""
        return self.calls < len(self._answers)

    def __call__(self, population: FloatArray, number: int) -> FloatArray:
        """The scores, from the tape as long as it lasts."""
        asked = {"call": number, "population": _digest(population)}
        if self.replaying:
            answer = self._answers[self.calls]
            if {key: answer[key] for key in asked} != asked:
                raise UsageError(
                    f"question {self.calls} is another than when `{self._path}` was recorded",
                    hint="okapi or numpy has changed since: begin again in another folder",
                )
        else:
            answer = {**asked, "scores": ask(self._score, population, number).tolist()}
            self._append(answer)
            self._answers.append(answer)
        self.calls += 1
        return np.array(answer["scores"], dtype=np.float64)

    def _read(self) -> list[dict[str, Any]]:
        """The answers on the tape."""
        try:
            lines = [json.loads(line) for line in whole_lines(self._path)]
        except ValueError:
            raise UsageError(f"`{self._path}` is damaged", hint="throw it away: all will be learned again") from None
        if lines and lines[0] != self._head:
            kept = lines[0]
            differ = sorted(key for key in {**kept, **self._head} if kept.get(key) != self._head.get(key))
            raise UsageError(
                f"`{self._path}` was recorded for something else: {', '.join(differ)} differ",
                hint="give another folder, or throw this one away",
            )
        return lines[1:]

    def _append(self, line: Mapping[str, Any]) -> None:
        with self._path.open("ab") as file:
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a file that is to be gone on with: what a killed writer left half written at its end is cut off."""
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    return whole.splitlines()


def _digest(population: FloatArray) -> str:
    """Bytes of the numbers themselves: the least difference is one."""
    shape = repr(population.shape).encode()
    return hashlib.sha256(shape + np.ascontiguousarray(population, dtype="<f8").tobytes()).hexdigest()[:32]
