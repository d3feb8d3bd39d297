"""
Twenty-eight weights on positions of grandmasters: the exploration of chapter 6.

Twenty players within the bounds of Table 15 answer the same thousand positions in every generation; the half that finds
most of the masters' moves survives, and each survivor has a child by Michalewicz's mutation.
docs/explanation/vazquez2012.md says where the thesis is silent and what was chosen.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find
from okapi.brains.files import brain_file, read_tensors
from okapi.core.evaluation import FACTORS
from okapi.optimize.evolution import evolve, non_uniform
from okapi.optimize.executor import Executor
from okapi.optimize.population import FloatArray, ParameterSpace, Score
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution
from okapi.recipes.exercises import Exercises, MasterGames, exercises_for, solved
from okapi.recipes.vazquez2012 import TABLES

TABLE_15: Final = {name: (float(low), float(high)) for name, (low, high) in TABLES["table_15"].items()}
"""The bounds of each weight, lowest and highest."""

NAMES: Final = tuple(name for name in FACTORS if name in TABLE_15 and name != "pawn")
GENES: Final = ParameterSpace(
    NAMES, *(np.array([TABLE_15[name][side] for name in NAMES], np.float64) for side in (0, 1))
)

SCALES: Final = {"undivided": "", "parts": "vazquez-exploration", "softened": "vazquez-softened"}
"""Readings of equations 24 to 29, with brains that ship and have their divisors: factors as they are, as the equations
say; counted ones as parts of the most there can be; and those of 0 or 1 a sixth as well, as games prefer."""

OLD_SCALES: Final = {"letter": "parts"}
"""By the names of okapi 0.1; still read."""


def recipe(config: RecipeConfig) -> Evolution:
    settings = config.settings_of("vazquez-28")
    library = exercises_for(config)
    exercises = training(library, settings["positions"], config.seed)
    express = Expression(settings["scale"], settings["without"])
    return Evolution(
        name="vazquez-28",
        title="Twenty-eight weights on positions of grandmasters",
        genes=GENES,
        generations=settings["generations"],
        settings={**settings, "seed": config.seed, "masters": library.about()},
        learn=lambda score: evolve(
            score,
            GENES,
            players=settings["players"],
            generations=settings["generations"],
            mutate=non_uniform(settings["b"], settings["rate"]),
            seed=config.seed,
            keep_scores=True,
        ),
        score=exam(exercises, express, config.executor),
        express=express,
    )


def training(library: MasterGames, positions: int, seed: int) -> Exercises:
    """The positions of a run: the same in all its generations."""
    return library.training.some(positions, np.random.default_rng([seed, 1]))


class Expression:
    """Turns genes into a brain: the pawn is 100, and every factor is divided as its scale says."""

    KIND: ClassVar = {"kind": "linear-28", "encoding": "factors-29"}

    def __init__(self, scale: str, without: str = "") -> None:
        """`scale` is a key of SCALES, or a brain whose divisors are taken; factors of `without` have no weight."""
        scale = OLD_SCALES.get(scale, scale)
        self.divisors = _divisors(SCALES.get(scale, scale))
        self.counted = np.array([name not in without.split("+") for name in NAMES])

    def __call__(self, genes: FloatArray, card: Mapping[str, str]) -> bytes:
        weights = np.array([100.0, *np.where(self.counted, genes, 0.0)], np.float32)
        return brain_file({**card, **self.KIND}, {"weights": weights, "divisors": self.divisors})


@lru_cache
def _divisors(brain: str) -> NDArray[np.float32]:
    return read_tensors(find(brain))["divisors"] if brain else np.ones(len(NAMES) + 1, np.float32)


def exam(exercises: Exercises, express: Expression, executor: Executor) -> Score:
    """How many of the exercises each player solves."""

    def score(population: FloatArray, number: int) -> FloatArray:
        candidates = [express(player, {"name": "candidate"}) for player in population]
        return np.asarray(solved(candidates, exercises, executor).sum(axis=1), np.float64)

    return score


# --- Thirty-five weights: beyond the thesis ---------------------------------------------------------------------------

MORE: Final[dict[str, list[float]]] = TABLES["more"]
"""Lowest and highest weight, and how much of the factor earns it."""

_LOW, _HIGH, _DIVISORS = np.array(list(MORE.values())).T

GENES_35: Final = ParameterSpace(
    (*GENES.names, *MORE), np.concatenate([GENES.low, _LOW]), np.concatenate([GENES.high, _HIGH])
)


class Expression35(Expression):
    KIND: ClassVar = {"kind": "linear-35", "encoding": "factors-35"}

    def __init__(self, scale: str) -> None:
        super().__init__(scale)
        self.divisors = np.concatenate([self.divisors, _DIVISORS.astype(np.float32)])
        self.counted = np.ones(len(GENES_35), np.bool_)
