"""
The learners that a user would pick instead, on the twenty-eight weights: beyond the thesis.

All have the bounds of Table 15, the same positions of masters, and the same budget: so many players may be scored.
Those that need a place to begin start with the values of the pieces in theory and nothing else. The gradient never
looks at the masters' moves; it learns from the results of their games, and evolution may do the same.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okapi.core.evaluation import FACTORS, factors
from okapi.core.samples import quiet
from okapi.optimize.cma_es import cma_es
from okapi.optimize.differential import differential_evolution
from okapi.optimize.evolution import evolve, non_uniform
from okapi.optimize.executor import Executor
from okapi.optimize.generation import Generation, Score, within
from okapi.optimize.genes import FloatArray, Genes
from okapi.optimize.gradient import Lesson, fit, loss
from okapi.optimize.hooke_jeeves import hooke_jeeves
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.evolution import Evolution
from okapi.recipes.exercises import Exercises, master_games
from okapi.recipes.vazquez2012.twenty_eight import GENES, GENES_35, Expression, Expression35, exam, training

__all__ = [
    "cma",
    "decided",
    "differential",
    "evolution",
    "evolution_35",
    "hooke",
    "lesson",
    "results",
    "texel",
    "texel_35",
    "theory",
]

PIECES: Final = {"knight": 300.0, "bishop": 300.0, "rook": 500.0, "queen": 900.0}

OPENING_PLIES: Final = 16
"""Of a game that the gradient does not look at: nothing is decided yet."""

MOST_RESULTS: Final = 40_000
"""Positions by whose games evolution on results judges a player."""

FULL: Final[dict[str, Any]] = {"players": 20, "budget": 2020, "positions": 1000, "scale": "letter"}
"""As many players are scored as in the exploration of chapter 6: 20, and ten children in each of 200 generations."""

USUAL: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {**FULL, "players": 6, "budget": 36, "positions": 60},
    "quick": {**FULL, "budget": 320, "positions": 400},
    "full": FULL,
}

Weights: TypeAlias = tuple[Genes, type[Expression]]
"""What is learned, and how it becomes a brain."""

TWENTY_EIGHT: Final[Weights] = (GENES, Expression)
THIRTY_FIVE: Final[Weights] = (GENES_35, Expression35)

Learn: TypeAlias = Callable[[Score, dict[str, Any]], Iterator[Generation]]
"""A learner that is given a score function and settings."""


def theory(genes: Genes) -> FloatArray:
    """What pieces are worth in theory, and nothing for where they stand."""
    return genes.clip(np.array([PIECES.get(name, 0.0) for name in genes.names]))


def differential(order: RecipeConfig) -> Evolution:
    """Twenty-eight weights by differential evolution with opposites, on masters' moves."""

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        players, most = settings["players"], settings["budget"] // settings["players"]
        return differential_evolution(
            score, GENES, players=players, generations=most, seed=order.seed, keep_scores=True
        )

    return _recipe(order, "vazquez-28-de", "Twenty-eight weights by differential evolution", learn)


def cma(order: RecipeConfig) -> Evolution:
    """Twenty-eight weights by CMA-ES, on masters' moves."""

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        players, most = settings["players"], settings["budget"] // settings["players"]
        start = theory(GENES)
        return cma_es(score, GENES, players=players, generations=most, seed=order.seed, start=start, sigma=0.1)

    made = _recipe(order, "vazquez-28-cma", "Twenty-eight weights by CMA-ES", learn)
    return replace(made, generations=-(-made.settings["budget"] // made.settings["players"]) - 1)


def hooke(order: RecipeConfig) -> Evolution:
    """Twenty-eight weights by Hooke-Jeeves alone, on masters' moves."""

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        return hooke_jeeves(score, GENES, start=theory(GENES))

    return _recipe(order, "vazquez-28-hooke", "Twenty-eight weights by Hooke-Jeeves", learn)


def evolution(order: RecipeConfig) -> Evolution:
    """Twenty-eight weights by evolution, for as many players as the others may score."""
    return _evolution(order, TWENTY_EIGHT, "vazquez-28-ep", "Twenty-eight weights by evolution, within a budget")


def results(order: RecipeConfig) -> Evolution:
    """Twenty-eight weights by evolution, on the results of masters' games."""
    recipe = _evolution(order, TWENTY_EIGHT, "vazquez-28-results", "Twenty-eight weights by evolution, on results")
    library = master_games(order.games, order.size, order.executor)
    divisors = Expression(recipe.settings["scale"]).divisors
    every = lesson(library.training, GENES, divisors, order.executor.workers)
    return replace(recipe, score=likelihood(every.some(MOST_RESULTS, order.seed), order.executor))


def evolution_35(order: RecipeConfig) -> Evolution:
    """Thirty-five weights by evolution, on masters' moves."""
    return _evolution(order, THIRTY_FIVE, "vazquez-35", "Thirty-five weights by evolution")


def texel(order: RecipeConfig) -> Evolution:
    """Twenty-eight weights by the gradient, on the results of masters' games."""
    return _texel(order, TWENTY_EIGHT, "vazquez-28-texel", "Twenty-eight weights by the gradient, on results")


def texel_35(order: RecipeConfig) -> Evolution:
    """Thirty-five weights by the gradient, on the results of masters' games."""
    return _texel(order, THIRTY_FIVE, "vazquez-35-texel", "Thirty-five weights by the gradient, on results")


def decided(exercises: Exercises) -> NDArray[np.void]:
    """The quiet positions beyond the opening, of games that have a result."""
    rows = exercises.rows[(exercises.rows["result"] >= 0) & (exercises.rows["ply"] >= OPENING_PLIES)]
    return np.asarray(rows[quiet(rows)])


def lesson(exercises: Exercises, genes: Genes, divisors: NDArray[np.float32], threads: int) -> Lesson:
    """Positions whose factors may foretell how the game ends."""
    rows = decided(exercises)
    columns = dict(zip(FACTORS, factors(rows["position"], threads=threads).T, strict=True))
    pawn, *scaled = (columns[name] / scale for name, scale in zip(("pawn", *genes.names), divisors, strict=True))
    return Lesson(np.stack(scaled, axis=1).astype(np.float64), 100.0 * pawn, rows["result"] / 2.0)


def likelihood(learned: Lesson, executor: Executor) -> Score:
    """How much better than a coin each player foretells results, in thousandths of a nat a position."""

    def score(population: FloatArray, number: int) -> FloatArray:
        parts = np.array_split(population, min(executor.workers, len(population)))
        return np.concatenate(executor.map(_foretold, [(learned, part) for part in parts]))

    return score


def _foretold(task: tuple[Lesson, FloatArray]) -> FloatArray:
    learned, players = task
    gained = [1000 * (math.log(2) - loss(learned, player)) for player in players]
    return np.round(gained, 6)  # the same, however many threads made the sums


def _evolution(order: RecipeConfig, weights: Weights, name: str, title: str) -> Evolution:
    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        players, last = settings["players"], _generations(settings)
        mutate = non_uniform()
        return evolve(
            score, weights[0], players=players, generations=last, mutate=mutate, seed=order.seed, keep_scores=True
        )

    made = _recipe(order, name, title, learn, weights)
    return replace(made, generations=_generations(made.settings))


def _generations(settings: Mapping[str, Any]) -> int:
    """Of evolution: half of the players are new each time."""
    return int((settings["budget"] - settings["players"]) // (settings["players"] // 2))


def _texel(order: RecipeConfig, weights: Weights, name: str, title: str) -> Evolution:
    genes, expression = weights

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        library = master_games(order.games, order.size, order.executor)
        learned = lesson(library.training, genes, expression(settings["scale"]).divisors, order.executor.workers)
        return fit(score, genes, learned, start=theory(genes), steps=settings["steps"], prior=settings["prior"])

    return _recipe(order, name, title, learn, weights, steps=20, prior=1e-3)


def _recipe(
    order: RecipeConfig, name: str, title: str, learn: Learn, weights: Weights = TWENTY_EIGHT, **more: Any
) -> Evolution:
    """What all of them share."""
    settings = order.settings({**USUAL[order.size], **more})
    library = master_games(order.games, order.size, order.executor)
    genes, expression = weights
    express = expression(settings["scale"])
    return Evolution(
        name=name,
        title=title,
        genes=genes,
        generations=None,
        settings={**settings, "seed": order.seed, "masters": library.about()},
        learn=lambda score: within(settings["budget"], learn(score, settings)),
        score=exam(training(library, settings["positions"], order.seed), express, order.executor),
        express=express,
    )
