"""What networks and lessons are called. Needs no torch, so that pages can be written without."""

from typing import Final

from okapi.recipes.sabatelli2018 import INPUTS, PLAYERS

__all__ = ["INPUTS", "NETWORKS", "ON_DATASET_4", "PLAYERS", "PLAYING", "lesson_name", "today_name"]

NETWORKS: Final = ("mlp", "cnn")

ON_DATASET_4: Final = PLAYERS[:2]
"""Players whose errors can be compared with the paper's networks'."""

PLAYING: Final = {"mlp-bitmap-4": "the paper's MLP", **{name: name for name in PLAYERS}}
"""Lessons whose networks become brains, and what players with them are called."""


def lesson_name(network: str, input_: str, dataset: int) -> str:
    """As a course has it.

    >>> lesson_name("mlp", "bitmap", 1)
    'mlp-bitmap-1'
    """
    return f"{network}-{input_}-{dataset}"


def today_name(network: str, input_: str, dataset: int) -> str:
    """The same network, learning as one does today."""
    return f"{lesson_name(network, input_, dataset)}-today"
