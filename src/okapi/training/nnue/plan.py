"""How an NNUE is trained."""

import math
from dataclasses import dataclass
from typing import Final, Literal

from okapi.errors import UsageError
from okapi.settings import Config

__all__ = ["LOGIT_CENTIPAWNS", "Plan"]

LOGIT_CENTIPAWNS: Final = 400 / math.log(10)
"""What a logit of the expected score is worth."""

CHOICES: Final = {"precision": ("tf32", "bf16", "float32"), "layer": ("auto", "dense", "sparse")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Config):
    """Everything that decides what a network becomes, except for what it is taught; JSON both ways.

    >>> Plan().changed(["neurons=128", "power=2"]).neurons
    128
    """

    neurons: int = 256
    """For each of the two sides that see the board."""
    buckets: int = 8
    """Outputs, one for each so many men."""
    scale: int = 174
    """Centipawns that an output of 1 is worth in the brain. 174: outputs are logits."""
    batch: int = 16_384
    epochs: int = 40
    samples: int = 0
    """That make an epoch; 0: all."""
    rate: float = 1e-3
    """The learning rate falls as a cosine does, from here …"""
    last_rate: float = 1e-5
    """… to here."""
    warmup: int = 0
    """Steps in which the rate grows to its height first."""
    decay: float = 0.01
    """AdamW's, of weights."""
    dropout: float = 0.0
    """The share of neurons that each step does without: less is learned by heart where positions are few."""
    result: float = 0.2
    """How much a game's result counts, beside its value, in the beginning …"""
    last_result: float = 0.2
    """… and in the end. Where there is no result, the value is everything."""
    power: float = 2.5
    """The loss is the mistake in expected score, to this power."""
    limit: float = 1.98
    """No weight is larger: with 255 and 64 steps a unit, sums of 32 men fit 16 bits, and output weights 8."""
    precision: Literal["tf32", "bf16", "float32"] = "tf32"
    """Of the first layer's product on a GPU."""
    layer: Literal["auto", "dense", "sparse"] = "auto"
    """The first layer as a product with ones and zeros, or as sums of rows: auto is dense on a GPU."""
    compile: bool = False
    """Let torch compile a step, where the machine can."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.neurons % 32 or not 32 <= self.neurons <= 1024:
            raise UsageError(f"`neurons` is {self.neurons}", hint="expected a multiple of 32 up to 1024")
        if not 1 <= self.buckets <= 32:
            raise UsageError(f"`buckets` is {self.buckets}", hint="expected 1 to 32")
        for name in ("scale", "batch", "epochs", "rate", "last_rate", "power", "limit"):
            if getattr(self, name) <= 0:
                raise UsageError(f"`{name}` is {getattr(self, name)}", hint="expected more than 0")
        for name in ("result", "last_result", "dropout"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"`{name}` is {getattr(self, name)}", hint="expected a share from 0 to 1")
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise UsageError(f"`{name}` is `{getattr(self, name)}`", hint=f"expected {', '.join(known)}")

    def rate_at(self, step: int, steps: int) -> float:
        """The learning rate of a step, of so many in all."""
        if step < self.warmup:
            return self.rate * (step + 1) / self.warmup
        done = min(1.0, (step - self.warmup) / max(1, steps - 1 - self.warmup))
        return self.last_rate + (self.rate - self.last_rate) * 0.5 * (1 + math.cos(math.pi * done))

    def result_at(self, step: int, steps: int) -> float:
        """How much results count at a step."""
        return self.result + (self.last_result - self.result) * step / max(1, steps - 1)
