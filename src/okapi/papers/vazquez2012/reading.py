"""What the page and the headline figures both read in results."""

from statistics import mean, pstdev
from typing import Any, Final

from okapi.arena.elo import MatchResult
from okapi.papers.tables import Rated, tally_of

__all__ = ["THEORY", "Data", "found", "players_of", "runs_of"]

Data = dict[str, Any]
"""Of one result."""

THEORY: Final = {"knight": 300, "bishop": 300, "rook": 500, "queen": 900}
"""What the thesis calls the theoretical values."""


def runs_of(data: Data) -> list[MatchResult]:
    """Of `pieces`: the games of each run, evolved against the start."""
    return [tally_of(run) for run in data["runs"]]


def players_of(data: Data) -> tuple[Rated, Rated]:
    """Of `pieces_rating`: the player before evolution, and after."""
    rows = {row["name"]: Rated.of(row) for row in data["rows"]}
    before, after, *_ = data["tallies"]
    return rows[before], rows[after]


def found(data: Data, name: str) -> tuple[float, float]:
    """Of `five`: a weight over all runs, its mean and the deviation between runs."""
    means = [run["weights"][name][0] for run in data["runs"]]
    return mean(means), pstdev(means)
