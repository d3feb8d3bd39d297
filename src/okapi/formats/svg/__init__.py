"""Charts as SVG text: bars, lines, stacks, intervals, heat maps, clouds, scatters. Every browser shows them.

>>> page("Lengths", [Bars("plies", ("1-20", "21-40"), (3, 5))])[:4]
'<svg'
"""

from collections.abc import Iterable
from html import escape
from typing import Final

from okapi.formats.svg.charts import (
    Bars,
    Chart,
    Cloud,
    Curve,
    Grid,
    Interval,
    Intervals,
    Lines,
    Picture,
    Scatter,
    ScatterPoint,
    Stacks,
)
from okapi.formats.svg.drawing import draw, text

__all__ = [
    "Bars",
    "Chart",
    "Cloud",
    "Curve",
    "Grid",
    "Interval",
    "Intervals",
    "Lines",
    "Picture",
    "Scatter",
    "ScatterPoint",
    "Stacks",
    "figure",
    "page",
]

WIDTH, HEIGHT = 460, 260
"""Of one chart on a page of charts, in pixels."""

COLUMNS = 2
TITLE = 40
"""The height of a page's title."""

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
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(described)}" {TYPE}>{drawn}</svg>'
    )
