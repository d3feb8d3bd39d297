"""Options that several commands share: how games are played, who plays them, where they are stored."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.cli.console import talk
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.arena.settings import AdjudicationRules, GameSettings
    from okapi.arena.time_control import TimeControl
    from okapi.arena.workers import Workers
    from okapi.optimize.executor import Executor

__all__ = [
    "CONDITIONS",
    "ENDINGS",
    "KEEPING",
    "KEEPING_HERE",
    "Conditions",
    "Count",
    "Endings",
    "Keeping",
    "KeepingHere",
    "Positive",
    "make_executor",
]

DEFAULT_CLOCK = "1+0.01"
"""Where no limit is given: short, as is usual for comparing versions."""

Positive = Annotated[int | None, Parameter(validator=Number(gte=1))]
Natural = Annotated[int | None, Parameter(validator=Number(gte=0))]
Count = Annotated[int, Parameter(validator=Number(gte=1))]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Endings:
    """What ends games that the rules would let go on."""

    resign_score: Positive = None
    """End games in which both see the same side ahead by so many centipawns."""
    resign_moves: Count = 4
    """So many moves of each, in a row."""
    draw_score: Natural = None
    """End games in which both see no more than so many centipawns for anybody."""
    draw_moves: Count = 8
    """So many moves of each, in a row, without a capture or pawn move."""
    draw_after: Annotated[int, Parameter(validator=Number(gte=0))] = 40
    """Not before this move."""
    tablebase: str | None = None
    """Folder of Syzygy tables that end games."""

    def adjudication(self) -> "AdjudicationRules":
        """When to end games that the rules would let go on."""
        from okapi.arena.settings import AdjudicationRules

        return AdjudicationRules(
            resign_score=self.resign_score,
            resign_moves=self.resign_moves,
            draw_score=self.draw_score,
            draw_moves=self.draw_moves,
            draw_after=self.draw_after,
            tablebase=self.tablebase,
        )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Conditions(Endings):
    """Everything that decides how a game goes, except who plays."""

    tc: str | None = None
    """Clock: seconds+increment, or moves/seconds. 1+0.01 where no limit is given."""
    movetime: Positive = None
    """Milliseconds for each move, instead of a clock."""
    nodes: Positive = None
    """Positions to look at for each move."""
    depth: Positive = None
    """Plies to look ahead for each move."""
    openings: str | None = None
    """EPD, PGN or Polyglot file; our own set of balanced openings if not given."""
    plies: Count = 16
    """How far into the games of an opening file to go."""
    chess960: bool = False
    """Play Chess960; without --openings, from its 960 starts."""
    margin: Natural = None
    """Milliseconds that a player may be late; 10 with a clock, 100 with --movetime if not given."""
    stall: Annotated[float, Parameter(validator=Number(gt=0))] = 60.0
    """Seconds after which a player without a clock has hung."""
    seed: int = 1
    """Shuffles the openings, and throws the dice of players that have some."""

    @property
    def limited(self) -> bool:
        """Was any limit given?"""
        return bool(self.tc or self.movetime or self.nodes or self.depth)

    def control(self) -> "TimeControl":
        """How long players may think."""
        from okapi.arena.time_control import TimeControl

        return TimeControl.from_text(
            self.tc or (None if self.limited else DEFAULT_CLOCK),
            movetime_ms=self.movetime,
            nodes=self.nodes,
            depth=self.depth,
            margin_ms=self.margin,
            stall_s=self.stall,
        )

    def decided(self) -> dict[str, Any]:
        """The same as arguments of what the arena plays: matches, tournaments, ablations."""
        return {
            "control": self.control(),
            "openings": self.openings,
            "plies": self.plies,
            "chess960": self.chess960,
            "adjudication": self.adjudication(),
            "seed": self.seed,
        }


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class KeepingHere:
    """What makes no difference to the games: how many at a time, and where they go."""

    concurrency: Positive = None
    """Games at a time; as many as there are processors if not given."""
    pgn: Path | None = None
    """Write the games to this file."""
    store: Path | None = None
    """Keep the games in this file instead of one in runs/."""
    fresh: bool = False
    """Throw away what was played before."""

    def hire(self) -> "Callable[[GameSettings], Workers]":
        """Those who play the games."""
        from okapi.arena.match import local_workers, processors

        def hire(orders: "GameSettings") -> "Workers":
            if orders.control.timed and self.concurrency is not None and self.concurrency > processors():
                text = f"{self.concurrency} games at a time on {processors()} processors: clocks will not be fair"
                talk().print(text, markup=False)
            return local_workers(orders, self.concurrency)

        return hire


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Keeping(KeepingHere):
    """The same, where games may also be played elsewhere."""

    cluster: str | None = None
    """Play on the Ray cluster at this address (host:port, or auto)."""

    def hire(self) -> "Callable[[GameSettings], Workers]":
        """Those who play the games, on a cluster or here."""
        address = self.cluster
        if address is None:
            return super().hire()
        from okapi.arena.workers import ClusterWorkers

        return lambda orders: ClusterWorkers(orders, address, self.concurrency)


CONDITIONS = Conditions()
ENDINGS = Endings()
KEEPING = Keeping()
KEEPING_HERE = KeepingHere()
"""What commands assume if nothing is said."""


def make_executor(threads: int | None, cluster: str | None) -> "Executor":
    """The executor that --threads and --cluster ask for."""
    from okapi.optimize.executor import RayExecutor, ThreadExecutor

    if cluster is None:
        return ThreadExecutor(threads)
    if threads is not None:
        raise UsageError("use --threads or --cluster, not both")
    return RayExecutor(cluster)


def anchor_from(text: str) -> tuple[str, float]:
    """The player and the rating that NAME=ELO stands for."""
    name, _, elo = text.rpartition("=")
    with suppress(ValueError):
        if name.strip() and math.isfinite(float(elo)):
            return name.strip(), float(elo)
    raise UsageError(f"`{text}` is no anchor", hint="write NAME=ELO, as in --anchor stockfish-2000=2000")
