"""Figures 3.1 and 3.2: how the networks learn."""

from collections.abc import Iterator

from okapi.papers.lab import Results
from okapi.papers.page import Part, Prose, Section
from okapi.papers.singh2015.published import SAMPLES_PER_SECOND
from okapi.papers.tables import made
from okapi.papers.words import number

__all__ = ["learning"]


def learning(results: Results) -> Section:
    """What was taught, and how it went."""
    return Section("Learning", made(results, "training", "Figures 3.1 and 3.2", _speed))


def _speed(data: dict[str, object]) -> Iterator[Part]:
    yield Prose(f"The thesis' GPU saw {number(SAMPLES_PER_SECOND)} samples a second.")
