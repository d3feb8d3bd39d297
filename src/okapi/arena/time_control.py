"""Time controls, and the clocks of a game."""

import math
import re
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from okapi.core import Clock, Color, Limits
from okapi.errors import UsageError

CLOCK_MARGIN_MS: Final = 10
"""XBoard sends clocks in hundredths of a second, so a program cannot know its own more exactly."""

MOVETIME_MARGIN_MS: Final = 100
"""Most engines exceed a time per move a little, and gain nothing by it."""

CLOCK: Final = re.compile(r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>\d+\.?\d*)(?:\+(?P<plus>\d+\.?\d*))?")
"""40/1:30+0.5: moves, minutes, seconds, increment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """The limits of both players: a clock, a time for each move, nodes or depth."""

    time_ms: int | None = None
    """On each clock at the start."""
    increment_ms: int = 0
    """Added after each move."""
    moves: int | None = None
    """After so many moves `time_ms` is added to the clock."""
    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    margin_ms: int | None = None
    """How much a clock may be exceeded; None: the default."""
    stall_s: float = 60.0
    """Without a clock, a player that has not answered after this time has hung."""

    def __post_init__(self) -> None:
        if not any((self.time_ms, self.movetime_ms, self.nodes, self.depth)):
            raise UsageError("a search needs a limit", hint="--tc 10+0.1, --movetime, --nodes or --depth")
        if self.time_ms and self.movetime_ms:
            raise UsageError("a clock and a time for each move exclude each other", hint="give --tc or --movetime")

    @classmethod
    def from_text(cls, clock: str | None = None, **others: Any) -> Self:
        """Parse a clock: 10+0.1 is ten seconds, and a tenth of a second more after each move; `others` are fields."""
        if clock is None:
            return cls(**others)
        match = CLOCK.fullmatch(clock.strip())
        time_ms = 0 if match is None else round((int(match["minutes"] or 0) * 60 + float(match["seconds"])) * 1000)
        if match is None or not time_ms or match["moves"] == "0":
            raise UsageError(f"`{clock}` is no time control", hint="write 10+0.1, or 40/60 for 40 moves in a minute")
        increment_ms, moves = round(float(match["plus"] or 0) * 1000), int(match["moves"]) if match["moves"] else None
        return cls(time_ms=time_ms, increment_ms=increment_ms, moves=moves, **others)

    @property
    def timed(self) -> bool:
        """Can a player lose on time?"""
        return bool(self.time_ms or self.movetime_ms)

    @property
    def margin_s(self) -> float:
        """How late an answer may come."""
        usual = MOVETIME_MARGIN_MS if self.movetime_ms else CLOCK_MARGIN_MS
        return (usual if self.margin_ms is None else self.margin_ms) / 1000

    def __str__(self) -> str:
        parts = []
        if self.time_ms is not None:
            moves = f"{self.moves}/" if self.moves else ""
            parts.append(f"{moves}{self.time_ms / 1000:g}+{self.increment_ms / 1000:g}")
        for name in ("movetime_ms", "nodes", "depth"):
            number = getattr(self, name)
            if number is not None:
                parts.append(f"{name.removesuffix('_ms')}={number}")
        return " ".join(parts)


class Clocks:
    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._left = dict.fromkeys(Color, (control.time_ms or 0) / 1000)
        self._played = dict.fromkeys(Color, 0)

    def limits(self, side: Color) -> Limits:
        control = self._control
        limits = Limits(depth=control.depth, nodes=control.nodes, movetime_ms=control.movetime_ms)
        if control.time_ms is None:
            return limits
        to_go = control.moves - self._played[side] % control.moves if control.moves else None
        white, black = (Clock(max(1, int(left * 1000)), control.increment_ms) for left in self._left.values())
        return replace(limits, white=white, black=black, moves_to_go=to_go)

    def allowed(self, side: Color) -> float:
        """Seconds after which the side loses on time; infinite without a clock."""
        if not self._control.timed:
            return math.inf
        left = self._left[side] if self._control.time_ms is not None else (self._control.movetime_ms or 0) / 1000
        return left + self._control.margin_s

    def press(self, side: Color, seconds: float) -> None:
        """Charge the side for a move that took `seconds`."""
        control = self._control
        if control.time_ms is None:
            return
        self._played[side] += 1
        self._left[side] = max(self._left[side] - seconds, 0.0) + control.increment_ms / 1000
        if control.moves and self._played[side] % control.moves == 0:
            self._left[side] += control.time_ms / 1000
