"""Two players, many games: who is stronger, and how sure."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from okapi.arena.chronicle import Teller, chronicle, of_match
from okapi.arena.conditions import Conditions
from okapi.arena.inside import InsideWorkers, can_play_inside, games_a_processor
from okapi.arena.played import Pairing, Played
from okapi.arena.report import Report
from okapi.arena.scoresheet import Scoresheets
from okapi.arena.seat import is_engine
from okapi.arena.sprt import Sprt, Verdict
from okapi.arena.store import Store, open_store
from okapi.arena.worker import Orders
from okapi.arena.workers import LocalWorkers, Workers, play_all
from okapi.core import Position
from okapi.errors import PlayerFailed, UsageError
from okapi.players.engine import Engine
from okapi.players.spec import engine_options, kind_of, leash_of, parse_player

__all__ = ["Match", "MatchRun", "hire_here", "pairings", "play_match", "processors", "short_names"]

Hire = Callable[[Orders], Workers]
"""Somebody to play the games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Conditions):
    """What a match is: everything that decides how its games go. The same match goes on where it was left."""

    first: str
    """A player's specification; results are told from its side."""
    second: str

    def orders(self) -> Orders:
        """The same for those who play."""
        return self._orders_to((self.first, self.second))

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
    store: Store
    report: Report
    pairings: list[Pairing]
    """Games that are missing."""
    openings: int
    """Different ones that there are."""
    sheets: Scoresheets | None = None

    def is_over(self) -> bool:
        """Is nothing left to play, or nothing left to find out?"""
        standing = self.report.standing
        return not self.pairings or (standing is not None and standing.verdict is not Verdict.UNDECIDED)

    def play(self, workers: Workers) -> Iterator[Played]:
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
    hire: Hire | None = None,
    on_begin: Callable[[MatchRun], object] | None = None,
    on_game: Callable[[Report, Played], object] | None = None,
) -> Report:
    """Play until there are so many games, or the test is decided. Games that the store has are not played again.

    `hire` says who plays; if not given, whoever does it best here. `on_begin` is told what was there before, `on_game`
    of each new game.
    """
    starts = match.starts((games + 1) // 2)
    with open_store("match", match.describe(), store, fresh=fresh) as kept:
        report = Report(names or short_names(match.first, match.second), sprt)
        done = set()
        for played in kept.games():
            if played.number < games:
                report.add(played)
                done.add(played.number)
        missing = [pairing for pairing in pairings(starts, games, match.chess960) if pairing.number not in done]
        sheets = Scoresheets(pgn, report.names, "okapi match", match.control) if pgn else None
        run = MatchRun(match, games, kept, report, missing, len(starts), sheets)
        run.write_pgn()
        if on_begin is not None:
            on_begin(run)
        if not run.is_over():
            check_players(match.orders())
            with (
                chronicle(kept.path, "match", games, match.settings(report.names)) as chronicled,
                closing((hire or hire_here)(match.orders())) as workers,
            ):
                teller = Teller(chronicled, lambda: of_match(report))
                for played in run.play(workers):
                    teller.tell(report.games)
                    if on_game is not None:
                        on_game(report, played)
                teller.tell(report.games, last=True)
        run.write_pgn()
        return report


def hire_here(orders: Orders, count: int | None = None) -> Workers:
    """Workers on this machine; if nobody says how many, one for each processor, or as many as networks like best."""
    if can_play_inside(orders):
        return InsideWorkers(orders, count or processors() * games_a_processor(orders))
    return LocalWorkers(orders, count or processors())


def processors() -> int:
    """How many games can be played at a time without disturbing each other: players think in turn."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_players(orders: Orders) -> None:
    """Start everybody once: UsageError for options that a program does not have, and for limits it does not know.

    A program that does not even start is no reason not to play: it will lose its games, and the report will say why.
    """
    for written in orders.players:
        leash = leash_of(written)
        spec = written if leash is None else leash.player
        if not is_engine(spec):
            parse_player(spec)
            continue
        dialect, rest = kind_of(spec)
        command, options = engine_options(rest)
        if dialect == "xboard" and (orders.control.nodes or leash is not None):
            raise UsageError(f"`{spec}` speaks XBoard, which knows no limit of nodes", hint="give a time or a depth")
        try:
            with Engine(command, options=options, dialect=dialect) as engine:
                engine.new_game(orders.chess960)
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
    leash = leash_of(spec)
    if leash is not None:
        return f"{short_name(leash.player)} ({leash.low}-{leash.high} nodes)"
    if not is_engine(spec):
        return rest if kind == "alphabeta" and rest else spec
    command, brace, options = rest.partition("{")
    program, *arguments = command.split()
    return " ".join([Path(program).name, *(Path(word).name for word in arguments)]) + brace + options
