"""A checkpoint: everything that training needs to go on as if nothing had happened."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from torch import Tensor

from okapi.errors import UsageError
from okapi.models import current_name
from okapi.training.checkpoints import Kept

__all__ = ["Checkpoint", "refuse_others"]


@dataclass(slots=True, kw_only=True)
class Checkpoint(Kept):
    """Where training stands between two batches."""

    about: dict[str, Any]
    """The plan, and the fingerprints of what is taught and of what it starts from."""
    epoch: int = 0
    """Whole ones behind us."""
    batch: int = 0
    """Batches of the present epoch behind us."""
    loss: float = 0.0
    """The sum over them."""
    seconds: float = 0.0
    """Spent so far, in all sessions; and of those the ones in which samples were taught."""
    taught_s: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    """An entry for each epoch."""
    best: dict[str, Tensor] | None = None
    """The weights with the best loss on the validation samples."""
    model: dict[str, Tensor] = field(default_factory=dict)
    optimiser: dict[str, Any] = field(default_factory=dict)
    random: list[list[Tensor]] = field(default_factory=list)
    """The dice of each process: the CPU's, and the GPU's if there is one."""

    @property
    def best_epoch(self) -> int:
        """The epoch with the best loss on the validation samples; counted from 1, 0 if there is none yet."""
        return min(self.curve, key=lambda entry: entry["validation_loss"])["epoch"] if self.curve else 0

    @classmethod
    def read(cls, folder: Path, about: dict[str, Any]) -> Self | None:
        """The one in a folder, if there is one: UsageError if it is of another plan, InvalidText if it is damaged."""
        found = cls.found(folder)
        if found is not None:
            refuse_others(folder, found.about, about)
        return found


def refuse_others(folder: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """UsageError if what a folder holds was made by another plan, of other samples, or from another network."""
    if found.get("data") != wanted["data"]:
        raise UsageError(f"`{folder}` was begun with other samples", hint="choose another folder")
    if found.get("start") != wanted.get("start"):
        raise UsageError(f"`{folder}` was begun from another network", hint="choose another folder")
    plan = found.get("plan", {})
    plan = {**plan, "model": current_name(plan.get("model", ""))}
    for name, value in wanted["plan"].items():
        if plan.get(name) != value:
            raise UsageError(
                f"`{folder}` was begun with another plan: {name} {plan.get(name)}, not {value}",
                hint="choose another folder, or ask for the same again",
            )
