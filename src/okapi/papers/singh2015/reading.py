"""What the page and the headline figures both read in results."""

from collections.abc import Mapping
from typing import Any, Final

from okapi.recipes.shares import Share

__all__ = ["BRAINS", "Data", "after_masking", "before_masking", "fastest_lesson", "illegal", "whole"]

Data = dict[str, Any]
"""Of one result."""

BRAINS: Final = {"seven": "the seven networks", "ours": "our one network"}
"""Who sits the exam."""


def before_masking(row: Data, guesses: int = 1) -> Share:
    """Right by itself, with so many guesses."""
    return Share(row["top"][str(guesses)], row["count"])


def after_masking(row: Data, guesses: int = 1) -> Share:
    """Right where the rules are given."""
    return Share(row["top_masked"][str(guesses)], row["count"])


def illegal(row: Data) -> Share:
    """First choices that cannot be."""
    return Share(row["illegal"], row["count"])


def whole(row: Data, guesses: int) -> Share:
    """Whole moves among so many legal ones."""
    return Share(row["top"][str(guesses)], row["count"])


def fastest_lesson(lessons: Mapping[str, Data]) -> str | None:
    """The one of ChessNet-1 that saw most samples a second."""
    chessnets = [name for name, lesson in lessons.items() if lesson["model"] == "chessnet_1"]
    return max(chessnets, key=lambda name: float(lessons[name]["samples_per_second"]), default=None)
