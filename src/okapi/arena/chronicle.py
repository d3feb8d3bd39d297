"""A match, tournament or self-play as a run, beside its store, for whoever looks on."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from okapi.arena.report import Report
from okapi.arena.standings import Standings
from okapi.data.runs import Run

__all__ = ["Teller", "chronicle", "of_match", "of_tournament"]

TELL_S: Final = 1.0
"""Thousands of games may end in a minute, and ratings take a while to count."""


def chronicle(store: Path, kind: str, games: int, settings: Mapping[str, Any]) -> Run:
    """The run of the games in a store."""
    folder = store.with_name(f"{store.stem}.run")
    return Run.start(folder, kind, total=games, unit="games", title=str(settings["players"]), settings=settings)


class Teller:
    """Tells a run how games stand, but not more often than anybody can see."""

    def __init__(self, run: Run, numbers: Callable[[], Mapping[str, float]]) -> None:
        self._run, self._numbers = run, numbers
        self._due = 0.0

    def tell(self, games: int, *, last: bool = False) -> None:
        """So many games are over; the last word is always heard."""
        if games and (last or time.monotonic() >= self._due):
            self._run.log(games, **self._numbers())
            self._due = time.monotonic() + TELL_S


def of_match(report: Report) -> Mapping[str, float]:
    """What is to be seen of a match."""
    found, standing = report.estimate, report.standing
    about = {"elo": found.elo, "elo_low": found.low, "elo_high": found.high, "score": report.tally.score}
    return about if standing is None else {**about, "llr": standing.llr}


def of_tournament(standings: Standings) -> Mapping[str, float]:
    """What is to be seen of a tournament: a rating with its interval for each player."""
    found: dict[str, float] = {}
    for line in standings.lines():
        if line.elo is not None and line.low is not None and line.high is not None:
            found |= {line.name: line.elo, f"{line.name}_low": line.low, f"{line.name}_high": line.high}
    return found
