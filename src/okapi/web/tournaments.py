"""Matches and tournaments that are played in the background for the board, and how pages see them."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal

from okapi.arena.games import MoveInfo, OngoingGame, Pairing, PlayedGame, read_games
from okapi.arena.in_process import InProcessWorkers, can_play_in_process
from okapi.arena.match import Match, MatchReport, MatchRun, play_match, processors
from okapi.arena.settings import GameSettings
from okapi.arena.sprt import Sprt
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Tournament, play_tournament
from okapi.arena.workers import LocalWorkers, LostGame, Workers
from okapi.core import Color, Game, Position
from okapi.errors import NotFound, OkapiError, TooBusy, UsageError
from okapi.files import digest
from okapi.formats.pgn import write_pgn
from okapi.web.runs import changed_ns
from okapi.web.views import error_view, picked, played_view, side_name, start_view, value_view

MOST_WORKERS: Final = 4
MOST_KEPT: Final = 400  # games that can be played through again
COUNT_S: Final = 0.5  # ratings are counted anew no more often
STOP_S: Final = 0.2  # seconds until a stop takes effect
AT_ONCE: Final = 2  # LiveTournaments that are played at the same time
KEPT: Final = 12  # LiveTournaments that are remembered; the oldest that is over makes room
BOARDS: Final = 4  # games that are shown while they are played
SUMMARY: Final = ("number", "names", "state", "games", "total", "left_s")  # what lists show of a tournament
State = Literal["playing", "stopped", "done", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSettings:
    names: tuple[str, ...]
    specs: tuple[str, ...]  # of the players, as for `okapi tournament`
    rounds: int  # in each, every pair plays two games, one with each colour
    control: TimeControl
    format: str = "round-robin"
    chess960: bool = False
    sprt: Sprt | None = None  # for two players: stop when it is decided
    in_process: bool = False
    """Two of our own searches play in threads of the core: much faster, but games are shown only when they are over."""


class Stopped(BaseException):
    """The tournament was stopped. A BaseException, so that it is not caught as an error."""


class LiveTournament:
    """A match of two players or a tournament of more. Its games are stored: it can be stopped and resumed."""

    def __init__(
        self,
        number: int,
        names: Sequence[str],
        folder: Path,
        settings: TournamentSettings | None = None,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        """Its games are stored in the folder. Without `settings` it cannot be played, only shown."""
        self.number, self.names, self.settings = number, list(names), settings
        self.store: Path | None = None  # the file of its games, as soon as it is known
        self.state: State = "stopped"
        self.error: OkapiError | None = None
        self.total = 0
        self.underway: dict[int, OngoingGame] = {}
        self.last: PlayedGame | None = None
        self.kept: dict[int, PlayedGame] = {}  # the newest games that are over, by number, without values
        self.standings: dict[str, Any] | None = None  # the table, as in `okapi tournament --json`
        self.match: dict[str, Any] | None = None  # for two players, as in `okapi match --json`
        self._folder, self._on_change = folder, on_change
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._table = Standings(self.names)
        self._report: MatchReport | None = None
        self._due, self._begun, self._kept = 0.0, 0.0, 0

    @classmethod
    def from_store(cls, number: int, store: Path) -> "LiveTournament":
        """A match or tournament that a command, or the board before it was started again, has played: OkapiError."""
        found = read_games(store)
        played = cls(number, found.names, store.parent)
        report = MatchReport((found.names[0], found.names[1])) if len(found.names) == 2 else None
        played._begins(Standings(found.names), report, store, len(found.games), found.games)
        played.state, played.last = "done", found.games[-1] if found.games else None
        return played

    @property
    def is_playing(self) -> bool:
        return self.state == "playing"

    @property
    def games(self) -> int:
        return self._table.games

    @property
    def left_s(self) -> float | None:
        """Seconds left, at the speed since it was begun or resumed."""
        new = self.games - self._kept
        if not self.is_playing or new <= 0:
            return None
        return (self.total - self.games) * (time.monotonic() - self._begun) / new

    @property
    def depth(self) -> int | None:
        """Of the players' searches, if that is their limit."""
        return None if self.settings is None else self.settings.control.depth

    def begin(self) -> None:
        self.join()
        self._stopping.clear()
        self.state, self.error = "playing", None
        self._thread = threading.Thread(target=self._live, name=f"tournament {self.number}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def join(self) -> None:
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _live(self) -> None:
        state: State = "failed"
        try:
            self._play()
            state = "done"
        except Stopped:
            state = "stopped"
        except OkapiError as error:
            self.error = error
        except Exception as error:
            self.error = OkapiError(f"{type(error).__name__}: {error}")
        self.underway = {}
        self._count()
        self.state = state
        self._on_change()

    def _play(self) -> None:
        assert self.settings is not None
        settings, control, chess960 = self.settings, self.settings.control, self.settings.chess960
        how: dict[str, Any] = {"names": tuple(self.names), "make_workers": self._hire, "on_game": self._is_over}
        self._begun = time.monotonic()
        if len(settings.specs) == 2:
            match = Match(first=settings.specs[0], second=settings.specs[1], control=control, chess960=chess960)
            how |= {"store": self._folder / f"match-{digest(match.describe())}.sqlite", "on_begin": self._match_begins}
            play_match(match, 2 * settings.rounds, sprt=settings.sprt, **how)
        else:
            form, specs = settings.format, settings.specs
            tournament = Tournament(players=specs, format=form, control=control, chess960=chess960)
            store = self._folder / f"tournament-{digest(tournament.describe())}.sqlite"
            play_tournament(tournament, settings.rounds, store=store, on_begin=self._tournament_begins, **how)

    def _hire(self, orders: GameSettings) -> Workers:
        """Workers on half of the processors, so that the board stays responsive."""
        places = max(1, min(MOST_WORKERS, processors() // 2))
        within = self.settings is not None and self.settings.in_process and can_play_in_process(orders)
        workers = InProcessWorkers(orders, places) if within else LocalWorkers(orders, places, self._moved)
        return _StoppableWorkers(workers, self._stopping)

    def _match_begins(self, run: MatchRun) -> None:
        stored = [played for played in run.store.games() if played.number < run.games]
        self._begins(Standings(self.names), run.report, run.store.path, run.games, stored)

    def _tournament_begins(self, standings: Standings, store: Path, games: int) -> None:
        stored: list[PlayedGame] = []
        with suppress(OkapiError):  # what was played before it was stopped can be replayed, too
            stored = [played for played in read_games(store).games if played.number < games]
        self._begins(standings, None, store, games, stored)

    def _begins(
        self, table: Standings, report: MatchReport | None, store: Path, total: int, stored: list[PlayedGame]
    ) -> None:
        """Show what the store has already."""
        self._table, self._report, self.store, self.total = table, report, store, total
        for played in stored:
            self._add(played)
        self.kept = {played.number: replace(played, infos=()) for played in stored[-MOST_KEPT:]}
        self._kept = self.games
        self._count()
        self._on_change()

    def _is_over(self, report: MatchReport | Standings, played: PlayedGame) -> None:
        self.underway = {number: game for number, game in self.underway.items() if number != played.number}
        self._add(played)
        kept = {**self.kept, played.number: replace(played, infos=())}
        self.kept, self.last = dict(list(kept.items())[-MOST_KEPT:]), played
        if time.monotonic() >= self._due:
            self._count()
        self._on_change()

    def _add(self, played: PlayedGame) -> None:
        """Count a game that the arena may have counted already: each counts once."""
        self._table.add(played)
        if self._report is not None:
            self._report.add(played)

    def _moved(self, game: OngoingGame) -> None:
        self.underway = {**self.underway, game.pairing.number: game}
        self._on_change()

    def _count(self) -> None:
        self.standings = self._table.as_json()
        self.match = None if self._report is None else self._report.as_json()
        self._due = time.monotonic() + COUNT_S

    def view(self) -> dict[str, Any]:
        last, shown = self.last, None
        boards = [game for _, game in sorted(self.underway.items())[:BOARDS] if game.moves]
        if last is not None:
            board = self._board(last.pairing, last.moves, last.infos[-1] if last.infos else None)
            shown = board | picked(last, "result", "ending")
        return {
            **picked(self, *SUMMARY, "standings", "match"),
            "error": None if self.error is None else error_view(self.error),
            "boards": [self._board(game.pairing, game.moves, game.info) for game in boards],
            "last": shown,
        }

    def games_view(self) -> list[dict[str, Any]]:
        """The games that can be replayed, the newest first."""
        games = sorted(self.kept.items(), reverse=True)
        return [{**self._game(game), "plies": len(game.moves)} for _, game in games]

    def game_view(self, number: int) -> dict[str, Any]:
        """A game that is over, for replay: NotFound if it is not stored."""
        if (game := self.kept.get(number)) is None:
            raise NotFound(f"game {number + 1} is not kept", hint="the newest ones are")
        start = Position.from_fen(game.pairing.fen)
        at = start.copy()
        moves = [played_view(at, at.move(text)) for text in game.moves]
        return {**self._game(game), **start_view(start), "moves": moves, "pgn": self._pgn(game)}

    def pgn(self) -> str:
        """The games that can be replayed, the oldest first."""
        return "\n".join(self._pgn(game) for _, game in sorted(self.kept.items()))

    def _game(self, game: PlayedGame) -> dict[str, Any]:
        return self._sides(game.pairing) | picked(game, "number", "result", "ending")

    def _sides(self, pairing: Pairing) -> dict[str, Any]:
        return {"white": self.names[pairing.white], "black": self.names[pairing.black]}

    def _pgn(self, game: PlayedGame) -> str:
        sides = {side.capitalize(): name for side, name in self._sides(game.pairing).items()}
        tags = {"Event": "Tournament at the board", "Round": str(game.number + 1), **sides, "Termination": game.ending}
        moves = Game.of(list(game.moves), Position.from_fen(game.pairing.fen))
        return write_pgn(replace(moves, result=game.result, tags=tags))

    def _board(self, pairing: Pairing, moves: tuple[str, ...], info: MoveInfo | None) -> dict[str, Any]:
        position = Position.from_fen(pairing.fen)
        for text in moves[:-1]:
            position.play(text)
        mover, number = position.turn, position.fullmove_number
        last = played_view(position, position.move(moves[-1])) if moves else None
        value = None if info is None else info.value(mover)
        return {
            **self._sides(pairing),
            "number": pairing.number + 1,
            "fen": position.fen(),
            "turn": side_name(position.turn),
            "check": position.is_check(),
            "squares": [] if last is None else last["squares"],
            "plies": len(moves),
            "last": "" if last is None else f"{number}{'.' if mover is Color.WHITE else '…'} {last['san']}",
            "value": None if value is None else value_view(value),
            "depth": 0 if info is None else info.depth,
        }


class _StoppableWorkers:
    def __init__(self, workers: Workers, stopping: threading.Event) -> None:
        self._workers, self._stopping = workers, stopping
        self.start, self.close = workers.start, workers.close

    @property
    def free(self) -> int:
        return self._workers.free

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        if self._stopping.is_set():
            raise Stopped
        return self._workers.finished(min(timeout, STOP_S))


class LiveTournaments:
    """Begins, stops and resumes tournaments. Their games are stored in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tournaments: dict[int, LiveTournament] = {}
        self._stored: dict[tuple[Path, int], LiveTournament] = {}  # those played before, by their file and its time
        self._reading = threading.Lock()
        self._listeners: dict[object, Callable[[], object]] = {}
        self._numbers = count(1)
        self._lock = threading.Lock()

    @property
    def all(self) -> list[LiveTournament]:
        """Those of this board, then what was stored before: the newest first."""
        own = list(reversed(self._tournaments.values()))
        shown = {tournament.store for tournament in own}
        return [*own, *(stored for stored in self._stored.values() if stored.store not in shown)]

    def look(self) -> None:
        """Read in the background what commands have stored in the folder since, and tell the listeners."""
        threading.Thread(target=self._look, name="stored matches", daemon=True).start()

    def _look(self) -> None:
        with self._reading:
            files = sorted(((changed_ns(path), path) for path in self._folder.glob("*.sqlite")), reverse=True)
            found: dict[tuple[Path, int], LiveTournament] = {}
            for when, path in files[:KEPT]:
                with suppress(OkapiError):  # it is being played, or no store
                    known = self._stored.get((path, when))
                    found[path, when] = known or LiveTournament.from_store(next(self._numbers), path)
            self._stored = {key: stored for key, stored in found.items() if stored.games}
        self._changed()

    def begin(self, settings: TournamentSettings) -> LiveTournament:
        """Play a tournament; one with the same settings is resumed. TooBusy, UsageError."""
        tournament = next((old for old in self.all if old.settings == settings), None)
        if tournament is None:
            tournament = LiveTournament(next(self._numbers), settings.names, self._folder, settings, self._changed)
        self.resume(tournament)
        self._tournaments[tournament.number] = tournament
        return tournament

    def resume(self, tournament: LiveTournament) -> None:
        """TooBusy; UsageError if it is being played."""
        if tournament.is_playing:
            raise UsageError("this tournament is being played")
        if tournament.settings is None:
            raise UsageError("this match was played by a command", hint="the same command with more games goes on")
        self._make_room()
        tournament.begin()

    def listen(self, owner: object, tell: Callable[[], object]) -> None:
        """Call back after every change, from any thread."""
        with self._lock:
            self._listeners[owner] = tell

    def leave(self, owner: object) -> None:
        with self._lock:
            self._listeners.pop(owner, None)

    def close(self) -> None:
        for tournament in self._tournaments.values():
            tournament.stop()
        for tournament in self._tournaments.values():
            tournament.join()

    def _make_room(self) -> None:
        if sum(tournament.is_playing for tournament in self._tournaments.values()) >= AT_ONCE:
            raise TooBusy(f"{AT_ONCE} tournaments are being played", hint="stop one, or wait until it is over")
        over = [number for number, tournament in self._tournaments.items() if not tournament.is_playing]
        for number in over[: max(0, len(self._tournaments) - KEPT + 1)]:
            del self._tournaments[number]

    def _changed(self) -> None:
        with self._lock:
            listeners = list(self._listeners.values())
        for tell in listeners:
            tell()
