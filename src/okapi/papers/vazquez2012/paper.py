"""The paper as the table of papers knows it."""

from typing import Final

from okapi.papers.vazquez2012 import EXPERIMENTS
from okapi.papers.vazquez2012.figures import figures
from okapi.papers.vazquez2012.page import page
from okapi.recipes.lab import Paper, lazily

__all__ = ["PAPER"]

PAPER: Final = Paper(
    name="vazquez2012",
    title="vazquez2012: chess opinions that are bred",
    experiments={name: lazily(where) for name, where in EXPERIMENTS.items()},
    figures=figures,
    page=page,
)
