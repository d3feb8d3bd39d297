"""Section 7.1: what the thesis left to others."""

from collections.abc import Iterator

from okapi.formats.html import Notes, Part, Section
from okapi.papers.lai2015.page.matched import matched
from okapi.papers.lai2015.reading import Data
from okapi.papers.tables import made, remarks
from okapi.recipes.lab import Results

__all__ = ["future"]


def future(results: Results) -> Section:
    """Its proposals, each measured."""
    return Section("Future work", made(results, "future", "Future work", _future))


def _future(data: Data) -> Iterator[Part]:
    yield from matched(
        "Future work",
        "Each proposal of section 7.1 against the same player without it.",
        data["rows"],
        {},
    )
    if data["missing"]:
        yield Notes([f"Not tried here: {'; '.join(data['missing'])}."])
    yield from remarks(data)
