"""Filters on games: by Elo, date, result, time control, length and player."""

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from okapi.core.game import RawFilter
from okapi.errors import UsageError

RESULTS: Final = {"0-1": 1, "1/2-1/2": 2, "1-0": 4, "*": 8}  # each result with its bit

SPEEDS: Final = {"bullet": (0, 180), "blitz": (180, 480), "rapid": (480, 1500), "classical": (1500, None)}
"""Seconds that each player has for 40 moves, from and below; the same limits as on Lichess."""


@dataclass(frozen=True, kw_only=True)
class GameFilter:
    """Which games to take. A game without a rating fails a filter on ratings, and so on."""

    min_elo: int | None = None
    """Rating that both players have at least."""
    max_elo: int | None = None
    """Rating that both players have at most."""
    since: str | None = None
    """First date, as in 2020-05-31, 2020-05 or 2020. An unknown day or month counts as the first."""
    until: str | None = None
    """Last date, likewise."""
    result: tuple[str, ...] = ()
    """1-0, 0-1, 1/2-1/2 or *; several are possible."""
    time_control: str | None = None
    """bullet, blitz, rapid, classical, or seconds for 40 moves as in 180-600."""
    min_plies: int = 0
    """Half-moves at least."""
    max_plies: int | None = None
    """Half-moves at most."""
    player: str | None = None
    """Part of White's or Black's name; capitals and accents do not matter."""

    def raw(self) -> RawFilter:
        low, high = _seconds(self.time_control)
        for name in self.result:
            if name not in RESULTS:
                raise UsageError(f"`{name}` is not a result", hint=f"there are {', '.join(RESULTS)}")
        return RawFilter(
            min_elo=self.min_elo,
            max_elo=self.max_elo,
            since=_date(self.since, "0101"),
            until=_date(self.until, "1231"),
            min_seconds=low,
            max_seconds=high,
            min_plies=self.min_plies,
            max_plies=sys.maxsize if self.max_plies is None else self.max_plies,
            results=sum({RESULTS[name] for name in self.result or RESULTS}),
            player=self.player or "",
        )


EVERY_GAME: Final = GameFilter()


def _date(text: str | None, rest: str) -> int | None:
    """2020-05 as 20200501 or 20200531: what is missing is taken from the end of `rest`.

    >>> _date("2020-05", "0101"), _date("2020", "1231")
    (20200501, 20201231)
    """
    if text is None:
        return None
    digits = re.sub(r"[-./]", "", text)
    if not digits.isdecimal() or len(digits) not in (4, 6, 8):
        raise UsageError(f"`{text}` is not a date", hint="write 2020-05-31, 2020-05 or 2020")
    return int(digits + rest[len(digits) - 4 :])


def _seconds(text: str | None) -> tuple[float | None, float | None]:
    """The seconds of a time control: from, and below."""
    if text is None:
        return None, None
    if text in SPEEDS:
        return SPEEDS[text]
    low, dash, high = text.partition("-")
    with suppress(ValueError):
        if dash and (low or high):
            return float(low) if low else None, float(high) if high else None
    raise UsageError(f"`{text}` is not a time control", hint=f"write {', '.join(SPEEDS)}, or seconds as in 180-600")
