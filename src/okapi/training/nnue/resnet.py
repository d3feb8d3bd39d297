"""A ResNet: a large network that learns what few labels there are, so that it can label for the small one.

It sees what the NNUE sees: the mover's pieces and the other's on twelve planes, the mover's own king on
files a to d. It answers the logit of the expected score.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal

import torch
from torch import Tensor, nn

from okapi.errors import UsageError
from okapi.models.resnet import resnet
from okapi.settings import Config

__all__ = ["ResNetPlan", "built", "planes"]

KINDS: Final = 12
PRECISIONS: Final = ("bf16", "float32")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResNetPlan(Config):
    """How a ResNet is built and taught. It learns for a time, not for a number of epochs: two are never quite alike.

    >>> ResNetPlan().changed(["blocks=2", "seconds=5"]).rate_at(0.5, 10_000) < ResNetPlan().rate
    True
    """

    blocks: int = 8
    channels: int = 128
    squeeze: int = 32
    """Neurons that see the means of all channels, and weigh them."""
    head: int = 32
    """Channels that the dense layers read …"""
    hidden: int = 128
    """… and neurons of the one between."""
    dropout: float = 0.2
    """The share of those that are silent at each step."""
    seconds: float = 330.0
    """In all, with what torch needs to compile."""
    looks: int = 20
    """How often validation samples are asked; the best weights are kept."""
    batch: int = 4096
    rate: float = 2e-3
    """The learning rate falls with time as a cosine does, from here …"""
    last_rate: float = 1e-5
    """… to here."""
    warmup: int = 500
    """Steps in which it grows first."""
    decay: float = 0.05
    """AdamW's, of weights."""
    result: float = 0.0
    """How much a game's result counts beside its value."""
    precision: Literal["bf16", "float32"] = "bf16"
    """On a GPU; a CPU computes with float32."""
    compile: bool = True
    """Let torch compile it, where the machine can."""
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("blocks", "channels", "squeeze", "head", "hidden", "seconds", "looks", "batch", "rate"):
            if getattr(self, name) <= 0:
                raise UsageError(f"`{name}` is {getattr(self, name)}", hint="expected more than 0")
        if self.precision not in PRECISIONS:
            raise UsageError(f"`precision` is `{self.precision}`", hint=f"expected {', '.join(PRECISIONS)}")

    def rate_at(self, done: float, step: int) -> float:
        """The learning rate where this share of the time is over."""
        rate = self.last_rate + (self.rate - self.last_rate) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
        return rate * min(1.0, (step + 1) / max(1, self.warmup))


def built(plan: ResNetPlan) -> nn.Sequential:
    """A new ResNet; the same one for the same seed."""
    with torch.random.fork_rng([]):
        torch.manual_seed(plan.seed)
        return resnet(
            KINDS, plan.channels, plan.blocks, 1, plan.squeeze, head=plan.head, hidden=plan.hidden, dropout=plan.dropout
        )


def planes(codes: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """What it reads of boards that okapi.models.nnue.seen_by_mover made: n x 12 x 8 x 8, channels last.

    >>> planes(torch.zeros(1, 64, dtype=torch.uint8))[0].sum(dim=(1, 2)).tolist()[:2]      # 64 pawns
    [64.0, 0.0]
    """
    kinds = torch.arange(KINDS, dtype=torch.uint8, device=codes.device)
    return (codes.view(-1, 8, 8, 1) == kinds).to(dtype).permute(0, 3, 1, 2)
