"""`okapi samples play`: a brain plays against itself, and every position of its games becomes a sample."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.cli.conditions import Count
from okapi.cli.console import Exit, Json, emit, out, progress
from okapi.cli.gently import gently
from okapi.cli.growing import Growing
from okapi.errors import Unfinished

if TYPE_CHECKING:
    from okapi.data.datagen import DatagenProgress

__all__ = ["play"]

MOST_RANDOM_PLIES = 40


def play(
    brain: Annotated[str | None, Parameter(help="Name or path of a brain; `okapi brains list`.")] = None,
    /,
    *,
    games: Count,
    to: Path,
    nodes: Count = 500,
    random_plies: Annotated[int, Parameter(validator=Number(gte=0, lte=MOST_RANDOM_PLIES))] = 8,
    balanced: Count = 1000,
    seed: int = 1,
    threads: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    json: Json = False,
) -> int:
    """Let a brain play against itself at full speed, and keep every position with its value, move and result.

    The same command gives the same file, whatever the threads. Interrupted or killed, it goes on where it was; with
    more --games it goes on, too. `okapi selfplay` is for games of all kinds of players, kept whole.

    Examples:
      okapi samples play --games 100000 --to own.samples
      okapi samples play okapi-28 --games 20000 --nodes 5000 --seed 2 --to own.samples
      okapi samples play runs/mine/brain.safetensors --games 5000 --threads 2 --to own.samples --json

    Parameters
    ----------
    games
        Games that the file is to have.
    to
        The sample file to write, or to go on with.
    nodes
        After so many positions, a search begins no new depth; after eight times as many it stops.
    random_plies
        Random moves that a game begins with, or one more.
    balanced
        Centipawns by which a side may be ahead after them; else the dice are thrown again.
    seed
        Throws the dice.
    threads
        Games at a time; as many as there are processors if not given.
    """
    from okapi.arena.match import processors  # here, because numpy takes a while and others do without
    from okapi.data.datagen import DatagenConfig, generate_samples

    asked = DatagenConfig(brain=brain, nodes=nodes, random_plies=random_plies, balanced=balanced, seed=seed)
    growing = Growing(games, to)

    def watch(now: "DatagenProgress") -> None:
        growing.show(now.games, now.kept, f"{now.positions_per_second:,.0f} positions/s")

    try:
        with progress("playing", games) as growing.bar, gently() as stop:
            report = generate_samples(asked, games, to, threads=threads or processors(), watch=watch, stop=stop)
    except Unfinished:
        return growing.interrupted()
    if json:
        emit(_described(report, to))
    else:
        _print(report, to)
    return Exit.DONE


def _described(report: "DatagenProgress", to: Path) -> dict[str, Any]:
    return {
        "games": report.games,
        "positions": report.positions,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 3),
        "positions_per_second": round(report.positions_per_second),
        "file": str(to),
        "results": dict(report.results),
        "kept": report.kept,
    }


def _print(report: "DatagenProgress", to: Path) -> None:
    out().print(
        f"{report.games:,} games, {report.positions:,} positions in {to}, {report.seconds:.1f} s, "
        f"{report.positions_per_second:,.0f} positions/s",
        markup=False,
    )
    told = ", ".join(f"{report.results[result]:,} {result}" for result in ("1-0", "1/2-1/2", "0-1", "*"))
    out().print(told, markup=False)
