"""Numbers as text, for pages and tables."""

import math
from typing import Final

DASH: Final = "–"
LONG: Final = 10_000  # numbers from here on are written in groups of three


def number(value: float | None, digits: int = 0) -> str:
    """A number for a table, with a minus that is as wide as a digit; long ones in groups of three.

    >>> number(-1425), number(27_183), number(0.3789, 2), number(None)
    ('−1425', '27,183', '0.38', '–')
    """
    if value is None:
        return DASH
    text = f"{value:,.{digits}f}" if abs(value) >= LONG else f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text.replace("-", "−")


def signed(value: float | None, digits: int = 0) -> str:
    """A gain or a loss.

    >>> signed(433), signed(-12.34, 1), signed(0)
    ('+433', '−12.3', '0')
    """
    text = number(value, digits)
    return f"+{text}" if value is not None and value > 0 and text.strip("0.") else text


def percent(share: float | None, digits: int = 1) -> str:
    """A share of one, in hundredths.

    >>> percent(0.933), percent(None)
    ('93.3 %', '–')
    """
    return DASH if share is None else f"{number(100 * share, digits)} %"


def elo(value: float, low: float | None = None, high: float | None = None) -> str:
    """A rating or a gain with its interval.

    >>> elo(2178, 2141, 2216)
    '2178 (2141 … 2216)'
    """
    return number(value) if low is None and high is None else f"{number(value)} ({interval(low, high)})"


def interval(low: float | None, high: float | None, digits: int = 0) -> str:
    """From where to where; None is without an end, where every game was won or lost.

    >>> interval(-20, 100), interval(300, None), interval(69.64, 70.21, 1)
    ('−20 … 100', '300 … ∞', '69.6 … 70.2')
    """
    return f"{'−∞' if low is None else number(low, digits)} … {'∞' if high is None else number(high, digits)}"


def finite(value: float | None) -> float | None:
    """An Elo as JSON has it, with one digit: None where there is none, or it has no end."""
    return None if value is None or not math.isfinite(value) else round(value, 1)


def lasted(seconds: float) -> str:
    """A time for people.

    >>> lasted(3.42), lasted(214), lasted(7300)
    ('3.4 s', '3 min 34 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def counted(count: int, one: str, many: str = "") -> str:
    """So many of something.

    >>> counted(1, "run"), counted(10, "run"), counted(2, "match", "matches")
    ('1 run', '10 runs', '2 matches')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
