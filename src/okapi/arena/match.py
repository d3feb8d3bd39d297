"""Two players, many games: who is stronger, and how sure."""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass, field, fields
from itertools import cycle, takewhile
from pathlib import Path
from typing import Any, Self, TypedDict, TypeVar, Unpack

from okapi.arena.elo import EloEstimate, MatchResult, estimate_elo
from okapi.arena.games import FAULT_NAMES, Fault, MatchStore, Pairing, PgnFile, PlayedGame, open_store, run_log
from okapi.arena.in_process import InProcessWorkers, can_play_in_process, games_per_processor
from okapi.arena.settings import GameSettings, MatchSettings, player_names
from okapi.arena.sprt import Sprt, SprtStatus, Verdict
from okapi.arena.standings import Standings
from okapi.arena.workers import LocalWorkers, SerialWorkers, Workers, play_all
from okapi.core import Color, Position
from okapi.errors import PlayerFailed, UsageError
from okapi.players.spec import is_engine, kind_of, limited_spec, parse_player, start_engine


@dataclass
class SearchStats:
    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    thinking: float = 0.0
    """Seconds of the moves with a node count."""
    depth: int = 0

    @property
    def nps(self) -> int:
        return round(self.nodes / self.thinking) if self.thinking > 0 else 0


@dataclass
class MatchReport:
    """The report of a match from the first player's side; games are added as they end.

    >>> report = MatchReport(("mine", "material"))
    >>> for game, result in zip(pairings([Position()], 4), ("1-0", "0-1", "1-0", "1/2-1/2")):
    ...     report.add(PlayedGame(game, result, "checkmate", None, (), ()))
    >>> print(report)
    mine against material: +338 Elo (-123 … +805), 3 won, 1 drawn, 0 lost
    """

    names: tuple[str, str]
    sprt: Sprt | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: Counter[tuple[int, Fault]] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    """Each game that was lost by a fault: why, and the traceback of a Python player."""
    warnings: Counter[tuple[int, str]] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    search_stats: tuple[SearchStats, SearchStats] = field(default_factory=lambda: (SearchStats(), SearchStats()))
    played: dict[int, float] = field(default_factory=dict)
    """The points of each game, by number."""

    def add(self, played: PlayedGame) -> None:
        if played.number in self.played:
            return
        points = self.played[played.number] = played.points(0)
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        partner = self.played.get(played.number ^ 1)
        if partner is not None:
            self.pairs[round(2 * (points + partner))] += 1
        if played.fault is not None and played.culprit is not None:
            self.faults[played.culprit, played.fault] += 1
            self.errors.append(f"game {played.number + 1}: {played.ending}\n{played.traceback}".rstrip())
        ending = "resignation" if played.ending.endswith("resigned") else played.ending
        self.endings[str(played.fault or ending)] += 1
        self.warnings.update((warned.player, warned.what) for warned in played.warnings)
        self._add_stats(played)

    @property
    def games(self) -> int:
        return len(self.played)

    @property
    def result(self) -> MatchResult:
        return MatchResult(self.wins, self.draws, self.losses, tuple(self.pairs))

    @property
    def estimate(self) -> EloEstimate:
        return estimate_elo(self.result)

    @property
    def elo(self) -> float:
        return self.estimate.elo

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval; minus infinity where the games do not say."""
        return self.estimate.low

    @property
    def high(self) -> float:
        return self.estimate.high

    def __str__(self) -> str:
        first, second, found = *self.names, self.estimate
        elo = f"{found.elo:+.0f} Elo ({found.low:+.0f} … {found.high:+.0f})"
        return f"{first} against {second}: {elo}, {self.wins} won, {self.draws} drawn, {self.losses} lost"

    @property
    def sprt_status(self) -> SprtStatus | None:
        return None if self.sprt is None else self.sprt.status(self.result)

    def is_decided(self) -> bool:
        """Has the test accepted a hypothesis?"""
        status = self.sprt_status
        return status is not None and status.verdict is not Verdict.UNDECIDED

    def fault(self, fault: Fault, player: int | None = None) -> int:
        return sum(count for (who, what), count in self.faults.items() if what is fault and player in (None, who))

    def metrics(self) -> dict[str, float]:
        found, status = self.estimate, self.sprt_status
        about = {"elo": found.elo, "elo_low": found.low, "elo_high": found.high, "score": self.result.score}
        return about if status is None else {**about, "llr": status.llr}

    def as_json(self) -> dict[str, Any]:
        """The report as JSON; an infinite bound is null."""
        found, status, result = self.estimate, self.sprt_status, self.result
        low, high = (round(end, 2) if math.isfinite(end) else None for end in (found.low, found.high))
        about: dict[str, Any] = {
            "first": self.names[0],
            "second": self.names[1],
            "games": self.games,
            **asdict(result),
            "pairs": self.pairs,
            "score": round(result.score, 4),
            "elo": round(found.elo, 2),
            "low": low,
            "high": high,
            "normalised_elo": round(found.normalised, 2),
            "los": round(found.los, 4),
            "draw_rate": round(found.draw_rate, 4),
            **self._faults(None),
            "faults": {name: self._faults(player) for player, name in enumerate(self.names)},
            "warnings": {
                name: {what: n for (who, what), n in self.warnings.items() if who == player}
                for player, name in enumerate(self.names)
            },
            "errors": self.errors,
            "endings": dict(self.endings.most_common()),
            "nps": {name: stats.nps for name, stats in zip(self.names, self.search_stats, strict=True)},
        }
        if status is not None and self.sprt is not None:
            test = {name: getattr(self.sprt, name) for name in ("elo0", "elo1", "scale")}
            bounds = {name: round(getattr(status, name), 3) for name in ("llr", "lower", "upper")}
            about["sprt"] = {**test, **bounds, "verdict": status.verdict.value}
        return about

    def _faults(self, player: int | None) -> dict[str, int]:
        return {name: self.fault(fault, player) for fault, name in FAULT_NAMES.items()}

    def _add_stats(self, played: PlayedGame) -> None:
        sides = (Color.WHITE, Color.BLACK) if played.pairing.fen.split()[1] == "w" else (Color.BLACK, Color.WHITE)
        for side, info in zip(cycle(sides), played.infos, strict=False):
            stats = self.search_stats[played.pairing.player(side)]
            stats.moves += 1
            stats.seconds += info.seconds
            stats.depth += info.depth
            if info.nodes:
                stats.nodes += info.nodes
                stats.thinking += info.seconds


WorkerFactory = Callable[[GameSettings], Workers]
Table = TypeVar("Table", MatchReport, Standings)


class Keeping(TypedDict, total=False):
    """Who plays the games of a match or tournament, and where they are stored."""

    store: Path | None
    """None: named by a hash of everything that decides how the games go."""
    fresh: bool
    pgn: Path | None
    make_workers: WorkerFactory | None
    """None: local_workers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(MatchSettings):
    """Everything that decides how the games of a match go. The same match is resumed."""

    first: str
    """The specification of the player from whose side results are given."""
    second: str

    @classmethod
    def between(cls, first: str, second: str, settings: MatchSettings, **changed: Any) -> Self:
        """A match of two players with these settings, some of them changed."""
        shared = {field.name: getattr(settings, field.name) for field in fields(MatchSettings)}
        return cls(first=first, second=second, **{**shared, **changed})

    @property
    def specs(self) -> tuple[str, ...]:
        return self.first, self.second


def pairings(starts: Sequence[Position], games: int, chess960: bool = False) -> Iterator[Pairing]:
    """Game 0, 1, 2, …: two from each opening, the first player with White, then with Black."""
    for number in range(games):
        start = starts[number // 2 % len(starts)]
        yield Pairing(number, number % 2, 1 - number % 2, start.fen(shredder=chess960))


@dataclass(frozen=True, slots=True)
class MatchRun:
    """A match that begins or goes on."""

    match: Match
    games: int
    store: MatchStore
    report: MatchReport
    openings: int


def play_match(
    match: Match,
    games: int,
    *,
    names: tuple[str, str] | None = None,
    sprt: Sprt | None = None,
    on_begin: Callable[[MatchRun], object] = lambda run: None,
    on_game: Callable[[MatchReport, PlayedGame], object] = lambda report, played: None,
    **keeping: Unpack[Keeping],
) -> MatchReport:
    """Play until there are `games` games, or the test is decided. Games in the store are not played again."""
    starts = match.starts((games + 1) // 2)
    first, second = names or player_names(match.specs)
    report = MatchReport((first, second), sprt)
    return play_stored(
        match,
        report,
        games,
        [list(pairings(starts, games, match.chess960))],
        is_over=report.is_decided,
        on_begin=lambda store: on_begin(MatchRun(match, games, store, report, len(starts))),
        on_game=on_game,
        **keeping,
    )


def play_stored(
    settings: MatchSettings,
    table: Table,
    games: int,
    batches: Iterable[Sequence[Pairing]],
    *,
    on_begin: Callable[[MatchStore], object],
    on_game: Callable[[Table, PlayedGame], object],
    is_over: Callable[[], bool] = lambda: False,
    store: Path | None = None,
    fresh: bool = False,
    pgn: Path | None = None,
    make_workers: WorkerFactory | None = None,
) -> Table:
    """Add `games` games to a table: those in the store, then new ones, batch after batch, until `is_over`."""
    with ExitStack() as stack:
        kept = stack.enter_context(open_store(settings.kind, settings.describe(), table.names, store, fresh=fresh))
        for played in kept.games(games):
            table.add(played)
        on_begin(kept)
        file = None if pgn is None else PgnFile(pgn, table.names, f"okapi {settings.kind}", settings.control)
        if file is not None:
            file.write(kept.games(games))
        log, workers = None, None
        missing = ([pairing for pairing in batch if pairing.number not in table.played] for batch in batches)
        for batch in takewhile(lambda _: not is_over(), filter(None, missing)):
            if log is None or workers is None:
                orders, about = settings.game_settings(), settings.summary(table.names)
                check_players(orders)
                log = stack.enter_context(run_log(kept.path, settings.kind, games, about, table.metrics))
                workers = stack.enter_context(closing((make_workers or local_workers)(orders)))
            for played in play_all(batch, workers):
                kept.add(played)
                if file is not None:
                    file.add(played)
                table.add(played)
                on_game(table, played)
                log(table.games)
                if is_over():
                    break
        if file is not None:
            file.write(kept.games(games))
    return table


def local_workers(settings: GameSettings, count: int | None = None) -> Workers:
    """Workers on this machine: in-process where possible, else processes; objects of this process play here."""
    if can_play_in_process(settings):
        return InProcessWorkers(settings, count or processors() * games_per_processor(settings))
    if not all(isinstance(player, str) for player in settings.players):
        return SerialWorkers(settings)
    return LocalWorkers(settings, count or processors())


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_players(settings: GameSettings) -> None:
    """Start each player once; UsageError for what it does not support. One that does not start loses its games."""
    for written in settings.players:
        if not isinstance(written, str):
            continue
        limited = limited_spec(written)
        spec = written if limited is None else limited.player
        if not is_engine(spec):
            parse_player(spec)
            continue
        if kind_of(spec)[0] == "xboard" and (settings.control.nodes or limited is not None):
            raise UsageError(f"`{spec}` speaks XBoard, which has no limit of nodes", hint="give a time or a depth")
        with suppress(PlayerFailed), start_engine(spec) as engine:
            engine.new_game(settings.chess960)
