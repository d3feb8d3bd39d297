"""Charts that a command shows: on the terminal as bars, and in a file as SVG."""

from collections.abc import Iterable
from pathlib import Path

from rich.table import Table
from rich.text import Text

from okapi.cli.bars import bar, histogram
from okapi.cli.console import talk
from okapi.errors import NotFound, UsageError
from okapi.formats.svg import Bars, Chart, Lines, Picture, page

__all__ = ["as_table", "check_picture", "write_picture"]


def check_picture(file: Path | None) -> None:
    """Refuse a kind of picture that is not written here, before any work is done."""
    if file is not None and file.suffix.lower() != ".svg":
        raise UsageError(f"pictures are SVG files, not `{file.name}`", hint=f"--picture {file.with_suffix('.svg')}")


def write_picture(file: Path, title: str, pictures: Iterable[Picture]) -> None:
    """All pictures in one file."""
    try:
        file.write_text(page(title, pictures), encoding="utf-8")
    except OSError as error:
        raise NotFound(f"`{file}` cannot be written: {error.strerror}") from None
    talk().print(f"the picture is in {file}", markup=False, style="dim")


def as_table(chart: Chart) -> Table | Text:
    """A chart for the terminal. Of curves, the points that are dots."""
    if isinstance(chart, Bars):
        return histogram(chart.title, dict(zip(chart.labels, chart.counts, strict=True)))
    return _curves(chart)


def _curves(chart: Lines) -> Table:
    table = Table(title=chart.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column(chart.x, justify="right")
    dots = [line for line in chart.lines if line.dots]
    for line in dots:
        table.add_column(line.name, justify="left", no_wrap=True)
    points = [dict(line.points) for line in dots]
    for x in sorted({x for line in points for x in line}):
        table.add_row(f"{x:g}", *(f"{line[x]:.2f} [cyan]{bar(line[x], 16)}[/]" if x in line else "" for line in points))
    return table
