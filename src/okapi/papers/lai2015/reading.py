"""What the page and the headline figures both read in results."""

from collections.abc import Sequence
from typing import Any, Final

from okapi.recipes.shares import Share

__all__ = ["ALL", "QUIET", "Data", "by_key", "by_name", "explained", "first", "ranked_within"]

Data = dict[str, Any]
"""Of one result."""

ALL: Final = "all"
QUIET: Final = "quiet"
"""Test positions of the move network: Table 4's, and Table 5's."""


def by_key(data: Data, key: str) -> Data | None:
    """The row of a match, if it was played."""
    return first([row for row in data["rows"] if row["key"] == key])


def by_name(data: Data, name: str) -> Data | None:
    """The row of a player, or of a network."""
    return first([row for row in data["rows"] if row["name"] == name])


def first(rows: Sequence[Data]) -> Data | None:
    """If there is any."""
    return rows[0] if rows else None


def explained(row: Data, spread: float) -> float:
    """The share of the variance of a teacher's opinions that a network foresees."""
    return 1 - float(row["mse"]) / spread if spread else 0.0


def ranked_within(table: Data, moves: int) -> Share:
    """How often the best move is among so many that the network thinks likeliest."""
    return Share(sum(table["counts"][:moves]), sum(table["counts"]))
