"""Progress of long work: on a terminal a bar, with a table or plot above it; elsewhere a plain line now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from rich.console import Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.spinner import Spinner
from rich.table import Table

from okapi.cli.console import print_table, talk
from okapi.errors import Unfinished

if TYPE_CHECKING:
    from okapi.arena.games import PlayedGame
    from okapi.arena.match import MatchReport
    from okapi.arena.standings import Standings

EVERY_S = 30.0
"""Seconds between two plain lines, where stderr is no terminal."""

REDRAW_S = 0.25
"""Seconds between two drawings on a terminal: tables and ratings take a moment to compute."""

MOST_WARNINGS = 10
"""Warnings that are printed; later ones are only counted."""

THOUSANDTHS = 1000
"""The total of work whose parts cannot be counted."""

Text = str | Callable[[], str]
"""Text, or a function that makes it, which is called only where it is shown."""


class Progress:
    """Shows on stderr how far a command is. `update` may be called often.

    What an earlier run of the same command did is given to `resume`: it takes no part in the estimate of the time left.
    """

    kept: Text = ""
    """What an interruption leaves, as its error says; empty where the same command would begin again."""
    result: Callable[[], Table | str] | None = None
    """What an interruption prints."""

    def __init__(self, what: str, total: int | None = None, *, of_bytes: bool = False, bar: bool = True) -> None:
        """`bar=False` shows only what `update` draws above it."""
        self._console = talk()
        count = DownloadColumn() if of_bytes else MofNCompleteColumn()
        remaining = TimeRemainingColumn(elapsed_when_finished=True)
        self._bar = Bar(TextColumn("{task.description}"), BarColumn(), count, remaining, console=self._console)
        self._task = self._bar.add_task(what, total=total)
        self._shows_bar, self._of_bytes = bar, of_bytes
        self._live = Live(self._bar if bar else "", console=self._console, transient=True, refresh_per_second=4)
        self._total, self._resumed = total, 0
        self._begun = self._printed = time.monotonic()
        self._drawn = -REDRAW_S
        self._pending: tuple[Text, Callable[[], RenderableType] | None] = "", None
        self._warnings = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.stop()
        if self.kept and isinstance(error, KeyboardInterrupt | Unfinished):
            if self.result is not None and (result := self.result()):
                self.note(result)
            raise Unfinished(f"interrupted{_made(self.kept)}, and the same command goes on") from None

    @property
    def seconds(self) -> float:
        """Since the command began."""
        return time.monotonic() - self._begun

    def stop(self) -> None:
        """Draw the last state and remove the display. Notes can still be printed."""
        if self._live.is_started:
            self._draw()
            self._live.stop()

    def resume(self, done: int, total: int | None = None) -> None:
        """So much was done before; perhaps also a total that was not known yet."""
        self._resumed = done
        self._total = self._total if total is None else total
        self._bar.reset(self._task, total=self._total, completed=done)

    def update(
        self, done: int, text: Text = "", *, total: int | None = None, above: Callable[[], RenderableType] | None = None
    ) -> None:
        """So much is done. `text` says how it goes, and is all of the plain line without a bar; `above` draws more."""
        self._total = self._total if total is None else total
        now = time.monotonic()
        if self._console.is_terminal:
            self._bar.update(self._task, completed=done, total=self._total)
            self._pending = text, above
            if now - self._drawn >= REDRAW_S:
                self._drawn = now
                self._draw()
        elif now - self._printed >= EVERY_S and (not self._shows_bar or (done > self._resumed and self._total)):
            self._printed = now
            self.note(self._line(done, _made(text)) if self._shows_bar else _made(text))

    def tell(self, message: str) -> None:
        """What is done now, where nothing can be counted: beside a spinner, or a plain line now and then."""
        self.update(0, message, above=lambda: Spinner("line", escape(message)))

    def note(self, shown: str | Table) -> None:
        if isinstance(shown, Table):
            print_table(shown, self._console)
        else:
            self._console.print(shown, markup=False)

    def warn(self, text: str) -> None:
        """Print a warning, unless there were many already."""
        self._warnings += 1
        if self._warnings <= MOST_WARNINGS:
            self.note(f"{text}; later ones are only counted" if self._warnings == MOST_WARNINGS else text)

    def hurry(self) -> None:
        """Print the next plain line at once."""
        self._printed = -EVERY_S

    def _draw(self) -> None:
        text, above = self._pending
        if text:
            self._bar.update(self._task, description=_made(text))
        if above is not None:
            drawn = above()
            self._live.update(Group(drawn, "", self._bar) if self._shows_bar else drawn)

    def _line(self, done: int, text: str) -> str:
        total = self._total or done
        left = self.seconds / max(done - self._resumed, 1) * (total - done)
        counted = f"{done >> 20}/{total >> 20} MiB," if self._of_bytes else f"{done}/{total}"
        return f"{counted} {text}, {left / 60:.0f} min left"


class FileProgress(Progress):
    """Games that are added to one file; the first time, how many of them were there before."""

    def __init__(self, what: str, games: int, to: Path) -> None:
        super().__init__(what, games)
        self._games, self._to = games, to

    def show(self, games: int, kept: int, text: str) -> None:
        if not self.kept:
            self.kept = f"; what is in {self._to} is safe"
            self.resume(kept)
            if kept:
                self.note(f"{kept:,} of {self._games:,} games are in {self._to}")
        self.update(games, text)


Report = TypeVar("Report", bound="MatchReport | Standings")


class GamesProgress(Progress, Generic[Report]):
    """Games of a match or tournament that are stored: how many were there before, faults as they happen."""

    store = Path()
    report: Report | None = None

    def __init__(
        self, what: str, text: Callable[[Report], str], table: Callable[[Report], Table] | None = None
    ) -> None:
        """`text` and `table` say how it stands."""
        super().__init__(what)
        self._text, self._table = text, table

    def begin(self, report: Report, store: Path, total: int) -> None:
        self.report, self.store = report, store
        if report.games:
            left = "" if report.games < total else "; --fresh plays them again"
            self.note(f"{report.games} of {total} games are in {store}{left}")
        self.kept = lambda: f" after {report.games} of {total} games; they are in {store}"
        self.result = lambda: (self._table or self._text)(report) if report.games else ""
        self.resume(report.games, total)

    def game(self, report: Report, played: "PlayedGame") -> None:
        if played.fault is not None:
            self.warn(f"game {played.number + 1}: {report.names[played.culprit or 0]}: {played.ending}")
        self.update(report.games, partial(self._text, report), above=self._table and partial(self._table, report))


def _made(text: Text) -> str:
    return text if isinstance(text, str) else text()


@contextmanager
def fraction_done(what: str) -> Iterator[Callable[[float], None]]:
    """A function to be called with the fraction that is done, 0 to 1."""
    with Progress(what, THOUSANDTHS) as progress:
        yield lambda fraction: progress.update(round(THOUSANDTHS * fraction), what)
