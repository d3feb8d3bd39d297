"""
Differential evolution, as Bošković and others tuned a chess program with it (2008, 2010, 2011).

A player's rival is made of the differences between others: rand/2/bin, with a scale that players inherit and that
changes now and then. Opposites (low + high - x) are tried at the start and now and then later. The history keeps good
players that died, and lets them sit further exams: where exams differ, somebody may have died of bad luck.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from okapi.optimize.generation import Generation, Score, ask
from okapi.optimize.genes import FloatArray, Genes

__all__ = ["differential_evolution"]

FIRST_SCALE: Final = 0.5
NEW_SCALE: Final = 0.1
"""How likely a rival is to have a scale of its own, anywhere from LEAST_SCALE to 1."""
LEAST_SCALE: Final = 0.1


@dataclass(slots=True)
class _Crowd:
    """Players with all that is known of them."""

    players: FloatArray
    scales: FloatArray
    total: FloatArray
    """The sum of all scores that a player had."""
    exams: FloatArray

    @property
    def scores(self) -> FloatArray:
        """A player's mean over all of its exams."""
        return self.total / self.exams

    def __len__(self) -> int:
        return len(self.players)

    def __getitem__(self, which: Any) -> "_Crowd":
        return _Crowd(self.players[which], self.scales[which], self.total[which], self.exams[which])

    def __add__(self, others: "_Crowd") -> "_Crowd":
        return _Crowd(
            np.concatenate([self.players, others.players]),
            np.concatenate([self.scales, others.scales]),
            np.concatenate([self.total, others.total]),
            np.concatenate([self.exams, others.exams]),
        )

    def best(self, count: int) -> "_Crowd":
        return self[np.argsort(-self.scores, kind="stable")[:count]]

    def sat(self, scores: FloatArray) -> "_Crowd":
        """The same after another exam."""
        return _Crowd(self.players, self.scales, self.total + scores, self.exams + 1)


def differential_evolution(
    score: Score,
    genes: Genes,
    *,
    players: int,
    generations: int,
    seed: int,
    start: FloatArray | None = None,
    crossover: float = 0.9,
    jumping: float = 0.1,
    history: int = 5,
    keep_scores: bool = False,
) -> Iterator[Generation]:
    """Yield generation 0 and as many more as asked for.

    `crossover` is the part of a rival's genes that comes of differences, `jumping` the probability that a generation
    also tries the opposites, `history` the number of dead players that are kept. Where the exam is always the same,
    `keep_scores` spares asking again, the dead included.
    """
    if players < 6:
        raise ValueError(f"{players} players: a rival is made of five others, so at least 6 are needed")
    exam = _Exam(score)
    rng = np.random.default_rng([seed, 0])
    crowd = _new(genes.random(rng, players) if start is None else genes.clip(start))
    crowd += _new(genes.low + genes.high - crowd.players)
    crowd = crowd.sat(exam(crowd.players)).best(players)
    dead = crowd[np.arange(0)]
    yield exam.generation(0, crowd)
    for number in range(1, generations + 1):
        rng = np.random.default_rng([seed, number])
        rivals = _rivals(crowd, genes, crossover, rng)
        if keep_scores:
            rivals = rivals.sat(exam(rivals.players))
            lost = rivals.scores >= crowd.scores
        else:
            back = dead.best(1)
            scores = exam(np.concatenate([crowd.players, rivals.players, back.players]))
            lost = scores[players : 2 * players] >= scores[:players]  # both sat the same exam
            crowd, rivals = crowd.sat(scores[:players]), rivals.sat(scores[players : 2 * players])
            dead = back.sat(scores[2 * players :]) + dead.best(len(dead))[np.arange(1, len(dead))]
        crowd, dead = crowd[~lost] + rivals[lost], dead + crowd[lost]
        crowd, dead = _return(crowd, dead, history, exams=1 if keep_scores else 2)
        if rng.random() < jumping:
            mirror = crowd.players.min(axis=0) + crowd.players.max(axis=0)
            opposites = _new(genes.clip(mirror - crowd.players))
            crowd = (crowd + opposites.sat(exam(opposites.players))).best(players)
        yield exam.generation(number, crowd)


class _Exam:
    """Asks the score function, and counts."""

    def __init__(self, score: Score) -> None:
        self._score = score
        self._calls = 0
        self._evaluations = 0

    def __call__(self, players: FloatArray) -> FloatArray:
        scores = ask(self._score, players, self._calls)
        self._calls += 1
        self._evaluations += len(players)
        return scores

    def generation(self, number: int, crowd: _Crowd) -> Generation:
        return Generation.ranked(number, crowd.players, crowd.scores, self._evaluations)


def _new(players: FloatArray) -> _Crowd:
    count = len(players)
    return _Crowd(players, np.full(count, FIRST_SCALE), np.zeros(count), np.zeros(count))


def _rivals(crowd: _Crowd, genes: Genes, crossover: float, rng: np.random.Generator) -> _Crowd:
    """One for each player: a + F (b - c) + F (d - e) of five others, in most of its genes."""
    count = len(crowd)
    fresh = rng.uniform(LEAST_SCALE, 1.0, count)
    scales = np.where(rng.random(count) < NEW_SCALE, fresh, crowd.scales)
    others = np.array([rng.choice(np.delete(np.arange(count), player), 5, replace=False) for player in range(count)])
    a, b, c, d, e = (crowd.players[others[:, part]] for part in range(5))
    mutant = genes.clip(a + scales[:, None] * (b - c + d - e))
    crossed = rng.random(mutant.shape) < crossover
    crossed[np.arange(count), rng.integers(len(genes), size=count)] = True  # nobody is its own rival
    rivals = _new(np.where(crossed, mutant, crowd.players))
    rivals.scales = scales
    return rivals


def _return(crowd: _Crowd, dead: _Crowd, history: int, exams: int) -> tuple[_Crowd, _Crowd]:
    """The best of the dead that sat enough exams takes the place of the worst of the living, if it is better."""
    living, risen = crowd.best(len(crowd)), dead.best(len(dead))
    if history and len(risen) and risen.exams[0] >= exams and risen.scores[0] > living.scores[-1]:
        others, rest = np.arange(len(living) - 1), np.arange(1, len(risen))
        living, risen = living[others] + risen.best(1), risen[rest] + living[[-1]]
    return living, risen.best(history)
