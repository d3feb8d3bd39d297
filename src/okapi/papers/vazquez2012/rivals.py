"""
The learners that a user would pick instead, on the twenty-eight weights: beyond the thesis.

All have the bounds of Table 15, the same positions of masters, and the same budget: so many players may be scored.
Those that need a place to begin start with the values of the pieces in theory and nothing else. The gradient never
looks at the masters' moves; it learns from the results of their games.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find
from okapi.brains.writing import read_tensors
from okapi.core.exercises import FACTORS, factors
from okapi.core.samples import quiet
from okapi.learn.cma_es import cma_es
from okapi.learn.differential import differential_evolution
from okapi.learn.generation import Generation, Score, within
from okapi.learn.genes import FloatArray, Genes
from okapi.learn.gradient import Lesson, fit
from okapi.learn.hooke_jeeves import hooke_jeeves
from okapi.papers.masters import Exercises, masters
from okapi.papers.order import Order, Size
from okapi.papers.recipe import Recipe
from okapi.papers.vazquez2012.twenty_eight import GENES, SCALES, Expression, exam, training

__all__ = ["THEORY", "cma", "differential", "hooke", "lesson", "texel"]

PIECES: Final = {"knight": 300.0, "bishop": 300.0, "rook": 500.0, "queen": 900.0}
THEORY: Final = GENES.clip(np.array([PIECES.get(name, 0.0) for name in GENES.names]))
"""What pieces are worth in theory, and nothing for where they stand."""

OPENING_PLIES: Final = 16
"""Of a game that the gradient does not look at: nothing is decided yet."""

FULL: Final[dict[str, Any]] = {"players": 20, "budget": 2020, "positions": 1000, "scale": "letter"}
"""As many players are scored as in the exploration of chapter 6: 20, and ten children in each of 200 generations."""

USUAL: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {**FULL, "players": 6, "budget": 36, "positions": 60},
    "quick": {**FULL, "budget": 320, "positions": 400},
    "full": FULL,
}

Learn = Callable[[Score, dict[str, Any]], Iterator[Generation]]
"""A learner that is given a score function and settings."""


def differential(order: Order) -> Recipe:
    """Twenty-eight weights by differential evolution with opposites, on masters' moves."""

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        players, most = settings["players"], settings["budget"] // settings["players"]
        return differential_evolution(
            score, GENES, players=players, generations=most, seed=order.seed, keep_scores=True
        )

    return _recipe(order, "vazquez-28-de", "Twenty-eight weights by differential evolution", learn)


def cma(order: Order) -> Recipe:
    """Twenty-eight weights by CMA-ES, on masters' moves."""

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        players, most = settings["players"], settings["budget"] // settings["players"]
        return cma_es(score, GENES, players=players, generations=most, seed=order.seed)

    return _recipe(order, "vazquez-28-cma", "Twenty-eight weights by CMA-ES", learn)


def hooke(order: Order) -> Recipe:
    """Twenty-eight weights by Hooke-Jeeves alone, on masters' moves."""

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        return hooke_jeeves(score, GENES, start=THEORY)

    return _recipe(order, "vazquez-28-hooke", "Twenty-eight weights by Hooke-Jeeves", learn)


def texel(order: Order) -> Recipe:
    """Twenty-eight weights by the gradient, on the results of masters' games."""

    def learn(score: Score, settings: dict[str, Any]) -> Iterator[Generation]:
        library = masters(order.games, order.size, order.crew)
        divided = read_tensors(find(SCALES.get(settings["scale"], settings["scale"])))["divisors"]
        learned = lesson(library.training, GENES, divided, order.crew.hands)
        return fit(score, GENES, learned, start=THEORY, steps=settings["steps"], prior=settings["prior"])

    title = "Twenty-eight weights by the gradient, on results"
    return _recipe(order, "vazquez-28-texel", title, learn, steps=20, prior=1e-3)


def lesson(exercises: Exercises, genes: Genes, divided: NDArray[np.float32], threads: int) -> Lesson:
    """The quiet positions beyond the opening, whose factors may foretell how the game ends."""
    rows = exercises.rows[(exercises.rows["result"] >= 0) & (exercises.rows["ply"] >= OPENING_PLIES)]
    rows = rows[quiet(rows)]
    known = dict(zip(FACTORS, factors(rows["position"], threads=threads).T, strict=True))
    scale = dict(zip(("pawn", *genes.names), divided, strict=True))
    columns: FloatArray = np.stack([known[name] / scale[name] for name in genes.names], axis=1).astype(np.float64)
    return Lesson(columns, 100.0 * known["pawn"] / scale["pawn"], rows["result"] / 2.0)


def _recipe(order: Order, name: str, title: str, learn: Learn, **more: Any) -> Recipe:
    """What all of them share."""
    settings = order.settings({**USUAL[order.size], **more})
    library = masters(order.games, order.size, order.crew)
    express = Expression(settings["scale"])
    return Recipe(
        name=name,
        title=title,
        genes=GENES,
        generations=None,
        settings={**settings, "seed": order.seed, "masters": library.about()},
        learn=lambda score: within(settings["budget"], learn(score, settings)),
        score=exam(training(library, settings["positions"], order.seed), express, order.crew),
        express=express,
    )
