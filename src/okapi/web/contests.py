"""Matches and tournaments that are played for the board: all pages see the same, and at most a few run at a time."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from okapi.errors import NotFound, TooBusy, UsageError
from okapi.web.contest import Contest, Entry, Terms

__all__ = ["Contests"]

AT_ONCE: Final = 2
"""Contests that are played at the same time."""

KEPT: Final = 12
"""Contests that are remembered; the oldest that is over makes room."""


@dataclass(frozen=True, slots=True)
class _Listener:
    owner: object
    tell: Callable[[], object]


class Contests:
    """Begins, stops and resumes them. Those that are stopped go on where they were: the games are in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._contests: dict[int, Contest] = {}
        self._listeners: list[_Listener] = []
        self._numbers = count(1)
        self._lock = threading.Lock()

    @property
    def all(self) -> list[Contest]:
        """The newest first."""
        return list(reversed(self._contests.values()))

    def begin(self, entries: tuple[Entry, ...], terms: Terms) -> Contest:
        """Play a contest; one that was played before, on the same terms, goes on. TooBusy, UsageError."""
        same = next((old for old in self.all if (old.entries, old.terms) == (entries, terms)), None)
        if same is not None:
            return self.resume(same.number)
        self._make_room()
        contest = Contest(next(self._numbers), entries, terms, self._folder, self._changed)
        self._contests[contest.number] = contest
        contest.begin()
        return contest

    def resume(self, number: int) -> Contest:
        """Go on: TooBusy, UsageError if it is being played."""
        contest = self.find(number)
        if contest.is_playing:
            raise UsageError("this contest is being played")
        self._make_room()
        contest.begin()
        return contest

    def find(self, number: int) -> Contest:
        """One of them: NotFound."""
        if number not in self._contests:
            raise NotFound("there is no such contest any more", hint="begin it again: its games are kept")
        return self._contests[number]

    def listen(self, owner: object, tell: Callable[[], object]) -> None:
        """Tell somebody of every change, from any thread."""
        with self._lock:
            self._listeners = [
                *(known for known in self._listeners if known.owner is not owner),
                _Listener(owner, tell),
            ]

    def leave(self, owner: object) -> None:
        """Somebody no longer wants to know."""
        with self._lock:
            self._listeners = [known for known in self._listeners if known.owner is not owner]

    def close(self) -> None:
        """Stop everything; programs are ended."""
        for contest in self.all:
            contest.stop()
        for contest in self.all:
            contest.join()

    def _make_room(self) -> None:
        if sum(contest.is_playing for contest in self.all) >= AT_ONCE:
            raise TooBusy(f"{AT_ONCE} contests are being played", hint="stop one, or wait until it is over")
        over = [number for number, contest in self._contests.items() if not contest.is_playing]
        for number in over[: max(0, len(self._contests) - KEPT + 1)]:
            del self._contests[number]

    def _changed(self) -> None:
        with self._lock:
            listeners = self._listeners
        for listener in listeners:
            listener.tell()
