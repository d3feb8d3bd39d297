"""`okapi samples`: files of samples converted, shown, and made by self-play."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.arena.match import processors
from okapi.cli.console import Json, answer, emit, interruptible, note, out, talk
from okapi.cli.options import Count, CountOrZero, Positive, out_flag
from okapi.cli.progress import THOUSANDTHS, FileProgress, Progress, results_in_words
from okapi.core.packed import NO_GAME, NO_VALUE, fens
from okapi.core.samples import Rows, move_texts
from okapi.data.datagen import DatagenConfig, DatagenProgress, generate_samples
from okapi.data.samples import Samples
from okapi.data.sources import FORMAT_NAMES, Conversion, read_samples
from okapi.errors import UsageError, did_you_mean
from okapi.formats.samples import SampleOptions, SampleView, SkippedSamples

Factor = Annotated[float, Parameter(validator=Number(gt=0))]


def convert(
    files: list[Path],
    /,
    *,
    to: Annotated[Path, out_flag("--to", allow_leading_hyphen=True)],
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    as_: Annotated[str | None, Parameter(name="--as")] = None,
    view: Literal["white", "mover"] | None = None,
    scale: Factor = 1.0,
    to_scale: Factor = 1.0,
    results: Literal["points", "signed"] | None = None,
    unknown_result: Literal["skip", "draw"] = "skip",
    skip_damaged: bool = False,
    json: Json = False,
) -> None:
    """Turn files of samples, or game stores, into one: .samples, .epd, .txt, .tsv, .csv, .parquet, .plain, .binpack.

    Formats are recognised by name and first bytes; .gz, .bz2, .xz and .zst are read. A bad line is skipped and
    reported. The new file gets its name when it is complete.

    For example:
      okapi samples convert quiet.epd.gz --out quiet.samples
      okapi samples convert labelled.tsv --view mover --out labelled.samples
      okapi samples convert data.binpack --scale 0.48 --out data.txt
      okapi samples convert games.okapi --out games.binpack --json

    Args:
        files: Files of samples, plain or compressed.
        to: The file to write; - is the standard output.
        from_: The format of the files: samples, store, epd, text, brackets, tsv, csv, parquet, puzzles, plain, binpack.
        as_: The format to write; likewise.
        view: The point of view of values and results, where the files do not say so: white or mover.
        scale: Centipawns of one unit of the files: 0.48 for what Stockfish 12 to 15 wrote.
        to_scale: The same of the file to write.
        results: Numbers in a column of results: 0, ½, 1 (points) or -1, 0, 1 (signed), where it is not plain to see.
        unknown_result: What to do with samples without a result, where the new format needs one.
        skip_damaged: Leave out the damaged blocks of a sample file, and save the others.
    """
    for name in (from_, as_):
        if name is not None and name not in FORMAT_NAMES:
            raise UsageError(f"there is no format `{name}`", hint=did_you_mean(name, FORMAT_NAMES))
    options = SampleOptions(
        view=view and SampleView(view),
        scale=scale,
        signed=None if results is None else results == "signed",
        unknown_as_draw=unknown_result == "draw",
    )
    skipped = SkippedSamples(tell=lambda told: note(f"skipped: {told}"))
    conversion = Conversion(files, to, from_, as_, options, to_scale, skip_damaged, skipped)
    begun = time.perf_counter()
    with Progress("converting", THOUSANDTHS) as progress:

        def show() -> None:
            progress.update(round(conversion.fraction * THOUSANDTHS), f"{conversion.positions:,} positions")

        conversion.run(show)
    seconds = round(time.perf_counter() - begun, 3)
    counts = {"positions": conversion.positions, "skipped": skipped.count, "seconds": seconds}
    if json:
        emit({**counts, "file": str(to), "troubles": skipped.told})
    else:
        said = f"{conversion.positions:,} positions in {to}, {skipped.count:,} skipped, {seconds:.1f} s"
        (talk() if str(to) == "-" else out()).print(said, markup=False)


def show(
    file: Annotated[Path, Parameter(help="A file of samples of any format.")],
    /,
    *,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    count: CountOrZero = 5,
    view: Literal["white", "mover"] | None = None,
    verify: bool = False,
    json: Json = False,
) -> None:
    """Print the card of a sample file, its counts, and its first rows.

    Values and results are shown for the side to move.

    For example:
      okapi samples show mine.samples
      okapi samples show mine.samples --verify --json
      okapi samples show data.binpack --count 20

    Args:
        from_: Its format, where neither its name nor its first bytes show it.
        count: Rows to print.
        view: The point of view of its values, where it does not say so itself.
        verify: Compare all of a sample file with its checksums; a damaged one is an error.
    """
    told: dict[str, Any] = {"file": str(file)}
    if (from_ or file.suffix.removeprefix(".")) == "samples":
        samples = Samples.open(file)
        if verify:
            samples.verify()
        told |= {"card": samples.card, "columns": samples.columns.as_json(), "torn": samples.torn}
        told["cursor"] = samples.cursor
    skipped, options = SkippedSamples(), SampleOptions(view=view and SampleView(view))
    counts = dict.fromkeys(("positions", "with_value", "with_move", "with_result", "with_game"), 0)
    first: list[dict[str, Any]] = []
    for rows in read_samples(file, kind=from_, options=options, skipped=skipped):
        counts["positions"] += len(rows)
        counts["with_value"] += int((rows["value"] != NO_VALUE).sum())
        counts["with_move"] += int((rows["move"] != 0).sum())
        counts["with_result"] += int((rows["result"] >= 0).sum())
        counts["with_game"] += int((rows["game"] != NO_GAME).sum())
        first.extend(_readable(rows[: max(0, count - len(first))]))
    told |= {**counts, "skipped": skipped.count, "troubles": skipped.told, "rows": first}
    if json:
        emit(told)
    else:
        _print(file, told)


def _readable(rows: Rows) -> Iterator[dict[str, Any]]:
    """Rows for people and for JSON; value and result are the mover's."""
    names = rows.dtype.names or ()
    for fen, move, row in zip(fens(rows["position"]), move_texts(rows), rows, strict=True):
        yield {
            "fen": fen,
            "value": None if row["value"] == NO_VALUE else int(row["value"]),
            "move": move or None,
            "result": None if row["result"] < 0 else int(row["result"]) / 2,
            "ply": int(row["ply"]),
            "game": None if row["game"] == NO_GAME else int(row["game"]),
            **({"depth": int(row["depth"])} if "depth" in names else {}),
            **({"wdl": row["wdl"].tolist()} if "wdl" in names else {}),
        }


def _print(file: Path, told: dict[str, Any]) -> None:
    console = out()
    console.print(f"{file.name}: {told['positions']:,} positions", markup=False)
    kinds = ("value", "move", "result", "game")
    console.print(", ".join(f"{told[f'with_{kind}']:,} with a {kind}" for kind in kinds), markup=False)
    if told["skipped"]:
        console.print(f"{told['skipped']:,} skipped; {told['troubles'][0]}", markup=False)
    for key, value in told.get("card", {}).items():
        console.print(f"{key}: {value}", markup=False)
    if told["rows"]:
        console.print("\n[bold]  value  move   result  ply  position[/]")
    for row in told["rows"]:
        value, move, result = ("" if row[key] is None else row[key] for key in ("value", "move", "result"))
        console.print(f"{value:>7}  {move:<5}  {result:<6}  {row['ply']:>3}  {row['fen']}", markup=False)


MOST_RANDOM_PLIES = 40


def play(
    brain: Annotated[str | None, Parameter(help="Name or path of a brain; `okapi brains list`.")] = None,
    /,
    *,
    games: Count,
    to: Annotated[Path, out_flag("--to")],
    nodes: Count = 500,
    random_plies: Annotated[int, Parameter(validator=Number(gte=0, lte=MOST_RANDOM_PLIES))] = 8,
    balanced: Count = 1000,
    seed: int = 1,
    threads: Positive = None,
    json: Json = False,
) -> None:
    """Let a brain play against itself at full speed, and store every position with its value, move and result.

    The same command gives the same file, whatever the threads. An interrupted or killed command continues when it is
    given again; with more --games it continues, too. `okapi selfplay` stores whole games, of players of any kind.

    For example:
      okapi samples play --games 100000 --out own.samples
      okapi samples play okapi-28 --games 20000 --nodes 5000 --seed 2 --out own.samples
      okapi samples play mine --games 5000 --threads 2 --out own.samples --json

    Args:
        games: Games that the file is to have.
        to: The sample file to write, or to go on with.
        nodes: After so many positions, a search begins no new depth; after eight times as many it stops.
        random_plies: Random moves that a game begins with, or one more.
        balanced: Centipawns by which a side may be ahead after them; otherwise other random moves are tried.
        seed: Random seed.
        threads: Games at a time; as many as there are processors if not given.
    """
    asked = DatagenConfig(brain=brain, nodes=nodes, random_plies=random_plies, balanced=balanced, seed=seed)
    with FileProgress("playing", games, to) as progress, interruptible() as stop:

        def show(now: DatagenProgress) -> None:
            progress.show(now.games, now.kept, f"{now.positions_per_second:,.0f} positions/s")

        report = generate_samples(asked, games, to, threads=threads or processors(), watch=show, stop=stop)
    told: dict[str, Any] = {"games": report.games, "positions": report.positions, "nodes": report.nodes}
    told |= {"seconds": round(report.seconds, 3), "positions_per_second": round(report.positions_per_second)}
    answer(
        {**told, "file": str(to), "results": dict(report.results), "kept": report.kept},
        f"{report.games:,} games, {report.positions:,} positions in {to}, {report.seconds:.1f} s, "
        f"{report.positions_per_second:,.0f} positions/s",
        results_in_words(report.results),
        json=json,
    )
