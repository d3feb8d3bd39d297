"""`okapi label`: an engine labels positions."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.cli.console import Json, answer
from okapi.cli.options import Above0, Cluster, Count, Positive, about, out_flag
from okapi.cli.progress import Progress
from okapi.core import Limits
from okapi.data.label import LabelConfig, LabelProgress, PositionSelection
from okapi.data.label import label as run
from okapi.errors import UsageError
from okapi.players.teacher import TeacherSettings

HALF = 0.5
"""The share of positions with a random move, by default: lai2015 does not give one."""

RANDOM_HELP = "The share of positions with a random move first, as in lai2015: marked, no result; 0.5 without a number."
INDEPENDENT_HELP = "Clear the hash table before each position: labels do not depend on each other, but take longer."


def label(
    sources: Annotated[list[Path], about("Games (.okapi, .pgn), EPD, FENs, or samples of any format.")],
    /,
    *,
    engine: Annotated[str, about("The teacher: a program on the PATH or by its path, with its arguments.")],
    nodes: Annotated[Positive, about("Nodes to search for each label.")] = None,
    depth: Annotated[Positive, about("Search depth in plies.")] = None,
    movetime: Annotated[Positive, about("Milliseconds to search; such labels are not reproducible.")] = None,
    multipv: Annotated[Count, about("Best lines to store.")] = 1,
    wdl: Annotated[bool, about("Store the probabilities of win, draw and loss, too.")] = False,
    option: Annotated[list[str] | None, about("An option of the engine: Name=Value; may be given again.")] = None,
    independent: Annotated[bool, about(INDEPENDENT_HELP)] = False,
    stall: Annotated[Above0, about("Seconds after which an engine has hung, beyond --movetime.")] = 60.0,
    to: Annotated[Path, out_flag("--to", help="What to write: .samples, .tsv, .csv, .epd, .plain, .txt, .binpack.")],
    random_moves: Annotated[list[float] | None, Parameter(consume_multiple=True, help=RANDOM_HELP)] = None,
    every: Annotated[Count, about("Take one of so many positions.")] = 1,
    max_: Annotated[int | None, about("No more than so many positions.", name="--max", validator=Number(gte=1))] = None,
    seed: Annotated[int, about("Random seed of the random moves.")] = 1,
    workers: Annotated[Positive, about("Engines at a time: 1, or on a cluster one for each of its processors.")] = None,
    cluster: Annotated[Cluster, about("Use the Ray cluster at this address; every machine needs the engine.")] = None,
    json: Json = False,
) -> None:
    """Label positions with a UCI engine: value, best move, win/draw/loss, several lines.

    Each position is labelled once, however often it is in the sources, and the file keeps their order. An interrupted
    or killed command continues when it is given again. A position at which the engine fails twice is left out and
    reported.

    For example:
      okapi label games.pgn.zst --engine stockfish --depth 12 --every 5 --max 1000000 --out labels.tsv
      okapi label quiet.epd --engine ./engine --option Hash=64 --movetime 100 --multipv 3 --wdl --out quiet.samples
    """
    if not (nodes or depth or movetime):
        raise UsageError("no limit of the search is given", hint="--nodes 2000, --depth 12 or --movetime 100")
    if random_moves is not None and len(random_moves) > 1:
        raise UsageError("--random-moves takes one share", hint="--random-moves 0.5")
    share = 0.0 if random_moves is None else next(iter(random_moves), HALF)
    teaching = TeacherSettings(
        command=engine,
        limits=Limits(nodes=nodes, depth=depth, movetime_ms=movetime, overhead_ms=0),
        options=dict(map(_option, option or [])),
        lines=multipv,
        wdl=wdl,
        independent=independent,
        timeout=stall,
    )
    selection = PositionSelection(sources=tuple(sources), every=every, most=max_, random_moves=share, seed=seed)
    labelling = LabelConfig(selection=selection, teaching=teaching, to=to)
    with Progress("labelling") as progress:

        def show(now: LabelProgress) -> None:
            total = max(round(now.total), now.positions)
            if not progress.kept:
                progress.resume(now.kept, total)
                if now.kept:
                    progress.note(f"{now.kept:,} labels are in {to}")
            progress.kept = f"; {now.positions:,} labels are safe"
            for problem in now.problems:
                progress.warn(f"left out: {problem}")
            rate = (now.positions - now.kept) / now.seconds if now.seconds else 0.0
            progress.update(now.positions, f"{rate:,.0f} positions/s", total=total)

        report = run(labelling, workers=workers, cluster=cluster, watch=show)
    nps = round((report.nodes - report.kept_nodes) / report.seconds) if report.seconds else 0
    told = {"positions": report.positions, "seconds": round(report.seconds, 3), "duplicates": report.duplicates}
    told |= {"skipped": report.failed + report.unread, "over": report.over, "kept": report.kept}
    answer(
        {**told, "nodes": report.nodes, "nps": nps, "file": str(to)},
        f"{report.positions:,} labels in {to}, {report.seconds:.1f} s, {nps:,} nodes/s",
        f"left out: {report.duplicates:,} duplicates, {report.over:,} where the game is over, "
        f"{report.unread:,} that could not be read, {report.failed:,} that the engine failed at",
        json=json,
    )


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"`{text}` sets no option", hint="--option Hash=64")
    return name.strip(), value.strip()
