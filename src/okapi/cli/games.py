"""`okapi games import` and `okapi games export`: PGN into a store, and back."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from okapi.cli.console import Exit, Json, Pulse, emit, out, progress, show_error, talk
from okapi.data.game_filter import EVERY_GAME, GameFilter
from okapi.data.pgn import GameImport, ImportProgress, ImportResult, export_games
from okapi.errors import UsageError

__all__ = ["export", "import_"]

Wanted = Annotated[GameFilter, Parameter(name="*")]

SHOWN = 5
"""Complaints that a person sees."""


def import_(
    *files: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    to: Path,
    wanted: Wanted = EVERY_GAME,
    report: Path | None = None,
    json: Json = False,
) -> int | None:
    """Add the games of PGN files to a store; plain or compressed (gz, bz2, xz, zst, zip), - for the standard input.

    A game that cannot be read is left out and reported; its neighbours do not notice. A game that is there already
    is not added again: same start and moves, same surnames. An interrupted import goes on with the same command.

    Examples:
      okapi games import games.pgn --to games.okapi
      okapi games import twic*.zip lichess.pgn.zst --to games.okapi --min-elo 2000 --time-control classical
      okapi games import old.pgn --to games.okapi --since 1970 --until 1985-06 --player tal --report bad.txt
      curl https://example.org/games.pgn.zst | okapi games import - --to games.okapi --json

    Parameters
    ----------
    files
        PGN files; what they are, their first bytes say.
    to
        The store; it begins here if there is none.
    report
        Write a line for each game that could not be read: file, line, reason.
    """
    try:
        with GameImport(files, to, wanted, report=report) as job, _Watch() as watch:
            imported = job.run(watch)
            watch.end()
            if json:
                emit(asdict(imported))
            else:
                _tell(imported, report)
    except KeyboardInterrupt:
        show_error("interrupted", "the same command goes on where this one was")
        return Exit.INTERRUPTED
    return None


def export(
    store: Path,
    *,
    to: Path = Path("-"),
    game: list[int] | None = None,
    wanted: Wanted = EVERY_GAME,
    json: Json = False,
) -> None:
    """Write the games of a store as PGN: the same games that were imported.

    Examples:
      okapi games export games.okapi > games.pgn
      okapi games export games.okapi --to draws.pgn.zst --result 1/2-1/2 --min-elo 2600
      okapi games export games.okapi --game 0 --game 17

    Parameters
    ----------
    store
        Made by `okapi games import`.
    to
        A file; it is compressed if its name ends with .gz, .bz2, .xz or .zst. The standard output if not given.
    game
        The number of a game in the store, from 0; may be given several times.
    """
    if json and str(to) == "-":
        raise UsageError("--json and the games cannot both go to the standard output", hint="add --to games.pgn")
    with progress("exporting", None) as bar:
        task = bar.task_ids[0]
        written = export_games(
            store, to, wanted, numbers=game, watch=lambda done, total: bar.update(task, completed=done, total=total)
        )
    if json:
        emit({"store": str(store), "to": str(to), "games": written})
    elif str(to) != "-":
        talk().print(f"{written} games written to {to}", markup=False)


class _Watch:
    """Shows how far an import is: a bar on terminals, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._shown = progress("importing", None, of_bytes=True)
        self._pulse = Pulse()

    def __enter__(self) -> "_Watch":
        self._bar = self._shown.__enter__()
        self._task = self._bar.task_ids[0]
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Take the bar away."""
        self._bar.stop()

    def __call__(self, now: ImportProgress) -> None:
        rate = now.games / max(self._pulse.seconds, 0.001)
        done = int(now.fraction * now.size)
        about = f"importing {rate:,.0f} games/s"
        self._bar.update(self._task, completed=done, total=now.size or None, description=about)
        if self._pulse.due:
            megabytes = 1 << 20
            self._pulse.tell(max(1, done // megabytes), max(1, now.size // megabytes), f"MiB, {rate:,.0f} games/s")


def _tell(imported: ImportResult, report: Path | None) -> None:
    said = [f"{imported.games:,} games added to {imported.store}"]
    if imported.duplicates:
        said.append(f"{imported.duplicates:,} were there already")
    if imported.filtered:
        said.append(f"{imported.filtered:,} not wanted")
    if imported.skipped:
        said.append(f"{imported.skipped:,} could not be read")
    said.append(f"{imported.total:,} in all, in {imported.seconds:.1f} s")
    out().print(", ".join(said), markup=False)
    for complaint in imported.complaints[:SHOWN]:
        talk().print(str(complaint), markup=False)
    if imported.skipped > SHOWN and report is None:
        talk().print("--report FILE writes them all", markup=False)
