"""Two places score what two players get against each other: a pair of games, from one opening with colours changed."""

from collections.abc import Callable
from threading import Lock
from typing import Any, Final

import numpy as np

from okapi.arena.in_process import core_adjudication, core_player
from okapi.arena.settings import MatchSettings
from okapi.core import InProcessMatch, both_colors
from okapi.errors import UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.optimize.genes import FloatArray
from okapi.optimize.journal import Journal

__all__ = ["PairedGames"]

MOST_PLIES: Final = 400
"""Longer games are drawn."""


class PairedGames:
    """A score function of games inside this process. Each pair is written down when it is over, and played once.

    Rows 0 and 1 of a population meet, 2 and 3, and so on; each scores its points, 0 to 2.
    """

    def __init__(
        self,
        conditions: MatchSettings,
        spec: Callable[[FloatArray], str],
        journal: Journal,
        *,
        openings: int,
        threads: int | None = None,
    ) -> None:
        """`spec` says which player genes stand for; of the `openings`, no more are read than there will be pairs."""
        self.played = 0
        """Pairs that were played in this life."""
        self._conditions = conditions
        self._spec = spec
        self._starts = conditions.starts(openings)
        self._executor = ThreadExecutor(threads)
        self._journal = journal
        self._kept = {line["pair"]: line for line in journal.lines}
        self._writing = Lock()

    def __call__(self, population: FloatArray, number: int) -> FloatArray:
        """The points of each row."""
        specs = [self._spec(genes) for genes in population]
        meetings = [
            {"pair": number * (len(specs) // 2) + place // 2, "players": specs[place : place + 2]}
            for place in range(0, len(specs), 2)
        ]
        points = np.array(self._executor.map(self._points, meetings))
        return np.stack([points, 2.0 - points], axis=1).reshape(-1)

    def _points(self, meeting: dict[str, Any]) -> float:
        """What the first player of a meeting gets, played now or in an earlier life."""
        number = meeting["pair"]
        if number not in self._kept:
            line = {**meeting, "points": self._play(number, *meeting["players"])}
            with self._writing:
                self._journal.add(line)
                self._kept[number] = line
                self.played += 1
        kept = self._kept[number]
        if kept["players"] != meeting["players"]:
            raise UsageError(
                f"pair {number} is between other players than when `{self._journal.path}` was written",
                hint="okapi or numpy has changed since: begin again in another folder",
            )
        return float(sum(kept["points"]))

    def _play(self, number: int, *specs: str) -> list[float]:
        first, second = (core_player(spec, self._conditions.control) for spec in specs)
        start = self._starts[number % len(self._starts)]
        rules = core_adjudication(self._conditions.adjudication, MOST_PLIES)
        return [bout.score for bout in InProcessMatch(first, second, both_colors([start]), adjudication=rules)]
