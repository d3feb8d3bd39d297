"""`okapi samples`, `okapi label` and `okapi selfplay`: what brains learn from, made, labelled and converted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.arena.match import processors
from okapi.arena.openings import GameStarts, RandomStarts, StoredStarts, read_starts
from okapi.arena.selfplay import SelfPlay, SelfPlayReport, play_selfplay
from okapi.arena.time_control import TimeControl
from okapi.cli.console import Json, answer, emit, interruptible, note, out, say, talk
from okapi.cli.options import AdjudicationOptions, StorageOptions
from okapi.cli.parameters import Above0, Cluster, Concurrency, Count, CountOrZero, Positive, about, out_flag
from okapi.cli.progress import THOUSANDTHS, FileProgress, Progress
from okapi.core import Limits
from okapi.core.packed import NO_GAME, NO_VALUE, fens
from okapi.core.samples import Rows, move_texts
from okapi.core.selfplay import MOST_RANDOM_PLIES
from okapi.data.datagen import DatagenConfig, DatagenProgress, generate_samples
from okapi.data.label import LabelConfig, LabelProgress, PositionSelection
from okapi.data.label import label as run
from okapi.data.samples import Samples
from okapi.data.sources import FORMAT_NAMES, Conversion, read_samples
from okapi.errors import UsageError, did_you_mean
from okapi.files import file_hash
from okapi.formats.samples import SampleOptions, SampleView, SkippedSamples
from okapi.players.teacher import TeacherSettings
from okapi.settings import parse_override

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
    signed, as_draw = None if results is None else results == "signed", unknown_result == "draw"
    options = SampleOptions(view=view, scale=scale, signed=signed, unknown_as_draw=as_draw)
    skipped = SkippedSamples(tell=lambda told: note(f"skipped: {told}"))
    conversion = Conversion(files, to, from_, as_, options, to_scale, skip_damaged, skipped)
    with Progress("converting", THOUSANDTHS) as progress:

        def show() -> None:
            progress.update(round(conversion.fraction * THOUSANDTHS), f"{conversion.positions:,} positions")

        conversion.run(show)
    seconds = round(progress.seconds, 3)
    if json:
        counts = {"positions": conversion.positions, "skipped": skipped.count, "seconds": seconds}
        emit({**counts, "file": str(to), "troubles": skipped.told})
    else:
        said = f"{conversion.positions:,} positions in {to}, {skipped.count:,} skipped, {seconds:.1f} s"
        (talk() if str(to) == "-" else out()).print(said, markup=False)


KINDS = ("value", "move", "result", "game")


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
        about_it = {"card": samples.card, "columns": samples.columns.as_json(), "torn": samples.torn}
        told |= {**about_it, "cursor": samples.cursor}
    skipped, counts = SkippedSamples(), dict.fromkeys(("positions", *(f"with_{kind}" for kind in KINDS)), 0)
    first: list[dict[str, Any]] = []
    for rows in read_samples(file, kind=from_, options=SampleOptions(view=view), skipped=skipped):
        counts["positions"] += len(rows)
        there = (rows["value"] != NO_VALUE, rows["move"] != 0, rows["result"] >= 0, rows["game"] != NO_GAME)
        for kind, present in zip(KINDS, there, strict=True):
            counts[f"with_{kind}"] += int(present.sum())
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
    say(f"{file.name}: {told['positions']:,} positions")
    say(", ".join(f"{told[f'with_{kind}']:,} with a {kind}" for kind in KINDS))
    if told["skipped"]:
        say(f"{told['skipped']:,} skipped; {told['troubles'][0]}")
    say(*(f"{key}: {value}" for key, value in told.get("card", {}).items()))
    if told["rows"]:
        out().print("\n[bold]  value  move   result  ply  position[/]")
    for row in told["rows"]:
        value, move, result = ("" if row[key] is None else row[key] for key in ("value", "move", "result"))
        say(f"{value:>7}  {move:<5}  {result:<6}  {row['ply']:>3}  {row['fen']}")


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
    pace = report.positions_per_second
    told = {"positions": report.positions, "nodes": report.nodes, "positions_per_second": round(pace), "file": str(to)}
    _answer_games(told, report, to, f"{pace:,.0f} positions/s", json=json)


def _answer_games(
    told: dict[str, Any], report: DatagenProgress | SelfPlayReport, to: Path, pace: str, more: str = "", *, json: bool
) -> None:
    told |= {"games": report.games, "seconds": round(report.seconds, 3), "kept": report.kept}
    results = ", ".join(f"{report.results[result]:,} {result}" for result in ("1-0", "1/2-1/2", "0-1", "*"))
    said = f"{report.games:,} games, {told['positions']:,} positions in {to}, {report.seconds:.1f} s, {pace}"
    answer({**told, "results": dict(report.results)}, said, results + more, json=json)


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
    random_moves: Annotated[list[float] | None, about(RANDOM_HELP, consume_multiple=True)] = None,
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
    share = 0.0 if random_moves is None else next(iter(random_moves), 0.5)
    limits = Limits(nodes=nodes, depth=depth, movetime_ms=movetime, overhead_ms=0)
    options = dict(parse_override(text, "--option Hash=64") for text in option or [])
    how: dict[str, Any] = {"lines": multipv, "wdl": wdl, "independent": independent, "timeout": stall}
    teaching = TeacherSettings(command=engine, limits=limits, options=options, **how)
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
    told = {key: getattr(report, key) for key in ("positions", "duplicates", "over", "kept", "nodes")}
    told |= {"seconds": round(report.seconds, 3), "skipped": report.failed + report.unread, "nps": nps, "file": str(to)}
    answer(
        told,
        f"{report.positions:,} labels in {to}, {report.seconds:.1f} s, {nps:,} nodes/s",
        f"left out: {report.duplicates:,} duplicates, {report.over:,} where the game is over, "
        f"{report.unread:,} that could not be read, {report.failed:,} that the engine failed at",
        json=json,
    )


OPENINGS = "random:8"
"""Where nothing else is said."""

STARTS_HELP = "Begin with positions of these files (games, EPD, FENs, samples), after one random move, as in lai2015."


def selfplay(
    players: Annotated[list[str], about("A brain, alphabeta:BRAIN, uci:COMMAND, …; one plays against itself.")],
    /,
    *,
    games: Annotated[Count, about("Games that the store is to have.")],
    to: Annotated[Path, out_flag("--to", help="The game store to write, or to go on with.")],
    depth: Annotated[Positive, about("Search depth in plies for each move.")] = None,
    nodes: Annotated[Positive, about("Nodes to search for each move.")] = None,
    openings: Annotated[str | None, about("random:8 (so many moves; usual), or an EPD, PGN or Polyglot file.")] = None,
    plies: Annotated[Count, about("How far into the games of an opening file to go.")] = 16,
    from_: Annotated[list[Path] | None, about(STARTS_HELP, name="--from")] = None,
    max_plies: Annotated[CountOrZero, about("Longer games have no result; 0: all are played to their end.")] = 400,
    seed: Annotated[int, about("Random seed: starts, and players that choose at random.")] = 1,
    stall: Annotated[Above0, about("Seconds after which a player counts as hung.")] = 60.0,
    endings: AdjudicationOptions = AdjudicationOptions(),
    concurrency: Annotated[Concurrency, Parameter(name=("--concurrency", "--threads"))] = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Let players play games, and store them with values, best moves and principal variations.

    One player plays against itself, several play a round robin. The same command gives the same games, however
    many are played at a time. An interrupted or killed command continues when it is given again.

    For example:
      okapi selfplay okapi-28 --games 10000 --depth 4 --out games.okapi
      okapi selfplay "uci:stockfish{Skill Level=3}" --games 500 --nodes 2000 --concurrency 2 --out games.okapi
    """
    starts, opened = _starts(openings, from_, plies, seed, games)
    control, rules = TimeControl(depth=depth, nodes=nodes, stall_s=stall), endings.adjudication()
    how: dict[str, Any] = {"starts": starts, "starts_name": opened, "max_plies": max_plies, "seed": seed}
    planned = SelfPlay(players=tuple(players), control=control, adjudication=rules, **how)
    make_workers = None if cluster is None else StorageOptions(concurrency=concurrency, cluster=cluster).make_workers()
    with FileProgress("self-play", games, to) as progress:

        def show(now: SelfPlayReport) -> None:
            if now.trouble:
                progress.note(now.trouble)
            progress.show(now.games, now.kept, f"{_per_minute(now):,.0f} games/min")

        report = play_selfplay(planned, games, to, concurrency=concurrency, make_workers=make_workers, watch=show)
    faults = f"; {report.faults:,} ended by a fault of a player" if report.faults else ""
    told = {"plies": report.plies, "positions": report.plies, "store": str(to), "faults": report.faults}
    _answer_games(told, report, to, f"{_per_minute(report):,.0f} games/min", faults, json=json)


def _per_minute(report: SelfPlayReport) -> float:
    return (report.games - report.kept) / report.seconds * 60 if report.seconds else 0.0


def _starts(named: str | None, stored: list[Path] | None, plies: int, seed: int, games: int) -> tuple[GameStarts, str]:
    """Where games begin, and what that is called in the store."""
    if stored:
        if named is not None:
            raise UsageError("games begin with --openings or --from, not with both")
        return StoredStarts(stored, seed), "from " + ", ".join(f"{path.name} {file_hash(path)}" for path in stored)
    openings = named or OPENINGS
    starts = read_starts(openings, plies=plies, seed=seed)
    if starts.different is not None and starts.different < games:
        note(f"there are only {starts.different:,} openings: games will repeat")
    file = Path(openings)
    return starts, openings if isinstance(starts, RandomStarts) else f"{file.name} {file_hash(file)}, {plies} plies"
