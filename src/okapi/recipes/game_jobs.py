"""Training jobs on games: which piece moves, where it goes, the whole move, or who wins.

The folder has the games as a game store, `parts.npy` with the use of each game, and perhaps positions with a teacher's
best moves. The core reads positions and moves from the store wherever the jobs run.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.core.packed import rows
from okapi.data.store import Store
from okapi.encodings.boards import move_squares, moving_kinds
from okapi.encodings.layers import UNKNOWN_ELO
from okapi.errors import InvalidText, UsageError, did_you_mean
from okapi.files import write_whole
from okapi.models.torch_boards import mirrored
from okapi.recipes.arrays import TRAIN, read_array, write_array
from okapi.recipes.jobs import TURN, Jobs, read_jobs, write_jobs
from okapi.settings import Config
from okapi.training.supervised import OTHER_FILES, Dataset, SupervisedConfig

KINDS: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
PIECE, MOVE, BEST, OUTCOME = "piece", "move", "best", "outcome"

TASKS: Final = (PIECE, *KINDS, MOVE, BEST, OUTCOME)
"""The square that is left; the square that a pawn, a knight, … goes to; the whole move, as played or as a teacher would
play; the result for the mover."""

GAMES, PARTS = "games.okapi", "parts"


def network_rows(
    positions: NDArray[np.void], elos: NDArray[Any], origins: NDArray[Any], outcomes: NDArray[Any]
) -> NDArray[np.uint8]:
    """Packed positions with rating, square that the moved piece left, and outcome, for okapi.models.torch_encodings."""
    more = np.zeros((len(positions), 4), np.uint8)
    more[:, :2] = np.where(elos > 0, elos, UNKNOWN_ELO).astype("<u2")[:, None].view(np.uint8)
    more[:, 2], more[:, 3] = origins, outcomes
    return np.hstack([rows(positions), more])


@dataclass(frozen=True, slots=True, eq=False)
class GamePositions:
    """Every position of some games, the last ones included, as `network_rows`, and the move that was played there."""

    rows: NDArray[np.uint8]
    origins: NDArray[np.int64]
    targets: NDArray[np.int64]
    """The squares that the moved piece left and went to, as the mover counts; -1 after the last move."""
    kinds: NDArray[np.int64]
    """What moved: an index of KINDS; -1 after the last move."""
    left: NDArray[np.int64]
    """Moves until the end of the game."""
    outcomes: NDArray[np.float32]
    """For the mover: -1 lost, 0 drawn, 1 won."""

    @classmethod
    def of(cls, store: Store, games: NDArray[Any]) -> Self:
        """In the order of the games and their moves; one position more than moves in each game."""
        games = np.asarray(games, np.int64)
        columns = store.columns()
        lengths = columns.plies[games].astype(np.int64)
        which = np.repeat(games, lengths + 1)
        left = np.repeat((lengths + 1).cumsum(), lengths + 1) - 1 - np.arange(len(which))
        positions, played = store.positions(which, np.repeat(lengths, lengths + 1) - left), left > 0
        moves = np.zeros(len(which), np.uint16)
        if played.any():
            moves[played] = store.played(games)["move"]
        black = positions["turn"].astype(np.int64)
        origin, target = move_squares(moves)
        result = columns.result[which].astype(np.int64)
        outcome = np.where(result < 0, 1, np.where(black == 0, result, 2 - result))
        elos = np.where(black == 0, columns.white_elo[which], columns.black_elo[which])
        rows = network_rows(positions, elos, np.where(played, origin, 0), outcome)
        origins, targets = (np.where(played, square ^ 56 * black, -1) for square in (origin, target))
        kinds = np.where(played, moving_kinds(positions, origin), -1)
        return cls(rows, origins, targets, kinds, left, (outcome - 1).astype(np.float32))

    def take(self, rows: NDArray[Any]) -> Self:
        return type(self)(**{each.name: getattr(self, each.name)[rows] for each in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTarget(Config):
    OWNER = "a target of games"
    task: str
    gamma: float | None = None
    """Of an outcome: its discount for each move until the end of the game (singh2015, section 2.4)."""
    both_views: bool = False
    """Of an outcome: each position twice, as either side sees it."""

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise UsageError(f"there is no task `{self.task}`", hint=did_you_mean(self.task, TASKS))
        if (self.task == OUTCOME) != (self.gamma is not None) or not 0 < (self.gamma or 1.0) <= 1:
            raise UsageError(f"`gamma` is {self.gamma} for `{self.task}`", hint="above 0, up to 1, for an outcome only")
        if self.both_views and self.task != OUTCOME:
            raise UsageError(f"`both_views` is set for `{self.task}`", hint="for an outcome only")

    def dataset(self, games: GamePositions) -> Dataset:
        """Rows and targets: squares as the mover counts them, 64 · from + to, or a number from -1 to 1."""
        every = np.arange(len(games.rows))
        if self.gamma is not None:  # of an outcome
            chosen = games.take(_mixed(every))
            rows = chosen.rows
            values = chosen.outcomes * np.float32(self.gamma) ** chosen.left.astype(np.float32)
            if self.both_views:
                turned = rows.copy()
                turned[:, TURN] ^= 1
                rows, values = np.concatenate([rows, turned]), np.concatenate([values, -values])
            return Dataset(rows, values.astype(np.float32))
        asked = games.kinds == KINDS.index(self.task) if self.task in KINDS else games.kinds >= 0
        chosen = games.take(_mixed(every[asked]))
        both = 64 * chosen.origins + chosen.targets
        return Dataset(chosen.rows, {PIECE: chosen.origins, MOVE: both}.get(self.task, chosen.targets))


def _mixed(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same rows in a fixed order in which neighbours come from different games."""
    count = len(rows)
    step = next((prime for prime in (1_000_003, 1_000_033, 1_000_037) if count % prime), 1)
    return rows[np.arange(count) * step % max(count, 1)]


BEST_ARRAYS: Final = ("best-rows", "best-moves", "best-parts")

TEACHER_ELO: Final = 2900
"""The mover's rating where a teacher moves: the highest that a network knows."""


class BestMoves(NamedTuple):
    """Positions with the move that a teacher would play: rows, 64 · from + to as the mover counts, parts."""

    rows: NDArray[np.uint8]
    moves: NDArray[np.uint16]
    parts: NDArray[np.uint8]

    def write(self, folder: Path) -> None:
        columns: tuple[NDArray[Any], ...] = (self.rows, self.moves, self.parts)
        for name, column in zip(BEST_ARRAYS, columns, strict=True):
            write_array(folder, name, column, compressed=True)

    @staticmethod
    def found_in(folder: Path) -> bool:
        return any(folder.glob(f"{BEST_ARRAYS[0]}.npy*"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound if the folder has none."""
        rows, moves, parts = (read_array(folder, name) for name in BEST_ARRAYS)
        if not len(rows) == len(moves) == len(parts) or rows.shape[1:] != (36,):
            raise InvalidText(f"{rows.shape} rows have {len(moves)} best moves and {len(parts)} parts")
        return cls(rows, moves, parts)

    def dataset(self, part: int) -> Dataset:
        """Those of a part; for training, also with mirrored files where castling is impossible."""
        here = self.parts == part
        rows, moves = self.rows[here], self.moves[here].astype(np.int64)
        if part == TRAIN:
            pieces = np.split(rows, range(1 << 18, len(rows), 1 << 18))
            turned = np.concatenate([mirrored(torch.from_numpy(piece)).numpy() for piece in pieces])
            changed = (turned != rows).any(axis=1)
            rows = np.concatenate([rows, turned[changed]])
            moves = np.concatenate([moves, moves[changed] ^ OTHER_FILES[4096]])
        return Dataset(rows, moves)


@dataclass(frozen=True, slots=True)
class GameJob:
    plan: SupervisedConfig
    target: GameTarget

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        try:  # `watch`: until version 0.9
            target = told["target"] if "target" in told else told["watch"]
            return cls(SupervisedConfig.from_json(told["plan"]), GameTarget.from_json(target))
        except (KeyError, TypeError) as error:
            raise UsageError(f"a training job is incomplete: {error}", hint="it has a plan and a target") from None

    def as_json(self) -> dict[str, Any]:
        return {"plan": self.plan.as_json(), "target": self.target.as_json()}


@dataclass(frozen=True, eq=False)
class GameJobs(Jobs):
    jobs: Mapping[str, GameJob]
    store: Store
    parts: NDArray[np.uint8]
    """The use of each game of the store."""
    _positions: dict[int, GamePositions] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def found_in(folder: Path) -> bool:
        """InvalidText for a folder of an okapi before 0.9, which has transcripts."""
        if any(folder.glob("transcripts-*")) and not (folder / GAMES).exists():
            raise InvalidText(f"`{folder}` has transcripts, which okapi no longer reads", hint="write its jobs again")
        return (folder / GAMES).exists()

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound, InvalidText."""
        store, parts = Store.open(folder / GAMES), read_array(folder, PARTS)
        if len(parts) != len(store):
            raise InvalidText(f"`{folder}` has {len(store)} games and parts of {len(parts)}")
        return cls(folder, read_jobs(folder, GameJob.from_json), store, parts)

    @classmethod
    def write(cls, folder: Path, store: Store, parts: NDArray[Any], jobs: Mapping[str, GameJob]) -> Self:
        """Write jobs, or more jobs, into a folder: games that are there stay."""
        folder.mkdir(parents=True, exist_ok=True)
        if not cls.found_in(folder):
            write_array(folder, PARTS, np.asarray(parts, np.uint8))
            with write_whole(folder / GAMES) as copy:
                try:
                    os.link(store.path, copy)
                except OSError:  # no hard links in this file system
                    shutil.copyfile(store.path, copy)
        write_jobs(folder, {name: job.as_json() for name, job in jobs.items()}, add=True)
        return cls.read(folder)

    def dataset(self, name: str, part: int) -> Dataset:
        target = self.jobs[name].target
        if target.task == BEST:
            return BestMoves.read(self.folder).dataset(part)
        if part not in self._positions:
            self._positions[part] = GamePositions.of(self.store, np.flatnonzero(self.parts == part))
        return target.dataset(self._positions[part])
