"""`okapi label`: an engine labels positions."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.cli.console import Json, emit, out
from okapi.cli.options import Count, Positive, out_flag
from okapi.cli.progress import Progress
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.data.label import LabelProgress, PositionSelection
    from okapi.players.teacher import TeacherSettings

HALF = 0.5
"""The share of positions with a random move, by default: lai2015 does not give one."""

RANDOM_HELP = (
    "The share of positions in which one random legal move is played first, as in lai2015; 0.5 without a number. "
    "They are marked, and have no result."
)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TeacherOptions:
    engine: str
    """The teacher: a program on the PATH, among Debian's games, or by its path, with its arguments."""
    nodes: Positive = None
    """Nodes to search for each label."""
    depth: Positive = None
    """Search depth in plies."""
    movetime: Positive = None
    """Milliseconds to search; such labels are not reproducible."""
    multipv: Count = 1
    """Best lines to store."""
    wdl: bool = False
    """Store the probabilities of win, draw and loss, too."""
    option: list[str] | None = None
    """An option of the engine: Name=Value. May be given several times."""
    independent: bool = False
    """Clear the hash table before each position: labels then do not depend on each other, but take longer."""
    stall: Annotated[float, Parameter(validator=Number(gt=0))] = 60.0
    """Seconds after which an engine has hung, beyond --movetime."""

    def settings(self) -> "TeacherSettings":
        from okapi.core import Limits  # imported here: numpy and the core take a while to load
        from okapi.players.teacher import TeacherSettings

        if not (self.nodes or self.depth or self.movetime):
            raise UsageError("no limit of the search is given", hint="--nodes 2000, --depth 12 or --movetime 100")
        options = {}
        for item in self.option or []:
            name, equals, value = item.partition("=")
            if not equals:
                raise UsageError(f"`{item}` sets no option", hint="--option Hash=64")
            options[name.strip()] = value.strip()
        return TeacherSettings(
            command=self.engine,
            limits=Limits(nodes=self.nodes, depth=self.depth, movetime_ms=self.movetime, overhead_ms=0),
            options=options,
            lines=self.multipv,
            wdl=self.wdl,
            independent=self.independent,
            timeout=self.stall,
        )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SelectionOptions:
    random_moves: Annotated[list[float] | None, Parameter(consume_multiple=True, help=RANDOM_HELP)] = None
    every: Count = 1
    """Take one of so many positions."""
    max_: Annotated[int | None, Parameter(name="--max", validator=Number(gte=1))] = None
    """No more than so many positions."""
    seed: int = 1
    """Random seed of the random moves."""

    def selection(self, sources: list[Path]) -> "PositionSelection":
        from okapi.data.label import PositionSelection

        shares = self.random_moves
        if shares is not None and len(shares) > 1:
            raise UsageError("--random-moves takes one share", hint="--random-moves 0.5")
        share = 0.0 if shares is None else shares[0] if shares else HALF
        return PositionSelection(
            sources=tuple(sources), every=self.every, most=self.max_, random_moves=share, seed=self.seed
        )


EVERY_POSITION = SelectionOptions()


def label(
    sources: Annotated[list[Path], Parameter(help="Games (.okapi, .pgn), EPD, FENs, or samples of any format.")],
    /,
    *,
    teacher: TeacherOptions,
    to: Annotated[Path, out_flag("--to")],
    chosen: SelectionOptions = EVERY_POSITION,
    workers: Positive = None,
    cluster: str | None = None,
    json: Json = False,
) -> None:
    """Label positions with a UCI engine: value, best move, win/draw/loss, several lines.

    Each position is labelled once, however often it is in the sources, and the file keeps their order. An interrupted
    or killed command continues when it is given again. A position at which the engine fails twice is left out and
    reported.

    For example:
      okapi label games.okapi --engine stockfish --nodes 2000 --workers 2 --out labels.samples
      okapi label games.pgn.zst --engine stockfish --depth 12 --every 5 --max 1000000 --out labels.tsv
      okapi label games.okapi --engine stockfish --nodes 5000 --random-moves 0.5 --out varied.samples
      okapi label quiet.epd --engine ./engine --option Hash=64 --movetime 100 --multipv 3 --wdl --out quiet.samples
      okapi label games.okapi --engine stockfish --nodes 2000 --cluster auto --out labels.samples

    Args:
        to: The file to write: .samples, or the format of its suffix (.tsv, .csv, .epd, .plain, .txt, .binpack).
        workers: Engines at a time; 1 if not given, and on a cluster as many as it has processors.
        cluster: Work on the Ray cluster at this address (host:port, or auto); the engine must be on every machine.
    """
    settings = teacher.settings()
    from okapi.data.label import LabelConfig
    from okapi.data.label import label as run

    labelling = LabelConfig(selection=chosen.selection(sources), teaching=settings, to=to)
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
            report = run(labelling, workers=workers, cluster=cluster, watch=show)
        except KeyboardInterrupt:
            if stored is None:
                raise
            progress.interrupted(f"; {stored:,} labels are safe")
    if json:
        emit(_described(report, to))
    else:
        _print(report, to)


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
