"""Twenty-eight weights on positions of grandmasters: chapter 6, and other optimizers with the same weights.

Exploration: twenty players within the bounds of Table 15 answer the same thousand positions in every generation; the
half that finds most of the masters' moves survives, and each survivor has a child by Michalewicz's mutation.

Exploitation: the best player is improved weight by weight, steps of 30 halved until they are below 0.5. What is
counted, the thesis says twice: "M = 20 positions … that were not solved by any virtual player", and no other number
than 1,000. Both readings are here, and a third that has enough positions for a weight's small step to show.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find
from okapi.brains.files import brain_file, read_tensors
from okapi.core.evaluation import FACTORS, factors
from okapi.core.samples import quiet
from okapi.errors import UsageError
from okapi.optimize.evolution import cma_es, differential_evolution, evolve, non_uniform
from okapi.optimize.executor import Executor
from okapi.optimize.gradient import LinearDataset, fit, loss
from okapi.optimize.hooke_jeeves import hooke_jeeves
from okapi.optimize.population import FloatArray, Generation, ParameterSpace, Score, limit_evaluations
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution, described
from okapi.recipes.exercises import Exercises, MasterGames, exercises_for, solved
from okapi.recipes.vazquez2012 import TABLES

TABLE_15: Final = {name: (float(low), float(high)) for name, (low, high) in TABLES["table_15"].items()}
"""The bounds of each weight, lowest and highest."""

NAMES: Final = tuple(name for name in FACTORS if name in TABLE_15 and name != "pawn")
GENES: Final = ParameterSpace(NAMES, *np.array([TABLE_15[name] for name in NAMES]).T)

SCALES: Final = {"undivided": "", "parts": "vazquez-exploration", "softened": "vazquez-softened"}
"""Readings of equations 24 to 29, with brains that ship and have their divisors: factors as they are, as the equations
say; counted ones as parts of the most there can be; and those of 0 or 1 a sixth as well, as games prefer."""

MORE: Final[dict[str, list[float]]] = TABLES["more"]
"""Seven factors beyond the thesis: lowest and highest weight, and how much of the factor earns it."""

_LOW, _HIGH, _DIVISORS = np.array(list(MORE.values())).T

GENES_35: Final = ParameterSpace(
    (*GENES.names, *MORE), np.concatenate([GENES.low, _LOW]), np.concatenate([GENES.high, _HIGH])
)


class Expression:
    """Turns genes into a brain: the pawn is 100, and every factor is divided as its scale says."""

    KIND: ClassVar = {"kind": "linear-28", "encoding": "factors-29"}
    GENES: ClassVar = GENES
    MORE_DIVISORS: ClassVar = np.ones(0)

    def __init__(self, scale: str, without: str = "") -> None:
        """`scale` is a key of SCALES, or a brain whose divisors are taken; factors of `without` have no weight."""
        brain = SCALES.get("parts" if scale == "letter" else scale, scale)  # `letter`: until version 0.1
        divisors = read_tensors(find(brain))["divisors"] if brain else np.ones(len(NAMES) + 1)
        self.divisors = np.append(divisors, self.MORE_DIVISORS).astype(np.float32)
        self.counted = np.array([name not in without.split("+") for name in self.GENES.names])

    def __call__(self, genes: FloatArray, card: Mapping[str, str]) -> bytes:
        weights = np.array([100.0, *np.where(self.counted, genes, 0.0)], np.float32)
        return brain_file({**card, **self.KIND}, {"weights": weights, "divisors": self.divisors})

    def answers(self, players: FloatArray, exercises: Exercises, executor: Executor) -> NDArray[np.bool_]:
        """Which exercises each player solves: one row a player."""
        return solved([self(player, {"name": "candidate"}) for player in players], exercises, executor)


class Expression35(Expression):
    KIND: ClassVar = {"kind": "linear-35", "encoding": "factors-35"}
    GENES: ClassVar = GENES_35
    MORE_DIVISORS: ClassVar = _DIVISORS


def training(library: MasterGames, positions: int, seed: int) -> Exercises:
    """The positions of a run: the same in all its generations."""
    return library.training.some(positions, np.random.default_rng([seed, 1]))


def exam(exercises: Exercises, express: Expression, executor: Executor) -> Score:
    """How many of the exercises each player solves."""
    return lambda players, number: express.answers(players, exercises, executor).sum(axis=1).astype(np.float64)


def recipe(config: RecipeConfig) -> Evolution:
    settings = config.settings_of("vazquez-28")
    library = exercises_for(config)
    express = Expression(settings["scale"], settings["without"])
    how: dict[str, Any] = {name: settings[name] for name in ("players", "generations")}
    how |= {"mutate": non_uniform(settings["b"], settings["rate"]), "seed": config.seed, "keep_scores": True}
    return Evolution(
        **described(config, "vazquez-28", "Twenty-eight weights on positions of grandmasters", settings, library),
        genes=GENES,
        learn=lambda score: evolve(score, GENES, **how),
        score=exam(training(library, settings["positions"], config.seed), express, config.executor),
        express=express,
    )


OBJECTIVES: Final = ("unsolved", "all", "more")
"""Positions that nobody solved in the exploration; all that it had; these and others of the same games."""


def exploitation(config: RecipeConfig) -> Evolution:
    """Twenty-eight weights by Hooke-Jeeves (chapter 6), from the brain `start` on: that of the thesis, or another."""
    settings = config.settings_of("vazquez-exploitation")
    objective = settings["objective"]
    if objective not in OBJECTIVES:
        raise UsageError(f"`objective` is {objective!r}", hint=f"expected {' or '.join(OBJECTIVES)}")
    library, express = exercises_for(config), Expression(settings["scale"])
    start = read_tensors(find(settings["start"]))["weights"][1:].astype(np.float64)
    asked = training(library, settings["more" if objective == "more" else "positions"], config.seed)
    if objective == "unsolved":
        unsolved = settings["nobody_solved"] or unsolved_by(start[None], asked, express, config.executor)
        rng = np.random.default_rng([config.seed, 2])
        asked = asked.take(np.array(unsolved, np.int64)).some(settings["unsolved"], rng)
    how = {name: settings[name] for name in ("step", "reduction", "end")}
    title = "Twenty-eight weights, improved by Hooke and Jeeves"
    return Evolution(
        **described(config, "vazquez-exploitation", title, settings, library),
        genes=GENES,
        learn=lambda score: hooke_jeeves(score, GENES, start=start, **how),
        score=exam(asked, express, config.executor),
        express=express,
    )


def unsolved_by(players: FloatArray, exercises: Exercises, express: Expression, executor: Executor) -> list[int]:
    """The numbers of the exercises that none of the players solves. Each is asked until somebody does."""
    left = np.arange(len(exercises))
    for begin in range(0, len(players), 20):
        if len(left):
            left = left[~express.answers(players[begin : begin + 20], exercises.take(left), executor).any(axis=0)]
    return [int(number) for number in left]


# --- Other optimizers within the same budget: beyond the thesis -------------------------------------------------------

PIECES: Final = {"knight": 300.0, "bishop": 300.0, "rook": 500.0, "queen": 900.0}


def theory(genes: ParameterSpace) -> FloatArray:
    """What pieces are worth in theory, and nothing for where they stand."""
    return genes.clip(np.array([PIECES.get(name, 0.0) for name in genes.names]))


def differential(config: RecipeConfig) -> Evolution:
    def learn(score: Score, players: int, budget: int, **_: Any) -> Iterator[Generation]:
        how: dict[str, Any] = {"players": players, "generations": budget // players, "keep_scores": True}
        return differential_evolution(score, GENES, **how, seed=config.seed)

    return _within_budget(config, "vazquez-28-de", "Twenty-eight weights by differential evolution", learn)


def cma(config: RecipeConfig) -> Evolution:
    def learn(score: Score, players: int, budget: int, **_: Any) -> Iterator[Generation]:
        how: dict[str, Any] = {"players": players, "generations": budget // players, "start": theory(GENES)}
        return cma_es(score, GENES, **how, seed=config.seed, sigma=0.1)

    made = _within_budget(config, "vazquez-28-cma", "Twenty-eight weights by CMA-ES", learn)
    return replace(made, generations=-(-made.settings["budget"] // made.settings["players"]) - 1)


def hooke(config: RecipeConfig) -> Evolution:
    title, start = "Twenty-eight weights by Hooke-Jeeves", theory(GENES)
    return _within_budget(config, "vazquez-28-hooke", title, lambda score, **_: hooke_jeeves(score, GENES, start=start))


def evolution(
    config: RecipeConfig,
    name: str = "vazquez-28-ep",
    title: str = "Twenty-eight weights by evolution, within a budget",
    expression: type[Expression] = Expression,
) -> Evolution:
    """For as many players as the others may score."""

    settings = config.settings_of("vazquez-28-de")
    players = settings["players"]
    how = {"players": players, "generations": (settings["budget"] - players) // (players // 2), "seed": config.seed}

    def learn(score: Score, **_: Any) -> Iterator[Generation]:
        return evolve(score, expression.GENES, **how, mutate=non_uniform(), keep_scores=True)

    return replace(_within_budget(config, name, title, learn, expression), generations=how["generations"])


def results(config: RecipeConfig) -> Evolution:
    recipe = evolution(config, "vazquez-28-results", "Twenty-eight weights by evolution, on results")
    divisors = Expression(recipe.settings["scale"]).divisors
    every = linear_dataset(exercises_for(config).training, GENES, divisors, config.executor.workers)
    return replace(recipe, score=likelihood(every.some(40_000, config.seed), config.executor))  # positions


def evolution_35(config: RecipeConfig) -> Evolution:
    return evolution(config, "vazquez-35", "Thirty-five weights by evolution", Expression35)


def texel(
    config: RecipeConfig,
    name: str = "vazquez-28-texel",
    title: str = "Twenty-eight weights by the gradient, on results",
    expression: type[Expression] = Expression,
) -> Evolution:
    def learn(score: Score, *, scale: str, steps: int, prior: float, **_: Any) -> Iterator[Generation]:
        genes, masters = expression.GENES, exercises_for(config).training
        learned = linear_dataset(masters, genes, expression(scale).divisors, config.executor.workers)
        return fit(score, genes, learned, start=theory(genes), steps=steps, prior=prior)

    return _within_budget(config, name, title, learn, expression, "vazquez-28-texel")


def texel_35(config: RecipeConfig) -> Evolution:
    return texel(config, "vazquez-35-texel", "Thirty-five weights by the gradient, on results", Expression35)


def _within_budget(
    config: RecipeConfig,
    name: str,
    title: str,
    learn: Callable[..., Iterator[Generation]],
    expression: type[Expression] = Expression,
    like: str = "vazquez-28-de",
) -> Evolution:
    """By a learner that is given the score function and, by name, the settings."""
    settings = config.settings_of(like)
    library, express = exercises_for(config), expression(settings["scale"])
    return Evolution(
        **described(config, name, title, settings, library),
        genes=express.GENES,
        learn=lambda score: limit_evaluations(settings["budget"], learn(score, **settings)),
        score=exam(training(library, settings["positions"], config.seed), express, config.executor),
        express=express,
    )


def decided(exercises: Exercises) -> Exercises:
    """The quiet positions: those beyond the opening, of games that have a result, or all that a teacher judged."""
    if not exercises.judged:
        rows = exercises.rows
        exercises = exercises.take((rows["result"] >= 0) & (rows["ply"] >= 16))
    return exercises.take(quiet(exercises.rows))


def linear_dataset(
    exercises: Exercises, genes: ParameterSpace, divisors: NDArray[np.float32], threads: int
) -> LinearDataset:
    calm = decided(exercises)
    columns = dict(zip(FACTORS, factors(calm.rows["position"], threads=threads).T, strict=True))
    pawn, *scaled = (columns[name] / scale for name, scale in zip(("pawn", *genes.names), divisors, strict=True))
    return LinearDataset(np.stack(scaled, axis=1).astype(np.float64), 100.0 * pawn, calm.scores)


def likelihood(learned: LinearDataset, executor: Executor) -> Score:
    """How much better than a coin each player predicts results, in thousandths of a nat a position."""

    def score(population: FloatArray, number: int) -> FloatArray:
        parts = np.array_split(population, min(executor.workers, len(population)))
        return np.concatenate(executor.map(_foretold, [(learned, part) for part in parts]))

    return score


def _foretold(task: tuple[LinearDataset, FloatArray]) -> FloatArray:
    learned, players = task
    gained = [1000 * (math.log(2) - loss(learned, player)) for player in players]
    return np.round(gained, 6)  # the same, however many threads made the sums
