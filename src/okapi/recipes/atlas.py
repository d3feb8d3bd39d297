"""Maps of brains' minds are made here: features, their main directions, t-SNE."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator
from okapi.brains.embedding_map import Embedder, EmbeddingMap
from okapi.core.evaluation import evaluate
from okapi.recipes.tsne import principal, tsne

__all__ = ["make_atlas"]

DIRECTIONS: Final = 50
"""As van der Maaten and Hinton do: what lies along the others is noise, and would cost time and space."""


def make_atlas(
    brain: Path,
    positions: NDArray[np.void],
    *,
    perplexity: float = 30.0,
    rounds: int = 750,
    seed: int = 1,
    threads: int = 1,
    tell: Callable[[int], object] = lambda done: None,
) -> EmbeddingMap:
    """A map of these packed positions as a brain sees them; the same positions and seed give the same."""
    seen = Embedder(brain, threads=threads).of(positions)
    mean, directions = principal(seen, DIRECTIONS)
    features = np.asarray((seen - mean) @ directions, np.float32)
    return EmbeddingMap(
        brain=brain,
        points=tsne(features, perplexity=perplexity, rounds=rounds, seed=seed, tell=tell),
        values=_shares_below(evaluate([evaluator(str(brain))], positions)[0]),
        mean=mean,
        directions=directions,
        features=features,
    )


def _shares_below(values: NDArray[np.integer]) -> NDArray[np.float32]:
    """Of each value, how many of the others are smaller; half of those that are the same count."""
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") - 1
    return np.asarray(below / (2 * max(len(values) - 1, 1)), np.float32)
