"""What somebody wants to be taught, made definite: a pupil, positions to begin from, a plan, and how to gauge it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch

from okapi.brains import card, find
from okapi.errors import NotFound, UsageError
from okapi.files import file_hash
from okapi.models.lai2015 import giraffe as network
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.moves import game_library
from okapi.recipes.self_taught.gauge import Gauge
from okapi.training.tdleaf import WAYS, TdLeafConfig
from okapi.training.tdleaf_learners import GiraffeLearner, Learner, StartPositions, StorePositions, find_learner

__all__ = ["SelfTaught", "giraffe", "tdleaf"]

MEASURED: Final[dict[str, Any]] = {
    "suite": "",
    "suite_nodes": 10_000,
    "games": 100,
    "game_nodes": 1_000,
    "gauge_every": 100,
}
"""How strength is measured on the way: positions of a suite with so many nodes each, games against what it began as,
every so many iterations at most."""

NETWORK: Final[dict[str, Any]] = {
    "encoding": "giraffe-363-mover",
    "position": 19,
    "pieces": 44,
    "squares": 26,
    "hidden": 64,
    "bootstrap": 100_000,
    "bootstrap_epochs": 10,
}
"""Giraffe's sizes of November 2015, and positions of the first lesson."""

LENGTH: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {
        "iterations": 3,
        "starts": 8,
        "nodes": 32,
        "batch": 64,
        "bootstrap": 2_000,
        "games": 4,
        "game_nodes": 50,
        "suite_nodes": 100,
        "gauge_every": 1,
        "own_games": 8,
    },
    "quick": {"core_hours": 0.5},
    "full": {"core_hours": 2.0},
}

USUAL: Final[dict[str, Any]] = {"way": "ours", "iterations": 0, "hours": 0.0, "core_hours": 2.0, "own_games": 2_000}
"""Iterations, if they are given; else hours by the clock; else hours of one processor, which all share."""

FLAT: Final = ("optimiser", "schedule")
"""What a plan has as a record and people change by the names of its parts."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SelfTaught:
    """Everything that is needed to let a brain teach itself."""

    name: str
    title: str
    called: str
    """The brain's name."""
    settings: Mapping[str, Any]
    """Everything that makes it what it is; JSON."""
    plan: Callable[[int], TdLeafConfig]
    """The plan, with so many iterations."""
    pupil: Callable[[], Learner]
    """Fresh, before its first lesson."""
    opened: Callable[[str], Learner]
    """The same from a file."""
    starts: StartPositions | None
    """Without any, games of its own."""
    gauge: Gauge
    hours: float
    """By the clock; of no meaning where the iterations are given."""
    threads: int


def giraffe(order: RecipeConfig) -> SelfTaught:
    """The network of lai2015: first material, then TD-Leaf on its own play, from nothing to a player."""
    settings = _settings(order, NETWORK)
    sizes = {name: settings[name] for name in ("position", "pieces", "squares", "hidden")}

    def fresh() -> Learner:
        torch.manual_seed(order.seed)
        return GiraffeLearner(network(**sizes), settings["encoding"])

    return _made("giraffe", "giraffe", order, settings, fresh)


def tdleaf(order: RecipeConfig) -> SelfTaught:
    """Any brain with a value that can be differentiated goes on by itself: --brain NAME."""
    if "brain" not in order.changes:
        raise UsageError("which brain is to teach itself?", hint="--brain NAME; `okapi brains list` shows them")
    settings = _settings(order, {"brain": "", "bootstrap": 0, "bootstrap_epochs": 0})
    brain = settings["brain"]
    settings["brain_file"] = file_hash(find(brain))
    return _made("tdleaf", f"{card(brain).name}-tdleaf", order, settings, lambda: find_learner(brain))


def _settings(order: RecipeConfig, more: Mapping[str, Any]) -> dict[str, Any]:
    """The usual ones of this way and size, with the changes."""
    way = str(order.changes.get("way", "ours"))
    if way not in WAYS:
        raise UsageError(f"no way `{way}`", hint=f"expected {' or '.join(WAYS)}")
    usual = {**USUAL, **_flat(WAYS[way]), **MEASURED, **more}
    usual |= {name: value for name, value in LENGTH[order.size].items() if name in usual}
    return order.settings({**usual, "way": way})


def _flat(plan: Mapping[str, Any]) -> dict[str, Any]:
    flat = dict(plan)
    for what in FLAT:
        record = dict(flat.pop(what))
        flat |= {what: record.pop("name"), **record}
    return {"warmup": 0, "floor": 0.0, **flat}


def _plan(settings: Mapping[str, Any], seed: int, iterations: int) -> TdLeafConfig:
    schedule: dict[str, Any] = {"name": settings["schedule"]}
    if settings["schedule"] == "cosine":
        schedule |= {"warmup": settings["warmup"], "floor": settings["floor"]}
    same = {name: settings[name] for name in WAYS["ours"] if name not in FLAT}
    optimiser = {"name": settings["optimiser"], "lr": settings["lr"]}
    return TdLeafConfig(iterations=iterations, seed=seed, optimiser=optimiser, schedule=schedule, **same)


def _made(
    name: str, called: str, order: RecipeConfig, settings: dict[str, Any], pupil: Callable[[], Learner]
) -> SelfTaught:
    suite = Path(settings["suite"]) if settings["suite"] else None
    if suite is not None and not suite.exists():
        raise NotFound(f"no suite at `{suite}`")
    about = {"from": "own games"}
    starts = None
    if order.games is not None:
        library = game_library(order)
        starts, about = StorePositions(library.store), {"from": library.name}
    gauge = Gauge(
        suite=suite,
        suite_nodes=settings["suite_nodes"],
        games=settings["games"],
        game_nodes=settings["game_nodes"],
        every=settings["gauge_every"],
    )
    threads = order.executor.workers
    _plan(settings, order.seed, 1)  # says at once what is wrong with it
    return SelfTaught(
        name=name,
        title=f"{called} teaches itself",
        called=called,
        settings={**settings, "suite": suite.name if suite else "", "size": order.size, "seed": order.seed, **about},
        plan=lambda iterations: _plan(settings, order.seed, iterations),
        pupil=pupil,
        opened=find_learner,
        starts=starts,
        gauge=gauge,
        hours=settings["hours"] or settings["core_hours"] / threads,
        threads=threads,
    )
