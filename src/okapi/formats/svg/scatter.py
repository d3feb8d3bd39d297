"""Numbers with their intervals over another number, on a scale of powers of ten."""

import math
from html import escape
from itertools import count

from okapi.formats.svg.charts import Place, Scatter
from okapi.formats.svg.plot import COLOURS, FAINT, LETTER, Plot, line, text

__all__ = ["scatter"]

NONE_LEFT = 1.0
"""Powers of ten between the smallest number and the place of those that are 0, which has none on such a scale."""

PALE = 0.45
"""How strong the colour is of those that do not stand out."""

READABLE = 0.75
"""How strong their names are: these have to be read."""

LINE = 12
"""Names closer than this from top to bottom would cover each other."""

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scatter(chart: Scatter, width: int, height: int) -> str:
    """The inside of an SVG."""
    powers = [math.log10(place.x) for place in chart.places if place.x > 0] or [0.0]
    least, most = math.floor(min(powers)), math.ceil(max(powers))
    nothing = any(place.x <= 0 for place in chart.places)
    across = (least - NONE_LEFT if nothing else least, max(most, least + 1))
    ends = [end for place in chart.places for end in (place.low, place.high)] or [0.0]
    plot = Plot(width=width, height=height, across=across, up=(min(ends), max(ends)), right=30)
    drawn = [plot.frame(chart.title, chart.x, chart.y), plot.levels(), _steps(plot, least, int(across[1]), nothing)]
    names = list(dict.fromkeys(place.name for place in chart.places))
    taken: list[tuple[float, float, float]] = []
    for number, name in enumerate(names):
        strong = not chart.front or name in chart.front
        places = sorted((place for place in chart.places if place.name == name), key=lambda place: place.x)
        at = [(plot.x(_power(place, across[0])), plot.y(place.value)) for place in places]
        marks = "".join(_marks(plot, places, at, COLOURS[number % len(COLOURS)]))
        named = _named(name, *at[-1], width, taken)
        drawn += (
            [marks, named] if strong else [f'<g opacity="{PALE}">{marks}</g>', f'<g opacity="{READABLE}">{named}</g>']
        )
    return "".join(drawn)


def _power(place: Place, nothing: float) -> float:
    return math.log10(place.x) if place.x > 0 else nothing


def _marks(plot: Plot, places: list[Place], at: list[tuple[float, float]], colour: str) -> list[str]:
    """The dots with their intervals, and the line that joins them."""
    drawn = []
    for place, (x, y) in zip(places, at, strict=True):
        about = f"{place.name}: {place.value:,.0f} ({place.low:,.0f} … {place.high:,.0f}) at {place.x:.3g}"
        drawn.append(f"<g><title>{escape(about)}</title>")
        drawn.append(line(x, plot.y(place.low), x, plot.y(place.high), f'stroke="{colour}" stroke-width="1.5"'))
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/></g>')
    if len(at) > 1:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    return drawn


def _named(name: str, x: float, y: float, width: float, taken: list[tuple[float, float, float]]) -> str:
    """The name beside its last dot, on the side where there is room; a little lower or higher where it covers none."""
    wide = LETTER * len(name)
    left = x + 8 + wide > width
    begin = x - 8 - wide if left else x + 8
    near = (y + 4 + LINE * step * side for step in count() for side in (1, -1))
    down = next(place for place in near if not any(_covers(begin, wide, place, other) for other in taken))
    taken.append((begin, begin + wide, down))
    return text(begin, down, name, "start")


def _covers(begin: float, wide: float, down: float, other: tuple[float, float, float]) -> bool:
    start, end, there = other
    return abs(down - there) < LINE and begin < end and start < begin + wide


def _steps(plot: Plot, least: int, most: int, nothing: bool) -> str:
    """Powers of ten from left to right, and a place for nothing."""
    floor = plot.height - plot.bottom
    every = -(-(most - least) // 8) or 1
    drawn = [text(plot.x(plot.across[0]), floor + 16, "0")] if nothing else []
    for power in range(least, most + 1, every):
        x = plot.x(power)
        drawn += [text(x, floor + 16, f"10{str(power).translate(SUPERSCRIPT)}")]
        drawn.append(line(x, plot.top, x, floor, FAINT))
    return "".join(drawn)
