"""The headline figures of sheehan2016, and what both they and the page read in results."""

from typing import Any, Final

from okapi.formats.numbers import percent
from okapi.papers.headlines import Measured
from okapi.papers.published import read_published
from okapi.recipes.proportions import Proportion
from okapi.recipes.sheehan2016 import HOW

PUBLISHED: Final = read_published("sheehan2016")

GAMES: Final = "games"
POSITIONS: Final = "positions"
"""Splits of positions."""

YARDSTICK: Final = "material"
"""A brain that counts pieces only: what a differential alone reaches in an engine."""

Data = dict[str, Any]


def find(data: Data, net: str, how: str, split: str) -> Data | None:
    rows = (row for row in data["rows"] if (row["net"], row["how"], row["split"]) == (net, how, split))
    return next(rows, None)


def accuracy(row: Data) -> Proportion:
    """Positions in the right bucket."""
    return Proportion(round(row["accuracy"] * row["count"]), row["count"])


def near(row: Data) -> Proportion:
    """Positions in the right bucket, or the one beside it."""
    return Proportion(round(row["near"] * row["count"]), row["count"])


def net(data: Data, name: str, how: str, split: str) -> Measured:
    row = find(data, name, HOW[how], split)
    return Measured(None) if row is None else Measured.of_share(accuracy(row), _note(row))


def net_near(data: Data, name: str, how: str, split: str) -> Measured:
    row = find(data, name, HOW[how], split)
    return Measured(None) if row is None else Measured.of_share(near(row))


def _note(row: Data) -> str:
    return f"within one bucket {percent(row['near'])}"


def neighbours(data: Data, split: str) -> Measured:
    row = data["splits"].get(split)
    return Measured(None if row is None else 100 * row["neighbours"]["share"])


def differential_alone(data: Data) -> Measured:
    return Measured.of_share(accuracy(next(iter(data["splits"].values()))["differential"]))


def deep_pink(data: Data) -> Measured:
    return Measured.of_share(accuracy(data["buckets"]), _note(data["buckets"]))


def strongest(data: Data) -> Measured:
    nets = [row for row in data["rows"] if row["elo"] is not None and row["name"] != YARDSTICK]
    best = max(nets, key=lambda row: float(row["elo"]), default=None)
    return Measured.of_row(best, "" if best is None else best["name"])
