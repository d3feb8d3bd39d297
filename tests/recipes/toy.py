"""A recipe that takes no time: five weights that are to become what they are in theory."""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from okapi.brains.files import brain_file
from okapi.optimize.evolution import evolve, non_uniform
from okapi.optimize.executor import ThreadExecutor
from okapi.optimize.population import FloatArray, ParameterSpace
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution, run_evolution

THEORY = np.array([100.0, 300.0, 300.0, 500.0, 900.0])
GENES = ParameterSpace(("pawn", "knight", "bishop", "rook", "queen"), THEORY - 90, THEORY + 200)
USUAL = {"players": 8, "generations": 6, "b": 2.0, "pause_ms": 0}


def distance(player: FloatArray) -> float:
    return float(np.abs(player - THEORY).sum())


def toy(order: RecipeConfig) -> Evolution:
    """Five weights on a made-up score."""
    settings = order.settings(USUAL)

    def score(population: FloatArray, number: int) -> FloatArray:
        time.sleep(settings["pause_ms"] / 1000)
        return -np.array(order.executor.map(distance, list(population)))

    def express(genes: FloatArray, card: Mapping[str, str]) -> bytes:
        kind = {"kind": "material", "encoding": "material-5"}
        return brain_file({**card, **kind}, {"weights": genes.astype(np.float32)})

    return Evolution(
        name="toy",
        title="Toy",
        genes=GENES,
        generations=settings["generations"],
        settings={**settings, "seed": order.seed},
        learn=lambda score: evolve(
            score,
            GENES,
            players=settings["players"],
            generations=settings["generations"],
            mutate=non_uniform(settings["b"]),
            seed=order.seed,
        ),
        score=score,
        express=express,
    )


if __name__ == "__main__":
    run_evolution(toy(RecipeConfig(executor=ThreadExecutor(1), changes={"pause_ms": sys.argv[2]})), Path(sys.argv[1]))
