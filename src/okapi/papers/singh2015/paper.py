"""The paper as the table of papers knows it."""

from typing import Final

from okapi.papers.lab import Paper, lazily
from okapi.papers.singh2015 import EXPERIMENTS
from okapi.papers.singh2015.figures import figures
from okapi.papers.singh2015.page import page

__all__ = ["PAPER"]

PAPER: Final = Paper(
    name="singh2015",
    title="singh2015: networks that learn to play by watching",
    experiments={name: lazily(where) for name, where in EXPERIMENTS.items()},
    figures=figures,
    page=page,
)
