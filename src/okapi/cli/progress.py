"""How long work is shown: a bar on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from okapi.cli.console import Exit, talk

__all__ = ["EVERY_S", "THOUSANDTHS", "Growing", "Pulse", "progress", "watch"]

EVERY_S = 30.0
"""Where nobody watches a terminal, a line so often."""

THOUSANDTHS = 1000
"""Of work whose parts nobody can count."""


@contextmanager
def progress(what: str, total: int | None, *, of_bytes: bool = False) -> Iterator[Progress]:
    """A bar on stderr with the time left; nothing where stderr is no terminal, for which there is Pulse."""
    console = talk()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn() if of_bytes else MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        bar.add_task(what, total=total)
        yield bar


class Pulse:
    """Where stderr is no terminal: a plain line now and then, with what is done, how it goes, and the time left."""

    def __init__(self) -> None:
        self._console = talk()
        self._begun = self._told = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._begun

    @property
    def due(self) -> bool:
        """Is it time for a line?"""
        return not self._console.is_terminal and time.monotonic() - self._told >= EVERY_S

    def tell(self, done: int, total: int, so_far: str, *, kept: int = 0) -> None:
        """Print the line; `kept` was done before this began."""
        left = self.seconds / (done - kept) * (total - done)
        self.say(f"{done}/{total} {so_far}, {left / 60:.0f} min left")

    def say(self, line: str) -> None:
        """Print a line of work whose end nobody knows."""
        self._told = time.monotonic()
        self._console.print(line, markup=False)


@contextmanager
def watch(what: str) -> Iterator[Callable[[float], None]]:
    """A function to be told how much is done, 0 to 1; shown as a bar, or as lines where nobody watches a terminal."""
    pulse = Pulse()
    with progress(what, THOUSANDTHS) as bar:

        def tell(part: float) -> None:
            done = round(THOUSANDTHS * part)
            bar.update(bar.task_ids[0], completed=done)
            if pulse.due and done > 0:
                pulse.tell(done, THOUSANDTHS, what)

        yield tell


class Growing:
    """Tells a person how it is going."""

    def __init__(self, games: int, to: Path) -> None:
        self.bar: Any = None
        self.begun = False
        self._games = games
        self._to = to
        self._pulse = Pulse()

    def show(self, games: int, kept: int, so_far: str) -> None:
        """So many games are there; the first time, also how many of them were there before."""
        if not self.begun and kept:
            talk().print(f"{kept:,} of {self._games:,} games are in {self._to}", markup=False)
        self.begun = True
        self.bar.update(self.bar.task_ids[0], completed=games, description=so_far)
        if self._pulse.due and games > kept:
            self._pulse.tell(games, self._games, so_far, kept=kept)

    def interrupted(self) -> int:
        """Ctrl-C; the exit code."""
        talk().print(f"interrupted; what is in {self._to} is safe, and the same command goes on", markup=False)
        return Exit.INTERRUPTED
