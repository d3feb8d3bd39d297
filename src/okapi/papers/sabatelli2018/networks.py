"""
Section 3.2 as plans: which network, which optimiser, which minibatches, for each dataset.

docs/sabatelli2018.md says where the section is silent, and what was chosen.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from okapi.papers.sabatelli2018.datasets import DATASETS, REGRESSION, outputs, target
from okapi.papers.sabatelli2018.names import INPUTS, NETWORKS, PLAYERS, lesson_name, today_name
from okapi.recipes.course import Lesson
from okapi.recipes.targets import Target
from okapi.training.supervised import Plan

__all__ = ["lesson", "lessons", "players", "today"]

MODELS: Final = {"mlp": {1: "mlp_1", 2: "mlp_2", 3: "mlp_2", 4: "mlp_4"}, "cnn": dict.fromkeys(DATASETS, "cnn")}
SHAPES: Final = {"mlp": "768", "cnn": "12x8x8"}

ADAM: Final[Mapping[str, Any]] = {"name": "adam", "lr": 0.001, "betas": [0.90, 0.99], "eps": 1e-8}
"""The paper writes 1e-0.8, which is a misprint: 0.158 would leave Adam hardly any of its scaling."""

SGD: Final[Mapping[str, Any]] = {"name": "sgd", "lr": 0.01, "momentum": 0.0}
NESTEROV: Final[Mapping[str, Any]] = {"name": "sgd", "lr": 0.001, "momentum": 0.7, "nesterov": True}

TODAY: Final[dict[str, Any]] = {
    "optimiser": {"name": "adamw", "lr": 0.001, "weight_decay": 0.01},
    "schedule": {"name": "cosine", "warmup": 500},
    "batch": 1024,
    "mirror": True,
}
"""How one would teach them now: a rate that falls to nothing, larger minibatches, mirrored positions."""

PATIENCE: Final = 5
"""Epochs without a better validation loss."""


def lesson(
    network: str, input_: str, dataset: int, *, parts: str, epochs: int, seed: int = 1, shrink: int = 1
) -> Lesson:
    """One network of Tables 1 to 3, on one split of a course. `shrink` divides its numbers of units."""
    regression = dataset == REGRESSION
    if network == "cnn":
        optimiser, batch = SGD, 128
    else:
        optimiser, batch = (NESTEROV, 256) if regression else (ADAM, 128)
    plan = Plan(
        model=f"okapi.models.sabatelli2018:{MODELS[network][dataset]}",
        arguments={"outputs": outputs(dataset), "shrink": shrink},
        encoding=f"{input_}-{SHAPES[network]}",
        loss="squared" if regression else "cross-entropy",
        optimiser=optimiser,
        batch=batch,
        epochs=epochs,
        patience=PATIENCE,
        seed=seed,
    )
    return Lesson(plan, target(dataset), parts)


def lessons(
    *,
    parts: str,
    epochs: Mapping[str, int],
    seed: int = 1,
    shrink: int = 1,
    prefix: str = "",
    inputs: Iterable[str] = INPUTS,
    datasets: Iterable[int] = DATASETS,
) -> dict[str, Lesson]:
    """All networks of Tables 1 to 3, or those of some inputs and datasets; `epochs` of each kind of network."""
    return {
        f"{prefix}{lesson_name(network, input_, dataset)}": lesson(
            network, input_, dataset, parts=parts, epochs=epochs[network], seed=seed, shrink=shrink
        )
        for network in NETWORKS
        for input_ in inputs
        for dataset in datasets
    }


def today(*, parts: str, epochs: int, seed: int = 1, shrink: int = 1) -> dict[str, Lesson]:
    """The networks of Tables 1 and 2, dropout and all, with another way of learning; none where there are no epochs."""
    made = {}
    for network in NETWORKS if epochs else ():
        for input_ in INPUTS:
            for dataset in sorted(set(DATASETS) - {REGRESSION}):
                paper = lesson(network, input_, dataset, parts=parts, epochs=epochs, seed=seed, shrink=shrink)
                plan = replace(paper.plan, patience=None, **TODAY)
                made[today_name(network, input_, dataset)] = replace(paper, plan=plan)
    return made


def players(*, parts: str, epochs: int, seed: int = 1, shrink: int = 1) -> dict[str, Lesson]:
    """Networks of the paper's shapes, to play with: how they learn is ours, and what the last one says."""
    large = _player("mlp_4", target(REGRESSION), parts, epochs, seed, shrink=shrink, dropout=0.3)
    small = _player("mlp_1", target(REGRESSION), parts, epochs, seed, shrink=shrink, dropout=0.1)
    score = _player("mlp_1", Target.score(), parts, epochs, seed, shrink=shrink, dropout=0.1, squashed=True)
    return dict(zip(PLAYERS, (large, small, score), strict=True))


def _player(model: str, says: Target, parts: str, epochs: int, seed: int, **arguments: Any) -> Lesson:
    plan = Plan(
        model=f"okapi.models.sabatelli2018:{model}",
        arguments={"outputs": 1, **arguments},
        encoding="bitmap-768",
        loss="squared",
        epochs=epochs,
        seed=seed,
        **TODAY,
    )
    return Lesson(plan, says, parts)
