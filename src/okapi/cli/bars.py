"""Histograms and curves in a terminal: labels, counts, and bars made of eighths of a character."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat

from rich.text import Text

__all__ = ["bar", "histogram", "sparkline"]

WIDTH = 32
EIGHTHS = " ▏▎▍▌▋▊▉█"
HEIGHTS = "▁▂▃▄▅▆▇█"


def bar(share: float, width: int = WIDTH) -> str:
    """A bar of that share of the width. What is not nothing is seen.

    >>> bar(0.5, 8), bar(0.2, 8), bar(0.0001, 8), bar(0, 8)
    ('████', '█▋', '▏', '')
    """
    eighths = round(8 * width * min(1.0, max(0.0, share))) or (1 if share > 0 else 0)
    return EIGHTHS[8] * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def sparkline(values: Sequence[float], width: int = WIDTH) -> str:
    """Numbers as bars beside each other, from the least to the largest; of more than fit, every so many.

    >>> sparkline([1, 2, 4.5, 8])
    '▁▂▅█'
    """
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
    for (name, count), note in zip(counts.items(), chain(notes, repeat("")), strict=False):
        text.append(f"\n{name:>{wide}}  {count:>{broad},}  ", style="not bold")
        text.append(f"{bar(count / highest):<{WIDTH}}" if note else bar(count / highest), style="not bold cyan")
        text.append(f"  {note}" if note else "", style="not bold dim")
    return text
