"""
The lessons of the paper's nets: to the letter, and as it had to be to come as far as the paper.

To the letter: raw numbers, the starts of section 4.5.2, Table 2, plain stochastic gradient with momentum. The batch
size is not told; Marvin's examples have 64. With it the rate of Net A is down to a millionth after 3000 batches, and
that is all that it ever learns. Better: wider layers with batch normalisation that begin by telling pieces apart, Adam,
and many passes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from okapi.papers.sheehan2016.published import TABLE_2
from okapi.papers.sheehan2016.reading import HOW
from okapi.recipes.order import Size
from okapi.training.supervised import Plan

__all__ = ["BETTER", "LETTER", "LINEAR", "NETS", "RESIDUAL", "Variant", "iterations", "variants"]

LETTER, LINEAR, BETTER, RESIDUAL = (HOW[word] for word in ("letter", "linear", "better", "own"))

NETS: Final = {"Net A": "net_a", "Net B": "net_b", "Net C": "net_c"}
ENCODINGS: Final = {"Net A": "vector-65", "Net B": "vector-65", "Net C": "vector-64"}

MARVINS_BATCH: Final = 64
DECAY: Final = 0.0005
"""Weight decay of Marvin's examples; the paper says nothing."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A net, how it is meant, and how it learns."""

    net: str
    how: str
    plan: Plan

    @property
    def turned(self) -> bool:
        """Does it see the mover's board, and count buckets from the mover's side?"""
        return self.how == RESIDUAL

    @property
    def name(self) -> str:
        """As a lesson, such as a-letter."""
        word = next(word for word, how in HOW.items() if how == self.how)
        return f"{self.net.lower().removeprefix('net ')}-{word}"


HIDDEN: Final[dict[Size, dict[str, list[int]]]] = {
    "tiny": {"Net A": [24, 12], "Net B": [32, 32, 32], "Net C": [24, 12]},
    "quick": {"Net A": [512, 256], "Net B": [1024, 1024, 1024], "Net C": [512, 256]},
    "full": {"Net A": [512, 256], "Net B": [2048, 2048, 2048], "Net C": [512, 256]},
}
"""To the letter; A and C as we chose them."""

WIDER: Final[dict[Size, list[int]]] = {"tiny": [32, 16], "quick": [800, 64], "full": [2048, 1024, 512]}

ITERATIONS: Final[dict[Size, dict[str, int]]] = {
    "tiny": {"Net A": 20, "Net B": 10, "Net C": 20},
    "quick": {"Net A": 2000, "Net B": 300, "Net C": 3000},
    "full": {"Net A": 10_000, "Net B": 50_000, "Net C": 20_000},
}
"""To the letter. The paper does not tell how many; more change nothing, as the rate of A and C is gone by then."""

LOOKS: Final[dict[Size, int]] = {"tiny": 2, "quick": 10, "full": 20}
"""At the validation positions, in the course of them."""

PASSES: Final[dict[Size, dict[str, int]]] = {
    "tiny": {"Net A": 1, "Net B": 1, "Net C": 1},
    "quick": {"Net A": 6, "Net B": 1, "Net C": 6},
    "full": {"Net A": 25, "Net B": 25, "Net C": 25},
}
"""Through all training positions, where it is to be better."""

BLOCKS: Final[dict[Size, tuple[int, int]]] = {"tiny": (1, 8), "quick": (2, 32), "full": (10, 128)}
"""Residual blocks, and their channels."""


def variants(size: Size, *, own: bool) -> list[Variant]:
    """All that are compared; our own network is beyond the paper."""
    found = [
        *(Variant(net, LETTER, letter(net, size)) for net in NETS),
        *(Variant(net, LINEAR, letter(net, size, hidden=[])) for net in ("Net A", "Net C")),
        *(Variant(net, BETTER, better(net, size)) for net in NETS),
    ]
    return [*found, Variant("Ours", RESIDUAL, residual(size))] if own else found


def iterations(plan: Plan, epochs: int, trained: int) -> int:
    """Batches in so many epochs, with so many training positions."""
    return epochs * -(-(min(plan.samples or trained, trained)) // plan.batch)


def letter(net: str, size: Size, **arguments: Any) -> Plan:
    """Table 2."""
    scheme = TABLE_2[net]
    return Plan(
        model=f"okapi.models.sheehan2016:{NETS[net]}",
        arguments={"hidden": HIDDEN[size][net], **arguments},
        encoding=ENCODINGS[net],
        loss="cross-entropy",
        optimiser={"name": "sgd", "lr": scheme.rate, "momentum": scheme.momentum, "weight_decay": DECAY},
        schedule={"name": "step", "every": scheme.step, "gamma": scheme.gamma},
        batch=MARVINS_BATCH,
        samples=MARVINS_BATCH * ITERATIONS[size][net] // LOOKS[size],
        epochs=LOOKS[size],
    )


def better(net: str, size: Size, **changes: Any) -> Plan:
    """The same inputs and ten buckets, learned in today's way."""
    full = size == "full"
    hidden = HIDDEN[size][net] if net == "Net B" else WIDER[size]
    usual: Mapping[str, Any] = {
        "model": f"okapi.models.sheehan2016:{NETS[net]}",
        "arguments": {"hidden": hidden, "start": "steps", "normalise": True, "dropout": 0.2 if full else 0.0},
        "encoding": ENCODINGS[net],
        "loss": "cross-entropy",
        "optimiser": {"name": "adamw", "lr": 0.002, "weight_decay": 0.01},
        "schedule": {"name": "cosine", "warmup": 100},
        "batch": 2048 if full else 256,
        "epochs": PASSES[size][net],
        "mirror": True,
        "precision": "bfloat16" if full else "float32",
        "compile": full,
    }
    return Plan(**{**usual, **changes})


def residual(size: Size) -> Plan:
    """Our own: a residual tower that sees planes, and whose move it is."""
    blocks, channels = BLOCKS[size]
    full = size == "full"
    return Plan(
        model="okapi.models.tower:tower",
        arguments={
            "planes": 18,
            "channels": channels,
            "blocks": blocks,
            "outputs": 10,
            "squeeze": channels // 4,
            "dropout": 0.2,
        },
        encoding="planes-18",
        loss="cross-entropy",
        optimiser={"name": "adamw", "lr": 0.002, "weight_decay": 0.02},
        schedule={"name": "cosine", "warmup": 1000 if full else 100},
        batch=1024 if full else 128,
        epochs=10 if full else 1,
        mirror=True,
        precision="bfloat16" if full else "float32",
        compile=full,
    )
