"""How well a network answers, without learning anything from it."""

from typing import Any, Final

import torch
from torch import Tensor, nn

from okapi.training.supervised.losses import Tally
from okapi.training.supervised.plan import Plan
from okapi.training.supervised.ranks import Ranks
from okapi.training.supervised.step import answers

__all__ = ["judge"]

JUDGED: Final = 4096
"""Samples at a time."""


@torch.no_grad()
def judge(
    model: nn.Module, lessons: tuple[Tensor, Tensor], plan: Plan, device: torch.device, ranks: Ranks
) -> dict[str, Any]:
    """What a Tally tells of positions and targets; of several processes each judges its share."""
    learning = [module for module in model.modules() if module.training]
    model.eval()
    positions, targets = (column[ranks.number :: ranks.count] for column in lessons)
    tally: Tally | None = None
    for begin in range(0, len(positions), JUDGED):
        outputs = answers(model, positions[begin : begin + JUDGED], plan, device)
        tally = tally or Tally(plan.loss, outputs.shape[1], device)
        tally.add(outputs, targets[begin : begin + JUDGED])
    for module in learning:
        module.training = True
    if tally is None:
        return {"count": 0, "loss": 0.0}
    ranks.sum(tally.sums)
    return tally.told()
