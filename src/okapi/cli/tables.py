"""Tables in the terminal. Their text wraps where it is narrow; their numbers are never cut off."""

from collections.abc import Container

from rich.console import Console
from rich.table import Table
from rich.text import Text

from okapi.cli.console import out

TEXT_WIDTH = 12
"""A column of text is not made narrower than this, or than its longest cell."""

GAP = 2


def make_table(*headings: str, text: Container[str] = (), title: str | None = None) -> Table:
    """A table with these columns: those named in `text` are to the left and wrap, the others are numbers."""
    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    for heading in headings:
        if heading in text:
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    return table


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table on stdout or another console; one that is wider than the terminal is not cut, but continues."""
    console = console or out()
    width = console.width
    console.width = max(width, least_width(table))
    console.print(table, soft_wrap=False)
    console.width = width


def least_width(table: Table) -> int:
    """The width that the numbers of a table need, with a little text beside them.

    >>> table = make_table("player", "elo", text=["player"])
    >>> table.add_row("somebody with a long name", "1,234")
    >>> least_width(table)
    19
    """
    widths = []
    for column in table.columns:
        widest = max(Text.from_markup(str(cell)).cell_len for cell in (column.header, *column.cells))
        widths.append(widest if column.no_wrap else min(widest, TEXT_WIDTH))
    return sum(widths) + GAP * max(len(widths) - 1, 0)
