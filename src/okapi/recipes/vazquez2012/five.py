"""Five weights on games of grandmasters: chapter 5.

Ten players of equation 18 are asked for the moves of six games, drawn anew for each generation; the five that match the
masters most often survive, and each has a child by Michalewicz's mutation.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from okapi.brains.files import brain_file
from okapi.optimize.evolution import evolve, non_uniform
from okapi.optimize.population import FloatArray, ParameterSpace
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution, described
from okapi.recipes.exercises import exercises_for, solved

NAMES: Final = ("knight", "bishop", "rook", "queen", "mobility")
THEORY: Final = np.array([300.0, 300.0, 500.0, 900.0, 10.0])
"""What theory says; the pawn is 100."""

GENES: Final = ParameterSpace(NAMES, np.array([100.0, 100, 300, 700, 0]), np.array([500.0, 500, 700, 1100, 300]))
"""Within 200 of theory; mobility from 0 to 300."""

FAR_START: Final = ParameterSpace(NAMES, np.array([400.0, 400, 400, 400, 0]), np.array([500.0, 500, 500, 500, 300]))
FAR_GENES: Final = ParameterSpace(NAMES, np.array([100.0, 100, 100, 100, 0]), np.array([1100.0, 1100, 1100, 1100, 300]))
"""Run 31: where all pieces begin alike, and where they may go. The start cannot be the bounds, for its queen ends at
842; these are the lowest and the highest of the other runs."""


def recipe(config: RecipeConfig) -> Evolution:
    """Five weights by evolution, on masters' games (chapter 5). Change `far_start` for the thesis' run 31."""
    settings = config.settings_of("vazquez-five")
    library = exercises_for(config)
    database = library.training.games[: settings["database"]]
    genes = FAR_GENES if settings["far_start"] else GENES
    start = FAR_START.random(np.random.default_rng([config.seed, 0]), settings["players"])
    how: dict[str, Any] = {name: settings[name] for name in ("players", "generations")}
    how |= {"seed": config.seed, "start": start if settings["far_start"] else None}

    def score(population: FloatArray, number: int) -> FloatArray:
        """Per cent of the masters' moves that are matched: Algorithm 9."""
        rng = np.random.default_rng([config.seed, 1, number])
        games = rng.choice(database, min(settings["games"], len(database)), replace=False)
        candidates = [express(player, {"name": "candidate"}) for player in population]
        matched = solved(candidates, library.training.of(games), config.executor)
        return np.asarray(100.0 * matched.mean(axis=1))

    return Evolution(
        **described(config, "vazquez-five", "Five weights on games of grandmasters", settings, library),
        genes=genes,
        learn=lambda score: evolve(score, genes, mutate=non_uniform(settings["b"], settings["rate"]), **how),
        score=score,
        express=express,
    )


def express(genes: FloatArray, card: Mapping[str, str]) -> bytes:
    weights = np.array([100.0, *genes], np.float32)
    return brain_file({**card, "kind": "linear-5", "encoding": "mobility-6"}, {"weights": weights})
