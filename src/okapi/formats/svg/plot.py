"""The inside of a chart: numbers to pixels, axes, text."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["COLOURS", "Plot", "legend", "line", "short", "text", "ticks"]

COLOURS = ("#3b7fb0", "#cf6238", "#55994f", "#8d62b5", "#b8921f", "#c94f82", "#34999b", "#858585")
"""Of lines and parts, in their order. They stand out from white and from black."""

LETTER = 6.6
"""About how wide a letter is, in pixels."""

LEGEND = 18
"""The height of a line of the legend."""

FAINT = 'stroke="currentColor" stroke-opacity="0.15"'
PLAIN = 'stroke="currentColor" stroke-opacity="0.6"'


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Where numbers stand."""

    width: float
    height: float
    across: tuple[float, float]
    """The least and the largest number from left to right."""
    up: tuple[float, float]
    """The same from bottom to top."""
    left: float = 58
    right: float = 14
    top: float = 34
    bottom: float = 44

    def x(self, value: float) -> float:
        """Where a number stands from left to right."""
        low, high = self.across
        return self.left + (self.width - self.left - self.right) * (value - low) / (high - low or 1)

    def y(self, value: float) -> float:
        """Where a number stands from top to bottom."""
        low, high = self.up
        return self.height - self.bottom - (self.height - self.top - self.bottom) * (value - low) / (high - low or 1)

    def frame(self, title: str, below: str = "", beside: str = "") -> str:
        """The title, and what the axes mean."""
        parts = [text(self.left, 20, title, "start", bold=True)]
        parts.append(text((self.left + self.width - self.right) / 2, self.height - 8, below))
        parts.append(text(self.width - self.right, 20, beside, "end"))
        return "".join(parts)

    def levels(self) -> str:
        """Horizontal lines with their numbers."""
        ends = self.left, self.width - self.right
        parts = []
        for tick in ticks(*self.up):
            y = self.y(tick)
            parts += [line(ends[0], y, ends[1], y, FAINT), text(self.left - 6, y + 4, short(tick), "end")]
        floor = self.y(self.up[0])
        return "".join([*parts, line(ends[0], floor, ends[1], floor, PLAIN)])

    def steps(self, *, lines: bool = False) -> str:
        """The numbers from left to right, and vertical lines if wanted."""
        parts = []
        for tick in ticks(*self.across):
            x = self.x(tick)
            parts.append(text(x, self.height - self.bottom + 16, short(tick)))
            if lines:
                parts.append(line(x, self.top, x, self.height - self.bottom, FAINT))
        return "".join(parts)


def legend(
    names: Sequence[str], left: float, right: float, top: float, colours: Sequence[str] = COLOURS
) -> tuple[str, float]:
    """Names with their colours, in as many lines as they need, and how high that is; nothing for one without a name."""
    if not any(names):
        return "", 0
    parts, x, y = [], left, top
    for number, name in enumerate(names):
        wide = 30 + LETTER * len(name)
        if x > left and x + wide > right:
            x, y = left, y + LEGEND
        colour = colours[number % len(colours)]
        parts.append(f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(x + 15, y, name, "start"))
        x += wide
    return "".join(parts), y - top + LEGEND


def text(x: float, y: float, words: str, anchor: str = "middle", *, bold: bool = False, fill: str = "") -> str:
    """Words at a place; nothing if there are none."""
    if not words:
        return ""
    style = (' font-weight="bold"' if bold else "") + (f' fill="{fill}"' if fill else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def short(number: float) -> str:
    """A number for an axis.

    >>> short(1_500_000), short(20_000), short(2178), short(0.25)
    ('1.5M', '20k', '2178', '0.25')
    """
    if abs(number) >= 1_000_000:
        return f"{number / 1_000_000:g}M"
    if abs(number) >= 10_000:
        return f"{number / 1_000:g}k"
    return f"{number:g}"
