"""The paper as the table of papers knows it."""

from typing import Final

from okapi.papers.sheehan2016 import EXPERIMENTS
from okapi.papers.sheehan2016.figures import figures
from okapi.papers.sheehan2016.page import page
from okapi.recipes.lab import Paper, lazily

__all__ = ["PAPER"]

PAPER: Final = Paper(
    name="sheehan2016",
    title="sheehan2016: a teacher's eye in ten buckets",
    experiments={name: lazily(where) for name, where in EXPERIMENTS.items()},
    figures=figures,
    page=page,
)
