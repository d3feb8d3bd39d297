"""`okapi selfplay`: games for training."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.cli.console import Json, emit, out, talk
from okapi.cli.options import ADJUDICATION, AdjudicationOptions, Count, CountOrZero, Positive, out_flag
from okapi.cli.progress import FileProgress
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.arena.openings import GameStarts
    from okapi.arena.selfplay import SelfPlay, SelfPlayReport
    from okapi.arena.settings import GameSettings
    from okapi.arena.workers import Workers

OPENINGS = "random:8"
"""Where nothing else is said."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SelfPlayOptions:
    depth: Positive = None
    """Search depth in plies for each move."""
    nodes: Positive = None
    """Nodes to search for each move."""
    openings: str | None = None
    """random:8 (so many random moves, which is usual), or an EPD, PGN or Polyglot file."""
    plies: Count = 16
    """How far into the games of an opening file to go."""
    from_: Annotated[list[Path] | None, Parameter(name="--from")] = None
    """Begin with positions of these files (a game store, an EPD, FENs, samples), after one random move: lai2015."""
    max_plies: CountOrZero = 400
    """Games that are longer have no result; 0: all are played to their end."""
    seed: int = 1
    """Random seed: starts, and players that choose at random."""
    stall: Annotated[float, Parameter(validator=Number(gt=0))] = 60.0
    """Seconds after which a player counts as hung."""

    def config(self, players: list[str], games: int, endings: AdjudicationOptions) -> "SelfPlay":
        from okapi.arena.selfplay import SelfPlay  # imported here: numpy takes a while to load
        from okapi.arena.time_control import TimeControl

        starts, opened = _starts(self.openings, self.from_, self.plies, self.seed, games)
        return SelfPlay(
            players=tuple(players),
            control=TimeControl(depth=self.depth, nodes=self.nodes, stall_s=self.stall),
            starts=starts,
            starts_name=opened,
            adjudication=endings.adjudication(),
            max_plies=self.max_plies,
            seed=self.seed,
        )


SELF_PLAY = SelfPlayOptions()


def selfplay(
    players: Annotated[
        list[str], Parameter(help="A brain, alphabeta:BRAIN, uci:COMMAND, …; one plays against itself.")
    ],
    /,
    *,
    games: Count,
    to: Annotated[Path, out_flag("--to")],
    asked: SelfPlayOptions = SELF_PLAY,
    endings: AdjudicationOptions = ADJUDICATION,
    concurrency: Annotated[int | None, Parameter(name=("--concurrency", "--threads"), validator=Number(gte=1))] = None,
    cluster: str | None = None,
    json: Json = False,
) -> None:
    """Let players play games, and store them with values, best moves and principal variations.

    One player plays against itself, several play a round robin. The same command gives the same games, however
    many are played at a time. An interrupted or killed command continues when it is given again.

    For example:
      okapi selfplay okapi-28 --games 10000 --depth 4 --out games.okapi
      okapi selfplay okapi-28 material --games 2000 --nodes 5000 --openings book.epd --out games.okapi
      okapi selfplay okapi-28 --from master.okapi --games 5000 --depth 6 --max-plies 24 --out varied.okapi
      okapi selfplay "uci:stockfish{Skill Level=3}" --games 500 --nodes 2000 --concurrency 2 --out games.okapi

    Args:
        games: Games that the store is to have.
        to: The game store to write, or to go on with.
        concurrency: Games at a time; as many as there are processors if not given.
        cluster: Play on the Ray cluster at this address (host:port, or auto).
    """
    planned = asked.config(players, games, endings)
    from okapi.arena.selfplay import play_selfplay

    with FileProgress("self-play", games, to) as progress:

        def show(now: "SelfPlayReport") -> None:
            if now.trouble:
                progress.note(now.trouble)
            rate = (now.games - now.kept) / now.seconds * 60 if now.seconds else 0.0
            progress.show(now.games, now.kept, f"{rate:,.0f} games/min")

        try:
            report = play_selfplay(
                planned, games, to, concurrency=concurrency, make_workers=_hire(cluster, concurrency), watch=show
            )
        except KeyboardInterrupt:
            if not progress.begun:
                raise
            progress.interrupted(f"; what is in {to} is safe")
    if json:
        emit(_described(report, to))
    else:
        _print(report, to)


def _starts(
    openings: str | None, stored: list[Path] | None, plies: int, seed: int, games: int
) -> "tuple[GameStarts, str]":
    """Where games begin, and what that is called in the store."""
    from okapi.arena.openings import RandomStarts, StoredStarts, read_starts
    from okapi.files import file_hash

    if stored:
        if openings is not None:
            raise UsageError("games begin with --openings or --from, not with both")
        starts: GameStarts = StoredStarts(stored, seed)
        return starts, "from " + ", ".join(f"{path.name} {file_hash(path)}" for path in stored)
    starts = read_starts(openings or OPENINGS, plies=plies, seed=seed)
    if starts.different is not None and starts.different < games:
        talk().print(f"there are only {starts.different:,} openings: games will repeat", markup=False)
    if isinstance(starts, RandomStarts):
        return starts, openings or OPENINGS
    assert openings is not None
    return starts, f"{Path(openings).name} {file_hash(Path(openings))}, {plies} plies"


def _hire(cluster: str | None, concurrency: int | None) -> "Callable[[GameSettings], Workers] | None":
    if cluster is None:
        return None
    from okapi.arena.workers import ClusterWorkers

    return lambda orders: ClusterWorkers(orders, cluster, concurrency)


def _described(report: "SelfPlayReport", to: Path) -> dict[str, Any]:
    return {
        "games": report.games,
        "plies": report.plies,
        "positions": report.plies,
        "seconds": round(report.seconds, 3),
        "store": str(to),
        "results": dict(report.results),
        "faults": report.faults,
        "kept": report.kept,
    }


def _print(report: "SelfPlayReport", to: Path) -> None:
    rate = (report.games - report.kept) / report.seconds * 60 if report.seconds else 0.0
    console = out()
    console.print(
        f"{report.games:,} games, {report.plies:,} positions in {to}, {report.seconds:.1f} s, {rate:,.0f} games/min",
        markup=False,
    )
    told = ", ".join(f"{report.results[result]:,} {result}" for result in ("1-0", "1/2-1/2", "0-1", "*"))
    console.print(f"{told}; {report.faults:,} ended by a fault of a player" if report.faults else told, markup=False)
