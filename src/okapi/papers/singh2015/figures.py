"""The headline figures: theirs and ours, each with a key that stays."""

from typing import Any, Final

from okapi.papers.headlines import Headline, Headlines, as_figures, measured
from okapi.papers.lab import Results

__all__ = ["HEADLINES", "figures", "headlines"]


def figures(results: Results) -> dict[str, dict[str, Any]]:
    """For programs: figures.json."""
    return as_figures(headlines(results))


def headlines(results: Results) -> dict[str, Headline]:
    """All of them, measured or not."""
    return measured(HEADLINES, results)


HEADLINES: Final[Headlines] = {}
"""What is measured, and how, by keys that programs may rely on."""
