"""Losses of supervised training, and the metrics that are reported."""

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor
from torch.nn import functional

from okapi.models.sheehan2016 import objective

CHOICE: Final = "choice"
SELDOM: Final = 0.02  # the share of targets that may lie beyond one of two bounds

TOP: Final = (1, 3, 5, 10)
"""For these k the metrics of a choice have the share of samples whose target is among the k likeliest."""

Loss: TypeAlias = Callable[[Tensor, Tensor, float], Tensor]
"""Outputs (n x k), targets (n), smoothing: the mean over the batch."""


def _cross_entropy(outputs: Tensor, targets: Tensor, smooth: float) -> Tensor:
    return functional.cross_entropy(outputs, targets, label_smoothing=smooth)


def _bounds(outputs: Tensor, targets: Tensor, smooth: float) -> Tensor:
    """Pinball losses: few targets shall be below the first output, as few above the second."""
    errors = targets[:, None] - outputs
    seldom = outputs.new_tensor([SELDOM, 1 - SELDOM])
    return torch.maximum(seldom * errors, (seldom - 1) * errors).sum(dim=1).mean()


LOSSES: Final[dict[str, Loss]] = {
    "cross-entropy": _cross_entropy,
    "squared": lambda outputs, targets, smooth: functional.mse_loss(outputs[:, 0], targets),
    "absolute": lambda outputs, targets, smooth: functional.l1_loss(outputs[:, 0], targets),
    "logistic": lambda outputs, targets, smooth: functional.binary_cross_entropy(outputs[:, 0], targets),
    "bounds": _bounds,
    CHOICE: _cross_entropy,
    "ranking": lambda outputs, targets, smooth: objective(outputs).mean(),
}
"""By name. cross-entropy: classes. choice: cross-entropy over squares or moves, too many for a confusion matrix.
squared, absolute: errors of a number. logistic: a sigmoid output and targets from 0 to 1. bounds: pinball losses of two
outputs that enclose a number. ranking: Deep Pink's objective on triplets of positions, without targets."""


class Metrics:
    """Sums over samples that stay on the device until they are read."""

    def __init__(self, loss: str, outputs: int, device: torch.device) -> None:
        self._loss, self._outputs = loss, outputs
        # Loss and count; then the confusion matrix, how often the right choice was among the first few, triplets
        # ranked right, or sums of errors to the powers 2, 1, 4.
        room = 2 + (outputs * outputs if loss == "cross-entropy" else len(TOP))
        self.sums = torch.zeros(room, dtype=torch.float64, device=device)

    def add(self, outputs: Tensor, targets: Tensor) -> None:
        outputs, count, sums = outputs.float(), len(targets), self.sums[2:]
        self.sums[0] += LOSSES[self._loss](outputs, targets, 0.0).double() * count
        self.sums[1] += count
        match self._loss:
            case "cross-entropy":
                pairs = targets * self._outputs + outputs.argmax(dim=1)
                sums.index_add_(0, pairs, torch.ones_like(pairs, dtype=torch.float64))
            case "choice":
                before = (outputs > outputs.gather(1, targets[:, None])).sum(dim=1)
                sums += torch.stack([(before < k).sum() for k in TOP])
            case "ranking":
                sums[0] += (outputs[:, 1] < outputs[:, 2]).sum()
            case _:
                errors = (outputs[:, 0] - targets).double()
                sums[:3] += torch.stack([errors.square().sum(), errors.abs().sum(), errors.pow(4).sum()])

    def values(self) -> dict[str, Any]:
        """Count and loss; accuracy, near (within a class), confusion (a row for each truth); top_3 …; or mse …, mae."""
        loss, count, *rest = self.sums.tolist()
        found: dict[str, Any] = {"count": int(count), "loss": loss / max(count, 1)}
        shares = [total / max(count, 1) for total in rest]
        match self._loss:
            case "ranking":
                return {**found, "accuracy": shares[0]}
            case "choice":
                names = ("accuracy", *(f"top_{k}" for k in TOP[1:]))
                return {**found, **dict(zip(names, shares, strict=True))}
            case "cross-entropy":
                confusion = self.sums[2:].view(self._outputs, self._outputs).cpu()
                offsets = (offset for offset in (-1, 0, 1) if abs(offset) < self._outputs)
                near = sum(float(confusion.diagonal(offset).sum()) for offset in offsets) / max(count, 1)
                accuracy = float(confusion.trace()) / max(count, 1)
                return {**found, "accuracy": accuracy, "near": near, "confusion": confusion.long().tolist()}
            case _:
                squared, absolute, fourth, _ = shares
                error = math.sqrt(max(fourth - squared**2, 0.0) / max(count, 1))
                return {**found, "mse": squared, "mse_error": error, "mae": absolute}
