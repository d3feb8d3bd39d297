"""`okapi samples`: files of samples converted, shown, and made by self-play."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.arena.match import processors
from okapi.cli.console import Json, answer, emit, interruptible, note, out, talk
from okapi.cli.options import Above0, Concurrency, Count, CountOrZero, about, out_flag
from okapi.cli.progress import THOUSANDTHS, FileProgress, Progress, results_in_words
from okapi.core.packed import NO_GAME, NO_VALUE, fens
from okapi.core.samples import Rows, move_texts
from okapi.core.selfplay import MOST_RANDOM_PLIES
from okapi.data.datagen import DatagenConfig, DatagenProgress, generate_samples
from okapi.data.samples import Samples
from okapi.data.sources import FORMAT_NAMES, Conversion, read_samples
from okapi.errors import UsageError, did_you_mean
from okapi.formats.samples import SampleOptions, SampleView, SkippedSamples

FROM_HELP = f"The format of the files: {', '.join(FORMAT_NAMES)}."
RandomPlies = Annotated[int, Parameter(validator=Number(gte=0, lte=MOST_RANDOM_PLIES))]


def convert(
    files: Annotated[list[Path], about("Files of samples, plain or compressed.")],
    /,
    *,
    to: Annotated[Path, out_flag("--to", allow_leading_hyphen=True, help="The file to write; - is standard output.")],
    from_: Annotated[str | None, about(FROM_HELP, name="--from")] = None,
    as_: Annotated[str | None, about("The format to write; likewise.", name="--as")] = None,
    view: Annotated[SampleView | None, about("The point of view of values, where files do not say so.")] = None,
    scale: Annotated[Above0, about("Centipawns of one unit: 0.48 for what Stockfish 12 to 15 wrote.")] = 1.0,
    to_scale: Annotated[Above0, about("The same of the file to write.")] = 1.0,
    results: Annotated[Literal["points", "signed"] | None, about("Results are 0, ½, 1 (points) or -1, 0, 1.")] = None,
    unknown_result: Annotated[Literal["skip", "draw"], about("Samples without a result that a format needs.")] = "skip",
    skip_damaged: Annotated[bool, about("Leave out the damaged blocks of a sample file, and save the others.")] = False,
    json: Json = False,
) -> None:
    """Turn files of samples, or game stores, into one: .samples, .epd, .txt, .tsv, .csv, .parquet, .plain, .binpack.

    Formats are recognised by name and first bytes; .gz, .bz2, .xz and .zst are read. A bad line is skipped and
    reported. The new file gets its name when it is complete.

    For example:
      okapi samples convert labelled.tsv --view mover --out labelled.samples
      okapi samples convert data.binpack --scale 0.48 --out data.txt
    """
    for name in (from_, as_):
        if name is not None and name not in FORMAT_NAMES:
            raise UsageError(f"there is no format `{name}`", hint=did_you_mean(name, FORMAT_NAMES))
    options = SampleOptions(
        view=view,
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
    file: Annotated[Path, about("A file of samples of any format.")],
    /,
    *,
    from_: Annotated[str | None, about("Its format, where it does not show it.", name="--from")] = None,
    count: Annotated[CountOrZero, about("Rows to print.")] = 5,
    view: Annotated[SampleView | None, about("The point of view of its values, where it is not said.")] = None,
    verify: Annotated[bool, about("Compare a sample file with its checksums; a damaged one is an error.")] = False,
    json: Json = False,
) -> None:
    """Print the card of a sample file, its counts, and its first rows.

    Values and results are shown for the side to move.

    For example:
      okapi samples show mine.samples --verify --json
      okapi samples show data.binpack --count 20
    """
    told: dict[str, Any] = {"file": str(file)}
    if (from_ or file.suffix.removeprefix(".")) == "samples":
        samples = Samples.open(file)
        if verify:
            samples.verify()
        told |= {"card": samples.card, "columns": samples.columns.as_json(), "torn": samples.torn}
        told["cursor"] = samples.cursor
    skipped, options = SkippedSamples(), SampleOptions(view=view)
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


def play(
    brain: Annotated[str | None, about("Name or path of a brain; `okapi brains list`.")] = None,
    /,
    *,
    games: Annotated[Count, about("Games that the file is to have.")],
    to: Annotated[Path, out_flag("--to", help="The sample file to write, or to go on with.")],
    nodes: Annotated[Count, about("After so many, no new depth begins; after eight times as many all ends.")] = 500,
    random_plies: Annotated[RandomPlies, about("Random moves that a game begins with, or one more.")] = 8,
    balanced: Annotated[Count, about("Centipawns that a side may be ahead after them, or others are tried.")] = 1000,
    seed: Annotated[int, about("Random seed.")] = 1,
    threads: Concurrency = None,
    json: Json = False,
) -> None:
    """Let a brain play against itself at full speed, and store every position with its value, move and result.

    The same command gives the same file, whatever the threads. An interrupted or killed command continues when it is
    given again; with more --games it continues, too. `okapi selfplay` stores whole games, of players of any kind.

    For example:
      okapi samples play --games 100000 --out own.samples
      okapi samples play mine --games 5000 --threads 2 --out own.samples --json
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
