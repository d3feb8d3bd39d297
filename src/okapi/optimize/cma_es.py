"""CMA-ES (Hansen): a cloud of players that learns in which directions it pays to be wide. The work is done by pycma."""

from collections.abc import Iterator
from warnings import catch_warnings, simplefilter

import numpy as np

from okapi.errors import UsageError
from okapi.optimize.generation import Generation, Score, ask
from okapi.optimize.genes import FloatArray, Genes

__all__ = ["cma_es"]


def cma_es(
    score: Score,
    genes: Genes,
    *,
    players: int,
    generations: int,
    seed: int,
    start: FloatArray | None = None,
    sigma: float = 0.25,
    diagonal: bool = False,
) -> Iterator[Generation]:
    """Yield generation 0 and as many more as asked for; fewer if pycma sees no progress any more.

    Genes are scaled so that each goes from 0 to 1; `sigma` is how wide the first cloud is there, around the start (the
    middle if none is given). `diagonal` is for hundreds of genes: a width is learned for each, and no slanted
    directions. The champion of a generation is the best player of all times, and stands in it.
    """
    try:
        with catch_warnings():
            simplefilter("ignore")  # it misses a library for plots
            import cma
    except ImportError:
        raise UsageError("CMA-ES needs pycma", hint="pip install 'okapi-chess[learn]'") from None
    rng = np.random.default_rng([seed, 0])
    middle = np.full(len(genes), 0.5) if start is None else (genes.clip(start) - genes.low) / genes.width
    options = {
        "bounds": [0.0, 1.0],
        "popsize": players,
        "maxiter": generations + 1,
        "CMA_diagonal": diagonal,
        "verbose": -9,
        "seed": np.nan,  # its dice are ours: numpy's own are left alone
        "randn": lambda *shape: rng.standard_normal(shape),
    }
    cloud = cma.CMAEvolutionStrategy(middle, sigma, options)
    champion: tuple[FloatArray, float] | None = None
    number = 0
    while not cloud.stop():
        asked = cloud.ask()
        population = genes.clip(genes.low + np.array(asked) * genes.width)
        scores = ask(score, population, number)
        cloud.tell(asked, (-scores).tolist())
        best = int(scores.argmax())
        if champion is None or scores[best] > champion[1]:
            champion = population[best], float(scores[best])
        else:
            population = np.concatenate([champion[0][None], population])
            scores = np.concatenate([[champion[1]], scores])
        yield Generation.ranked(number, population, scores, players * (number + 1))
        number += 1
