"""Charts as SVG text: bars and lines, several on a page. Needs nothing, and every browser shows it.

>>> page("Lengths", [Bars("plies", ("1-20", "21-40"), (3, 5))])[:4]
'<svg'
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Bars", "Chart", "Line", "Lines", "page"]

WIDTH, HEIGHT = 460, 260
"""Of one chart, in pixels."""

LEFT, RIGHT, TOP, BOTTOM = 58, 14, 34, 44
"""What a chart keeps free around its plot."""

COLUMNS = 2
MOST_LABELS = 12
COLOURS = ("#2f6f9f", "#c0562f", "#4c8c4a", "#7a5195")
STYLE = "text{font:12px sans-serif;fill:#333}.h{font-weight:bold}.a{stroke:#999}.g{stroke:#e5e5e5}"


@dataclass(frozen=True, slots=True)
class Bars:
    """How many there are of each."""

    title: str
    labels: Sequence[str]
    counts: Sequence[float]
    of: str = ""
    """What the labels mean, under the bars."""


@dataclass(frozen=True, slots=True)
class Line:
    """Points in the order of x. Joined, or dots where each stands for itself."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """Curves over the same axes."""

    title: str
    lines: Sequence[Line]
    x: str = ""
    y: str = ""


Chart = Bars | Lines


def page(title: str, charts: Iterable[Chart]) -> str:
    """All charts under one title, two in a row."""
    drawn = [_bars(chart) if isinstance(chart, Bars) else _lines(chart) for chart in charts]
    rows = -(-len(drawn) // COLUMNS)
    width, height = WIDTH * min(COLUMNS, max(1, len(drawn))), 40 + HEIGHT * rows
    placed = (
        f'<g transform="translate({WIDTH * (index % COLUMNS)},{40 + HEIGHT * (index // COLUMNS)})">{chart}</g>'
        for index, chart in enumerate(drawn)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<style>{STYLE}</style><rect width="100%" height="100%" fill="white"/>'
        f"{_text(12, 26, title, 'start', 'h')}{''.join(placed)}</svg>\n"
    )


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about so many.

    >>> ticks(0, 930)
    [0, 200, 400, 600, 800]
    """
    if not high > low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / about))
    step *= min((1, 2, 5, 10), key=lambda factor: abs((high - low) / (step * factor) - about))
    first = math.ceil(low / step - 1e-9)
    return [round(step * n, 10) for n in range(first, math.floor(high / step + 1e-9) + 1)]


@dataclass(frozen=True, slots=True)
class _Plot:
    """The inside of a chart: numbers to pixels."""

    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - self.left) / (self.right - self.left or 1)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.low) / (self.high - self.low or 1)

    def frame(self, title: str, below: str, beside: str = "") -> str:
        """The title, the horizontal lines with their numbers, and what the axes mean."""
        parts = [_text(LEFT, 20, title, "start", "h"), _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, below)]
        if beside:
            parts.append(_text(WIDTH - RIGHT, 20, beside, "end"))
        for tick in ticks(self.low, self.high):
            y = self.y(tick)
            parts.append(_line(LEFT, y, WIDTH - RIGHT, y, "g"))
            parts.append(_text(LEFT - 6, y + 4, _short(tick), "end"))
        parts.append(_line(LEFT, self.y(self.low), WIDTH - RIGHT, self.y(self.low), "a"))
        return "".join(parts)


def _bars(chart: Bars) -> str:
    plot = _Plot(0, max(1, len(chart.counts)), 0, max([*chart.counts, 1]))
    every = -(-len(chart.labels) // MOST_LABELS)
    parts = [plot.frame(chart.title, chart.of)]
    for index, (label, count) in enumerate(zip(chart.labels, chart.counts, strict=True)):
        left, right, top = plot.x(index + 0.1), plot.x(index + 0.9), plot.y(count)
        parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{plot.y(0) - top:.1f}" '
            f'fill="{COLOURS[0]}"><title>{escape(label)}: {count:,}</title></rect>'
        )
        if index % every == 0:
            parts.append(_text((left + right) / 2, plot.y(0) + 16, label))
    return "".join(parts)


def _lines(chart: Lines) -> str:
    points = [point for line in chart.lines for point in line.points] or [(0.0, 0.0)]
    xs, ys = zip(*points, strict=True)
    plot = _Plot(min(xs), max(xs), min(ys), max(ys))
    parts = [plot.frame(chart.title, chart.x, chart.y)]
    parts += [_text(plot.x(tick), HEIGHT - BOTTOM + 16, _short(tick)) for tick in ticks(plot.left, plot.right)]
    for index, line in enumerate(chart.lines):
        colour = COLOURS[index % len(COLOURS)]
        places = [(plot.x(x), plot.y(y)) for x, y in line.points]
        if line.dots:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<rect x="{LEFT + 8}" y="{TOP + 4 + 16 * index}" width="10" height="10" fill="{colour}"/>')
        parts.append(_text(LEFT + 24, TOP + 13 + 16 * index, line.name, "start"))
    return "".join(parts)


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _short(number: float) -> str:
    """A number for an axis.

    >>> _short(1_500_000), _short(20_000), _short(0.25)
    ('1.5M', '20k', '0.25')
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if abs(number) >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"
