"""The paper as the table of papers knows it."""

from typing import Any, Final

from okapi.papers.lab import Paper, Results, lazily
from okapi.papers.page import Prose, Section, document
from okapi.papers.vazquez2012 import EXPERIMENTS

__all__ = ["PAPER"]

TITLE: Final = "vazquez2012: an evolved chess engine"


def figures(results: Results) -> dict[str, Any]:
    """The headline figures."""
    return {}


def page(results: Results) -> str:
    """The page: theirs beside ours."""
    made = [f"{name}: {result.skipped or f'{result.seconds:.0f} s'}" for name, result in results.items()]
    return document(TITLE, [Section("Experiments", [Prose(text) for text in made])])


PAPER: Final = Paper(
    name="vazquez2012",
    title=TITLE,
    experiments={name: lazily(where) for name, where in EXPERIMENTS.items()},
    figures=figures,
    page=page,
)
