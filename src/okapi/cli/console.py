"""What all commands share: exit codes, data and tables on stdout, everything else on stderr, errors with hints."""

import json
import signal
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from enum import IntEnum
from itertools import repeat
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from okapi.files import file_errors

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


def note(text: str, style: str = "") -> None:
    """Print a line for people that is not data: a hint, where something was written."""
    talk().print(text, markup=False, style=style)


def emit(data: Any) -> None:
    """Print one JSON value on a line of its own."""
    print(json.dumps(data, ensure_ascii=False), flush=True)


def say(*said: Table | Text | str) -> None:
    """Print lines and tables for people, one below the other."""
    for each in said:
        if isinstance(each, Table):
            print_table(each)
        else:
            out().print(each, markup=False)


def answer(data: Any, *said: Table | Text | str, json: bool) -> None:
    """Print what a command found: one JSON value for programs, or lines and tables for people."""
    if json:
        emit(data)
    else:
        say(*said)


def rounded(record: Any, digits: int) -> dict[str, Any]:
    """A dataclass as JSON, with so many digits."""
    told = asdict(record).items()
    return {key: round(value, digits) if isinstance(value, float) else value for key, value in told}


def write_text(file: Path, text: str) -> None:
    with file_errors(file, "written", hint="choose another file"):
        file.write_text(text, encoding="utf-8")


def show_error(message: str, hint: str = "", exit_code: Exit = Exit.INPUT, *, json: bool = False) -> Exit:
    """Print what is wrong and what to do about it, for programs also as an object on stdout: the exit code."""
    console, begin = talk(), "" if exit_code == Exit.INTERRUPTED else "[bold red]error:[/] "
    console.print(begin + escape(message))
    if hint:
        console.print(f"[bold cyan]hint:[/] {escape(hint)}")
    if json:
        emit({"error": message, "hint": hint, "exit": int(exit_code)})
    return exit_code


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Was Ctrl-C pressed? The first ends work that asks in peace; the second, or one nothing asks for, at once."""
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


TEXT_WIDTH = 12
"""A column of text is not made narrower than this, or than its longest cell."""


def make_table(*headings: str, text: Container[str] = (), title: str | None = None) -> Table:
    """A table with these columns: those named in `text` are to the left and wrap, the others are numbers."""
    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    for heading in headings:
        if heading in text:
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    return table


def table_of(
    columns: Mapping[str, str],
    rows: Iterable[Iterable[object]],
    *,
    styles: Iterable[str] = repeat(""),
    title: str | None = None,
) -> Table:
    """A table with the format of each column: "" for text that wraps, others are to the right; None is left empty.

    >>> print_table(table_of({"player": "", "elo": "+.0f", "games": ","}, [("one", 12.3, 20), ("[two]", None, 4000)]))
    player  elo  games
    one     +12     20
    [two]        4,000
    """
    table = make_table(*columns, text=[heading for heading, form in columns.items() if not form], title=title)
    for row, style in zip(rows, styles, strict=False):
        cells = zip(row, columns.values(), strict=True)
        table.add_row(*("" if cell is None else escape(format(cell, form)) for cell, form in cells), style=style)
    return table


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table on stdout or another console; one that is wider than the terminal is not cut, but continues."""
    console = console or out()
    width = console.width
    console.width = max(width, least_width(table))
    console.print(table, soft_wrap=False)
    console.width = width


def least_width(table: Table) -> int:
    """The width that the numbers of a table need, with a little text beside them."""
    widths = []
    for column in table.columns:
        widest = max(Text.from_markup(str(cell)).cell_len for cell in (column.header, *column.cells))
        widths.append(widest if column.no_wrap else min(widest, TEXT_WIDTH))
    return sum(widths) + 2 * max(len(widths) - 1, 0)
