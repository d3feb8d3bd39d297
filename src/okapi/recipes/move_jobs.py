"""A course for move networks: inner nodes of searches, the best move of each, and lessons, in a folder to be carried.

The positions lie in files of some hundred thousand, so that a few can travel at a time; legal moves are found again
where the lessons are had. `python -m okapi.recipes.jobs FOLDER` has them, with torch and numpy alone.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidText, UsageError
from okapi.recipes.arrays import PARTS, TEST, TRAIN, VALIDATION, read_array, write_array
from okapi.recipes.jobs import Jobs, has_jobs, read_jobs, write_jobs
from okapi.training.devices import find_device
from okapi.training.moves import MoveConfig, MoveDataset, train_moves
from okapi.training.supervised import Dataset
from okapi.training.trainer import TrainingProgress

__all__ = ["InnerNodes", "MoveJob", "MoveJobs"]

NAMES: Final = ("inner-positions", "inner-moves", "inner-parts", "inner-quiet")
COUNTERS: Final = slice(26, 32)
"""The bytes of a packed position that count moves, which no move network sees: zeros take no room."""

IN_A_FILE: Final = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class InnerNodes:
    """Arrays of one length: packed positions, Move.bits of the best moves, parts, and whether best moves are quiet."""

    positions: NDArray[np.uint8]
    moves: NDArray[np.uint16]
    parts: NDArray[np.uint8]
    quiet: NDArray[np.uint8]

    def __post_init__(self) -> None:
        lengths = {len(column) for column in (self.positions, self.moves, self.parts, self.quiet)}
        if len(lengths) != 1 or self.positions.shape[1:] != (32,):
            raise InvalidText(f"{self.positions.shape} positions have {len(self.moves)} best moves")

    def write(self, folder: Path) -> None:
        """Compressed, into the folder of a course."""
        folder.mkdir(parents=True, exist_ok=True)
        plain = self.positions.copy()
        plain[:, COUNTERS] = 0
        for number, begin in enumerate(range(0, len(plain), IN_A_FILE), start=1):
            columns: tuple[NDArray[Any], ...] = (plain, self.moves, self.parts, self.quiet)
            for name, column in zip(NAMES, columns, strict=True):
                write_array(folder, f"{name}-{number}", column[begin : begin + IN_A_FILE], compressed=True)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """All files that are there: NotFound, InvalidText."""
        numbers = sorted({int(path.name.split(".")[0].rpartition("-")[2]) for path in folder.glob(f"{NAMES[0]}-*")})
        columns = ([read_array(folder, f"{name}-{number}") for number in numbers] for name in NAMES)
        return cls(*(np.concatenate(column) for column in columns))

    def part(self, number: int) -> "InnerNodes":
        """One of TRAIN, VALIDATION and TEST."""
        here = self.parts == number
        return InnerNodes(*(column[here] for column in (self.positions, self.moves, self.parts, self.quiet)))

    def fingerprint(self) -> str:
        """A hash of all of it."""
        digest = hashlib.blake2b(digest_size=16)
        for column in (self.positions, self.moves, self.parts):
            digest.update(np.ascontiguousarray(column).data)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class MoveJob:
    """A move network to be trained."""

    plan: MoveConfig

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError."""
        return cls(MoveConfig.from_json(told["plan"]))

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {"plan": self.plan.as_json()}


@dataclass(frozen=True, eq=False)
class MoveJobs(Jobs):
    """A course of inner nodes as its folder tells it."""

    jobs: Mapping[str, MoveJob]
    nodes: InnerNodes

    @staticmethod
    def found_in(folder: Path) -> bool:
        """Does the folder hold such a course?"""
        return any(folder.glob(f"{NAMES[0]}-*"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound, InvalidText."""
        return cls(folder, read_jobs(folder, MoveJob.from_json), InnerNodes.read(folder))

    @classmethod
    def write(cls, folder: Path, nodes: InnerNodes | None, lessons: Mapping[str, MoveJob]) -> Self:
        """Write a course, or more lessons into it: the positions stay those that were there first."""
        if not cls.found_in(folder):
            if nodes is None:
                raise UsageError(f"`{folder}` holds no inner nodes yet", hint="give some")
            nodes.write(folder)
        others = read_jobs(folder, MoveJob.from_json) if has_jobs(folder) else {}
        write_jobs(folder, {**others, **lessons})
        return cls.read(folder)

    def dataset(self, name: str, number: int) -> Dataset:
        """A move network is taught moves, not positions with a target each: see `have`."""
        raise UsageError(f"lesson `{name}` of `{self.folder}` has no targets", hint="it is about moves")

    def depends_on(self, name: str) -> str | None:
        """Nobody."""
        return None

    def train(
        self, name: str, device: str, watch: Callable[[TrainingProgress], object], stop: Callable[[], bool]
    ) -> None:
        """Find the legal moves of all positions, once, where that is fastest, and learn which are best."""
        plan, where = self.jobs[name].plan, find_device(device)
        parts = (self.nodes.part(number) for number in (TRAIN, VALIDATION, TEST))
        train, validation, test = (
            MoveDataset.from_positions(part.positions, part.moves, part.quiet, plan.design, where) for part in parts
        )
        data = self.nodes.fingerprint()
        train_moves(plan, train, validation, test, self.job_folder(name), data=data, watch=watch, stop=stop)

    def counts(self) -> dict[str, int]:
        """How many positions each part has."""
        return {name: int((self.nodes.parts == number).sum()) for name, number in PARTS.items()}
