"""How each chart is drawn."""

from html import escape

from okapi.formats.svg.charts import Bars, Cloud, Grid, Intervals, Lines, Picture, Scatter, Stacks
from okapi.formats.svg.plot import COLOURS, LETTER, Plot, legend, line, short, text
from okapi.formats.svg.scatter import scatter

__all__ = ["draw"]

MOST_LABELS = 12
ROW = 24
"""The height of an interval's row."""
CELL = 34
"""The size of a grid's cell."""
BLUE, PALE, RED = (47, 91, 183), (205, 205, 205), (190, 32, 38)
"""Of a cloud's points: the least value, the middle, the largest."""
PATHS = ("#e6b800", "#00a5b5", "#8d62b5")
"""Of a cloud's paths."""
WARM = "#cf6238"
"""The colour of a grid."""
DEEP = 0.85
"""Cells beyond this part of the deepest colour have white numbers, also in the light."""


def draw(picture: Picture, width: int, height: int) -> tuple[str, int]:
    """The inside of an SVG, and how high it is."""
    match picture:
        case Bars():
            return _bars(picture, width, height), height
        case Lines():
            return _lines(picture, width, height), height
        case Stacks():
            return _stacks(picture, width, height), height
        case Intervals():
            return _intervals(picture, width)
        case Grid():
            return _grid(picture)
        case Cloud():
            return _cloud(picture, width, height), height
        case Scatter():
            return scatter(picture, width, height), height


def _bars(chart: Bars, width: int, height: int) -> str:
    stacks = Stacks(chart.title, chart.labels, {"": chart.counts}, chart.of)
    return _stacks(stacks, width, height)


def _stacks(chart: Stacks, width: int, height: int) -> str:
    heights = [sum(parts) for parts in zip(*chart.parts.values(), strict=True)]
    colours = chart.colours or COLOURS
    named, room = legend(list(chart.parts), 58, width - 14, 40, colours)
    plot = Plot(width=width, height=height, across=(0, max(1, len(heights))), up=(0, max([*heights, 1])), top=34 + room)
    every = -(-len(chart.labels) // MOST_LABELS) or 1
    drawn = [plot.frame(chart.title, chart.of), named, plot.levels()]
    for index, label in enumerate(chart.labels):
        left, right, floor = plot.x(index + 0.1), plot.x(index + 0.9), 0.0
        for number, (name, counts) in enumerate(chart.parts.items()):
            top, bottom = plot.y(floor + counts[index]), plot.y(floor)
            about = f"{label}: {counts[index]:,} {name}".rstrip()
            drawn.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" '
                f'fill="{colours[number % len(colours)]}"><title>{escape(about)}</title></rect>'
            )
            floor += counts[index]
        if index % every == 0:
            drawn.append(text((left + right) / 2, plot.y(0) + 16, label))
    return "".join(drawn)


def _lines(chart: Lines, width: int, height: int) -> str:
    points = [point for curve in chart.lines for point in curve.points] or [(0.0, 0.0)]
    xs, ys = zip(*points, strict=True)
    named, room = legend([curve.name for curve in chart.lines], 58, width - 14, 40)
    plot = Plot(
        width=width, height=height, across=(min(xs), max(xs)), up=chart.within or (min(ys), max(ys)), top=34 + room
    )
    drawn = [plot.frame(chart.title, chart.x, chart.y), named, plot.levels(), plot.steps()]
    for number, curve in enumerate(chart.lines):
        colour = COLOURS[number % len(COLOURS)]
        places = [(plot.x(x), plot.y(y)) for x, y in curve.points]
        if curve.dots:
            drawn += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return "".join(drawn)


def _intervals(chart: Intervals, width: int) -> tuple[str, int]:
    groups = list(dict.fromkeys(row.group for row in chart.rows))
    left = 20 + LETTER * max((len(row.name) for row in chart.rows), default=0)
    named, room = legend(groups, left, width - 20, 40)
    height = int(34 + room + ROW * len(chart.rows) + 44)
    ends = [end for row in chart.rows for end in (row.low, row.high)] or [0.0]
    across = min(ends), max(ends)
    plot = Plot(width=width, height=height, across=across, up=(len(chart.rows), 0), left=left, right=20, top=34 + room)
    drawn = [plot.frame(chart.title, chart.x), named, plot.steps(lines=True)]
    for index, row in enumerate(chart.rows):
        colour, y = COLOURS[groups.index(row.group) % len(COLOURS)], plot.y(index + 0.5)
        style = f'stroke="{colour}" stroke-width="2"'
        drawn.append(f"<g><title>{escape(row.name)}: {row.value:,.0f} ({row.low:,.0f} … {row.high:,.0f})</title>")
        drawn += [text(left - 8, y + 4, row.name, "end"), line(plot.x(row.low), y, plot.x(row.high), y, style)]
        drawn += [line(plot.x(end), y - 4, plot.x(end), y + 4, style) for end in (row.low, row.high)]
        drawn.append(f'<circle cx="{plot.x(row.value):.1f}" cy="{y:.1f}" r="4" fill="{colour}"/></g>')
    return "".join(drawn), height


def _grid(chart: Grid) -> tuple[str, int]:
    most = chart.most or max((abs(cell) for cells in chart.cells for cell in cells), default=0) or 1
    left, top = 12 + LETTER * max((len(row) for row in chart.rows), default=0), 34
    drawn = [text(left, 20, chart.title, "start", bold=True)]
    for row, (name, cells) in enumerate(zip(chart.rows, chart.cells, strict=True)):
        y = top + CELL * row
        drawn.append(text(left - 6, y + CELL / 2 + 4, name, "end"))
        for column, cell in enumerate(cells):
            x, deep = left + CELL * column, min(1.0, abs(cell) / most)
            drawn.append(
                f'<rect x="{x:.1f}" y="{y}" width="{CELL}" height="{CELL}" fill="{WARM}" fill-opacity="{deep:.3f}" '
                'stroke="currentColor" stroke-opacity="0.15"/>'
            )
            drawn.append(
                text(x + CELL / 2, y + CELL / 2 + 4, short(round(cell, 1)), fill="#fff" if deep > DEEP else "")
            )
    bottom = top + CELL * len(chart.cells)
    drawn += [text(left + CELL * (n + 0.5), bottom + 16, name) for n, name in enumerate(chart.columns)]
    return "".join(drawn), bottom + 26


def _cloud(chart: Cloud, width: int, height: int) -> str:
    everywhere = [*chart.points, *(place for path in chart.paths.values() for place in path)] or [(0.0, 0.0)]
    xs, ys = zip(*everywhere, strict=True)
    named, room = legend(list(chart.paths), 14, width - 14, 40, PATHS)
    plot = Plot(
        width=width,
        height=height,
        across=(min(xs), max(xs)),
        up=(min(ys), max(ys)),
        left=14,
        top=44 + room,
        bottom=14,
    )
    drawn = [plot.frame(chart.title), named]
    for (x, y), value in zip(chart.points, chart.values, strict=True):
        drawn.append(f'<circle cx="{plot.x(x):.1f}" cy="{plot.y(y):.1f}" r="2" fill="{_between(value)}"/>')
    for number, path in enumerate(chart.paths.values()):
        places = [(plot.x(x), plot.y(y)) for x, y in path]
        along = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        for colour, thick in (("#000", 4), (PATHS[number % len(PATHS)], 2.4)):
            drawn.append(f'<polyline points="{along}" fill="none" stroke="{colour}" stroke-width="{thick}"/>')
        for (x, y), size in zip(places[:1] + places[-1:], (3, 6), strict=False):
            style = f'fill="{PATHS[number % len(PATHS)]}" stroke="#000"'
            drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" {style}/>')
    return "".join(drawn)


def _between(value: float) -> str:
    """A colour from blue over grey to red."""
    part = 2 * min(max(value, 0.0), 1.0)
    low, high = (BLUE, PALE) if part <= 1 else (PALE, RED)
    mixed = (round(a + (b - a) * (part if part <= 1 else part - 1)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)
