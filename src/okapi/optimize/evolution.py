"""Evolutionary optimizers: evolutionary programming, differential evolution, CMA-ES.

Evolutionary programming is L. J. Fogel's, without crossover, with both mutations of Vázquez-Fernández's thesis (2012).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import Any, Final
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

from okapi.errors import UsageError
from okapi.optimize.population import CountedScore, FloatArray, Generation, ParameterSpace, Score

Mutate = Callable[[FloatArray, ParameterSpace, int, int, np.random.Generator], FloatArray]
"""Parents, parameters, the parents' generation t, the last generation T, a generator: a child of each parent."""

FIRST_SCALE: Final = 0.5
NEW_SCALE: Final = 0.1  # the probability that a trial vector gets a new scale, from LEAST_SCALE to 1
LEAST_SCALE: Final = 0.1


def gaussian(sigma: float | FloatArray) -> Mutate:
    """Add normal noise, clipped to the bounds (chapter 4); `sigma` is one for all parameters, or one for each."""

    def mutate(parents: FloatArray, space: ParameterSpace, t: int, last: int, rng: np.random.Generator) -> FloatArray:
        return space.clip(parents + rng.normal(0.0, sigma, parents.shape))

    return mutate


def self_adaptive(sigmas: int, of: NDArray[np.intp]) -> Mutate:
    """As gaussian(), where the last `sigmas` parameters are deviations that mutate themselves, by a factor.

    `of` has, for each of the other parameters, the number of its deviation.
    """

    def mutate(parents: FloatArray, space: ParameterSpace, t: int, last: int, rng: np.random.Generator) -> FloatArray:
        own = parents[:, -sigmas:] * np.exp(rng.normal(0.0, 1 / np.sqrt(2 * np.sqrt(len(of))), (len(parents), sigmas)))
        own = np.clip(own, space.low[-sigmas:], space.high[-sigmas:])
        moved = parents[:, :-sigmas] + own[:, of] * rng.normal(size=(len(parents), len(of)))
        return space.clip(np.hstack([moved, own]))

    return mutate


def non_uniform(b: float = 2.0, rate: float = 0.9) -> Mutate:
    """Michalewicz's mutation (equations 19 and 20): anywhere at first, ever nearer to the parent later.

    `rate` is the probability of each parameter; the thesis may also be read as one decision for the whole child.
    """

    def mutate(parents: FloatArray, space: ParameterSpace, t: int, last: int, rng: np.random.Generator) -> FloatArray:
        changed = rng.random(parents.shape) < rate
        up = rng.random(parents.shape) < 0.5
        room = np.where(up, space.high - parents, space.low - parents)
        step = step_size(t / last, rng.random(parents.shape), b)
        return space.clip(np.where(changed, parents + room * step, parents))

    return mutate


def step_size(time: float, uniform: FloatArray, b: float) -> FloatArray:
    """The share of the distance to the bound that a parameter moves: anything at time 0, nothing at time 1."""
    return np.asarray(1.0 - uniform ** ((1.0 - time) ** b))


def evolve(
    score: Score,
    space: ParameterSpace,
    *,
    players: int,
    generations: int,
    mutate: Mutate,
    seed: int,
    start: FloatArray | None = None,
    keep_scores: bool = False,
) -> Iterator[Generation]:
    """Evolutionary programming: yield generation 0 and `generations` more. The start is random if none is given.

    The better half survives, and each survivor has one child. Survivors are scored again, since the games of the next
    generation may be others; `keep_scores` skips that where the score is always the same.
    """
    if players < 2 or players % 2:
        raise ValueError(f"{players} players: expected an even number, since half of them survive")
    population = space.random(np.random.default_rng([seed, 0]), players) if start is None else space.clip(start)
    if population.shape != (players, len(space)):
        raise ValueError(f"the start has the shape {population.shape}: expected {(players, len(space))}")
    score_all = CountedScore(score)
    yield (now := score_all.ranked(0, population, score_all(population)))
    for number in range(1, generations + 1):
        parents = now.population[: players // 2]
        rng = np.random.default_rng([seed, number])  # one for each generation, so that a run can be resumed
        children = mutate(parents, space, number - 1, generations, rng)
        population = np.concatenate([parents, children])
        old = now.scores[: players // 2]
        scores = np.concatenate([old, score_all(children)]) if keep_scores else score_all(population)
        yield (now := score_all.ranked(number, population, scores))


@dataclass(frozen=True, slots=True)
class _Members:
    players: FloatArray
    scales: FloatArray
    total: FloatArray  # the sum of all scores of an individual
    evaluations: FloatArray

    @property
    def scores(self) -> FloatArray:
        return self.total / self.evaluations

    def __len__(self) -> int:
        return len(self.players)

    def __getitem__(self, which: Any) -> "_Members":
        return _Members(*(getattr(self, name)[which] for name in self.__slots__))

    def __add__(self, others: "_Members") -> "_Members":
        return _Members(*(np.concatenate([getattr(self, name), getattr(others, name)]) for name in self.__slots__))

    def best(self, count: int) -> "_Members":
        return self[np.argsort(-self.scores, kind="stable")[:count]]

    def scored(self, scores: FloatArray) -> "_Members":
        return replace(self, total=self.total + scores, evaluations=self.evaluations + 1)


def differential_evolution(
    score: Score,
    space: ParameterSpace,
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
    """Differential evolution, as Bošković and others tuned a chess program with it (2008, 2010, 2011).

    A trial vector is made by rand/2/bin, with a scale that is inherited and sometimes changes. `crossover` is the
    probability that a parameter comes from the mutant, `jumping` that a generation also tries the opposites, and
    `history` the number of discarded individuals that are kept: where scores are noisy, one may return.
    """
    if players < 6:
        raise ValueError(f"{players} players: a trial vector is made of five others, so at least 6 are needed")
    score_all = CountedScore(score)
    rng = np.random.default_rng([seed, 0])
    members = _new(space.random(rng, players) if start is None else space.clip(start))
    members += _new(space.low + space.high - members.players)
    members = members.scored(score_all(members.players)).best(players)
    discarded = members[:0]
    yield score_all.ranked(0, members.players, members.scores)
    for number in range(1, generations + 1):
        rng = np.random.default_rng([seed, number])
        trials = _trials(members, space, crossover, rng)
        if keep_scores:
            trials = trials.scored(score_all(trials.players))
            replaced = trials.scores >= members.scores
        else:
            retried = discarded.best(1)
            scores = score_all(np.concatenate([members.players, trials.players, retried.players]))
            replaced = scores[players : 2 * players] >= scores[:players]  # both have the same positions
            members, trials = members.scored(scores[:players]), trials.scored(scores[players : 2 * players])
            others = discarded.best(len(discarded))[1:]
            discarded = retried.scored(scores[2 * players :]) + others
        members, discarded = members[~replaced] + trials[replaced], discarded + members[replaced]
        members, discarded = _return(members, discarded, history, evaluations=1 if keep_scores else 2)
        if rng.random() < jumping:
            mirror = members.players.min(axis=0) + members.players.max(axis=0)
            opposites = _new(space.clip(mirror - members.players))
            members = (members + opposites.scored(score_all(opposites.players))).best(players)
        yield score_all.ranked(number, members.players, members.scores)


def _new(players: FloatArray) -> _Members:
    none = np.zeros(len(players))
    return _Members(players, none + FIRST_SCALE, none, none)


def _trials(members: _Members, space: ParameterSpace, crossover: float, rng: np.random.Generator) -> _Members:
    """One for each individual: a + F (b - c) + F (d - e) of five others, in most parameters."""
    players = np.arange(len(members))
    fresh = rng.uniform(LEAST_SCALE, 1.0, len(players))
    scales = np.where(rng.random(len(players)) < NEW_SCALE, fresh, members.scales)
    others = np.array([rng.choice(np.delete(players, player), 5, replace=False) for player in players])
    a, b, c, d, e = (members.players[others[:, part]] for part in range(5))
    mutant = space.clip(a + scales[:, None] * (b - c + d - e))
    crossed = rng.random(mutant.shape) < crossover
    crossed[players, rng.integers(len(space), size=len(players))] = True  # a trial vector differs from its parent
    return replace(_new(np.where(crossed, mutant, members.players)), scales=scales)


def _return(members: _Members, discarded: _Members, history: int, evaluations: int) -> tuple[_Members, _Members]:
    """The best discarded individual with enough evaluations replaces the worst member, if it is better."""
    kept, back = members.best(len(members)), discarded.best(len(discarded))
    if history and len(back) and back.evaluations[0] >= evaluations and back.scores[0] > kept.scores[-1]:
        kept, back = kept[:-1] + back[:1], back[1:] + kept[-1:]
    return kept, back.best(history)


def cma_es(
    score: Score,
    space: ParameterSpace,
    *,
    players: int,
    generations: int,
    seed: int,
    start: FloatArray | None = None,
    sigma: float = 0.25,
    diagonal: bool = False,
) -> Iterator[Generation]:
    """CMA-ES (Hansen) by pycma: yield generation 0 and `generations` more; fewer if pycma sees no more progress.

    Parameters are scaled to 0…1; `sigma` is the first standard deviation there, around the start or the middle.
    `diagonal` restricts the covariance matrix, for hundreds of parameters. The best so far is in each generation.
    """
    try:
        with catch_warnings():
            simplefilter("ignore")  # about a missing library for plots
            import cma
    except ImportError:
        raise UsageError("CMA-ES needs pycma", hint="pip install 'okapi-chess[learn]'") from None
    rng = np.random.default_rng([seed, 0])
    middle = np.full(len(space), 0.5) if start is None else (space.clip(start) - space.low) / space.width
    options = {
        "bounds": [0.0, 1.0],
        "popsize": players,
        "maxiter": generations + 1,
        "CMA_diagonal": diagonal,
        "verbose": -9,
        "seed": np.nan,  # random numbers come from our generator, not from numpy's global one
        "randn": lambda *shape: rng.standard_normal(shape),
    }
    strategy = cma.CMAEvolutionStrategy(middle, sigma, options)
    score_all = CountedScore(score)
    champion, record = np.empty((0, len(space))), np.empty(0)  # the best so far, and its score
    for number in takewhile(lambda _: not strategy.stop(), count()):
        asked = strategy.ask()
        population = space.clip(space.low + np.array(asked) * space.width)
        scores = score_all(population)
        strategy.tell(asked, (-scores).tolist())
        if not len(record) or scores.max() > record[0]:
            champion, record = population[[scores.argmax()]], scores[[scores.argmax()]]
        else:
            population, scores = np.concatenate([champion, population]), np.concatenate([record, scores])
        yield score_all.ranked(number, population, scores)
