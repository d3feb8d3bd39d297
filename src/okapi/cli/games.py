"""`okapi games`: PGN into a store and back, its statistics, its faults, and its split."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape
from rich.text import Text

from okapi.arena.games import export_store, find_store
from okapi.cli.console import Exit, Json, answer, emit, note, out, rounded, say, table_of
from okapi.cli.drawing import check_picture, histogram, print_chart, write_picture
from okapi.cli.parameters import about, out_flag
from okapi.cli.progress import Progress, fraction_done
from okapi.data.doctor import DoctorReport, Examination, examine
from okapi.data.game_filter import GameFilter
from okapi.data.pgn import GameImport, ImportProgress, ImportResult, export_games
from okapi.data.split import Shares, Split, identity, make_split
from okapi.data.stats import Stats
from okapi.data.store import Store
from okapi.errors import NotFound, Unfinished, UsageError
from okapi.formats.samples import SampleOptions, SampleView

StoreFile = Annotated[Path, about("A store of games: okapi games import FILE --out STORE.")]
ChartFile = Annotated[Path | None, out_flag("--picture", help="Write the charts to this file: an SVG.")]
Wanted = Annotated[GameFilter, Parameter(name="*")]

SHOWN = 5
"""Games that could not be read and are printed."""


def import_(
    *files: Annotated[Path, about("PGN files, known by their first bytes.", allow_leading_hyphen=True)],
    to: Annotated[Path, out_flag("--to", help="The store; it is created if there is none.")],
    wanted: Wanted = GameFilter(),
    report: Annotated[Path | None, about("Write a line for each game that could not be read: file, line, why.")] = None,
    json: Json = False,
) -> None:
    """Add the games of PGN files to a store; plain or compressed (gz, bz2, xz, zst, zip), - for the standard input.

    A game that cannot be read is left out and reported; other games are not affected. A game that is in the store
    is not added again: same start and moves, same surnames. An interrupted import continues when it is given again.

    For example:
      okapi games import twic*.zip lichess.pgn.zst --out games.okapi --min-elo 2000 --time-control classical
      curl https://example.org/games.pgn.zst | okapi games import - --out games.okapi --json
    """
    try:
        with GameImport(files, to, wanted, report=report) as job, Progress("importing", of_bytes=True) as progress:

            def show(now: ImportProgress) -> None:
                rate = now.games / max(progress.seconds, 0.001)
                progress.update(int(now.fraction * now.size), f"{rate:,.0f} games/s", total=now.size or None)

            imported = job.run(show)
            progress.stop()
            if json:
                figures = asdict(imported)
                emit(figures | {"complaints": figures["problems"]})  # complaints: the old key
            else:
                _print_imported(imported, report)
    except KeyboardInterrupt:
        raise Unfinished("interrupted", hint="the same command goes on where this one was") from None


EXPORT_HELP = "A file: PGN, compressed if it ends with .gz, .bz2, .xz or .zst; a table, a row a game, if with .parquet."


def export(
    store: Annotated[Path, about("Made by `okapi games import`; or what `okapi match` or `tournament` stored.")],
    *,
    to: Annotated[Path, out_flag("--to", help=EXPORT_HELP)] = Path("-"),
    game: Annotated[list[int] | None, about("The number of a game, from 0; may be given several times.")] = None,
    wanted: Wanted = GameFilter(),
    json: Json = False,
) -> None:
    """Write the games of a store as PGN, the same games that were imported, or as a Parquet table.

    For example:
      okapi games export games.okapi > games.pgn
      okapi games export games.okapi --out draws.pgn.zst --result 1/2-1/2 --min-elo 2600
    """
    if json and str(to) == "-":
        raise UsageError("--json and the games cannot both go to the standard output", hint="add --out games.pgn")
    played = find_store(store)
    if played is not None:
        if wanted != GameFilter():
            raise UsageError("games of a match are not filtered", hint="import their PGN into a store first")
        written = export_store(played, to, game)
    else:
        with Progress("exporting") as progress:

            def show(done: int, total: int) -> None:
                progress.update(done, "games", total=total)

            written = export_games(store, to, wanted, numbers=game, watch=show)
    if json:
        emit({"store": str(store), "to": str(to), "games": written})
    elif str(to) != "-":
        note(f"{written} games written to {to}")


def _print_imported(imported: ImportResult, report: Path | None) -> None:
    left_out = {"were there already": imported.duplicates, "not wanted": imported.filtered}
    left_out["could not be read"] = imported.skipped
    said = [f"{imported.games:,} games added to {imported.store}"]
    said += [f"{count:,} {why}" for why, count in left_out.items() if count]
    said.append(f"{imported.total:,} in all, in {imported.seconds:.1f} s")
    say(", ".join(said))
    for problem in imported.problems[:SHOWN]:
        note(str(problem))
    if imported.skipped > SHOWN and report is None:
        note("--report FILE writes them all")


MOST_OPENINGS = 15
"""In a terminal; JSON has them all."""

RESULTS = {"white": "White won", "draw": "drawn", "black": "Black won", "unknown": "unknown"}


def stats(store: StoreFile, /, *, picture: ChartFile = None, json: Json = False) -> None:
    """Count what is in a store: results, ratings, lengths, years, openings, time controls, values and clocks.

    Openings are those of the ECO tags; games without one are looked up by their positions.

    For example:
      okapi games stats games.okapi --out games.svg
      okapi games stats games.okapi --json
    """
    check_picture(picture)
    found = Stats.of(Store.open(store))
    if picture is not None:
        write_picture(picture, store.name, found.charts())
    if json:
        histograms = {"lengths": found.lengths.counts, "years": found.years.counts}
        elo = rounded(found.elo, 1) | {"histogram": found.elo.histogram.counts}
        openings = [rounded(each, 4) for each in found.openings]
        emit({**asdict(found), "elo": elo, "openings": openings, **histograms})
        return
    out().print(f"[bold]{found.games:,} games[/], {found.plies:,} plies in {escape(store.name)}")
    say(f"{found.with_values:,} with values, {found.with_clocks:,} with clocks")
    for text in _histograms(found):
        say("", text)


def _histograms(found: Stats) -> Iterator[Text]:
    results = {RESULTS[key]: found.results[key] for key in RESULTS}
    yield histogram("results", results, [f"{100 * count / max(1, found.games):.1f} %" for count in results.values()])
    if found.elo.mean is not None:
        title = f"ratings: {found.elo.mean:.0f} on average, {found.elo.lowest} to {found.elo.highest}"
        yield histogram(title, found.elo.histogram.counts)
    for each in (found.lengths, found.years):
        if each.counts:
            yield histogram(f"{each.title} ({each.of})", each.counts)
    if most := found.openings[:MOST_OPENINGS]:
        scores = ("" if each.white is None else f", White scores {each.white:.0%}" for each in most)
        notes = [each.name + score for each, score in zip(most, scores, strict=True)]
        yield histogram("openings", {each.eco: each.games for each in most}, notes)
    if found.time_controls["unknown"] < found.games:
        yield histogram("time controls", found.time_controls)


STYLES = {"ok": "green", "note": "cyan", "warning": "yellow", "fault": "bold red"}


def doctor(
    *files: Annotated[Path, about("A store or a file of samples, in any format; or two to compare.")],
    fix: Annotated[bool, about("Write a copy with faults mended or left out; asks.", name=["--fix", "--mend"])] = False,
    to: Annotated[Path | None, out_flag("--to", help="The copy: a store of a store, samples of anything else.")] = None,
    yes: Annotated[bool, about("Do not ask.")] = False,
    from_: Annotated[str | None, about("The format of a text file that does not show it.", name="--from")] = None,
    view: Annotated[SampleView | None, about("The point of view of a text file that does not say its own.")] = None,
    picture: Annotated[Path | None, about("Write the charts to this file: an SVG.")] = None,
    json: Json = False,
) -> int:
    """Find faults of games or samples: wrong signs, duplicates, broken rows, leakage between two files.

    Exit code 3 means that there are faults. --fix writes a copy, and changes only what is certain.

    For example:
      okapi games doctor train.samples test.samples
      okapi games doctor scores.csv --fix --out good.samples
    """
    if len(files) not in (1, 2):
        raise UsageError(f"doctor takes one file, or two to compare, not {len(files)}")
    if fix != (to is not None):
        raise UsageError("--fix and --out go together", hint="--fix --out NEW writes a fixed copy")
    check_picture(picture)
    options = SampleOptions(view=view)
    with fraction_done("examining") as tell:
        examination = examine(*files, options=options, kind=from_, on_progress=tell)
    report = examination.report
    if picture is not None:
        write_picture(picture, report.name, report.charts)
    if not json:
        _print_report(report)
    written = _fixed(examination, to, yes=yes) if to is not None else None
    if json:
        told = {"name": report.name, "kind": report.kind, "healthy": report.healthy}
        findings = [asdict(finding) | {"mend": finding.fix} for finding in report.findings]  # mend: the old key
        copy = {} if written is None else {"written": written, "to": str(to)}
        emit({**told, "findings": findings, "figures": report.figures, **copy})
    return Exit.DONE if report.healthy or written is not None else Exit.INPUT


def _fixed(examination: Examination, to: Path, *, yes: bool) -> int | None:
    """Write the copy, if there is something to fix and the user agrees; how much is in it."""
    if to.exists():
        raise UsageError(f"{to} is there already", hint="nothing is fixed in place: give another name")
    changes = examination.report.fixable
    if not changes:
        note("there is nothing to fix: no copy is written")
        return None
    for finding in changes:
        note(f"{finding.check}: {finding.fix}")
    if not yes:
        if not sys.stdin.isatty():
            hint = "--yes does not ask"
            raise UsageError("--fix asks before it writes, and there is no terminal to ask on", hint=hint)
        if input(f"write {to}? [y/N] ").strip().lower() not in ("y", "yes"):
            return None
    with fraction_done("fixing") as tell:
        written = examination.fix(to, tell)
    note(f"{written:,} {examination.report.kind} are in {to}")
    return written


def _print_report(report: DoctorReport) -> None:
    console = out()
    for chart in report.charts:
        print_chart(chart)
        console.print()
    for finding in report.findings:
        console.print(f"[{STYLES[finding.severity]}]{finding.severity:>7}[/]  {escape(finding.text)}")
    counts = Counter(str(finding.severity) for finding in report.findings)
    found = [f"{counts[kind]} {kind}{'s' * (counts[kind] > 1)}" for kind in ("fault", "warning") if counts[kind]]
    console.print(f"\n[bold]{escape(report.name)}[/]: {', '.join(found) or 'healthy'}")
    if report.fixable:
        note("hint: --fix --out NEW writes a fixed copy", "dim")


def split(
    store: StoreFile,
    /,
    *,
    train: Annotated[float, about("Per cent of the games for training.")] = 80.0,
    validation: Annotated[float, about("Per cent for validation: when to stop, which settings.")] = 10.0,
    test: Annotated[float, about("Per cent for the final test. What is left of 100 is in no part.")] = 10.0,
    salt: Annotated[int, about("Any number; another one gives another split.")] = 0,
    to: Annotated[Path | None, out_flag("--to", help="Where to write it; STORE.split if not given.")] = None,
    fresh: Annotated[bool, about("Replace a split that was made with other shares or another salt.")] = False,
    json: Json = False,
) -> None:
    """Split games into training, validation and test, so that no position after move 10 is in two of them.

    The part of a game depends on its moves alone: importing again or adding games moves no game to another part.
    Positions that are also in a test game are left out of training. The same command updates the split.

    For example:
      okapi games split games.okapi --train 90 --validation 5 --test 5
      okapi games split games.okapi --salt 1 --out second.split --json
    """
    shares = Shares(train, validation, test, salt)
    file = to or store.with_name(store.name + ".split")
    kept = Split.open(file) if file.exists() and not fresh else None
    if kept is not None and kept.shares != shares:  # it may be in use
        had = kept.shares
        options = f"--train {had.train:g} --validation {had.validation:g} --test {had.test:g} --salt {had.salt}"
        raise UsageError(f"{file.name} was made with {options}", hint="give the same, or --fresh to replace it")
    begun = time.perf_counter()
    games = Store.open(store)
    if not len(games):
        raise NotFound(f"{store.name} holds no games", hint=f"okapi games import FILE --out {store}")
    if kept is not None and kept.of == identity(games.hashes()):
        made = kept
    else:
        with fraction_done("splitting") as tell:
            made = make_split(games, shares, tell)
        made.write(file)
    seconds = time.perf_counter() - begun
    counted = ((part, made.counts[part], made.counts["positions"][part]) for part in ("train", "validation", "test"))
    table = table_of({"": "", "games": ",", "positions": ","}, counted)
    left_out = f"{made.counts['left_out']:,} positions are left out: they are in a later part, after move 10"
    answer({**made.counts, "seconds": round(seconds, 3), "file": str(file)}, table, left_out, json=json)
    if not json:
        note(f"{'up to date' if made is kept else 'written'}: {file}", "dim")
