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


def show_error(message: str, hint: str = "", exit_code: Exit = Exit.INPUT, *, json: bool = False) -> Exit:
    """Print what is wrong and what to do about it, for programs also as an object on stdout: the exit code."""
    console = talk()
    if exit_code != Exit.INTERRUPTED:
        console.print("[bold red]error:[/] ", end="")
    console.print(message, markup=False)
    if hint:
        console.print("[bold cyan]hint:[/] ", end="")
        console.print(hint, markup=False)
    if json:
        emit({"error": message, "hint": hint, "exit": int(exit_code)})
    return exit_code


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Was Ctrl-C pressed? The first one lets work that asks end and keep everything; the second one does not wait.

    Work that never asks is interrupted by the first.
    """
    pressed = polled = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed or not polled:
            raise KeyboardInterrupt
        pressed = True

    def poll() -> bool:
        nonlocal polled
        polled = True
        return pressed

    before = signal.signal(signal.SIGINT, press)
    try:
        yield poll
    finally:
        signal.signal(signal.SIGINT, before)
