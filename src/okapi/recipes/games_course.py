"""A course of games: transcripts, and lessons that are had by watching them, in a folder that can be carried along."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from okapi.errors import UsageError
from okapi.recipes.best_moves import BestMoves
from okapi.recipes.course import COURSE, Studies, read_lessons, write_lessons
from okapi.recipes.replay import Replayed, replay
from okapi.recipes.transcripts import Transcripts
from okapi.recipes.watch import BEST, Watch
from okapi.training.supervised import Lessons, Plan
from okapi.training.supervised.devices import find_device

__all__ = ["GamesCourse", "Spectacle"]


@dataclass(frozen=True, slots=True)
class Spectacle:
    """A lesson: a network to be trained, and what it watches games for."""

    plan: Plan
    watch: Watch

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError."""
        try:
            return cls(Plan.from_json(told["plan"]), Watch.from_json(told["watch"]))
        except (KeyError, TypeError) as error:
            raise UsageError(f"a lesson is not whole: {error}", hint="it has a plan, and what it watches for") from None

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {"plan": self.plan.as_json(), "watch": self.watch.as_json()}


@dataclass(frozen=True, eq=False)
class GamesCourse(Studies):
    """A course of games as its folder tells it."""

    lessons: Mapping[str, Spectacle]
    games: Transcripts
    _replayed: dict[int, Replayed] = field(default_factory=dict, init=False, repr=False)
    """Parts that were played through, for one lesson after the other."""

    @staticmethod
    def is_one(folder: Path) -> bool:
        """Does the folder hold a course of games?"""
        return any(folder.glob("transcripts-*"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound, InvalidText."""
        return cls(folder, read_lessons(folder, Spectacle.from_json), Transcripts.read(folder))

    @classmethod
    def write(cls, folder: Path, games: Transcripts, lessons: Mapping[str, Spectacle], *, files: int = 1) -> Self:
        """Write a course, or more lessons into it: the games stay those that were there first."""
        if not cls.is_one(folder):
            games.write(folder, files)
        others = read_lessons(folder, Spectacle.from_json) if (folder / COURSE).exists() else {}
        write_lessons(folder, {**others, **lessons})
        return cls.read(folder)

    def taught(self, name: str, number: int) -> Lessons:
        """The games of one part are played through, where that is fastest; best moves lie there as they are."""
        watch = self.lessons[name].watch
        if watch.task == BEST:
            return BestMoves.read(self.folder).lessons(number)
        if number not in self._replayed:
            games = self.games.take(np.flatnonzero(self.games.parts == number))
            self._replayed[number] = replay(games, find_device("auto"))
        return watch.lessons(self._replayed[number])
