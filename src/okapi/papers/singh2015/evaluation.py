"""Figures 3.11 to 3.15: what V likes, and how much of that is material."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Brain, Evaluator, Limits, Position, Search
from okapi.core.packed import fens, pack, unpack
from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.correlation import correlation, material
from okapi.papers.singh2015.exam import Exam
from okapi.papers.singh2015.judging import after_each_move, values
from okapi.papers.singh2015.positions import EVALUATED
from okapi.papers.singh2015.school import schooled
from okapi.recipes.config import Size

__all__ = ["Boards", "evaluation", "examples", "play_out", "reasons", "told"]

GAMES: Final[dict[Size, int]] = {"tiny": 10, "quick": 200, "full": 2000}
"""Test games whose boards are judged. The thesis has four times as many boards; intervals need games, not boards."""
PLAYED_OUT: Final[dict[Size, int]] = {"tiny": 2, "quick": 20, "full": 400}
"""Games that Okapi plays on from where somebody resigned."""
DEPTH: Final = 4
LONGEST: Final = 200
"""Plies that are played on at most."""
DOTS: Final = 800
BEST: Final = 3

NEAR: Final = ((1, 10), (11, 20), (21, 40), (41, 80), (81, 1000))
"""Plies to the end of a game, from and to."""
MOST_DISTANCE: Final = 30


class Boards:
    """Test boards with what is known about them, and V of each."""

    def __init__(self, exam: Exam, brain: Path, threads: int = 1) -> None:
        self.exam = exam
        self.value = values(brain, exam.positions, threads=threads)
        self.material = material(exam.positions)
        _, self.game = np.unique(exam.games, return_inverse=True)
        count = int(self.game.max()) + 1 if len(exam) else 0
        last = np.zeros(count, np.int64)
        np.maximum.at(last, self.game, exam.plies)
        self.left: NDArray[np.int64] = last[self.game] + 1 - exam.plies
        """Plies until the game was over."""
        self.mated: NDArray[np.bool_] = self._mates()[self.game] if count else np.zeros(0, np.bool_)
        """Did its game end with checkmate on the board?"""

    @property
    def drawn(self) -> NDArray[np.bool_]:
        """Was its game drawn?"""
        return np.asarray(self.exam.outcomes == 1)

    def final(self) -> NDArray[np.int64]:
        """Where the last board of each game stands."""
        return np.flatnonzero(self.left == 1)

    def ended(self, number: int) -> Position:
        """The position behind the last move of a game whose last board has this number."""
        position = unpack(self.exam.positions[number])
        played = int(self.exam.moves[number])
        return position.after(next(move for move in position.legal_moves() if move.bits == played))

    def _mates(self) -> NDArray[np.bool_]:
        mated = np.zeros(int(self.game.max()) + 1, np.bool_)
        for number in self.final():
            mated[self.game[number]] = self.ended(number).ending() == "checkmate"
        return mated


def evaluation(lab: ExperimentContext) -> dict[str, Any]:
    """The best boards behind three positions; V and material; and why they go together as they do."""
    chosen = lab.chosen("evaluation", {"games": GAMES[lab.size], "played_out": PLAYED_OUT[lab.size]})
    school = schooled(lab)
    return told(school.outcome, school.exam, **chosen, seed=lab.seed, threads=lab.executor.workers)


def told(
    brains: Mapping[float, Path], exam: Exam, *, games: int, played_out: int, seed: int = 1, threads: int = 1
) -> dict[str, Any]:
    """For results; the brains are V for several discounts, and the smallest is the one that is looked at closely."""
    if not brains:
        return {"skipped": "no V was taught yet"}
    some = exam.take(np.isin(exam.games, _some_games(exam, games, seed)))
    judged = {gamma: Boards(some, brain, threads) for gamma, brain in sorted(brains.items())}
    gamma, closely = next(iter(judged.items()))
    return {
        "gamma": gamma,
        "best": [
            {"key": case.key, "gamma": each, **_best(brain, Position.from_fen(case.fen), case.best)}
            for case in EVALUATED
            for each, brain in sorted(brains.items())
        ],
        "correlations": {str(each): _whole(boards) for each, boards in judged.items()},
        "reasons": reasons(closely, brains[gamma], played_out, seed, threads),
        "by_distance": {str(each): _by_distance(boards) for each, boards in judged.items()},
        "dots": _dots(closely, seed),
        "examples": examples(closely),
        "games": int(closely.game.max()) + 1,
        "plies": round(len(some) / (int(closely.game.max()) + 1), 1),
    }


def reasons(boards: Boards, brain: Path, played_out: int, seed: int, threads: int) -> list[dict[str, Any]]:
    """The correlation on parts of the boards, each with how far apart the sides are in material there."""
    some = {
        "all test boards": np.ones(len(boards.value), np.bool_),
        **{f"{low} to {high} plies from the end": _within(boards.left, low, high) for low, high in NEAR},
        "games that ended in mate": boards.mated,
        "games that were resigned": ~boards.mated & ~boards.drawn,
        "drawn games": boards.drawn,
        "a pawn or less apart": np.abs(boards.material) <= 1,
        "three pawns or more apart": np.abs(boards.material) >= 3,
    }
    rows = [
        _row(name, boards.value[which], boards.material[which], boards.game[which])
        for name, which in some.items()
        if which.any()
    ]
    on, game = play_out(boards, played_out, seed)
    if len(on):
        v, m = values(brain, on, threads=threads), material(on)
        rows.append(_row("resigned games, played on to mate by Okapi", v, m, game))
        whole = np.isin(boards.game, game)
        before = boards.value[whole], boards.material[whole], boards.game[whole]
        both = (np.concatenate(parts) for parts in zip(before, (v, m, game), strict=True))
        rows += [_row("the same games, as they were played", *before), _row("the same games, with both", *both)]
    return rows


def play_out(boards: Boards, games: int, seed: int) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Boards of resigned games as Okapi goes on with them, for both sides; and which game each belongs to."""
    final = boards.final()
    resigned = final[~boards.mated[final] & ~boards.drawn[final]]
    search = Search(Evaluator.from_brain(Brain.default()))
    positions, game = [], []
    for number in np.random.default_rng(seed).permutation(resigned)[:games]:
        position = boards.ended(number)
        for _ in range(LONGEST):
            if position.ending() is not None:
                break
            positions.append(position.copy())
            game.append(int(boards.game[number]))
            position.play(search.run(position, Limits(depth=DEPTH)).move)
    return pack(positions), np.array(game, np.int64)


def examples(boards: Boards) -> list[dict[str, Any]]:
    """Boards that fit a rule best."""
    alike, apart = boards.material == 0, np.where(boards.material > 0, -1, 1) * boards.value
    found = {
        "liked best": boards.value,
        "liked least": -boards.value,
        "most material": boards.material + 1e-3 * boards.value,
        "liked best, with as much material for both": np.where(alike, boards.value, -np.inf),
        "behind in material, yet liked, or the other way round": np.where(alike, -np.inf, apart),
    }
    return [_example(boards, title, int(scores.argmax())) for title, scores in found.items()]


def _example(boards: Boards, title: str, number: int) -> dict[str, Any]:
    return {
        "title": title,
        "fen": fens(boards.exam.positions[[number]])[0],
        "value": round(float(boards.value[number]), 4),
        "material": int(boards.material[number]),
        "outcome": int(boards.exam.outcomes[number]),
        "left": int(boards.left[number]),
    }


def _some_games(exam: Exam, count: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permutation(np.unique(exam.games))[:count]


def _best(brain: Path, position: Position, wanted: str) -> dict[str, Any]:
    rows = after_each_move(brain, position)
    rank = 1 + [row["move"] for row in rows].index(wanted)
    return {"rank": rank, "moves": len(rows), "rows": rows[:BEST], "wanted": rows[rank - 1]}


def _whole(boards: Boards) -> dict[str, Any]:
    return correlation(boards.value, boards.material, boards.game).as_json()


def _row(name: str, value: NDArray[Any], apart: NDArray[Any], game: NDArray[Any]) -> dict[str, Any]:
    return {
        "boards_of": name,
        **correlation(value, apart, game).as_json(),
        "spread": round(float(apart.std()), 2),
        "five": round(float((np.abs(apart) >= 5).mean()), 4),
    }


def _by_distance(boards: Boards) -> list[list[float]]:
    """Of boards of winners and losers so many plies from the end: V for whoever won, on average."""
    decided = ~boards.drawn & (boards.exam.outcomes >= 0)
    sign = np.where(boards.exam.outcomes == 2, 1, -1)
    found = []
    for left in range(1, MOST_DISTANCE + 1):
        here = decided & (boards.left == left)
        if here.any():
            found.append([left, round(float((sign * boards.value)[here].mean()), 5)])
    return found


def _dots(boards: Boards, seed: int) -> list[list[float]]:
    chosen = np.random.default_rng(seed).permutation(len(boards.value))[:DOTS]
    return [[int(boards.material[number]), round(float(boards.value[number]), 4)] for number in chosen]


def _within(numbers: NDArray[np.int64], low: int, high: int) -> NDArray[np.bool_]:
    return np.asarray((numbers >= low) & (numbers <= high))
