"""A training that takes no time: who has more material, on positions of random games."""

from pathlib import Path
from typing import Any

import numpy as np

from okapi.core.packed import random_positions
from okapi.encodings import find_encoding
from okapi.recipes.config import RecipeConfig
from okapi.recipes.jobs import TrainingJob
from okapi.recipes.labels import LabelledPositions
from okapi.recipes.run import RecipeResult, RecipeRun
from okapi.recipes.targets import Target
from okapi.recipes.training import LabelTraining, Training, run_training
from okapi.training.report import TrainingReport
from okapi.training.supervised import SupervisedConfig

NO_SNAPSHOTS = {"snapshots": 0, "elo": False}


def trained(training: Training, folder: Path, **how: Any) -> tuple[TrainingReport, RecipeResult]:
    """Without snapshots on the way."""
    config = RecipeConfig(changes=NO_SNAPSHOTS)
    how = {"device": "cpu", "threads": 1, **how}
    return run_training(training, RecipeRun(name=training.name, config=config, folder=folder, **how))


USUAL = {"epochs": 3, "lr": 0.01}


def toy(order: RecipeConfig) -> Training:
    """Three classes of material."""
    settings = order.settings(USUAL)
    positions = random_positions(400, seed=order.seed)
    count = len(positions)
    balance = find_encoding("vector-65").in_numpy(positions)[:, 64].astype(np.int16)
    labels = LabelledPositions(
        name="made of dice",
        positions=positions,
        values=np.where(positions["turn"] == 1, -100, 100).astype(np.int16) * balance,
        games=None,
        plies=np.full(count, -1),
        random=np.zeros(count, np.bool_),
    )
    plan = SupervisedConfig(
        model="okapi.models.perceptron:perceptron",
        arguments={"inputs": 768, "hidden": [8], "outputs": 3, "dropout": 0.1},
        encoding="bitmap-768",
        loss="cross-entropy",
        optimiser={"name": "adam", "lr": settings["lr"]},
        batch=20,
        epochs=settings["epochs"],
        seed=order.seed,
    )
    return LabelTraining(
        name="toy",
        title="Who has more",
        job=TrainingJob(plan, Target.classes([-50, 50], "white"), "positions"),
        labels=labels,
        parts=np.tile(np.array([0] * 8 + [1, 2], np.uint8), count // 10),
        settings={**settings, "seed": order.seed, **labels.about()},
    )
