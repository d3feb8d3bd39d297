"""Brains meet: games inside this process, or inside those of a executor. The same games, whoever plays them."""

import math
from dataclasses import dataclass
from itertools import pairwise

from okapi.arena.elo import MatchResult, estimate_elo
from okapi.arena.openings import load_openings
from okapi.core import Brain, Duel, Duellist, Evaluator, Limits, both_ways
from okapi.optimize.executor import Executor

__all__ = ["Terms", "duel", "elo_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a duel is fought by."""

    games: int
    """An even number: every opening is played twice, with colours changed."""
    depth: int = 4
    seed: int = 1
    """Chooses the openings."""
    without: tuple[str, ...] = ()
    """Heuristics that neither side has."""


def duel(first: bytes, second: bytes, terms: Terms, executor: Executor) -> MatchResult:
    """What the first brain gets against the second; both are files of brains."""
    pairs = (terms.games + 1) // 2
    parts = min(pairs, 4 * executor.workers)
    bounds = [pairs * part // parts for part in range(parts + 1)]
    tasks = [(first, second, terms, begin, end) for begin, end in pairwise(bounds)]
    return MatchResult.of([pair for part in executor.map(_fight, tasks) for pair in part])


def elo_of(tally: MatchResult) -> dict[str, float | None]:
    """For results: elo, low and high; an end that the games leave open is None."""
    found = estimate_elo(tally)
    numbers = {"elo": found.elo, "low": found.low, "high": found.high}
    return {name: round(number, 1) if math.isfinite(number) else None for name, number in numbers.items()}


def _fight(task: tuple[bytes, bytes, Terms, int, int]) -> list[tuple[float, float]]:
    """The points of the first player in each pair of games."""
    first, second, terms, begin, end = task
    starts = load_openings(count=(terms.games + 1) // 2, seed=terms.seed)[begin:end]
    points = [bout.score for bout in Duel(_fighter(first, terms), _fighter(second, terms), both_ways(starts))]
    return list(zip(points[::2], points[1::2], strict=True))


def _fighter(brain: bytes, terms: Terms) -> Duellist:
    return Duellist(Evaluator.from_brain(Brain.from_bytes(brain)), Limits(depth=terms.depth), without=terms.without)
