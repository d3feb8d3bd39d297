"""Two trainings that are no paper's: expected scores from a perceptron, and from a small ResNet."""

from collections.abc import Mapping
from typing import Any, Final

from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.jobs import TrainingJob
from okapi.recipes.labels import load_labels
from okapi.recipes.splits import SplitBy, split_labels
from okapi.recipes.targets import Target
from okapi.recipes.training import LabelTraining, Training
from okapi.training.supervised import SupervisedConfig

__all__ = ["perceptron", "resnet"]

FULL: Final[dict[str, Any]] = {"batch": 256, "epochs": 50, "patience": 5, "lr": 0.001, "width": 256, "positions": 0}
USUAL: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {**FULL, "batch": 64, "epochs": 2, "width": 16, "positions": 2_000},
    "quick": {**FULL, "epochs": 10, "positions": 200_000},
    "full": FULL,
}
"""Positions: at most so many; 0 is all."""


def perceptron(order: RecipeConfig) -> Training:
    """A perceptron with two hidden layers, of `width` and 32 neurons, on the bitmap: the expected score."""
    settings = order.settings(USUAL[order.size])
    model = {"inputs": 768, "hidden": [settings["width"], 32], "outputs": 1, "last": "sigmoid"}
    return _training(
        "perceptron", "A perceptron that learns a teacher's eye", "perceptron:perceptron", model, "bitmap-768", order
    )


def resnet(order: RecipeConfig) -> Training:
    """Four residual blocks of `width` / 4 channels on planes: the expected score."""
    settings = order.settings(USUAL[order.size])
    model = {"planes": 12, "channels": max(8, settings["width"] // 4), "blocks": 4, "outputs": 1, "last": "sigmoid"}
    return _training("resnet", "A ResNet that learns a teacher's eye", "resnet:resnet", model, "planes-12", order)


def _training(
    name: str, title: str, model: str, arguments: Mapping[str, Any], encoding: str, order: RecipeConfig
) -> Training:
    settings = order.settings(USUAL[order.size])
    labels = load_labels(order, most=settings["positions"] or None)
    how: SplitBy = "positions" if labels.games is None else "games"
    plan = SupervisedConfig(
        model=f"okapi.models.{model}",
        arguments=arguments,
        encoding=encoding,
        loss="squared",
        optimiser={"name": "adam", "lr": settings["lr"]},
        batch=settings["batch"],
        epochs=settings["epochs"],
        patience=settings["patience"],
        seed=order.seed,
    )
    return LabelTraining(
        name=name,
        title=title,
        lesson=TrainingJob(plan, Target.score(), how),
        labels=labels,
        parts=split_labels(labels, how, order.seed),
        settings={**settings, "size": order.size, "seed": order.seed, "split": how, **labels.about()},
    )
