"""One network for whole moves: a residual trunk, and a head that pairs the squares that pieces leave and reach."""

import math

import torch
from torch import Tensor, nn

from okapi.models.parts import Residual

__all__ = ["FromTo", "from_to"]


class FromTo(nn.Module):
    """How likely a move from one square to another is, for all pairs: 4096 logits, that of 64 · from + to.

    Each square asks with one vector as the square that is left, and answers with another as the one that is reached:
    a logit is their product.
    """

    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        self.query = nn.Conv2d(channels, width, 1)
        self.key = nn.Conv2d(channels, width, 1)
        self.scale = 1 / math.sqrt(width)

    def forward(self, x: Tensor) -> Tensor:
        """Batch x channels x 8 x 8 to batch x 4096."""
        asked = self.query(x).flatten(2).transpose(1, 2)  # batch 64 width
        answered = self.key(x).flatten(2)  # batch width 64
        return (torch.bmm(asked, answered) * self.scale).flatten(1)


def from_to(planes: int, channels: int, blocks: int, squeeze: int | None = None, width: int = 64) -> nn.Sequential:
    """A trunk of residual blocks, as in `resnet`, under a FromTo."""
    return nn.Sequential(
        nn.Conv2d(planes, channels, 3, padding="same", bias=False),
        nn.BatchNorm2d(channels),
        nn.ReLU(),
        *(Residual(channels, squeeze) for _ in range(blocks)),
        FromTo(channels, width),
    )
