"""`okapi label`: an engine labels positions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.cli.console import Exit, Json, emit, out
from okapi.cli.options import Count, Positive
from okapi.cli.progress import Progress
from okapi.core import Limits
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.data.label import LabelProgress

__all__ = ["label"]

HALF = 0.5
"""The share of positions with a random move, by default: lai2015 does not give one."""


def label(
    sources: Annotated[list[Path], Parameter(help="Games (.okapi, .pgn), EPD, FENs, or samples of any format.")],
    /,
    *,
    engine: str,
    to: Path,
    nodes: Positive = None,
    depth: Positive = None,
    movetime: Positive = None,
    workers: Count = 1,
    multipv: Count = 1,
    wdl: bool = False,
    option: list[str] | None = None,
    random_moves: Annotated[list[float] | None, Parameter(consume_multiple=True)] = None,
    every: Count = 1,
    max_: Annotated[int | None, Parameter(name="--max", validator=Number(gte=1))] = None,
    seed: int = 1,
    independent: bool = False,
    stall: Annotated[float, Parameter(validator=Number(gt=0))] = 60.0,
    json: Json = False,
) -> int:
    """Label positions with a UCI engine: value, best move, win/draw/loss, several lines.

    Each position is labelled once, however often it is in the sources, and the file keeps their order. An interrupted
    or killed command continues when it is given again. A position at which the engine fails twice is left out and
    reported.

    Examples:
      okapi label games.okapi --engine stockfish --nodes 2000 --workers 2 --to labels.samples
      okapi label games.pgn.zst --engine stockfish --depth 12 --every 5 --max 1000000 --to labels.tsv
      okapi label games.okapi --engine stockfish --nodes 5000 --random-moves 0.5 --to varied.samples
      okapi label quiet.epd --engine ./engine --option Hash=64 --movetime 100 --multipv 3 --wdl --to quiet.samples

    Parameters
    ----------
    engine
        The teacher: a program on the PATH, among Debian's games, or by its path, with its arguments.
    to
        The file to write: .samples, or the format of its suffix (.tsv, .csv, .epd, .plain, .txt, .binpack).
    nodes
        Nodes to search for each label.
    depth
        Search depth in plies.
    movetime
        Milliseconds to search; such labels are not reproducible.
    workers
        Engines at a time.
    multipv
        Best lines to store.
    wdl
        Store the probabilities of win, draw and loss, too.
    option
        An option of the engine: Name=Value. May be given several times.
    random_moves
        The share of positions in which one random legal move is played first, as in lai2015; 0.5 without a number.
        They are marked, and have no result.
    every
        Take one of so many positions.
    max_
        No more than so many positions.
    seed
        Random seed of the random moves.
    independent
        Clear the hash table before each position: labels then do not depend on each other, but take longer.
    stall
        Seconds after which an engine has hung, beyond --movetime.
    """
    from okapi.data.label import (
        LabelConfig,  # imported here: numpy takes a while to load
        PositionSelection,
    )
    from okapi.data.label import label as run
    from okapi.players.teacher import TeacherSettings

    if not (nodes or depth or movetime):
        raise UsageError("no limit of the search is given", hint="--nodes 2000, --depth 12 or --movetime 100")
    labelling = LabelConfig(
        selection=PositionSelection(
            sources=tuple(sources), every=every, most=max_, random_moves=_share(random_moves), seed=seed
        ),
        teaching=TeacherSettings(
            command=engine,
            limits=Limits(nodes=nodes, depth=depth, movetime_ms=movetime, overhead_ms=0),
            options=_options(option or []),
            lines=multipv,
            wdl=wdl,
            independent=independent,
            timeout=stall,
        ),
        to=to,
    )
    stored: int | None = None
    with Progress("labelling") as progress:

        def show(now: "LabelProgress") -> None:
            nonlocal stored
            total = max(round(now.total), now.positions)
            if stored is None:
                progress.resume(now.kept, total)
                if now.kept:
                    progress.note(f"{now.kept:,} labels are in {to}")
            stored = now.positions
            for problem in now.problems:
                progress.warn(f"left out: {problem}")
            rate = (now.positions - now.kept) / now.seconds if now.seconds else 0.0
            progress.update(now.positions, f"{rate:,.0f} positions/s", total=total)

        try:
            report = run(labelling, workers=workers, watch=show)
        except KeyboardInterrupt:
            if stored is None:
                raise
            return progress.interrupted(f"; {stored:,} labels are safe")
    if json:
        emit(_described(report, to))
    else:
        _print(report, to)
    return Exit.DONE


def _share(given: list[float] | None) -> float:
    if given is None:
        return 0.0
    if len(given) > 1:
        raise UsageError("--random-moves takes one share", hint="--random-moves 0.5")
    return given[0] if given else HALF


def _options(given: list[str]) -> dict[str, str]:
    options = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            raise UsageError(f"`{item}` sets no option", hint="--option Hash=64")
        options[name.strip()] = value.strip()
    return options


def _described(report: "LabelProgress", to: Path) -> dict[str, Any]:
    nodes = report.nodes - report.kept_nodes
    return {
        "positions": report.positions,
        "seconds": round(report.seconds, 3),
        "duplicates": report.duplicates,
        "skipped": report.failed + report.unread,
        "over": report.over,
        "kept": report.kept,
        "nodes": report.nodes,
        "nps": round(nodes / report.seconds) if report.seconds else 0,
        "file": str(to),
    }


def _print(report: "LabelProgress", to: Path) -> None:
    told = _described(report, to)
    console = out()
    console.print(
        f"{told['positions']:,} labels in {to}, {told['seconds']:.1f} s, {told['nps']:,} nodes/s", markup=False
    )
    console.print(
        f"left out: {told['duplicates']:,} duplicates, {told['over']:,} where the game is over, "
        f"{report.unread:,} that could not be read, {report.failed:,} that the engine failed at",
        markup=False,
    )
