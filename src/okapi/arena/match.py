"""Two players, many games: who is stronger, and how sure."""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from okapi.arena.elo import EloEstimate, MatchResult, estimate_elo
from okapi.arena.games import (
    FAULT_NAMES,
    Fault,
    MatchStore,
    Pairing,
    PgnFile,
    PlayedGame,
    RunLogger,
    open_store,
    start_run,
)
from okapi.arena.in_process import InProcessWorkers, can_play_in_process, games_per_processor
from okapi.arena.settings import GameSettings, MatchSettings
from okapi.arena.sprt import Sprt, SprtStatus, Verdict
from okapi.arena.workers import LocalWorkers, Workers, play_all
from okapi.core import Color, Position
from okapi.errors import PlayerFailed, UsageError
from okapi.players.engine import Engine
from okapi.players.spec import engine_options, is_engine, kind_of, limited_spec, parse_player

__all__ = [
    "Match",
    "MatchReport",
    "MatchRun",
    "SearchStats",
    "local_workers",
    "pairings",
    "play_match",
    "processors",
    "short_names",
]

# --- The report -------------------------------------------------------------------------------------------------------


@dataclass
class SearchStats:
    """What one player put into its moves."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    thinking: float = 0.0
    """Seconds of the moves for which it told the nodes."""
    depth: int = 0
    """Summed up."""

    @property
    def nps(self) -> int:
        """Nodes a second."""
        return round(self.nodes / self.thinking) if self.thinking > 0 else 0


@dataclass
class MatchReport:
    """Everything about a match, seen from its first player; grows game by game."""

    names: tuple[str, str]
    sprt: Sprt | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs of games that brought 0, ½, 1, 1½ and 2 points."""
    faults: Counter[tuple[int, Fault]] = field(default_factory=Counter)
    warnings: Counter[tuple[int, str]] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    search_stats: tuple[SearchStats, SearchStats] = field(default_factory=lambda: (SearchStats(), SearchStats()))
    _points: dict[int, float] = field(default_factory=dict)

    def add(self, played: PlayedGame) -> None:
        """Count a game. One that was counted already is not counted again."""
        if played.number in self._points:
            return
        points = self._points[played.number] = played.points(0)
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        partner = self._points.get(played.number ^ 1)
        if partner is not None:
            self.pairs[round(2 * (points + partner))] += 1
        if played.fault is not None and played.culprit is not None:
            self.faults[played.culprit, played.fault] += 1
        self.endings[_kind_of_ending(played)] += 1
        self.warnings.update((warned.player, warned.what) for warned in played.warnings)
        self._add_effort(played)

    @property
    def games(self) -> int:
        """Games that were finished."""
        return len(self._points)

    @property
    def result(self) -> MatchResult:
        """What statistics are made of."""
        zero, half, one, more, two = self.pairs
        return MatchResult(self.wins, self.draws, self.losses, (zero, half, one, more, two))

    @property
    def estimate(self) -> EloEstimate:
        """How much stronger the first player is."""
        return estimate_elo(self.result)

    @property
    def sprt_status(self) -> SprtStatus | None:
        """Where the test stands, if there is one."""
        return None if self.sprt is None else self.sprt.status(self.result)

    def fault(self, fault: Fault, player: int | None = None) -> int:
        """How often a player, or either of them, lost by a fault."""
        return sum(count for (who, what), count in self.faults.items() if what is fault and player in (None, who))

    def metrics(self) -> dict[str, float]:
        """The numbers that a run logs."""
        found, status = self.estimate, self.sprt_status
        about = {"elo": found.elo, "elo_low": found.low, "elo_high": found.high, "score": self.result.score}
        return about if status is None else {**about, "llr": status.llr}

    def as_json(self) -> dict[str, Any]:
        """For programs; an interval without a bound has null there."""
        found, status, tally = self.estimate, self.sprt_status, self.result
        named = dict(enumerate(self.names))
        about: dict[str, Any] = {
            "first": self.names[0],
            "second": self.names[1],
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pairs": self.pairs,
            "score": round(tally.score, 4),
            "elo": round(found.elo, 2),
            "low": _finite(found.low),
            "high": _finite(found.high),
            "normalised_elo": round(found.normalised, 2),
            "los": round(found.los, 4),
            "draw_rate": round(found.draw_rate, 4),
            **{name: self.fault(fault) for fault, name in FAULT_NAMES.items()},
            "faults": {
                named[player]: {name: self.fault(fault, player) for fault, name in FAULT_NAMES.items()}
                for player in named
            },
            "warnings": {
                named[player]: {what: n for (who, what), n in self.warnings.items() if who == player}
                for player in named
            },
            "endings": dict(self.endings.most_common()),
            "nps": {named[player]: self.search_stats[player].nps for player in named},
        }
        if status is not None and self.sprt is not None:
            about["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "scale": self.sprt.scale,
                "llr": round(status.llr, 3),
                "lower": round(status.lower, 3),
                "upper": round(status.upper, 3),
                "verdict": status.verdict.value,
            }
        return about

    def _add_effort(self, played: PlayedGame) -> None:
        white_first = played.pairing.fen.split()[1] == "w"
        for ply, thought in enumerate(played.thoughts):
            side = Color.WHITE if (ply % 2 == 0) == white_first else Color.BLACK
            effort = self.search_stats[played.player(side)]
            effort.moves += 1
            effort.seconds += thought.seconds
            effort.depth += thought.depth
            if thought.nodes:
                effort.nodes += thought.nodes
                effort.thinking += thought.seconds


def _kind_of_ending(played: PlayedGame) -> str:
    """How it ended, without the details."""
    if played.fault is not None:
        return str(played.fault)
    return "resignation" if played.ending.endswith("resigned") else played.ending


def _finite(number: float) -> float | None:
    return round(number, 2) if math.isfinite(number) else None


# --- The match --------------------------------------------------------------------------------------------------------


WorkerFactory = Callable[[GameSettings], Workers]
"""Somebody to play the games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(MatchSettings):
    """What a match is: everything that decides how its games go. The same match goes on where it was left."""

    first: str
    """A player's specification; results are told from its side."""
    second: str

    def game_settings(self) -> GameSettings:
        """The same for those who play."""
        return self._game_settings((self.first, self.second))

    def describe(self) -> dict[str, Any]:
        """What the games are stored under: settings, and the bytes that players and openings are made of."""
        return self._described((self.first, self.second))


def pairings(starts: Sequence[Position], games: int, chess960: bool = False) -> Iterator[Pairing]:
    """Game 0, 1, 2, …: two from each opening, the first player with White, then with Black.

    >>> [(game.number, game.white, game.black) for game in pairings([Position.start()], 3)]
    [(0, 0, 1), (1, 1, 0), (2, 0, 1)]
    """
    for number in range(games):
        start = starts[number // 2 % len(starts)]
        yield Pairing(number, number % 2, 1 - number % 2, start.fen(shredder=chess960))


@dataclass
class MatchRun:
    """A match that is being played, or goes on: what was played, and where it is kept."""

    match: Match
    games: int
    """How many there are to be."""
    store: MatchStore
    report: MatchReport
    pairings: list[Pairing]
    """Games that are missing."""
    openings: int
    """Different ones that there are."""
    sheets: PgnFile | None = None

    def is_over(self) -> bool:
        """Is nothing left to play, or nothing left to find out?"""
        status = self.report.sprt_status
        return not self.pairings or (status is not None and status.verdict is not Verdict.UNDECIDED)

    def play(self, workers: Workers) -> Iterator[PlayedGame]:
        """Play what is missing; yield each game when it is safe."""
        if self.is_over():
            return
        for played in play_all(self.pairings, workers):
            self.store.add(played)
            self.report.add(played)
            if self.sheets is not None:
                self.sheets.add(played)
            yield played
            if self.is_over():
                return

    def write_pgn(self) -> None:
        """All games in order."""
        if self.sheets is not None:
            self.sheets.write(played for played in self.store.games() if played.number < self.games)


def play_match(
    match: Match,
    games: int,
    *,
    names: tuple[str, str] | None = None,
    sprt: Sprt | None = None,
    store: Path | None = None,
    fresh: bool = False,
    pgn: Path | None = None,
    make_workers: WorkerFactory | None = None,
    on_begin: Callable[[MatchRun], object] | None = None,
    on_game: Callable[[MatchReport, PlayedGame], object] | None = None,
) -> MatchReport:
    """Play until there are `games` games, or the test is decided. Games in the store are not played again.

    `make_workers` gives the workers that play; the default is local_workers. `on_begin` gets what the store has,
    `on_game` each new game.
    """
    starts = match.starts((games + 1) // 2)
    with open_store("match", match.describe(), store, fresh=fresh) as kept:
        report = MatchReport(names or short_names(match.first, match.second), sprt)
        done = set()
        for played in kept.games():
            if played.number < games:
                report.add(played)
                done.add(played.number)
        missing = [pairing for pairing in pairings(starts, games, match.chess960) if pairing.number not in done]
        sheets = PgnFile(pgn, report.names, "okapi match", match.control) if pgn else None
        run = MatchRun(match, games, kept, report, missing, len(starts), sheets)
        run.write_pgn()
        if on_begin is not None:
            on_begin(run)
        if not run.is_over():
            check_players(match.game_settings())
            with (
                start_run(kept.path, "match", games, match.summary(report.names)) as chronicled,
                closing((make_workers or local_workers)(match.game_settings())) as workers,
            ):
                teller = RunLogger(chronicled, report.metrics)
                for played in run.play(workers):
                    teller.tell(report.games)
                    if on_game is not None:
                        on_game(report, played)
                teller.tell(report.games, last=True)
        run.write_pgn()
        return report


def local_workers(settings: GameSettings, count: int | None = None) -> Workers:
    """Workers on this machine; if nobody says how many, one for each processor, or as many as networks like best."""
    if can_play_in_process(settings):
        return InProcessWorkers(settings, count or processors() * games_per_processor(settings))
    return LocalWorkers(settings, count or processors())


def processors() -> int:
    """How many games can be played at a time without disturbing each other: players think in turn."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_players(settings: GameSettings) -> None:
    """Start everybody once: UsageError for options that a program does not have, and for limits it does not know.

    A program that does not even start is no reason not to play: it will lose its games, and the report will say why.
    """
    for written in settings.players:
        limited = limited_spec(written)
        spec = written if limited is None else limited.player
        if not is_engine(spec):
            parse_player(spec)
            continue
        protocol, rest = kind_of(spec)
        command, options = engine_options(rest)
        if protocol == "xboard" and (settings.control.nodes or limited is not None):
            raise UsageError(f"`{spec}` speaks XBoard, which knows no limit of nodes", hint="give a time or a depth")
        try:
            with Engine(command, options=options, protocol=protocol) as engine:
                engine.new_game(settings.chess960)
        except PlayerFailed:
            continue


def short_names(first: str, second: str) -> tuple[str, str]:
    """What to call two players: as short as can be, and never the same.

    >>> short_names("uci:/usr/games/stockfish{Hash=1}", "alphabeta:material")
    ('stockfish{Hash=1}', 'material')
    >>> short_names("material", "alphabeta:material")
    ('material (1)', 'material (2)')
    """
    short = (short_name(first), short_name(second))
    if short[0] != short[1]:
        return short
    if first.partition(":")[2] != second.partition(":")[2] and is_engine(first) and is_engine(second):
        return kind_of(first)[1], kind_of(second)[1]
    return f"{short[0]} (1)", f"{short[1]} (2)"


def short_name(spec: str) -> str:
    """What to call one player."""
    kind, rest = kind_of(spec)
    limited = limited_spec(spec)
    if limited is not None:
        return f"{short_name(limited.player)} ({limited.low}-{limited.high} nodes)"
    if not is_engine(spec):
        return rest if kind == "alphabeta" and rest else spec
    command, brace, options = rest.partition("{")
    program, *arguments = command.split()
    return " ".join([Path(program).name, *(Path(word).name for word in arguments)]) + brace + options
