"""
The nets of J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016: to the letter, and as they had to
be to come as far as the paper.

To the letter: raw numbers, the starts of section 4.5.2, Table 2, plain stochastic gradient with momentum. The batch
size is not told; Marvin's examples have 64. With it the rate of Net A is a millionth after 3000 batches. Better: wider
layers with batch normalisation that begin by telling pieces apart, Adam, and many passes.
"""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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

BUCKETS: Final = 10
"""Of equal population (section 4.3)."""


class Scheme(NamedTuple):
    """A learning rate, the iterations between two falls, the factor of a fall, and the momentum."""

    rate: float
    step: int
    gamma: float
    momentum: float


TABLE_2: Final = {
    "Net A": Scheme(0.001, 1000, 0.1, 0.9),
    "Net B": Scheme(0.01, 10000, 0.95, 0.9),
    "Net C": Scheme(0.001, 1000, 0.5, 0.97),
}


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


def variants(size: Size, *, own: bool) -> list[Variant]:
    """All that are compared, the most important first; our own network is beyond the paper."""
    found = [
        *(Variant(net, LETTER, letter(net, size)) for net in TABLE_2),
        *(Variant(net, BETTER, better(net, size)) for net in TABLE_2),
        *(Variant(net, LINEAR, letter(net, size, hidden=[])) for net in ("Net A", "Net C")),
    ]
    # its rate stays as it begins, and it is trained until it stops improving
    patient = {"schedule": {}, "samples": None, "epochs": SIZES[size]["most_epochs"], "patience": 5}
    found.append(Variant("Net A", PATIENT, replace(letter("Net A", size), **patient)))
    for seed in range(2, SIZES[size]["seeds"] + 1):
        found += [Variant(net, LETTER, replace(letter(net, size), seed=seed)) for net in TABLE_2]
    if own and size == "full":
        wide = {"hidden": [4096, 2048, 1024], "start": "steps", "normalise": True, "dropout": 0.3}
        found.append(Variant("Net A", WIDER, replace(better("Net A", size), arguments=wide)))
    return [*found, Variant("Ours", RESIDUAL, residual_plan(size))] if own else found


def sweep(size: Size) -> "dict[str, SupervisedConfig]":
    """Each net by Table 2, with every batch size and layers that the lost Figure 7 may have had."""
    chosen, looks = SIZES[size]["sweep"], SIZES[size]["looks"]
    return {
        f"sweep-{net[-1].lower()}-{'x'.join(map(str, hidden)) or 'none'}-{batch}": replace(
            letter(net, size, hidden=hidden), batch=batch, samples=batch * chosen["iterations"] // looks
        )
        for net in TABLE_2
        for hidden in chosen["layers"]
        for batch in chosen["batches"]
    }


def iterations(plan: "SupervisedConfig", epochs: int, trained: int) -> int:
    """Batches in so many epochs, with so many training positions."""
    return epochs * -(-(min(plan.samples or trained, trained)) // plan.batch)


def letter(net: str, size: Size, **arguments: Any) -> "SupervisedConfig":
    """Table 2. The batch and the weight decay, of which the paper says nothing, are those of Marvin's examples."""
    scheme, chosen, batch = TABLE_2[net], SIZES[size], 64
    optimiser = {"name": "sgd", "lr": scheme.rate, "momentum": scheme.momentum, "weight_decay": 0.0005}
    schedule = {"name": "step", "every": scheme.step, "gamma": scheme.gamma}
    samples = batch * chosen["iterations"][net] // chosen["looks"]
    arguments = {"hidden": chosen["hidden"][net], **arguments}
    return _plan(net, arguments, optimiser, schedule, batch=batch, samples=samples, epochs=chosen["looks"])


def better(net: str, size: Size) -> "SupervisedConfig":
    """The same inputs and ten buckets, learned in today's way."""
    chosen, optimiser = SIZES[size], {"name": "adamw", "lr": 0.002, "weight_decay": 0.01}
    hidden = chosen["hidden"][net] if net == "Net B" else chosen["wide"]
    arguments = {"hidden": hidden, "start": "steps", "normalise": True, "dropout": chosen["dropout"]}
    how = {"epochs": chosen["passes"][net], "mirror": True, **chosen["better"]}
    return _plan(net, arguments, optimiser, {"name": "cosine", "warmup": 100}, **how)


def residual_plan(size: Size) -> "SupervisedConfig":
    """Our own: a ResNet that sees planes, and whose move it is."""
    chosen, optimiser = SIZES[size], {"name": "adamw", "lr": 0.002, "weight_decay": 0.02}
    shape = {"blocks": chosen["blocks"], "channels": chosen["channels"], "squeeze": chosen["channels"] // 4}
    arguments = {"planes": 18, **shape, "outputs": BUCKETS, "dropout": 0.2}
    schedule = {"name": "cosine", "warmup": chosen["warmup"]}
    return _plan("Ours", arguments, optimiser, schedule, mirror=True, **chosen["residual"])


def _plan(net: str, arguments: Any, optimiser: Any, schedule: Any, **how: Any) -> "SupervisedConfig":
    from okapi.training.supervised import SupervisedConfig

    model, encoding = "resnet:resnet", "planes-18"
    if net in TABLE_2:
        model, encoding = f"sheehan2016:net_{net[-1].lower()}", "vector-64" if net == "Net C" else "vector-65"
    network = {"model": f"okapi.models.{model}", "arguments": arguments, "encoding": encoding}
    return SupervisedConfig(loss="cross-entropy", **network, optimiser=optimiser, schedule=schedule, **how)


def shares(labels: LabelledPositions) -> tuple[float, float, float]:
    """A quarter is held out, as in the paper, and a tenth of the rest says when to stop. Where positions were looked up
    in games, too few are found for that."""
    return (0.9 * 0.75, 0.1 * 0.75, 0.25) if labels.library is None else LOOKED_UP


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
    plan = better(net, config.size)
    if config.settings_of("sheehan-a", _learning(plan))["letter"]:
        plan = letter(net, config.size)
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
