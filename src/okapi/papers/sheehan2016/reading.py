"""What the page and the headline figures both read in results."""

from typing import Any, Final

from okapi.recipes.shares import Share
from okapi.recipes.sheehan2016 import HOW

__all__ = ["GAMES", "HOW", "POSITIONS", "YARDSTICK", "Data", "accuracy", "find", "near", "share"]

Data = dict[str, Any]
"""Of one result."""

GAMES: Final = "games"
POSITIONS: Final = "positions"
"""How positions were split."""

YARDSTICK: Final = "material"
"""A brain that counts pieces, and knows nothing else: what a differential is worth in an engine."""


def find(data: Data, net: str, how: str, split: str) -> Data | None:
    """The row of a net, if it was taught."""
    rows = (row for row in data["rows"] if (row["net"], row["how"], row["split"]) == (net, how, split))
    return next(rows, None)


def accuracy(row: Data) -> Share:
    """The right bucket."""
    return share(row, "accuracy")


def near(row: Data) -> Share:
    """The right bucket, or one beside it."""
    return share(row, "near")


def share(row: Data, key: str) -> Share:
    """A part of one as so many of so many."""
    return Share(round(row[key] * row["count"]), row["count"])
