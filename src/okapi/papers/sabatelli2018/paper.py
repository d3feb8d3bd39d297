"""The paper as the table of papers knows it."""

from typing import Final

from okapi.papers.sabatelli2018 import EXPERIMENTS
from okapi.papers.sabatelli2018.figures import figures
from okapi.papers.sabatelli2018.page import page
from okapi.recipes.lab import Paper, lazily

__all__ = ["PAPER"]

PAPER: Final = Paper(
    name="sabatelli2018",
    title="sabatelli2018: a teacher's eye",
    experiments={name: lazily(where) for name, where in EXPERIMENTS.items()},
    figures=figures,
    page=page,
)
