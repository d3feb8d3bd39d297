"""
The nets of J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016: to the letter, and as they had to
be to come as far as the paper.

To the letter: raw numbers, the starts of section 4.5.2, Table 2, plain stochastic gradient with momentum. The batch
size is not told; Marvin's examples have 64. With it the rate of Net A is down to a millionth after 3000 batches, and
that is all that it ever learns. Better: wider layers with batch normalisation that begin by telling pieces apart, Adam,
and many passes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.recipes.arrays import TRAIN
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.splits import LOOKED_UP, SplitBy, split_labels
from okapi.recipes.targets import Target

if TYPE_CHECKING:
    from okapi.recipes.training import Training
    from okapi.training.supervised import SupervisedConfig

HOW: Final = {
    "letter": "to the letter",
    "linear": "no hidden layer",
    "patient": "until it stops improving",
    "better": "better",
    "wider": "better and wider",
    "own": "residual",
}

LETTER, LINEAR, PATIENT, BETTER, WIDER, RESIDUAL = HOW.values()

HELD_OUT: Final = 0.25
"""Of the positions, for the test (section 4.2)."""

BUCKETS: Final = 10
"""Of equal population (section 4.3)."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a learning rate begins and falls, and the momentum."""

    rate: float
    step: int
    """Iterations between two falls."""
    gamma: float
    """By what the rate is multiplied when it falls."""
    momentum: float


TABLE_2: Final = {
    "Net A": Scheme(0.001, 1000, 0.1, 0.9),
    "Net B": Scheme(0.01, 10000, 0.95, 0.9),
    "Net C": Scheme(0.001, 1000, 0.5, 0.97),
}

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
    plan: "SupervisedConfig"

    @property
    def turned(self) -> bool:
        """Does it see the mover's board, and count buckets from the mover's side?"""
        return self.how == RESIDUAL

    @property
    def name(self) -> str:
        """As a training job, such as a-letter."""
        word = next(word for word, how in HOW.items() if how == self.how)
        seed = f"-{self.plan.seed}" if self.plan.seed > 1 else ""
        return f"{self.net.lower().removeprefix('net ')}-{word}{seed}"


HIDDEN: Final[dict[Size, dict[str, list[int]]]] = {
    "tiny": {"Net A": [24, 12], "Net B": [32, 32, 32], "Net C": [24, 12]},
    "quick": {"Net A": [512, 256], "Net B": [1024, 1024, 1024], "Net C": [512, 256]},
    "full": {"Net A": [512, 256], "Net B": [2048, 2048, 2048], "Net C": [512, 256]},
}
"""To the letter; A and C as we chose them."""

WIDE: Final[dict[Size, list[int]]] = {"tiny": [32, 16], "quick": [800, 64], "full": [2048, 1024, 512]}
WIDEST: Final = [4096, 2048, 1024]

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
    "full": {"Net A": 40, "Net B": 25, "Net C": 25},
}
"""Through all training positions, where it is to be better."""

SEEDS: Final[dict[Size, int]] = {"tiny": 1, "quick": 1, "full": 3}
"""Of the nets to the letter."""

PATIENCE: Final = 5
MOST_EPOCHS: Final[dict[Size, int]] = {"tiny": 2, "quick": 4, "full": 300}
"""Of a net that is trained until it stops improving: epochs without a lower loss, and in all."""

BLOCKS: Final[dict[Size, tuple[int, int]]] = {"tiny": (1, 8), "quick": (2, 32), "full": (10, 128)}


def variants(size: Size, *, own: bool) -> list[Variant]:
    """All that are compared, the most important first; our own network is beyond the paper."""
    found = [
        *(Variant(net, LETTER, letter(net, size)) for net in NETS),
        *(Variant(net, BETTER, better(net, size)) for net in NETS),
        *(Variant(net, LINEAR, letter(net, size, hidden=[])) for net in ("Net A", "Net C")),
        Variant("Net A", PATIENT, patient(size)),
        *(
            Variant(net, LETTER, replace(letter(net, size), seed=seed))
            for seed in range(2, SEEDS[size] + 1)
            for net in NETS
        ),
    ]
    if own and size == "full":
        wide = {"hidden": WIDEST, "start": "steps", "normalise": True, "dropout": 0.3}
        found.append(Variant("Net A", WIDER, better("Net A", size, arguments=wide)))
    return [*found, Variant("Ours", RESIDUAL, residual_plan(size))] if own else found


SWEPT: Final[dict[Size, tuple[list[list[int]], list[int]]]] = {
    "tiny": ([[], [16]], [16, 64]),
    "quick": ([[64], [512, 256]], [64, 1024]),
    "full": ([[64], [512, 256], [2048, 1024, 512]], [64, 256, 1024]),
}
"""Hidden layers and batch sizes of the sweep, each with each."""

SWEEP_ITERATIONS: Final[dict[Size, int]] = {"tiny": 20, "quick": 1000, "full": 20_000}


def sweep(size: Size) -> "dict[str, SupervisedConfig]":
    """Each net by Table 2, with every batch size and layers that the lost Figure 7 may have had."""
    layers, batches = SWEPT[size]
    looks = LOOKS[size]
    return {
        f"sweep-{net[-1].lower()}-{'x'.join(map(str, hidden)) or 'none'}-{batch}": replace(
            letter(net, size, hidden=hidden),
            batch=batch,
            samples=batch * SWEEP_ITERATIONS[size] // looks,
        )
        for net in NETS
        for hidden in layers
        for batch in batches
    }


def patient(size: Size) -> "SupervisedConfig":
    """Net A to the letter, but its rate stays as it begins, and it is trained until it stops improving."""
    return replace(letter("Net A", size), schedule={}, samples=None, epochs=MOST_EPOCHS[size], patience=PATIENCE)


def iterations(plan: "SupervisedConfig", epochs: int, trained: int) -> int:
    """Batches in so many epochs, with so many training positions."""
    return epochs * -(-(min(plan.samples or trained, trained)) // plan.batch)


def letter(net: str, size: Size, **arguments: Any) -> "SupervisedConfig":
    """Table 2."""
    from okapi.training.supervised import SupervisedConfig

    scheme = TABLE_2[net]
    return SupervisedConfig(
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


def better(net: str, size: Size, **changes: Any) -> "SupervisedConfig":
    """The same inputs and ten buckets, learned in today's way."""
    from okapi.training.supervised import SupervisedConfig

    full = size == "full"
    hidden = HIDDEN[size][net] if net == "Net B" else WIDE[size]
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
    }
    return SupervisedConfig(**{**usual, **changes})


def residual_plan(size: Size) -> "SupervisedConfig":
    """Our own: a ResNet that sees planes, and whose move it is."""
    from okapi.training.supervised import SupervisedConfig

    blocks, channels = BLOCKS[size]
    full = size == "full"
    return SupervisedConfig(
        model="okapi.models.resnet:resnet",
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


# --- `okapi train` ----------------------------------------------------------------------------------------------------


def shares(labels: LabelledPositions) -> tuple[float, float, float]:
    """A quarter is held out, as in the paper, and a tenth of the rest says when to stop.

    Where positions were looked up in games, too few are found for that.
    """
    return (0.9 * (1 - HELD_OUT), 0.1 * (1 - HELD_OUT), HELD_OUT) if labels.library is None else LOOKED_UP


def buckets(values: NDArray[Any], turns: NDArray[Any], chosen: NDArray[np.bool_], *, turned: bool = False) -> Target:
    """Ten classes of White's value, each with a tenth of the chosen positions (section 4.3)."""
    white = np.where(turns == 1, -values.astype(np.int64), values)[chosen]
    edges = np.quantile(white, np.arange(1, BUCKETS) / BUCKETS, method="nearest").tolist()
    for number in range(1, len(edges)):  # so many positions may be worth nothing that two edges are the same
        edges[number] = max(edges[number], edges[number - 1] + 1)
    return Target.classes(edges, "white", turned=turned)


def residual(config: RecipeConfig) -> "Training":
    """Our own: a residual network that sees whose move it is."""
    return _training(config, "sheehan-residual", "A residual network, ten buckets", residual_plan(config.size))


def net(config: RecipeConfig, net: str) -> "Training":
    """Net A, B or C; with `letter=yes` exactly as the paper has it."""
    exact = config.settings_of("sheehan-a", _learning(better(net, config.size)))["letter"]
    plan = letter(net, config.size) if exact else better(net, config.size)
    return _training(config, f"sheehan-{net[-1].lower()}", f"{net}, ten buckets", plan)


def _training(config: RecipeConfig, name: str, title: str, plan: "SupervisedConfig") -> "Training":
    from okapi.recipes.jobs import TrainingJob
    from okapi.recipes.training import LabelTraining
    from okapi.training.supervised import SupervisedConfig

    settings = config.settings_of("sheehan-a", _learning(plan))
    labels = load_labels(config, most=settings["positions"] or None)
    how: SplitBy = "positions" if labels.games is None else "games"
    split = split_labels(labels, how, config.seed, shares(labels))
    target = buckets(labels.values, labels.positions["turn"], split == TRAIN, turned=name == "sheehan-residual")
    told = plan.as_json()
    told |= {"seed": config.seed, "optimiser": {**plan.optimiser, "lr": settings["lr"]}}
    told |= {key: settings[key] for key in ("batch", "epochs")}
    return LabelTraining(
        name=name,
        title=title,
        job=TrainingJob(SupervisedConfig.from_json(told), target, how),
        labels=labels,
        parts=split,
        settings={**settings, "size": config.size, "seed": config.seed, "split": how, **labels.about()},
    )


def _learning(plan: "SupervisedConfig") -> dict[str, Any]:
    """Settings that differ from net to net."""
    return {"lr": float(plan.optimiser["lr"]), "batch": plan.batch, "epochs": plan.epochs}
