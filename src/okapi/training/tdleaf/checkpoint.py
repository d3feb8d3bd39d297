"""Where self-teaching stands between two iterations: all that is needed to go on as if nothing had happened."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from torch import Tensor

from okapi.errors import UsageError
from okapi.training.checkpoints import Kept

__all__ = ["Checkpoint"]


@dataclass(slots=True, kw_only=True)
class Checkpoint(Kept):
    """Weights, optimiser, and the leaves that are remembered; dice follow from seed and iteration."""

    about: dict[str, Any]
    """The plan without its length, and the fingerprint of the pupil that it began with."""
    iteration: int = 0
    """Behind us."""
    positions: int = 0
    """Searched so far."""
    leaves: int = 0
    """Learned from so far, each counted once."""
    steps: int = 0
    """Of the optimiser."""
    seconds: float = 0.0
    """Spent so far, in all sessions; and of those the ones in which was played."""
    played_s: float = 0.0
    model: dict[str, Tensor] = field(default_factory=dict)
    average: dict[str, Tensor] = field(default_factory=dict)
    """The running mean of the weights; empty if there is none."""
    optimiser: dict[str, Any] = field(default_factory=dict)
    window: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, about: dict[str, Any]) -> Self | None:
        """The one in a folder, if there is one: UsageError if it is of another plan, InvalidText if it is damaged."""
        found = cls.found(folder)
        if found is not None:
            for name, value in about.items():
                if found.about.get(name) != value:
                    raise UsageError(
                        f"`{folder}` was begun otherwise: {name} {found.about.get(name)}, not {value}",
                        hint="choose another folder, or ask for the same again",
                    )
        return found
