"""Options that several commands share: how games are played, who plays them, where they are stored."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from okapi.cli.console import note
from okapi.cli.parameters import Above0, Concurrency, Count, CountOrZero, Natural, Openings, Positive, about, out_flag
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.arena.settings import AdjudicationRules, GameSettings
    from okapi.arena.time_control import TimeControl
    from okapi.arena.workers import Workers
    from okapi.core import Limits
    from okapi.optimize.executor import Executor

DEFAULT_CLOCK = "1+0.01"
"""Where no limit is given: short, as is usual for comparing versions."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AdjudicationOptions:
    resign_score: Annotated[Positive, about("Adjudicate a win where both values are so many centipawns ahead.")] = None
    resign_moves: Annotated[Count, about("For so many moves of each, in a row.")] = 4
    draw_score: Annotated[Natural, about("Adjudicate a draw where both values are at most so many centipawns.")] = None
    draw_moves: Annotated[Count, about("For so many moves of each, in a row, without a capture or pawn move.")] = 8
    draw_after: Annotated[CountOrZero, about("Not before this move.")] = 40
    tablebase: Annotated[str | None, about("Folder of Syzygy tables that adjudicate games.")] = None

    def adjudication(self) -> "AdjudicationRules":
        from okapi.arena.settings import AdjudicationRules

        return AdjudicationRules(**{each.name: getattr(self, each.name) for each in fields(AdjudicationOptions)})


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class GameOptions(AdjudicationOptions):
    tc: Annotated[str | None, about("Clock: seconds+increment or moves/seconds; 1+0.01 without any limit.")] = None
    movetime: Annotated[Positive, about("Milliseconds for each move, instead of a clock.")] = None
    nodes: Annotated[Positive, about("Nodes to search for each move.")] = None
    depth: Annotated[Positive, about("Search depth in plies for each move.")] = None
    openings: Openings = None
    plies: Annotated[Count, about("How far into the games of an opening file to go.")] = 16
    chess960: Annotated[bool, about("Play Chess960; without --openings, from its 960 starts.")] = False
    margin: Annotated[Natural, about("Milliseconds a player may be late: 10 by a clock, 100 by --movetime.")] = None
    stall: Annotated[Above0, about("Seconds after which a player without a clock counts as hung.")] = 60.0
    seed: Annotated[int, about("Random seed: order of the openings, and players that choose at random.")] = 1

    @property
    def limited(self) -> bool:
        return bool(self.tc or self.movetime or self.nodes or self.depth)

    def control(self) -> "TimeControl":
        from okapi.arena.time_control import TimeControl

        limits = {"movetime_ms": self.movetime, "nodes": self.nodes, "depth": self.depth, "margin_ms": self.margin}
        return TimeControl.from_text(self.tc or (None if self.limited else DEFAULT_CLOCK), **limits, stall_s=self.stall)

    def as_arguments(self) -> dict[str, Any]:
        """The same as arguments of what the arena plays: matches, tournaments, ablations."""
        same = {name: getattr(self, name) for name in ("openings", "plies", "chess960", "seed")}
        return {**same, "control": self.control(), "adjudication": self.adjudication()}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LocalStorageOptions:
    """How many games are played at a time, and where they are stored."""

    concurrency: Concurrency = None
    pgn: Annotated[Path | None, out_flag("--pgn", help="Write the games to this file, as PGN.")] = None
    store: Annotated[Path | None, about("Store the games in this file instead of one in the runs folder.")] = None
    fresh: Annotated[bool, about("Delete the games that were played before.")] = False

    def as_arguments(self) -> dict[str, Any]:
        """The same as arguments of what plays and stores the games."""
        return {"store": self.store, "fresh": self.fresh, "pgn": self.pgn, "make_workers": self.make_workers()}

    def make_workers(self) -> "Callable[[GameSettings], Workers]":
        from okapi.arena.match import local_workers, processors

        def hire(orders: "GameSettings") -> "Workers":
            if orders.control.timed and (self.concurrency or 0) > processors():
                note(f"{self.concurrency} games at a time on {processors()} processors: clocks will not be fair")
            return local_workers(orders, self.concurrency)

        return hire


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StorageOptions(LocalStorageOptions):
    cluster: Annotated[str | None, about("Play on the Ray cluster at this address (host:port, or auto).")] = None

    def make_workers(self) -> "Callable[[GameSettings], Workers]":
        if (address := self.cluster) is None:
            return super().make_workers()
        from okapi.arena.workers import ClusterWorkers

        return lambda orders: ClusterWorkers(orders, address, self.concurrency)


def search_limits(nodes: int | None, depth: int | None, movetime: int | None, usual: "Limits") -> "Limits":
    """The limits of a search; `usual` where none is given."""
    given = replace(usual, nodes=nodes, depth=depth, movetime_ms=movetime)
    return usual if given.endless else given


def make_executor(threads: int | None, cluster: str | None) -> "Executor":
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
