"""The log of a run, and the cache of evaluations that lets a killed optimizer resume."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from okapi.errors import InvalidText, UsageError
from okapi.optimize.population import FloatArray, Score, evaluate


class RunLog:
    """Lines of JSON that survive kill -9: each is on the disk when `add` returns. The first identifies the run."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """Open or create a log: UsageError if it is of another run."""
        self.path = path
        head = json.loads(json.dumps(about, sort_keys=True, default=str))
        self.lines = self._read(head)
        """All lines but the first, those of earlier sessions included."""
        if not path.exists() or path.stat().st_size == 0:
            self._append(head)

    def add(self, line: Mapping[str, Any]) -> None:
        self._append(line)
        self.lines.append(dict(line))

    def _read(self, head: Mapping[str, Any]) -> list[dict[str, Any]]:
        try:
            lines = [json.loads(line) for line in whole_lines(self.path)]
        except ValueError:
            raise UsageError(f"`{self.path}` is damaged", hint="delete it; the run then starts again") from None
        if lines and lines[0] != head:
            differ = ", ".join(sorted(key for key in {**lines[0], **head} if lines[0].get(key) != head.get(key)))
            hint = "choose another folder, or delete this one"
            raise UsageError(f"`{self.path}` is of another run: {differ} differ", hint=hint)
        return lines[1:]

    def _append(self, line: Mapping[str, Any]) -> None:
        with self.path.open("ab") as file:
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a log; a half-written last line of a killed process is cut off."""
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    return whole.splitlines()


def read_json_lines(path: Path, hint: str) -> list[dict[str, Any]]:
    """The lines of a log that another process may be writing; an incomplete last one is ignored. InvalidText."""
    whole = path.read_bytes().rpartition(b"\n")[0].splitlines() if path.exists() else []
    try:
        return [json.loads(line) for line in whole]
    except ValueError:
        raise InvalidText(f"`{path}` is damaged", hint=hint) from None


class EvaluationCache:
    """A score function that logs its results: each is on the disk before it is returned.

    A run that was killed starts from its beginning, and the cache answers the calls that are in the log: an optimizer
    only has to be deterministic to be resumable. A line has a digest of the population, and its scores.
    """

    def __init__(self, path: Path, score: Score, about: Mapping[str, Any]) -> None:
        """Open or create a cache: UsageError if it is of another run."""
        self.calls = 0
        """Of this session."""
        self._score = score
        self._log = RunLog(path, about)

    @property
    def replaying(self) -> bool:
        return self.calls < len(self._log.lines)

    def __call__(self, population: FloatArray, number: int) -> FloatArray:
        content = repr(population.shape).encode() + np.ascontiguousarray(population, dtype="<f8").tobytes()
        call = {"call": number, "population": hashlib.sha256(content).hexdigest()[:32]}
        if self.replaying:
            line = self._log.lines[self.calls]
            if {key: line[key] for key in call} != call:
                hint = "okapi or numpy has changed since: start again in another folder"
                raise UsageError(f"call {self.calls} has another population than in `{self._log.path}`", hint=hint)
        else:
            line = {**call, "scores": evaluate(self._score, population, number).tolist()}
            self._log.add(line)
        self.calls += 1
        return np.array(line["scores"], dtype=np.float64)
