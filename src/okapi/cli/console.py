"""What all commands share: exit codes, data on stdout, everything else on stderr, errors with hints."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from okapi.errors import OkapiError

__all__ = ["EVERY_S", "BrainOption", "Exit", "Json", "Pulse", "emit", "out", "progress", "show_error", "talk", "watch"]

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print one JSON object for programs.")]
BrainOption = Annotated[str | None, Parameter(name="--brain", help="Name or path of a brain; `okapi brains list`.")]

EVERY_S = 30.0
"""Where nobody watches a terminal, a line so often."""

THOUSANDTHS = 1000
"""Of work whose parts nobody can count."""


class Exit(IntEnum):
    """Exit codes that scripts may rely on."""

    DONE = 0
    USAGE = 2
    INPUT = 3
    INTERRUPTED = 4


def out() -> Console:
    """For data. Plain text unless it is a terminal; NO_COLOR is respected."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


def talk() -> Console:
    """For everything that is not data."""
    return Console(file=sys.stderr, highlight=False, soft_wrap=True)


def emit(data: Any) -> None:
    """Print one JSON value on a line of its own."""
    print(json.dumps(data, ensure_ascii=False), flush=True)


def show_error(message: str, hint: str = "") -> None:
    """Print what is wrong and, if known, what to do about it."""
    console = talk()
    console.print("[bold red]error:[/] ", end="")
    console.print(message, markup=False)
    if hint:
        console.print("[bold cyan]hint:[/] ", end="")
        console.print(hint, markup=False)


def show_okapi_error(error: OkapiError) -> None:
    """The same, for an error of ours."""
    show_error(str(error), error.hint)


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
