"""
The nets of J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016: to the letter, and as they had to
be to come as far as the paper.

To the letter: raw numbers, the starts of section 4.5.2, Table 2, plain stochastic gradient with momentum. The batch
size is not told; Marvin's examples have 64. With it the rate of Net A is down to a millionth after 3000 batches, and
that is all that it ever learns. Better: wider layers with batch normalisation that begin by telling pieces apart, Adam,
and many passes.
"""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.recipes.arrays import TRAIN
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.splits import LOOKED_UP
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


SIZES: Final[dict[str, dict[str, Any]]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What differs by size; sheehan2016.toml says what each entry means."""

WIDEST: Final = [4096, 2048, 1024]

PATIENCE: Final = 5
"""Epochs without a lower loss, of a net that is trained until it stops improving."""


def variants(size: Size, *, own: bool) -> list[Variant]:
    """All that are compared, the most important first; our own network is beyond the paper."""
    found = [
        *(Variant(net, LETTER, letter(net, size)) for net in NETS),
        *(Variant(net, BETTER, better(net, size)) for net in NETS),
        *(Variant(net, LINEAR, letter(net, size, hidden=[])) for net in ("Net A", "Net C")),
        Variant("Net A", PATIENT, patient(size)),
        *(
            Variant(net, LETTER, replace(letter(net, size), seed=seed))
            for seed in range(2, SIZES[size]["seeds"] + 1)
            for net in NETS
        ),
    ]
    if own and size == "full":
        wide = {"hidden": WIDEST, "start": "steps", "normalise": True, "dropout": 0.3}
        found.append(Variant("Net A", WIDER, replace(better("Net A", size), arguments=wide)))
    return [*found, Variant("Ours", RESIDUAL, residual_plan(size))] if own else found


def sweep(size: Size) -> "dict[str, SupervisedConfig]":
    """Each net by Table 2, with every batch size and layers that the lost Figure 7 may have had."""
    chosen, looks = SIZES[size]["sweep"], SIZES[size]["looks"]
    return {
        f"sweep-{net[-1].lower()}-{'x'.join(map(str, hidden)) or 'none'}-{batch}": replace(
            letter(net, size, hidden=hidden), batch=batch, samples=batch * chosen["iterations"] // looks
        )
        for net in NETS
        for hidden in chosen["layers"]
        for batch in chosen["batches"]
    }


def patient(size: Size) -> "SupervisedConfig":
    """Net A to the letter, but its rate stays as it begins, and it is trained until it stops improving."""
    epochs = SIZES[size]["most_epochs"]
    return replace(letter("Net A", size), schedule={}, samples=None, epochs=epochs, patience=PATIENCE)


def iterations(plan: "SupervisedConfig", epochs: int, trained: int) -> int:
    """Batches in so many epochs, with so many training positions."""
    return epochs * -(-(min(plan.samples or trained, trained)) // plan.batch)


def letter(net: str, size: Size, **arguments: Any) -> "SupervisedConfig":
    """Table 2."""
    scheme, chosen = TABLE_2[net], SIZES[size]
    return _plan(
        model=f"okapi.models.sheehan2016:{NETS[net]}",
        arguments={"hidden": chosen["hidden"][net], **arguments},
        encoding=ENCODINGS[net],
        optimiser={"name": "sgd", "lr": scheme.rate, "momentum": scheme.momentum, "weight_decay": DECAY},
        schedule={"name": "step", "every": scheme.step, "gamma": scheme.gamma},
        batch=MARVINS_BATCH,
        samples=MARVINS_BATCH * chosen["iterations"][net] // chosen["looks"],
        epochs=chosen["looks"],
    )


def better(net: str, size: Size) -> "SupervisedConfig":
    """The same inputs and ten buckets, learned in today's way."""
    chosen = SIZES[size]
    hidden = chosen["hidden"][net] if net == "Net B" else chosen["wide"]
    return _plan(
        model=f"okapi.models.sheehan2016:{NETS[net]}",
        arguments={"hidden": hidden, "start": "steps", "normalise": True, "dropout": chosen["dropout"]},
        encoding=ENCODINGS[net],
        optimiser={"name": "adamw", "lr": 0.002, "weight_decay": 0.01},
        schedule={"name": "cosine", "warmup": 100},
        epochs=chosen["passes"][net],
        mirror=True,
        **chosen["better"],
    )


def residual_plan(size: Size) -> "SupervisedConfig":
    """Our own: a ResNet that sees planes, and whose move it is."""
    chosen = SIZES[size]
    shape = {"blocks": chosen["blocks"], "channels": chosen["channels"], "squeeze": chosen["channels"] // 4}
    return _plan(
        model="okapi.models.resnet:resnet",
        arguments={"planes": 18, **shape, "outputs": BUCKETS, "dropout": 0.2},
        encoding="planes-18",
        optimiser={"name": "adamw", "lr": 0.002, "weight_decay": 0.02},
        schedule={"name": "cosine", "warmup": chosen["warmup"]},
        mirror=True,
        **chosen["residual"],
    )


def _plan(**settings: Any) -> "SupervisedConfig":
    from okapi.training.supervised import SupervisedConfig

    return SupervisedConfig(loss="cross-entropy", **settings)


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
    from okapi.recipes.training import LabelTraining

    settings = config.settings_of("sheehan-a", _learning(plan))
    labels = load_labels(config, most=settings["positions"] or None)
    optimiser = {**plan.optimiser, "lr": settings["lr"]}
    plan = replace(plan, seed=config.seed, optimiser=optimiser, batch=settings["batch"], epochs=settings["epochs"])
    made = LabelTraining.of(config, name, title, plan, Target.score(), labels, settings, shares=shares(labels))
    turned = name == "sheehan-residual"
    target = buckets(labels.values, labels.positions["turn"], made.parts == TRAIN, turned=turned)
    return replace(made, job=replace(made.job, target=target))


def _learning(plan: "SupervisedConfig") -> dict[str, Any]:
    """Settings that differ from net to net."""
    return {"lr": float(plan.optimiser["lr"]), "batch": plan.batch, "epochs": plan.epochs}
