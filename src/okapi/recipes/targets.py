"""Targets of a network, made of a teacher's centipawns, and how its output is read."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from okapi.brains.output import expected_scores
from okapi.errors import UsageError
from okapi.settings import Config

Form = Literal["classes", "number", "score"]
TargetView = Literal["mover", "white"]
"""Whose the value is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Config):
    """Classes between edges, a number from 0 to 1 between two bounds, or the expected score.

    >>> three = Target.classes([-150, 150], "white")
    >>> three.of(np.array([-200, 0, 150, 200]), np.array([0, 0, 0, 1])).tolist()     # the last is Black's to move
    [0, 1, 2, 0]
    >>> Target.number(-1500, 1500).of(np.array([0, 3000]), np.array([0, 0])).tolist()
    [0.5, 1.0]
    >>> turned = Target.classes([-100, 150], "white", turned=True)
    >>> turned.of(np.array([-120, -120]), np.array([0, 1])).tolist()     # White's -120 and 120
    [0, 1]
    """

    OWNER = "a target"
    form: Form
    view: TargetView = "mover"
    edges: tuple[float, ...] = ()
    """Of classes, rising: a value on an edge belongs to the class above it."""
    low: float = 0.0
    high: float = 0.0
    """Of a number: centipawns that are 0 and 1; what lies beyond is cut off."""
    turned: bool = False
    """White's classes as the mover counts them: Black's first is White's last."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "edges", tuple(self.edges))
        if self.form not in get_args(Form) or self.view not in get_args(TargetView):
            raise UsageError(f"no target is a {self.form} for {self.view}", hint="classes, number, score; mover, white")
        if self.form == "classes" and (not self.edges or any(np.diff(self.edges) <= 0)):
            raise UsageError(f"the edges of classes are {self.edges}", hint="expected rising centipawns")
        if self.turned and (self.form, self.view) != ("classes", "white"):
            raise UsageError(f"a {self.form} for {self.view} cannot be turned", hint="only White's classes can")
        if self.form == "number" and not self.low < self.high:
            raise UsageError(f"a number from {self.low} to {self.high}", hint="expected two rising centipawns")

    @classmethod
    def classes(cls, edges: Sequence[float], view: TargetView = "mover", *, turned: bool = False) -> Self:
        """One class more than edges."""
        return cls(form="classes", view=view, edges=tuple(float(edge) for edge in edges), turned=turned)

    @classmethod
    def number(cls, low: float, high: float, view: TargetView = "mover") -> Self:
        return cls(form="number", view=view, low=float(low), high=float(high))

    @classmethod
    def score(cls, view: TargetView = "mover") -> Self:
        return cls(form="score", view=view)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "edges": list(self.edges)}

    def of(self, values: NDArray[Any], turns: NDArray[Any]) -> NDArray[Any]:
        """The targets of positions: centipawns for the mover, and 0 or 1 where White or Black is the mover. Classes are
        int64, numbers float32."""
        seen = _seen(values, turns, self.view)
        if self.form == "classes":
            classes = np.searchsorted(np.array(self.edges), seen, side="right").astype(np.int64)
            return np.where(np.asarray(turns) == 1, len(self.edges) - classes, classes) if self.turned else classes
        if self.form == "score":
            return expected_scores(seen).astype(np.float32)
        return ((seen.clip(self.low, self.high) - self.low) / (self.high - self.low)).astype(np.float32)

    def output(self, values: NDArray[Any], turns: NDArray[Any]) -> dict[str, Any]:
        """How a brain's answer is to be read, as its card says it. The expected score of a class is the mean of its
        samples here, which are those of the training."""
        if self.form != "classes":
            bounds = {"low": self.low, "high": self.high} if self.form == "number" else {}
            return {"form": self.form, "view": self.view, **bounds}
        view: TargetView = "mover" if self.turned else self.view
        edges = np.array(self.edges)
        edges = (edges - edges[::-1]) / 2 if self.turned else edges  # between White's and Black's
        scores = expected_scores(_seen(values, turns, view))
        numbers = self.of(values, turns)
        ends = expected_scores(np.array([edges[0], *edges, edges[-1]]))
        empty = (ends[:-1] + ends[1:]) / 2  # of a class without samples: between its edges
        counts = np.bincount(numbers, minlength=len(empty))
        means = np.bincount(numbers, scores, len(empty)) / counts.clip(min=1)
        worth = np.where(counts > 0, means, empty)
        return {"form": "classes", "view": view, "values": worth.round(6).tolist(), "edges": edges.tolist()}


def _seen(values: NDArray[Any], turns: NDArray[Any], view: TargetView) -> NDArray[np.float64]:
    """The mover's centipawns as those of whoever looks."""
    seen = np.asarray(values, np.float64)
    return np.where(np.asarray(turns) == 1, -seen, seen) if view == "white" else seen
