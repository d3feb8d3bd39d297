"""Charts as SVG text: bars, lines, stacks, intervals, heat maps, clouds, scatters. Every browser shows them.

>>> page("Lengths", [Bars("plies", ("1-20", "21-40"), (3, 5))])[:4]
'<svg'
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from itertools import count, cycle
from typing import Final, Self

# --- Charts as data ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bars:
    title: str
    labels: Sequence[str]
    counts: Sequence[float]
    of: str = ""  # what the labels mean, under the bars

    @classmethod
    def named(cls, title: str, counts: Mapping[str, float], of: str = "") -> Self:
        return cls(title, tuple(counts), tuple(counts.values()), of)


@dataclass(frozen=True, slots=True)
class Curve:
    """Points in the order of x. Joined, or dots where each stands for itself."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    title: str
    lines: Sequence[Curve]
    x: str = ""
    y: str = ""
    within: tuple[float, float] | None = None  # least and largest number upwards; as the points need if not given


@dataclass(frozen=True, slots=True)
class Stacks:
    """Bars that consist of parts, the first at the bottom."""

    title: str
    labels: Sequence[str]
    parts: Mapping[str, Sequence[float]]  # of each part, its name and how much of it is in each bar
    of: str = ""  # what the labels mean, under the bars
    colours: Sequence[str] = ()  # of the parts; the usual ones if not given


@dataclass(frozen=True, slots=True)
class Interval:
    """A number, and how far off it may be."""

    name: str
    value: float
    low: float
    high: float
    group: str = ""  # those of one group have one colour


@dataclass(frozen=True, slots=True)
class Intervals:
    title: str
    rows: Sequence[Interval]
    x: str = ""
    mark: float | None = None  # a vertical line, to compare all rows with


@dataclass(frozen=True, slots=True)
class Grid:
    """A heat map: the larger a number, the deeper the colour of its cell."""

    title: str
    cells: Sequence[Sequence[float]]
    rows: Sequence[str]
    columns: Sequence[str]
    most: float | None = None  # the number with the deepest colour; the largest of all if not given


@dataclass(frozen=True, slots=True)
class Cloud:
    """Points of a map whose axes mean nothing, and paths over it."""

    title: str
    points: Sequence[tuple[float, float]]
    values: Sequence[float]  # of each point, from 0, which is blue, to 1, which is red
    paths: Mapping[str, Sequence[tuple[float, float]]]  # by name, from their first place to their last


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A number with its interval, somewhere from left to right."""

    name: str
    x: float  # more than 0, unless the chart is given a place for nothing
    value: float
    low: float
    high: float
    link: str = ""  # where a click on it leads


@dataclass(frozen=True, slots=True)
class Scatter:
    """Numbers with their intervals over powers of ten of another number, or over days. Each has its name beside it."""

    title: str
    places: Sequence[ScatterPoint]  # those of one name are joined, in the order of x, and named once
    x: str = ""
    y: str = ""
    front: Sequence[str] = ()  # the names of those that stand out; the others are pale
    right: float = 30  # room for names, in pixels: where all end at the same x they stand beside the plot
    days: bool = False  # x is a day, as date.toordinal() has it


Chart = Bars | Lines
Picture = Chart | Stacks | Intervals | Grid | Cloud | Scatter

# --- Drawing ----------------------------------------------------------------------------------------------------------

COLOURS = ("#3b7fb0", "#cf6238", "#55994f", "#8d62b5", "#b8921f", "#c94f82", "#34999b", "#858585")
"""Of lines and parts, in their order. They are readable on white and on black."""

LETTER, LEGEND = 6.6, 18  # about how wide a letter is, and how high a line of a legend, in pixels
FAINT = 'stroke="currentColor" stroke-opacity="0.15"'
PLAIN = 'stroke="currentColor" stroke-opacity="0.6"'


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about so many."""
    if not high > low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / about))
    step *= min((1, 2, 5, 10), key=lambda factor: abs((high - low) / (step * factor) - about))
    first = math.ceil(low / step - 1e-9)
    return [round(step * n, 10) for n in range(first, math.floor(high / step + 1e-9) + 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    width: float
    height: float
    across: tuple[float, float]  # the least and the largest number from left to right
    up: tuple[float, float]  # the same from bottom to top
    left: float = 58
    right: float = 14
    top: float = 34
    bottom: float = 44

    def places(self, points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(self.x(x), self.y(y)) for x, y in points]

    def x(self, value: float) -> float:
        low, high = self.across
        return self.left + (self.width - self.left - self.right) * (value - low) / (high - low or 1)

    def y(self, value: float) -> float:
        low, high = self.up
        return self.height - self.bottom - (self.height - self.top - self.bottom) * (value - low) / (high - low or 1)

    def frame(self, title: str, below: str = "", beside: str = "") -> str:
        right = self.width - self.right
        titles = text(self.left, 20, title, "start", bold=True), text((self.left + right) / 2, self.height - 8, below)
        return "".join(titles) + text(right, 20, beside, "end")

    def levels(self) -> str:
        left, right, drawn = self.left, self.width - self.right, ""
        for tick in ticks(*self.up):
            y = self.y(tick)
            drawn += line(left, y, right, y, FAINT) + text(left - 6, y + 4, short(tick), "end")
        return drawn + line(left, self.y(self.up[0]), right, self.y(self.up[0]), PLAIN)

    def step(self, x: float, words: str, *, ruled: bool = True) -> str:
        """Words below a place, and a vertical line if wanted."""
        floor = self.height - self.bottom
        return text(x, floor + 16, words) + (line(x, self.top, x, floor, FAINT) if ruled else "")

    def steps(self, *, ruled: bool = False) -> str:
        """The numbers from left to right."""
        return "".join(self.step(self.x(tick), short(tick), ruled=ruled) for tick in ticks(*self.across))


def span(numbers: Iterable[float]) -> tuple[float, float]:
    """The least and the largest of some numbers; of none, 0."""
    found = list(numbers) or [0.0]
    return min(found), max(found)


def legend(
    names: Sequence[str], left: float, right: float, top: float, colours: Sequence[str] = COLOURS
) -> tuple[str, float]:
    """Names with their colours, in as many lines as they need, and how high that is; nothing for one without a name."""
    if not any(names):
        return "", 0
    parts, x, y = [], left, top
    for name, colour in zip(names, cycle(colours), strict=False):
        wide = 30 + LETTER * len(name)
        if x > left and x + wide > right:
            x, y = left, y + LEGEND
        parts.append(f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(x + 15, y, name, "start"))
        x += wide
    return "".join(parts), y - top + LEGEND


def text(x: float, y: float, words: str, anchor: str = "middle", *, bold: bool = False, fill: str = "") -> str:
    if not words:
        return ""
    style = (' font-weight="bold"' if bold else "") + (f' fill="{fill}"' if fill else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width}"'


def polyline(places: Iterable[tuple[float, float]], style: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline points="{points}" fill="none" {style}/>'


def dot(x: float, y: float, radius: float, colour: str, style: str = "") -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"{style}/>'


def short(number: float) -> str:
    """A number for an axis.

    >>> short(1_500_000), short(20_000), short(2178), short(0.25)
    ('1.5M', '20k', '2178', '0.25')
    """
    large = abs(number)
    return f"{number / 1e6:g}M" if large >= 1e6 else f"{number / 1e3:g}k" if large >= 1e4 else f"{number:g}"


# --- Scatters ---------------------------------------------------------------------------------------------------------

NONE_LEFT = 1.0  # powers of ten between the smallest number and the place of those that are 0
MOST_DATES = 6
PALE, READABLE = 0.45, 0.75  # the opacity of points that are not highlighted, and of their names

DASHES = ("", ' stroke-dasharray="7 3"', ' stroke-dasharray="2 3"', ' stroke-dasharray="9 3 2 3"')
"""Of lines that have the colour of another."""

LINE, HIGHEST = 12, 40  # names nearer than this would overlap; they stand below the title
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scatter(chart: Scatter, width: int, height: int) -> str:
    scaled = [_scaled(chart, place.x) for place in chart.places if place.x > 0] or [0.0]
    least, most = math.floor(min(scaled)), math.ceil(max(scaled))
    nothing = any(place.x <= 0 for place in chart.places)
    alone = chart.days and least == most  # a single day stands in the middle
    across = (least - NONE_LEFT if nothing or alone else least, max(most, least + 1))
    up = span(end for place in chart.places for end in (place.low, place.high))
    plot = Plot(width=width, height=height, across=across, up=up, right=chart.right)
    steps = _days(plot, least, most) if chart.days else _powers(plot, least, int(across[1]), nothing)
    drawn = [plot.frame(chart.title, chart.x, chart.y), plot.levels(), steps]
    ends: dict[float, list[tuple[float, str, str]]] = {}
    names = dict.fromkeys(place.name for place in chart.places)
    styles = zip(names, cycle(COLOURS), [dashes for dashes in DASHES for _ in COLOURS] * len(names), strict=False)
    for name, colour, dashes in styles:
        places = sorted((place for place in chart.places if place.name == name), key=lambda place: place.x)
        at = plot.places((_scaled(chart, place.x) if place.x > 0 else across[0], place.value) for place in places)
        drawn.append(_pale(chart, name, "".join(_marks(chart, plot, places, at, colour, dashes)), PALE))
        x, y = at[-1]
        ends.setdefault(round(x), []).append((y, name, colour))
    taken: list[tuple[float, float, float]] = []
    for x, there in sorted(ends.items(), key=lambda end: -len(end[1])):
        downs = _spread([y + 4 for y, *_ in sorted(there)], height - plot.bottom)
        for (y, name, colour), down in zip(sorted(there), downs, strict=True):
            drawn.append(_pale(chart, name, _named(name, colour, x, y, down, width, taken), READABLE))
    return "".join(drawn)


def _scaled(chart: Scatter, x: float) -> float:
    return x if chart.days else math.log10(x)


def _days(plot: Plot, least: int, most: int) -> str:
    """Dates from left to right; of many, every so many."""
    days = range(least, most + 1, -(-(most - least) // MOST_DATES) or 1) if least > 0 else ()
    return "".join(plot.step(plot.x(day), date.fromordinal(day).isoformat()) for day in days)


def _powers(plot: Plot, least: int, most: int, nothing: bool) -> str:
    """Powers of ten from left to right, and a place for nothing."""
    zero = plot.step(plot.x(plot.across[0]), "0", ruled=False) if nothing else ""
    powers = range(least, most + 1, -(-(most - least) // 8) or 1)
    return zero + "".join(plot.step(plot.x(power), f"10{str(power).translate(SUPERSCRIPT)}") for power in powers)


def _pale(chart: Scatter, name: str, drawn: str, opacity: float) -> str:
    return f'<g opacity="{opacity}">{drawn}</g>' if chart.front and name not in chart.front else drawn


def _marks(
    chart: Scatter, plot: Plot, places: list[ScatterPoint], at: list[tuple[float, float]], colour: str, dashes: str
) -> list[str]:
    """The dots with their intervals, and the line that joins them."""
    drawn = []
    for place, (x, y) in zip(places, at, strict=True):
        where = date.fromordinal(round(place.x)).isoformat() if chart.days else f"{place.x:.3g}"
        about = f"{place.name}: {place.value:,.0f} ({place.low:,.0f} … {place.high:,.0f}) at {where}"
        named = escape(f"The card of {place.name}")
        drawn.append(f'<a href="{escape(place.link)}" aria-label="{named}">' if place.link else "")
        drawn.append(f"<g><title>{escape(about)}</title>")
        drawn.append(line(x, plot.y(place.low), x, plot.y(place.high), stroke(colour, 1.5)))
        drawn.append(f"{dot(x, y, 4, colour)}</g>{'</a>' if place.link else ''}")
    return [*drawn, polyline(at, f"{stroke(colour, 1.5)}{dashes}")] if len(at) > 1 else drawn


def _spread(downs: Sequence[float], floor: float) -> list[float]:
    """Places for names that all stand in one column, from top to bottom: as near to their own as there is room.

    >>> _spread([100, 100, 101, 300], 400)
    [100, 112, 124, 300]
    """
    found: list[float] = []
    for down in downs:
        found.append(max(down, found[-1] + LINE if found else HIGHEST))
    for place in reversed(range(len(found))):
        found[place] = min(found[place], found[place + 1] - LINE if place + 1 < len(found) else floor)
    return found


def _named(
    name: str, colour: str, x: float, y: float, near: float, width: float, taken: list[tuple[float, float, float]]
) -> str:
    """The name beside its last dot, on the side where there is room; a little lower or higher where it covers none."""
    wide = LETTER * len(name)
    left = x + 12 + wide > width
    begin = x - 12 - wide if left else x + 12
    beside = [down for start, end, down in taken if begin < end and start < begin + wide]
    there = (near + LINE * step * side for step in count() for side in (1, -1))
    down = next(at for at in there if at >= HIGHEST and all(abs(at - other) >= LINE for other in beside))
    taken.append((begin, begin + wide, down))
    edge = begin + wide + 1 if left else begin - 1
    return text(begin, down, name, "start", fill=colour) + line(x, y, edge, down - 4, stroke(colour, 0.7))


# --- The other pictures -----------------------------------------------------------------------------------------------

MOST_LABELS = 12
ROW, CELL = 24, 34
BLUE, GREY, RED = (47, 91, 183), (205, 205, 205), (190, 32, 38)  # of the least, middle, largest value
PATHS = ("#e6b800", "#00a5b5", "#8d62b5")
WARM = "#cf6238"
DEEP = 0.85  # cells beyond this part of the deepest colour have white numbers, also in the light


def draw(picture: Picture, width: int, height: int) -> tuple[str, int]:
    """The inside of an SVG, and how high it is."""
    match picture:
        case Intervals():
            return _intervals(picture, width)
        case Grid():
            return _grid(picture)
        case Bars(title, labels, counts, of):
            drawn = _stacks(Stacks(title, labels, {"": counts}, of), width, height)
        case Stacks():
            drawn = _stacks(picture, width, height)
        case Lines():
            drawn = _lines(picture, width, height)
        case Cloud():
            drawn = _cloud(picture, width, height)
        case Scatter():
            drawn = scatter(picture, width, height)
    return drawn, height


def _stacks(chart: Stacks, width: int, height: int) -> str:
    heights = [sum(parts) for parts in zip(*chart.parts.values(), strict=True)]
    colours = chart.colours or COLOURS
    named, room = legend(list(chart.parts), 58, width - 14, 40, colours)
    plot = Plot(width=width, height=height, across=(0, max(1, len(heights))), up=(0, max([*heights, 1])), top=34 + room)
    every = -(-len(chart.labels) // MOST_LABELS) or 1
    drawn = [plot.frame(chart.title, chart.of), named, plot.levels()]
    for index, label in enumerate(chart.labels):
        left, right, floor = plot.x(index + 0.1), plot.x(index + 0.9), 0.0
        for (name, counts), colour in zip(chart.parts.items(), cycle(colours), strict=False):
            top, bottom = plot.y(floor + counts[index]), plot.y(floor)
            about = escape(f"{label}: {counts[index]:,} {name}".rstrip())
            drawn.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" ')
            drawn.append(f'fill="{colour}"><title>{about}</title></rect>')
            floor += counts[index]
        if index % every == 0:
            drawn.append(text((left + right) / 2, plot.y(0) + 16, label))
    return "".join(drawn)


def _lines(chart: Lines, width: int, height: int) -> str:
    points = [point for curve in chart.lines for point in curve.points]
    across, up = span(x for x, _ in points), chart.within or span(y for _, y in points)
    named, room = legend([curve.name for curve in chart.lines], 58, width - 14, 40)
    plot = Plot(width=width, height=height, across=across, up=up, top=34 + room)
    drawn = [plot.frame(chart.title, chart.x, chart.y), named, plot.levels(), plot.steps()]
    for curve, colour in zip(chart.lines, cycle(COLOURS), strict=False):
        places = plot.places(curve.points)
        joined = [] if curve.dots else [polyline(places, stroke(colour, 2))]
        drawn += joined or [dot(x, y, 3, colour) for x, y in places]
    return "".join(drawn)


def _intervals(chart: Intervals, width: int) -> tuple[str, int]:
    groups = list(dict.fromkeys(row.group for row in chart.rows))
    left = 20 + LETTER * max((len(row.name) for row in chart.rows), default=0)
    named, room = legend(groups, left, width - 20, 40)
    height = int(34 + room + ROW * len(chart.rows) + 44)
    marks = [] if chart.mark is None else [chart.mark]
    across = span([*marks, *(end for row in chart.rows for end in (row.low, row.high))])
    plot = Plot(width=width, height=height, across=across, up=(len(chart.rows), 0), left=left, right=20, top=34 + room)
    drawn = [plot.frame(chart.title, chart.x), named, plot.steps(ruled=True)]
    dashed = f'stroke="{COLOURS[1]}" stroke-dasharray="5 3"'
    drawn += [line(x, plot.y(0), x, plot.y(len(chart.rows)), dashed) for x in map(plot.x, marks)]
    for index, row in enumerate(chart.rows):
        colour, y = COLOURS[groups.index(row.group) % len(COLOURS)], plot.y(index + 0.5)
        style = stroke(colour, 2)
        drawn.append(f"<g><title>{escape(row.name)}: {row.value:,.0f} ({row.low:,.0f} … {row.high:,.0f})</title>")
        drawn += [text(left - 8, y + 4, row.name, "end"), line(plot.x(row.low), y, plot.x(row.high), y, style)]
        drawn += [line(plot.x(end), y - 4, plot.x(end), y + 4, style) for end in (row.low, row.high)]
        drawn.append(f"{dot(plot.x(row.value), y, 4, colour)}</g>")
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
            shade = f'fill="{WARM}" fill-opacity="{deep:.3f}" {FAINT}'
            drawn.append(f'<rect x="{x:.1f}" y="{y}" width="{CELL}" height="{CELL}" {shade}/>')
            colour = "#fff" if deep > DEEP else ""
            drawn.append(text(x + CELL / 2, y + CELL / 2 + 4, short(round(cell, 1)), fill=colour))
    bottom = top + CELL * len(chart.cells)
    drawn += [text(left + CELL * (n + 0.5), bottom + 16, name) for n, name in enumerate(chart.columns)]
    return "".join(drawn), bottom + 26


def _cloud(chart: Cloud, width: int, height: int) -> str:
    everywhere = [*chart.points, *(place for path in chart.paths.values() for place in path)]
    across, up = span(x for x, _ in everywhere), span(y for _, y in everywhere)
    named, room = legend(list(chart.paths), 14, width - 14, 40, PATHS)
    plot = Plot(width=width, height=height, across=across, up=up, left=14, top=44 + room, bottom=14)
    drawn = [plot.frame(chart.title), named]
    for (x, y), value in zip(plot.places(chart.points), chart.values, strict=True):
        drawn.append(dot(x, y, 2, _between(value)))
    for path, colour in zip(chart.paths.values(), cycle(PATHS), strict=False):
        places = plot.places(path)
        drawn += [polyline(places, stroke("#000", 4)), polyline(places, stroke(colour, 2.4))]
        ends = zip(places[:1] + places[-1:], (3, 6), strict=False)
        drawn += [dot(x, y, size, colour, ' stroke="#000"') for (x, y), size in ends]
    return "".join(drawn)


def _between(value: float) -> str:
    """A colour from blue over grey to red."""
    part = 2 * min(max(value, 0.0), 1.0)
    low, high = (BLUE, GREY) if part <= 1 else (GREY, RED)
    mixed = (round(a + (b - a) * (part if part <= 1 else part - 1)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


# --- Pages ------------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 460, 260  # of one chart on a page of charts, in pixels
COLUMNS, TITLE = 2, 40
TYPE: Final = 'font-family="sans-serif" font-size="12" fill="currentColor"'
"""Text and lines have the colour of the page, for light and dark."""


def page(title: str, pictures: Iterable[Picture], size: tuple[int, int] = (WIDTH, HEIGHT)) -> str:
    """All pictures under one title, two in a row, as a file of its own. A row is as high as its highest picture."""
    wide = size[0]
    drawn = [draw(picture, *size) for picture in pictures]
    placed, bottom = [], TITLE
    for begin in range(0, len(drawn), COLUMNS):
        row = drawn[begin : begin + COLUMNS]
        placed += [f'<g transform="translate({wide * n},{bottom})">{inside}</g>' for n, (inside, _) in enumerate(row)]
        bottom += max(high for _, high in row)
    width, height = wide * min(COLUMNS, max(1, len(drawn))), bottom
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'color="#333" {TYPE}><rect width="100%" height="100%" fill="white"/>'
        f"{text(12, 26, title, 'start', bold=True)}{''.join(placed)}</svg>\n"
    )


def figure(picture: Picture, described: str, width: int = 640, height: int = 300) -> str:
    """One picture for an HTML page, with a description for screen readers. Intervals and grids choose their height."""
    drawn, height = draw(picture, width, height)
    role = "group" if "<a href" in drawn else "img"  # readers skip what is inside an image
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="{role}" aria-label="{escape(described)}" {TYPE}>{drawn}</svg>'
    )
