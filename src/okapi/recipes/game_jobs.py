"""A course of games: transcripts, and lessons that are had by watching them, in a folder that can be carried along."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from okapi.errors import UsageError
from okapi.recipes.best_moves import BestMoves
from okapi.recipes.jobs import Jobs, has_jobs, read_jobs, write_jobs
from okapi.recipes.replay import Replayed, replay
from okapi.recipes.transcripts import Transcripts
from okapi.recipes.watch import BEST, GameTarget
from okapi.training.devices import find_device
from okapi.training.supervised import Dataset, SupervisedConfig

__all__ = ["GameJob", "GameJobs"]


@dataclass(frozen=True, slots=True)
class GameJob:
    """A lesson: a network to be trained, and what it watches games for."""

    plan: SupervisedConfig
    watch: GameTarget

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError."""
        try:
            return cls(SupervisedConfig.from_json(told["plan"]), GameTarget.from_json(told["watch"]))
        except (KeyError, TypeError) as error:
            raise UsageError(f"a lesson is not whole: {error}", hint="it has a plan, and what it watches for") from None

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {"plan": self.plan.as_json(), "watch": self.watch.as_json()}


@dataclass(frozen=True, eq=False)
class GameJobs(Jobs):
    """A course of games as its folder tells it."""

    jobs: Mapping[str, GameJob]
    games: Transcripts
    _replayed: dict[int, Replayed] = field(default_factory=dict, init=False, repr=False)
    """Parts that were played through, for one lesson after the other."""

    @staticmethod
    def found_in(folder: Path) -> bool:
        """Does the folder hold a course of games?"""
        return any(folder.glob("transcripts-*"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound, InvalidText."""
        return cls(folder, read_jobs(folder, GameJob.from_json), Transcripts.read(folder))

    @classmethod
    def write(cls, folder: Path, games: Transcripts, lessons: Mapping[str, GameJob], *, files: int = 1) -> Self:
        """Write a course, or more lessons into it: the games stay those that were there first."""
        if not cls.found_in(folder):
            games.write(folder, files)
        others = read_jobs(folder, GameJob.from_json) if has_jobs(folder) else {}
        write_jobs(folder, {**others, **lessons})
        return cls.read(folder)

    def dataset(self, name: str, number: int) -> Dataset:
        """The games of one part are played through, where that is fastest; best moves lie there as they are."""
        watch = self.jobs[name].watch
        if watch.task == BEST:
            return BestMoves.read(self.folder).dataset(number)
        if number not in self._replayed:
            games = self.games.take(np.flatnonzero(self.games.parts == number))
            self._replayed[number] = replay(games, find_device("auto"))
        return watch.dataset(self._replayed[number])
