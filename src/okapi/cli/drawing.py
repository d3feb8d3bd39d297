"""Charts and boards in the terminal: bars, curves, heat maps, and SVG files."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

from rich.table import Table
from rich.text import Text

from okapi.cli.console import make_table, note, out, print_table, say, write_text
from okapi.core import Color, Position, Square
from okapi.errors import UsageError
from okapi.formats.svg import Bars, Chart, Picture, page
from okapi.terminal import BoardStyle, draw_board, figure, ink

WIDTH = 32
EIGHTHS = " ▏▎▍▌▋▊▉█"
HEIGHTS = "▁▂▃▄▅▆▇█"


def bar(share: float, width: int = WIDTH) -> str:
    """A bar of that share of the width. A share above 0 is always visible.

    >>> bar(0.5, 8), bar(0.2, 8), bar(0.0001, 8), bar(0, 8)
    ('████', '█▋', '▏', '')
    """
    eighths = round(8 * width * min(1.0, max(0.0, share))) or (1 if share > 0 else 0)
    return EIGHTHS[8] * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def sparkline(values: Sequence[float], width: int = WIDTH) -> str:
    """Numbers as bars beside each other, from the least to the largest; of more than fit, every so many."""
    if not values:
        return ""
    step = max(1, -(-len(values) // width))
    shown = [*values[:-1:step], values[-1]]
    low, high = min(shown), max(shown)
    return "".join(HEIGHTS[round(7 * (value - low) / ((high - low) or 1))] for value in shown)


def histogram(title: str, counts: Mapping[str, float], notes: Iterable[str] = ()) -> Text:
    """A line with a bar for each count; the longest belongs to the largest."""
    wide = max(map(len, counts), default=0)
    broad = max((len(f"{count:,}") for count in counts.values()), default=0)
    highest = max([*counts.values(), 1])
    text = Text(title, style="bold")
    for (name, count), remark in zip(counts.items(), chain(notes, repeat("")), strict=False):
        text.append(f"\n{name:>{wide}}  {count:>{broad},}  ", style="not bold")
        text.append(f"{bar(count / highest):<{WIDTH}}" if remark else bar(count / highest), style="not bold cyan")
        text.append(f"  {remark}" if remark else "", style="not bold dim")
    return text


MARKS = "•○+x"
"""One for each curve, so that they can be told apart without colours."""

Curve = Sequence[tuple[float, float]]


def plot(curves: Mapping[str, Curve], *, width: int = 60, height: int = 10) -> str:
    """Curves of points (x, y), their marks and last values below; nothing where there are no points.

    >>> print(plot({"loss": [(1, 4.0), (2, 2.0), (3, 1.0)]}, width=9, height=4))
          4 ┤•
            │
            │    •
          1 ┤        •
            └─────────
             1       3
             • loss 1
    """
    points = [point for curve in curves.values() for point in curve if math.isfinite(point[1])]
    if not points:
        return ""
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    canvas = [[" "] * width for _ in range(height)]
    for mark, curve in zip(MARKS, curves.values(), strict=False):
        for x, y in curve:
            if math.isfinite(y):
                canvas[height - 1 - _place(y, low, high, height)][_place(x, left, right, width)] = mark
    edges = {0: f"{high:.4g}", height - 1: f"{low:.4g}"}
    axis = {row: f"{edges.get(row, ''):>7} {'┤' if row in edges else '│'}" for row in range(height)}
    lines = [axis[row] + "".join(line) for row, line in enumerate(canvas)]
    named = zip(MARKS, curves.items(), strict=False)
    legend = "   ".join(f"{mark} {name} {curve[-1][1]:.4g}" for mark, (name, curve) in named if curve)
    ends = f"{left:g}".ljust(width - len(f"{right:g}")) + f"{right:g}"
    return "\n".join(line.rstrip() for line in [*lines, f"{'':8}└{'─' * width}", f"{'':9}{ends}", f"{'':9}{legend}"])


def _place(value: float, low: float, high: float, room: int) -> int:
    return 0 if high <= low else round((value - low) / (high - low) * (room - 1))


def board_style() -> BoardStyle:
    return replace(BoardStyle.of(out()), large=False)


def print_board(position: Position, words: str, *, flipped: bool = False) -> None:
    """A board with words beside it and its FEN below."""
    side_by_side = Table.grid(padding=(0, 3))
    side_by_side.add_row(draw_board(position, board_style(), flipped=flipped), words)
    out().print(side_by_side, soft_wrap=False)
    say(Text(position.fen() + "\n", "dim"))


Colour = tuple[int, int, int]
COLD, HOT = (0x5A, 0x50, 0x46), (0xD0, 0x4A, 0x1E)
LEAST_SHARE = 0.005
"""Smaller shares get no number."""


def draw_heat(position: Position, shares: Sequence[float]) -> Text:
    """The board as the mover sees it; `shares` from a1 to h8. The likeliest square has the full colour."""
    hottest = max(*shares, 1e-9)

    def cell(square: Square) -> tuple[str, str]:
        share = shares[square.index]
        number = f"{100 * share:.0f}" if share >= LEAST_SHARE else ""
        return f" {position.at(square) or ' '}{number:<2}"[:4], f"bold #ffffff on {_mixed(COLD, HOT, share / hottest)}"

    return _draw_squares(Text(no_wrap=True), cell, " {}  ", flipped=position.turn is Color.BLACK)


def _draw_squares(text: Text, cell: Callable[[Square], tuple[str, str]], foot: str, *, flipped: bool = False) -> Text:
    """Add a board of cells, each with its style, and the names of ranks and files."""
    files = range(7, -1, -1) if flipped else range(8)
    for rank in range(8) if flipped else range(7, -1, -1):
        text.append(f"{rank + 1} ", style="not bold dim")
        for file in files:
            text.append(*cell(Square.at(8 * rank + file)))
        text.append("\n")
    return text.append("  " + "".join(foot.format("abcdefgh"[file]) for file in files), style="not bold dim")


def _mixed(one: Colour, other: Colour, part: float) -> str:
    mixed = (round(low + (high - low) * part) for low, high in zip(one, other, strict=True))
    return "#" + "".join(f"{shade:02x}" for shade in mixed)


LESS, PLAIN, MORE = (0x4A, 0x7C, 0xD2), (0x85, 0x71, 0x59), (0xD8, 0x5A, 0x32)
"""Colours of squares: neither too dark for black figures nor too bright for white ones."""


def draw_numbers(position: Position, texts: Mapping[Square, str], warmth: Mapping[Square, float]) -> Text:
    """The board as White sees it, with a few characters beside pieces; warmth is -1 for less to 1 for more."""
    look = board_style()

    def cell(square: Square) -> tuple[str, str]:
        piece = position.at(square)
        man = " " if piece is None else figure(piece, look)
        style = f"bold {ink(piece)} on {_colour(warmth.get(square, 0.0))}" if look.color else ""
        return f" {man} {texts.get(square, ''):<5}"[:8], style

    return _draw_squares(Text(no_wrap=True), cell, " {}      ")


def draw_map(title: str, values: Sequence[float], most: float) -> Text:
    """A number for each square from a1 to h8, in ninths of the largest; none where the value is NaN."""
    look = board_style()

    def cell(square: Square) -> tuple[str, str]:
        value = values[square.index]
        if math.isnan(value):
            return "   ", "not bold"
        part = max(-1.0, min(1.0, value / most)) if most > 0 else 0.0
        number = round(9 * part)
        style = f"not bold #ffffff on {_colour(part)}" if look.color else "not bold"
        return f" {number:+d}" if number else "  ·", style

    return _draw_squares(Text(f"{title}\n", style="bold", no_wrap=True), cell, "  {}")


def _colour(warmth: float) -> str:
    return _mixed(PLAIN, MORE if warmth > 0 else LESS, min(1.0, abs(warmth)))


def check_picture(file: Path | None) -> None:
    """Refuse a kind of picture that is not written here, before any work is done."""
    if file is not None and file.suffix.lower() != ".svg":
        raise UsageError(f"pictures are SVG files, not `{file.name}`", hint=f"--picture {file.with_suffix('.svg')}")


def write_picture(file: Path, title: str, pictures: Iterable[Picture]) -> None:
    write_text(file, page(title, pictures))
    note(f"the picture is in {file}", "dim")


def print_chart(chart: Chart) -> None:
    """A chart for the terminal. Of curves, the points that are dots."""
    if isinstance(chart, Bars):
        out().print(histogram(chart.title, dict(zip(chart.labels, chart.counts, strict=True))))
        return
    dots = [line for line in chart.lines if line.dots]
    table = make_table(chart.x, *(line.name for line in dots), title=chart.title)
    for column in table.columns[1:]:
        column.justify = "left"
    points = [dict(line.points) for line in dots]
    for x in sorted({x for line in points for x in line}):
        table.add_row(f"{x:g}", *(f"{line[x]:.2f} [cyan]{bar(line[x], 16)}[/]" if x in line else "" for line in points))
    print_table(table)
