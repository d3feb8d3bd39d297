"""One match or tournament, played in the background by processes of their own."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from okapi.errors import OkapiError

if TYPE_CHECKING:  # the arena takes a while to load, and most people only play
    from okapi.arena.games import Played, Underway
    from okapi.arena.match import MatchRun, Report
    from okapi.arena.settings import Orders
    from okapi.arena.standings import Standings
    from okapi.arena.workers import Lost, Workers

__all__ = ["Contest", "Entry", "Terms"]

MOST_WORKERS: Final = 4
MOST_KEPT: Final = 400
"""Games that can be played through again."""

COUNT_S: Final = 0.5
"""Ratings are counted anew no more often."""

STOP_S: Final = 0.2
"""A wish to stop is heard within so many seconds."""

State = Literal["playing", "stopped", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A player of a contest."""

    name: str
    spec: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On which a contest is played."""

    rounds: int
    """In each, everybody who meets plays two games, one with each colour."""
    format: str = "round-robin"
    time_ms: int | None = None
    increment_ms: int = 0
    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    chess960: bool = False
    sprt: tuple[float, float] | None = None
    """For two players: stop when it is decided which of these Elo the first is stronger by."""
    inside: bool = False
    """Two of our own searches play in threads of the core: much faster, but a game is seen only when it is over."""


class Stopped(BaseException):
    """Somebody asked to stop. No error, so that nobody takes it for one."""


class Contest:
    """Two players play a match, more of them a tournament. Its games are stored: it can be stopped and go on."""

    def __init__(
        self, number: int, entries: tuple[Entry, ...], terms: Terms, folder: Path, on_change: Callable[[], object]
    ) -> None:
        self.number, self.entries, self.terms = number, entries, terms
        self.names = [entry.name for entry in entries]
        self.state: State = "stopped"
        self.error: OkapiError | None = None
        self.total = 0
        self.underway: dict[int, Underway] = {}
        """The games that are being played, by number."""
        self.last: Played | None = None
        self.kept: dict[int, Played] = {}
        """The newest games that are over, by number, without what was thought."""
        self.standings: dict[str, Any] | None = None
        """The table, as `okapi tournament --json` tells it."""
        self.match: dict[str, Any] | None = None
        """For two players, as `okapi match --json` tells it."""
        self._folder, self._on_change = folder, on_change
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._table: Standings | None = None
        self._report: Report | None = None
        self._due = 0.0
        self._begun, self._kept = 0.0, 0

    @property
    def is_playing(self) -> bool:
        """Is it under way?"""
        return self.state == "playing"

    @property
    def games(self) -> int:
        """Games that are over."""
        return 0 if self._table is None else self._table.games

    @property
    def left_s(self) -> float | None:
        """Seconds that are still needed, at the pace since it was begun or resumed."""
        new = self.games - self._kept
        if not self.is_playing or new <= 0:
            return None
        return (self.total - self.games) * (time.monotonic() - self._begun) / new

    def begin(self) -> None:
        """Play, or go on."""
        self.join()
        self._stopping.clear()
        self.state, self.error = "playing", None
        self._thread = threading.Thread(target=self._live, name=f"contest {self.number}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the games that are being played; those that are over stay."""
        self._stopping.set()

    def join(self) -> None:
        """Wait until everybody has gone."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    # --- In its thread ----------------------------------------------------------------------------------------------

    def _live(self) -> None:
        try:
            self._play()
            state: State = "done"
        except Stopped:
            state = "stopped"
        except OkapiError as error:
            state, self.error = "failed", error
        except Exception as error:
            state, self.error = "failed", OkapiError(f"{type(error).__name__}: {error}")
        self.underway = {}
        self._count()
        self.state = state
        self._on_change()

    def _play(self) -> None:
        from okapi.arena.match import Match, play_match
        from okapi.arena.sprt import Sprt
        from okapi.arena.time_control import Control
        from okapi.arena.tournament import Tournament, play_tournament
        from okapi.files import digest

        terms, specs = self.terms, tuple(entry.spec for entry in self.entries)
        control = Control(
            time_ms=terms.time_ms,
            increment_ms=terms.increment_ms,
            movetime_ms=terms.movetime_ms,
            nodes=terms.nodes,
            depth=terms.depth,
        )
        self._begun = time.monotonic()
        if len(specs) == 2:
            match = Match(first=specs[0], second=specs[1], control=control, chess960=terms.chess960)
            play_match(
                match,
                2 * terms.rounds,
                names=(self.names[0], self.names[1]),
                sprt=None if terms.sprt is None else Sprt(*terms.sprt),
                store=self._folder / f"match-{digest(match.describe())}.sqlite",
                hire=self._hire,
                on_begin=self._match_begins,
                on_game=self._game_of_match,
            )
            return
        tournament = Tournament(players=specs, format=terms.format, control=control, chess960=terms.chess960)
        play_tournament(
            tournament,
            terms.rounds,
            names=self.names,
            store=self._folder / f"tournament-{digest(tournament.describe())}.sqlite",
            hire=self._hire,
            on_begin=self._tournament_begins,
            on_game=self._game_of_tournament,
        )

    def _hire(self, orders: "Orders") -> "Workers":
        """Half of the processors, so that there is room for those who look on."""
        from okapi.arena.in_process import InsideWorkers, can_play_inside
        from okapi.arena.match import processors
        from okapi.arena.workers import LocalWorkers

        places = max(1, min(MOST_WORKERS, processors() // 2))
        if self.terms.inside and can_play_inside(orders):
            return _Attended(InsideWorkers(orders, places), self._stopping)
        return _Attended(LocalWorkers(orders, places, self._moved), self._stopping)

    def _match_begins(self, run: "MatchRun") -> None:
        from okapi.arena.standings import Standings

        table = Standings(self.names)
        for played in run.store.games():
            if played.number < run.games:
                table.add(played)
                self._keep(played)
        self._report = run.report
        self._begins(table, run.games)

    def _tournament_begins(self, standings: "Standings", store: Path, games: int) -> None:
        self._begins(standings, games)

    def _begins(self, table: "Standings", games: int) -> None:
        self._table, self.total, self._kept = table, games, table.games
        self._count()
        self._on_change()

    def _game_of_match(self, report: "Report", played: "Played") -> None:
        assert self._table is not None
        self._table.add(played)
        self._is_over(played)

    def _game_of_tournament(self, standings: "Standings", played: "Played") -> None:
        self._is_over(played)

    def _is_over(self, played: "Played") -> None:
        self.underway = {number: game for number, game in self.underway.items() if number != played.number}
        self.last = played
        self._keep(played)
        if time.monotonic() >= self._due:
            self._count()
        self._on_change()

    def _keep(self, played: "Played") -> None:
        kept = {**self.kept, played.number: replace(played, thoughts=())}
        self.kept = dict(list(kept.items())[-MOST_KEPT:])

    def _moved(self, game: "Underway") -> None:
        self.underway = {**self.underway, game.pairing.number: game}
        self._on_change()

    def _count(self) -> None:
        """The tables, as they stand."""
        if self._table is not None:
            self.standings = self._table.as_json()
        if self._report is not None:
            self.match = self._report.as_json()
        self._due = time.monotonic() + COUNT_S


class _Attended:
    """Workers who can be asked to stop."""

    def __init__(self, workers: "Workers", stopping: threading.Event) -> None:
        self._workers, self._stopping = workers, stopping

    @property
    def free(self) -> int:
        return self._workers.free

    def start(self, pairing: Any) -> None:
        self._workers.start(pairing)

    def finished(self, timeout: float) -> "list[Played | Lost]":
        if self._stopping.is_set():
            raise Stopped
        return self._workers.finished(min(timeout, STOP_S))

    def close(self) -> None:
        self._workers.close()
