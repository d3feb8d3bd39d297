"""A plan: everything that decides what a move network becomes, except for what it is taught."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from okapi.errors import UsageError
from okapi.models.lai2015_moves import LARGE, LIKE_THE_THESIS, Design
from okapi.training.supervised.optimisers import check_optimiser, check_schedule

__all__ = ["PLANS", "MovePlan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePlan:
    """How a move network is made and trained; JSON both ways.

    >>> MovePlan.from_json(MovePlan(epochs=3).as_json()) == MovePlan(epochs=3)
    True
    """

    design: Design = field(default_factory=Design)
    optimiser: Mapping[str, Any] = field(default_factory=lambda: {"name": "adam", "lr": 2e-3})
    schedule: Mapping[str, Any] = field(default_factory=lambda: {"name": "cosine", "warmup": 200})
    batch: int = 4096
    """Positions of a step, each with all its legal moves."""
    epochs: int = 10
    seed: int = 1

    def __post_init__(self) -> None:
        if self.batch < 1 or self.epochs < 1:
            raise UsageError(f"{self.epochs} epochs in batches of {self.batch}", hint="both from 1 on")
        check_optimiser(self.optimiser)
        check_schedule(self.schedule)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError for what no plan has."""
        try:
            return cls(**{**told, "design": Design.from_json(told["design"])})
        except (KeyError, TypeError) as error:
            raise UsageError(f"a plan of a move network is not whole: {error}") from None

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {name: getattr(self, name) for name in self.__slots__} | {"design": self.design.as_json()}


PLANS: Final = {
    "ours": MovePlan(epochs=24),
    "large": MovePlan(design=LARGE, epochs=16),
    "letter": MovePlan(
        design=LIKE_THE_THESIS,
        optimiser={"name": "adadelta", "lr": 1.0},
        schedule={"name": "constant"},
        batch=1024,
        epochs=20,
    ),
    "letter-adam": MovePlan(design=LIKE_THE_THESIS, batch=1024, epochs=20),
}
"""Ours, small and large; and what the thesis says: its features, every move judged alone, AdaDelta, or today's Adam."""
