"""
Piece networks by CMA-ES, on the results of masters' games: beyond the thesis.

The thesis' own networks and genes, but a player is judged by how well it foretells the ends of games instead of by ten
games of its own, which are mostly luck; and a cloud that begins where all pieces stand equally well, instead of
twenty players that begin anywhere.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Brain, Evaluator
from okapi.core.exercises import judge
from okapi.optimize.cma_es import cma_es
from okapi.optimize.executor import Executor
from okapi.optimize.generation import Score
from okapi.optimize.genes import FloatArray
from okapi.papers.vazquez2012.piece_genes import PieceGenes
from okapi.papers.vazquez2012.rivals import decided
from okapi.recipes.masters import masters
from okapi.recipes.order import Order, Size
from okapi.recipes.recipe import Recipe

__all__ = ["recipe"]

FULL: Final[dict[str, Any]] = {"players": 20, "generations": 500, "positions": 25_000, "sigma": 1 / 30}
"""`sigma`: how wide the first cloud is, as a part of what lies between the bounds."""

USUAL: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {**FULL, "players": 6, "generations": 3, "positions": 200},
    "quick": {**FULL, "generations": 120, "positions": 5000},
    "full": FULL,
}

TINY: Final = 1e-6
"""Chances are no smaller: nobody is punished without end for one game."""


def recipe(order: Order) -> Recipe:
    """Six piece networks by CMA-ES, on the results of masters' games."""
    settings = order.settings(USUAL[order.size])
    library = masters(order.games, order.size, order.executor)
    shape = PieceGenes(scaled=True)
    genes = shape.genes
    rows = decided(library.training)
    rows = rows[np.random.default_rng([order.seed, 1]).permutation(len(rows))[: settings["positions"]]]
    return Recipe(
        name="vazquez-pieces-results",
        title="Piece networks by CMA-ES, on results",
        genes=genes,
        generations=settings["generations"],
        settings={**settings, "seed": order.seed, "masters": library.about()},
        learn=lambda score: cma_es(
            score,
            genes,
            players=settings["players"],
            generations=settings["generations"],
            seed=order.seed,
            start=shape.neutral(),
            sigma=settings["sigma"],
            diagonal=True,
        ),
        score=_foresight(shape, rows, order.executor),
        express=shape.brain,
    )


def _foresight(shape: PieceGenes, rows: NDArray[np.void], executor: Executor) -> Score:
    """How much better than a coin each player foretells results, in thousandths of a nat a position."""

    def score(population: FloatArray, number: int) -> FloatArray:
        brains = [shape.brain(player, {"name": "candidate"}) for player in population]
        hands = min(executor.workers, len(brains))
        tasks = [(brains[hand::hands], rows["position"], rows["result"] / 2.0) for hand in range(hands)]
        scores = np.empty(len(brains))
        for hand, some in enumerate(executor.map(_foretold, tasks)):
            scores[hand::hands] = some
        return scores

    return score


def _foretold(task: tuple[Sequence[bytes], NDArray[np.void], FloatArray]) -> FloatArray:
    brains, positions, results = task
    values = judge([Evaluator.from_brain(Brain.from_bytes(brain)) for brain in brains], positions)
    chances = np.clip(1 / (1 + 10.0 ** (-values / 400)), TINY, 1 - TINY)
    likelihood = (results * np.log(chances) + (1 - results) * np.log1p(-chances)).mean(axis=1)
    return np.asarray(np.round(1000 * (math.log(2) + likelihood), 6))
