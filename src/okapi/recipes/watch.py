"""What a network learns by watching games: which piece moves, where it goes, the whole move, or who wins."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

import torch
from torch import Tensor

from okapi.errors import UsageError, did_you_mean
from okapi.recipes.replay import KINDS, Replayed
from okapi.training.supervised import Dataset

__all__ = ["BEST", "TASKS", "GameTarget"]

PIECE, MOVE, BEST, OUTCOME = "piece", "move", "best", "outcome"

TASKS: Final = (PIECE, *KINDS, MOVE, BEST, OUTCOME)
"""The square that is left; the one that a pawn, a knight, … goes to; both as one number, as they were played, or as a
teacher would have played; what becomes of the mover."""

PRIMES: Final = (1_000_003, 1_000_033, 1_000_037)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTarget:
    """What is to be said of a position that was watched."""

    task: str
    gamma: float | None = None
    """Of an outcome: by how much it counts less for each move that it is away (singh2015, section 2.4)."""

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise UsageError(f"nobody watches for `{self.task}`", hint=did_you_mean(self.task, TASKS))
        if (self.task == OUTCOME) != (self.gamma is not None) or not 0 < (self.gamma or 1.0) <= 1:
            raise UsageError(f"`gamma` is {self.gamma} for `{self.task}`", hint="above 0, up to 1, for an outcome only")

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError for what nobody watches for."""
        known = [each.name for each in fields(cls)]
        for name in told:
            if name not in known:
                raise UsageError(f"watching has no `{name}`", hint=did_you_mean(name, known))
        return cls(**told)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)

    def dataset(self, games: Replayed) -> Dataset:
        """Rows and targets: squares as the mover counts them, 64 · from + to, or a number from -1 to 1."""
        there = games.take(_mixed(self._rows(games)))
        return Dataset(there.rows.cpu().numpy(), self._targets(there).cpu().numpy())

    def _rows(self, games: Replayed) -> Tensor:
        """Those that the task is about."""
        if self.task == OUTCOME:
            return torch.arange(len(games.rows), device=games.rows.device)
        if self.task in KINDS:
            return torch.nonzero(games.kinds == KINDS.index(self.task))[:, 0]
        return torch.nonzero(games.kinds >= 0)[:, 0]

    def _targets(self, games: Replayed) -> Tensor:
        if self.task == OUTCOME:
            assert self.gamma is not None
            return games.outcomes * self.gamma ** games.left.float()
        if self.task == MOVE:
            return 64 * games.origins + games.targets
        return games.origins if self.task == PIECE else games.targets


def _mixed(rows: Tensor) -> Tensor:
    """The same rows in an order in which neighbours have nothing to do with each other, the same on every device."""
    count = len(rows)
    step = next((prime for prime in PRIMES if count % prime), 1)
    return rows[torch.arange(count, device=rows.device) * step % max(count, 1)]
