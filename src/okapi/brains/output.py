"""The output of a network as values: the card's `output`, read and applied, as the core does for perceptrons.

number    centipawns = low + (high - low) * y
score     y is the expected score itself
classes   softmax, and the expectation of the classes' expected scores
bounds    two numbers, between which the value lies; as a value, the middle
"""

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidBrain

Floats = NDArray[np.float64]

MAX_EVALUATION: Final = 20_000
"""Centipawns; an evaluator stays within ± this, as in cpp/okapi/eval/evaluator.h."""

TEN_TO_ONE: Final = 400
"""Centipawns, as in okapi.core.Value."""

AGAIN: Final = "save it again with the recipe in its card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the numbers of a network become values."""

    form: str
    view: str
    """The side whose value it is: `mover` or `white`."""
    low: float = 0.0
    high: float = 0.0
    values: tuple[float, ...] = ()

    @classmethod
    def read(cls, text: str) -> "Output":
        """Parse the `output` of a card; raises InvalidBrain."""
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            raise InvalidBrain("the `output` in its card is not JSON", hint=AGAIN) from None
        if not isinstance(said, dict) or said.get("form") not in ("number", "score", "classes", "bounds"):
            raise InvalidBrain("the `output` in its card has no form: number, score, classes, bounds", hint=AGAIN)
        if said.get("view") not in ("mover", "white"):
            raise InvalidBrain("the `output` in its card has no view: mover or white", hint=AGAIN)
        low, high = _numbers([said.get("low", 0), said.get("high", 0)])
        values = _numbers(said.get("values", []))
        if said["form"] in ("number", "bounds") and not low < high:
            raise InvalidBrain(f"its output goes from {low:g} to {high:g} centipawns", hint=AGAIN)
        rising = len(values) > 1 and all(lower < higher for lower, higher in pairwise(values))
        if said["form"] == "classes" and not (rising and values[0] >= 0 and values[-1] <= 1):
            hint = f"each has one, rising from 0 to 1; {AGAIN}"
            raise InvalidBrain("the values of its classes are not expected scores", hint=hint)
        return cls(form=said["form"], view=said["view"], low=low, high=high, values=values)

    @property
    def width(self) -> int:
        return {"classes": len(self.values), "bounds": 2}.get(self.form, 1)

    def finish(self, raw: NDArray[np.float32]) -> NDArray[np.float32]:
        """The numbers of the last layer, as probabilities where there are classes."""
        if self.form != "classes":
            return raw
        powers: Floats = np.exp(raw - raw.max(axis=1, keepdims=True), dtype=np.float64)
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)

    def centipawns(self, answers: NDArray[Any], turns: NDArray[Any]) -> Floats:
        """Centipawns for the side to move, not rounded. `turns`: 0 where White is to move, 1 where Black."""
        if self.form in ("number", "bounds"):
            value: Floats = self.low + (self.high - self.low) * answers.astype(np.float64).mean(axis=1)
        else:
            score = self._score(answers)
            with np.errstate(divide="ignore"):  # a certain win or loss is infinite, and then clipped
                value = TEN_TO_ONE * (np.log10(score) - np.log10(1 - score))
        seen = np.where(turns == 0, value, -value) if self.view == "white" else value
        return np.clip(seen, -MAX_EVALUATION, MAX_EVALUATION)

    def expected(self, answers: NDArray[Any], turns: NDArray[Any]) -> Floats:
        if self.form in ("number", "bounds"):
            return expected_scores(self.centipawns(answers, turns))
        score = self._score(answers)
        return score if self.view == "mover" else np.where(turns == 0, score, 1 - score)

    def _score(self, answers: NDArray[Any]) -> Floats:
        """The expected score of the side that `view` names."""
        scores = answers.astype(np.float64)
        return np.clip(scores @ np.array(self.values) if self.form == "classes" else scores[:, 0], 0, 1)


def expected_scores(centipawns: NDArray[Any], scale: float = TEN_TO_ONE) -> Floats:
    """The expected score of centipawns, for arrays; `scale` of them mean odds of ten to one."""
    return np.asarray(1 / (1 + 10 ** (-np.asarray(centipawns, np.float64) / scale)))


def _numbers(listed: Any) -> tuple[float, ...]:
    if not isinstance(listed, list) or not all(type(n) in (int, float) and abs(n) < 1e9 for n in listed):
        raise InvalidBrain("the `output` in its card holds something that is not a number", hint=AGAIN)
    return tuple(map(float, listed))
