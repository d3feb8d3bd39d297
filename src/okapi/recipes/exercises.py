"""Positions of games as exercises, with the move that was played.

Games are split by their hash: a fifth is for the test. Positions of training games are left out of the test, too.
Without games, Okapi plays some itself. Labelled positions are exercises as well: the teacher is then the master.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.arena.openings import load_openings
from okapi.brains import evaluator
from okapi.brains.output import expected_scores
from okapi.core import Color, Evaluator, InProcessMatch, Limits, MatchPlayer, RawBrain
from okapi.core.evaluation import solve
from okapi.core.keys import position_keys
from okapi.core.packed import NO_GAME, NO_VALUE
from okapi.data.shuffle import hashed
from okapi.data.sources import read_samples
from okapi.data.split import Shares, Subset, subsets_of
from okapi.data.store import Store, store_match
from okapi.errors import InvalidText
from okapi.files import file_hash
from okapi.optimize.executor import Executor
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.labels import GameLibrary

PLAIN: Final = ("shortcuts", "fading", "known_endings", "correction_history")
"""Heuristics that the search does without, as the thesis' engine did: a ply, then captures and checks. Static exchange
evaluation, above all, must not use 1 3 3 5 9 where piece values are to be found."""

MADE_HERE: Final[dict[Size, int]] = {"tiny": 40, "quick": 300, "full": 500}
"""Games that are played where none are given."""


@dataclass(frozen=True, slots=True, eq=False)
class Exercises:
    """Rows of SAMPLE: positions with the move that a master played there, and how the game ended."""

    rows: NDArray[np.void]
    judged: bool = False
    """Whether a teacher gave each position a value, which is then learned in place of the result of its game."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def scores(self) -> NDArray[np.float64]:
        """What the side to move scores: by the result of the game or, where there is one, by the teacher's value."""
        values, results = self.rows["value"].astype(np.float64), self.rows["result"] / 2.0
        return np.asarray(expected_scores(values) if self.judged else results)

    @property
    def games(self) -> NDArray[np.uint32]:
        return np.unique(self.rows["game"])

    def of(self, games: NDArray[np.uint32]) -> Self:
        return self.take(np.isin(self.rows["game"], games))

    def some(self, count: int, rng: np.random.Generator) -> Self:
        """So many, at random and none twice; all, where there are no more."""
        return self.take(rng.permutation(len(self))[:count])

    def unlike(self, others: Self) -> Self:
        """Those whose position does not stand among the others."""
        seen, here = (position_keys(each.rows["position"]) for each in (others, self))
        return self.take(~np.isin(here, seen))

    def take(self, which: NDArray[Any]) -> Self:
        return type(self)(self.rows[which], self.judged)


@dataclass(frozen=True, slots=True, eq=False)
class MasterGames:
    name: str
    """Of the games, with the hash of their file; `made here` where Okapi played them."""
    training: Exercises
    fresh: Exercises

    def __post_init__(self) -> None:
        if not (len(self.training) and len(self.fresh)):
            best = ("best moves", "some hundreds are needed")
            what, hint = best if self.training.judged else ("games", "some dozens are needed, better some hundreds")
            raise InvalidText(f"{self.name} has too few {what} to learn from", hint=hint)

    def about(self) -> dict[str, Any]:
        games = {"training": len(self.training.games), "fresh": len(self.fresh.games)}
        return {"games": self.name, **games, "positions": len(self.training), "fresh_positions": len(self.fresh)}


def master_games(path: Path | None, size: Size, executor: Executor) -> MasterGames:
    """The games of a PGN file, plain or compressed, or of a game store; without a path, games that are made here."""
    return _made_here(size, min(executor.workers, MADE_HERE[size])) if path is None else _read(path, file_hash(path))


def exercises_for(config: RecipeConfig) -> MasterGames:
    """Those that a recipe learns from: its games, its labels where it has no games, or games that are made here."""
    if config.labels is None or config.games is not None:
        return master_games(config.games, config.size, config.executor)
    return _labelled(config.labels, file_hash(config.labels))


@lru_cache(maxsize=2)
def _labelled(path: Path, hash_: str) -> MasterGames:
    """A fifth of the games, 10,000 positions at most, is for the test. In a file without games 64 positions are one."""
    rows = np.concatenate(list(read_samples(path)))
    rows = rows[(rows["move"] != 0) & (rows["value"] != NO_VALUE)]
    if (rows["game"] == NO_GAME).any():
        rows["game"] = np.arange(len(rows)) // 64
    tested = hashed(rows["game"].astype(np.int64), 5) % np.uint64(5) == 0
    training, fresh = (Exercises(some, judged=True) for some in (rows[~tested], rows[tested][:10_000]))
    return MasterGames(f"{path.name} {hash_}", training, fresh)


@lru_cache(maxsize=2)
def _read(path: Path, hash_: str) -> MasterGames:
    """The hash tells apart files that had the same name."""
    library = GameLibrary.open(path, None, lambda line: None)
    return _split(library.store, library.name)


@lru_cache(maxsize=2)
def _made_here(size: Size, threads: int) -> MasterGames:
    player = MatchPlayer(evaluator("okapi-28"), Limits(depth=4))
    starts = load_openings(count=MADE_HERE[size])
    match = InProcessMatch(player, player, [(start, Color.WHITE) for start in starts], threads=threads)
    with tempfile.TemporaryDirectory(prefix="okapi-") as folder:
        return _split(store_match(match, starts, Path(folder) / "games.okapi"), "made here")


def _split(store: Store, name: str) -> MasterGames:
    """Of a large collection 5000 games: those with the lowest hashes, that is, at random and always the same."""
    columns = store.columns()
    chosen = np.flatnonzero(columns.plies > 0)
    chosen = np.sort(chosen[np.argsort(columns.hash[chosen], kind="stable")[:5000]])
    parts = subsets_of(columns.hash, Shares(train=80, validation=0, test=20))
    training, fresh = (store.played(chosen[parts[chosen] == part]) for part in (Subset.TRAIN, Subset.TEST))
    return MasterGames(name, *(Exercises(rows[rows["move"] != 0]) for rows in (training, fresh)))


def solved(brains: Sequence[bytes], exercises: Exercises, executor: Executor) -> NDArray[np.bool_]:
    """Which exercises each brain solves: one row a brain. The executor shares the exercises."""
    parts = np.array_split(np.arange(len(exercises)), executor.workers)
    tasks = [(list(brains), exercises.rows[part]) for part in parts if len(part)]
    answers = executor.map(_solve, tasks)
    return np.concatenate([np.zeros((len(brains), 0), np.bool_), *answers], axis=1)


def _solve(task: tuple[list[bytes], NDArray[np.void]]) -> NDArray[np.bool_]:
    brains, rows = task
    evaluators = [Evaluator.from_brain(RawBrain.from_bytes(brain)) for brain in brains]
    return solve(evaluators, rows["position"], rows["move"], without=PLAIN)
