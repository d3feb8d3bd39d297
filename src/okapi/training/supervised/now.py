"""How training goes, for whoever watches it."""

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Now"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """How training goes."""

    epoch: int
    """The present one, from 1 on."""
    epochs: int
    batch: int
    """Behind us, of this epoch."""
    batches: int
    train_loss: float | None
    """Of this epoch, so far."""
    seconds: float
    """In all sessions."""
    samples_per_second: float
    curve: list[dict[str, Any]] = field(default_factory=list)
    """An entry for each epoch behind us."""

    @property
    def done(self) -> float:
        """The share of all epochs that is behind us; patience may make an end sooner."""
        return min(1.0, (self.epoch - 1 + self.batch / self.batches) / self.epochs)
