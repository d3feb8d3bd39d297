"""What all commands share: exit codes, data on stdout, everything else on stderr, errors with hints."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from okapi.errors import OkapiError

__all__ = ["BrainOption", "Exit", "Json", "emit", "out", "progress", "show_error", "talk"]

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print one JSON object for programs.")]
BrainOption = Annotated[str | None, Parameter(name="--brain", help="Name or path of a brain; `okapi brains list`.")]


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
def progress(what: str, total: int) -> Iterator[Progress]:
    """A bar on stderr with the time left; nothing where stderr is no terminal."""
    console = talk()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        bar.add_task(what, total=total)
        yield bar
