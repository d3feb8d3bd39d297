"""`--minutes M`: how long a run is, decided once from the speed of this machine, and kept in the run's folder."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from okapi.errors import InvalidText, UsageError
from okapi.files import replace_file

MINUTES_FILE: Final = "minutes.json"

FILLED: Final = 0.88
"""The share of the time that is planned; the rest is for the match at the end, and for a machine that gets slower."""

KEPT_S: Final = 2.0
"""Seconds between two notes of the time that was used; a kill loses no more."""


class Minutes:
    """The time of a run over all its sessions, and what was decided to fit into it."""

    def __init__(self, folder: Path, minutes: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        """UsageError if the run was begun with another time."""
        self._path, self._clock = folder / MINUTES_FILE, clock
        self._begun = self._kept_at = clock()
        self.seconds = 60.0 * minutes
        self._kept: dict[str, Any] = {"minutes": minutes, "used_s": 0.0, "decided": {}}
        if self._path.exists():
            self._read(minutes)

    @property
    def used_s(self) -> float:
        """In all sessions."""
        return float(self._kept["used_s"]) + self._clock() - self._begun

    @property
    def left_s(self) -> float:
        """That is left to be planned; never less than a second."""
        return max(1.0, FILLED * self.seconds - self.used_s)

    @property
    def is_over(self) -> bool:
        """Has all of what is planned been used? A machine that gets slower takes longer than was planned."""
        return self.used_s >= FILLED * self.seconds

    def once(self, what: str, decide: Callable[[float], Any]) -> Any:
        """What was decided; the first time `decide` is given the seconds that are left, and returns JSON."""
        if what not in self._kept["decided"]:
            self._kept["decided"][what] = decide(self.left_s)
            self._write()
        return self._kept["decided"][what]

    def tick(self) -> None:
        if self._clock() - self._kept_at >= KEPT_S:
            self._write()

    def _write(self) -> None:
        self._kept["used_s"], self._begun = round(self.used_s, 1), self._clock()
        self._kept_at = self._begun
        self._path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._path, json.dumps(self._kept, indent=1).encode())

    def _read(self, minutes: float) -> None:
        try:
            kept = json.loads(self._path.read_bytes())
            before, self._kept = kept["minutes"], {**self._kept, **kept}
        except (ValueError, KeyError, TypeError):
            raise InvalidText(f"`{self._path}` is damaged", hint="delete the folder") from None
        if before != minutes:
            raise UsageError(
                f"`{self._path.parent}` was begun with --minutes {before:g}, not {minutes:g}",
                hint="choose another folder, or repeat the command with the same minutes",
            )


def steps_per_second(take: Callable[[], object], seconds: float) -> float:
    """How many steps this machine takes in a second. The first one makes everything ready and does not count."""
    take()
    taken, begun = 0, time.monotonic()
    while taken == 0 or time.monotonic() - begun < seconds:
        take()
        taken += 1
    return taken / (time.monotonic() - begun)
