"""The thesis as the table of papers knows it."""

from typing import Final

from okapi.papers.lai2015 import EXPERIMENTS
from okapi.papers.lai2015.figures import figures
from okapi.papers.lai2015.page import page
from okapi.recipes.lab import Paper, lazily

__all__ = ["PAPER"]

PAPER: Final = Paper(
    name="lai2015",
    title="lai2015: Giraffe, learning by playing oneself",
    experiments={name: lazily(where) for name, where in EXPERIMENTS.items()},
    figures=figures,
    page=page,
)
