"""
How a brain that predicts moves learns on from one player's moves: what of them is for what, and how gently it goes.

Needs torch and numpy, and not the compiled core.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.recipes.arrays import TEST, TRAIN, VALIDATION
from okapi.recipes.proportions import Proportion, paired_difference
from okapi.training.losses import CHOICE
from okapi.training.supervised import SupervisedConfig

__all__ = ["NEARLY", "USUAL", "gained", "going_on", "parts_by_age"]

QUICK: Final[dict[str, Any]] = {"lr": 0.00002, "batch": 64, "epochs": 5, "samples": 8_000, "patience": 2}
USUAL: Final[dict[str, dict[str, Any]]] = {
    "tiny": {**QUICK, "batch": 32, "epochs": 1, "samples": 500},
    "quick": QUICK,
    "full": {**QUICK, "epochs": 20, "samples": 100_000, "patience": 4},
}
"""By size. Samples: of an epoch, so that thousands of games take no longer than hundreds."""

HELD_OUT, TO_CHOOSE_BY = 0.2, 0.1
"""Shares of the games: the newest ones are for the test, those before them for validation."""

NEARLY: Final = 3
"""The played move is also looked for among so many."""


def parts_by_age(games: int) -> NDArray[np.uint8]:
    """The part of each game, from the oldest to the newest."""
    test, validation = round(games * HELD_OUT), round(games * TO_CHOOSE_BY)
    counts = [games - test - validation, validation, test]
    return np.repeat(np.array([TRAIN, VALIDATION, TEST], np.uint8), counts)


def going_on(made: Mapping[str, Any], settings: Mapping[str, Any], *, seed: int, start: str) -> SupervisedConfig:
    """The plan of a network that was made by another one, and goes on from where that ended."""
    return SupervisedConfig(
        model=made["model"],
        arguments=made["arguments"],
        encoding=made["encoding"],
        loss=CHOICE,
        optimiser={"name": "adamw", "lr": settings["lr"]},
        batch=settings["batch"],
        epochs=settings["epochs"],
        samples=settings["samples"],
        patience=settings["patience"],
        seed=seed,
        warm_start=start,
    )


def gained(before: NDArray[Any], after: NDArray[Any], games: NDArray[Any]) -> dict[str, Any]:
    """What was gained, for programs: from the places of the played moves, before and now; 0 is the first.

    >>> gained(np.array([0, 5, 1, 9]), np.array([0, 0, 0, 2]), np.array([1, 1, 2, 2]))["after"]
    {'top_1': 0.75, 'top_3': 1.0}
    """
    shares = {
        what: {
            f"top_{most}": round(Proportion(int((places < most).sum()), len(places)).value, 5) for most in (1, NEARLY)
        }
        for what, places in (("before", before), ("after", after))
    }
    gain = paired_difference(after == 0, before == 0, games)
    points = {"gain": gain.points, "low": gain.low, "high": gain.high}
    counts = {"held_out_games": len(np.unique(games)), "held_out_moves": len(games)}
    return {**shares, **{name: round(value, 3) for name, value in points.items()}, **counts, "verdict": gain.verdict}
