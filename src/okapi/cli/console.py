"""What all commands share: exit codes, data on stdout, everything else on stderr, errors with hints."""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from okapi.errors import OkapiError

__all__ = ["BrainOption", "Exit", "Json", "emit", "interruptible", "out", "show_error", "show_okapi_error", "talk"]

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
def interruptible() -> Iterator[Callable[[], bool]]:
    """Was Ctrl-C pressed? The first one lets the work end and keep everything; the second one does not wait."""
    asked: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)
