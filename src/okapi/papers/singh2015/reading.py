"""What the page and the headline figures both read in results."""

from collections.abc import Mapping
from typing import Any, Final

from okapi.recipes.proportions import Proportion

__all__ = ["BRAINS", "Data", "after_masking", "before_masking", "fastest_lesson", "illegal", "whole"]

Data = dict[str, Any]
"""Of one result."""

BRAINS: Final = {"seven": "the seven networks", "ours": "our one network"}
"""Who sits the exam."""


def before_masking(row: Data, guesses: int = 1) -> Proportion:
    """Right by itself, with so many guesses."""
    return Proportion(row["top"][str(guesses)], row["count"])


def after_masking(row: Data, guesses: int = 1) -> Proportion:
    """Right where the rules are given."""
    return Proportion(row["top_masked"][str(guesses)], row["count"])


def illegal(row: Data) -> Proportion:
    """First choices that cannot be."""
    return Proportion(row["illegal"], row["count"])


def whole(row: Data, guesses: int) -> Proportion:
    """Whole moves among so many legal ones."""
    return Proportion(row["top"][str(guesses)], row["count"])


def fastest_lesson(lessons: Mapping[str, Data]) -> str | None:
    """The one of ChessNet-1 that saw most samples a second."""
    chessnets = [name for name, lesson in lessons.items() if lesson["model"] == "chessnet_1"]
    return max(chessnets, key=lambda name: float(lessons[name]["samples_per_second"]), default=None)
