"""Self-play as work that takes long: stored as it goes, and resumed where it was left."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from okapi.arena.chronicle import Teller, chronicle
from okapi.arena.match import Hire, check_players, processors
from okapi.arena.selfplay import SelfPlay
from okapi.arena.selfplay_games import Stored, play_in_order
from okapi.data.store import StoreWriter
from okapi.errors import PlayerFailed, UsageError

__all__ = ["Report", "play_selfplay"]

GIVEN_UP: Final = 10
"""Games in a row that a player crashed, stalled or cheated in; then nothing good will come any more."""


@dataclass(slots=True)
class Report:
    """How far a self-play is."""

    games: int = 0
    plies: int = 0
    results: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    kept: int = 0
    """Games that were there before this began."""
    seconds: float = 0.0
    trouble: str = ""
    """What a player did wrong in the last game, if it did."""

    def add(self, stored: Stored) -> None:
        """Count a game."""
        self.games += 1
        self.plies += len(stored.game.moves)
        self.results[stored.game.result] += 1
        self.faults += bool(stored.fault)
        self.trouble = stored.fault

    def numbers(self) -> dict[str, float]:
        """What is to be seen of it: how long games are, and how they end."""
        share = {f"{result} share": self.results[result] / self.games for result in ("1-0", "1/2-1/2", "0-1")}
        return {"plies a game": self.plies / self.games, **share}

    def cursor(self, described: dict[str, Any]) -> dict[str, Any]:
        """What the store has to know to go on."""
        counted = {"games": self.games, "plies": self.plies, "results": dict(self.results), "faults": self.faults}
        return {"selfplay": described, **counted}

    @classmethod
    def of(cls, writer: StoreWriter, described: dict[str, Any], path: Path) -> "Report":
        """What a store says: UsageError if its games are others."""
        cursor = writer.cursor or {}
        if len(writer) and cursor.get("selfplay") != described:
            had = cursor.get("selfplay", {})
            other = ", ".join(key for key in described if had.get(key) != described[key]) if had else "everything"
            raise UsageError(
                f"{path} has games that were made otherwise: {other} differs", hint="give another name with --to"
            )
        if not len(writer):
            return cls()
        return cls(cursor["games"], cursor["plies"], Counter(cursor["results"]), cursor["faults"], cursor["games"])


def play_selfplay(
    selfplay: SelfPlay,
    games: int,
    to: Path,
    *,
    concurrency: int | None = None,
    hire: Hire | None = None,
    watch: Callable[[Report], object] = lambda report: None,
) -> Report:
    """Play until the store has so many games; `watch` is told after each, and once before the first.

    `hire` says who plays; if not given, threads of the core where they can, else processes here. The store is the same
    however often this was interrupted, and whoever plays.
    """
    described = selfplay.describe()
    with closing(StoreWriter.open(to)) as writer:
        report = Report.of(writer, described, to)
        watch(report)
        if report.games >= games:
            return report
        check_players(selfplay.orders())
        with chronicle(to, "selfplay", games, {**described, "players": " ".join(selfplay.players)}) as run:
            teller = Teller(run, report.numbers)
            begun = time.monotonic()
            failed = 0
            for stored in play_in_order(selfplay, range(report.games, games), concurrency or processors(), hire):
                writer.add(stored.game)
                report.add(stored)
                if report.games % selfplay.block == 0 or report.games == games:
                    writer.flush(report.cursor(described))
                report.seconds = time.monotonic() - begun
                watch(report)
                teller.tell(report.games, last=report.games == games)
                failed = failed + 1 if stored.fault else 0
                if failed == GIVEN_UP:
                    raise PlayerFailed(f"{GIVEN_UP} games in a row could not be played: {stored.fault}")
        return report
