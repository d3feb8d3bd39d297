"""Networks that predict the expected score: a perceptron and a ResNet on labels, and two on another brain's values."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator, find, is_native, load
from okapi.brains.library import BRAIN
from okapi.core.evaluation import evaluate, outputs
from okapi.core.keys import KeySet, position_keys
from okapi.core.labelling import play_random_moves
from okapi.data.shuffle import hashed
from okapi.errors import UsageError, WrongBrain
from okapi.files import file_hash
from okapi.recipes.arrays import TEST
from okapi.recipes.config import RecipeConfig
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.moves import game_library
from okapi.recipes.run import RecipeResult
from okapi.recipes.targets import Target
from okapi.recipes.training import LabelTraining, Training
from okapi.training.supervised import SupervisedConfig


def mlp(config: RecipeConfig) -> Training:
    """A perceptron with two hidden layers, of `width` and 32 neurons, on the bitmap: the expected score."""
    settings = config.settings_of("mlp")
    return _on_labels(config, settings, "mlp", "A perceptron on labels", _layers(settings["width"], 32))


def resnet(config: RecipeConfig) -> Training:
    """Four residual blocks of `width` / 4 channels on planes: the expected score."""
    settings = config.settings_of("resnet")
    model = {"planes": 12, "channels": max(8, settings["width"] // 4), "blocks": 4, "outputs": 1, "last": "sigmoid"}
    network = {"model": "okapi.models.resnet:resnet", "encoding": "planes-12"}
    return _on_labels(config, settings, "resnet", "A ResNet on labels", model, **network)


def convchess(config: RecipeConfig) -> Training:
    """ChessNet-2 of singh2015 on the mover's twelve planes: it learns the expected score, not who won."""
    settings = config.settings_of("convchess")
    model = {"planes": 12, "channels": settings["channels"], "hidden": settings["hidden"]}
    network = {"model": "okapi.models.singh2015:score", "encoding": "planes-12"}
    return _on_labels(config, settings, "convchess", "ConvChess' V on labels", model, **network)


def _layers(*hidden: int) -> dict[str, Any]:
    return {"inputs": 768, "hidden": [size for size in hidden if size], "outputs": 1, "last": "sigmoid"}


def _plan(config: RecipeConfig, settings: Mapping[str, Any], arguments: Any, **network: str) -> SupervisedConfig:
    how = {"optimiser": {"name": "adam", "lr": settings["lr"]}, "schedule": {"name": "cosine"}, "seed": config.seed}
    usual = {"model": "okapi.models.perceptron:perceptron", "encoding": "bitmap-768", "loss": "squared"}
    return SupervisedConfig.from_settings(settings, arguments=arguments, **{**usual, **network, **how})


def _on_labels(
    config: RecipeConfig, settings: Mapping[str, Any], name: str, title: str, arguments: Any, **network: str
) -> Training:
    labels = load_labels(config, most=settings["positions"] or None, quiet=True)
    plan = _plan(config, settings, arguments, **network)
    return LabelTraining.of(config, name, title, plan, Target.score(), labels, settings)


LIMIT: Final = 1500
"""Centipawns; beyond, games are decided and bounds do not matter."""


def distil(config: RecipeConfig) -> Training:
    settings = config.settings_of("distil")
    labels = label_by_brain(config, settings)
    plan = _plan(config, settings, _layers(settings["width"], settings["behind"]))
    title = f"A perceptron that learns the eye of {settings['brain']}"
    return LabelTraining.of(config, "distil", title, plan, Target.score(), labels, settings)


def bounds(config: RecipeConfig) -> Training:
    """A small perceptron learns bounds that hold for 96 of 100 values of another brain."""
    settings = config.settings_of("bounds")
    labels = label_by_brain(config, settings)
    model = {**_layers(settings["width"], settings["behind"]), "outputs": 2, "last": None}
    plan = _plan(config, settings, model, loss="bounds")
    title = f"Bounds of what {settings['brain']} says"
    return BoundsTraining.of(config, "bounds", title, plan, Target.number(-LIMIT, LIMIT), labels, settings)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundsTraining(LabelTraining):
    def output(self) -> dict[str, Any]:
        return {"form": "bounds", "view": "mover", "low": -LIMIT, "high": LIMIT}

    def end(self, folder: Path) -> RecipeResult:
        """Measure how often the bounds hold, and how narrow they are."""
        unseen = self.labels.take(self.parts == TEST)
        said = np.sort(outputs(load(str(folder / BRAIN)), unseen.positions).astype(np.float64), axis=1)
        low, high = (-LIMIT + 2 * LIMIT * said).T
        values = unseen.values.astype(np.float64).clip(-LIMIT, LIMIT)
        within = float(((low <= values) & (values <= high)).mean())
        width = float(np.median(high - low))
        told = f"{within:.1%} of the values lie within their bounds, which are {width:.0f} centipawns apart (median)"
        return RecipeResult(figures={"within": round(within, 4), "width": round(width, 1)}, lines=[told])


def label_by_brain(config: RecipeConfig, settings: Mapping[str, Any]) -> LabelledPositions:
    name = settings["brain"]
    if not name:
        raise UsageError("which brain's values are to be learned?", hint="--brain NAME or --brain FILE")
    if not is_native(name):
        raise WrongBrain(f"brain `{name}` needs Python, which is too slow", hint="choose one of the core's kinds")
    found = [positions_of(config, settings["positions"])]
    for moves in range(settings["wander"]):
        seen, games = found[-1][0].copy(), found[-1][1]
        moved = play_random_moves(seen, hashed(np.arange(len(seen)), config.seed + moves))
        found.append((seen[moved], games[moved]))
    positions, games = (np.concatenate(each) for each in zip(*found, strict=True))
    new = KeySet(len(positions)).add(position_keys(positions))
    positions, games = np.ascontiguousarray(positions[new]), games[new]
    values = evaluate([evaluator(name)], positions, threads=config.executor.workers)[0]
    most = np.iinfo(np.int16).max
    values = values.clip(-most, most).astype(np.int16)
    return LabelledPositions.of(f"{name} {file_hash(find(name))}", positions, values=values, games=games)


def positions_of(config: RecipeConfig, most: int) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """At most so many positions of games, and the number of each one's game."""
    if config.games is None:
        found = load_labels(config, most=most)
        return found.positions, np.arange(len(found)) if found.games is None else found.games
    store = game_library(config).store
    counts = store.plies() + 1
    ends = np.cumsum(counts)
    chosen = np.sort(np.argsort(hashed(np.arange(ends[-1]), config.seed), kind="stable")[:most])
    games = np.searchsorted(ends, chosen, side="right")
    return store.positions(games, chosen - (ends[games] - counts[games])), games
