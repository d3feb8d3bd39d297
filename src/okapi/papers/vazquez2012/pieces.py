"""
Piece networks evolved by tournaments: chapter 4.

Twenty players, random but for Tables 7 and 8, play ten games each against opponents that the dice choose, four plies
deep. The ten with the most points survive, and each has a child whose every gene is a little different. After fifty
generations the best is what was looked for. docs/vazquez2012.md says where the thesis is silent and what was chosen.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from okapi.optimize.evolution import evolve, gaussian
from okapi.optimize.genes import FloatArray
from okapi.papers.vazquez2012.piece_genes import PieceGenes
from okapi.papers.vazquez2012.tournament import tournament
from okapi.recipes.order import Order, Size
from okapi.recipes.recipe import Recipe

__all__ = ["USUAL", "recipe", "without"]

FULL: Final[dict[str, Any]] = {
    "players": 20,
    "generations": 50,
    "games": 10,
    "depth": 4,
    "shortcuts": False,
    "sigma": 0.05,
    "scaled": False,
    "hidden": 9,
    "c": 0.5,
    "king_c": 100.0,
    "free": "",
}
"""`games`: of each player in a tournament. `shortcuts`: the search may leave out what looks hopeless, which the thesis
does not mention. `scaled`: inputs are divided by the most that they can be. `free`: what else is a gene, c or nodes."""

USUAL: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {**FULL, "players": 6, "generations": 3, "games": 3, "depth": 1, "shortcuts": True},
    "quick": {**FULL, "generations": 30, "depth": 2, "shortcuts": True},
    "full": FULL,
}


def recipe(order: Order) -> Recipe:
    """Six piece networks by tournaments (chapter 4)."""
    settings = order.settings(USUAL[order.size])
    shape = PieceGenes(
        hidden=settings["hidden"],
        c=settings["c"],
        king_c=settings["king_c"],
        scaled=settings["scaled"],
        free=settings["free"],
    )
    genes = shape.genes
    nameless = {"name": "player"}

    def express(player: FloatArray) -> bytes:
        return shape.brain(player, nameless)

    return Recipe(
        name="vazquez-pieces",
        title="Piece networks evolved by tournaments",
        genes=genes,
        generations=settings["generations"],
        settings={**settings, "seed": order.seed},
        learn=lambda score: evolve(
            score,
            genes,
            players=settings["players"],
            generations=settings["generations"],
            mutate=gaussian(shape.sigma(settings["sigma"])),
            seed=order.seed,
            start=shape.start(np.random.default_rng([order.seed, 0]), settings["players"]),
        ),
        score=tournament(
            express,
            order.executor,
            games=settings["games"],
            depth=settings["depth"],
            without=without(settings),
            seed=order.seed,
        ),
        express=shape.brain,
    )


def without(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Heuristics that the players do not have."""
    return () if settings["shortcuts"] else ("shortcuts",)
