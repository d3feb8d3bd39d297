"""Make a map of positions by the features of a network: principal directions, then t-SNE by scikit-learn."""

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.compare import ranks
from okapi.brains import evaluator
from okapi.brains.embedding_map import EmbeddingMap, embedder
from okapi.core.evaluation import evaluate
from okapi.errors import NotFound

DIRECTIONS: Final = 50  # as van der Maaten and Hinton do: the others are noise, and would cost time and space
LEAST_POINTS: Final = 4


def make_embedding_map(
    brain: Path,
    positions: NDArray[np.void],
    *,
    perplexity: float = 30.0,
    rounds: int = 750,
    seed: int = 1,
    threads: int = 1,
) -> EmbeddingMap:
    """A map of packed positions by a brain's features; the same positions and seed give the same map."""
    seen = embedder(brain, threads=threads)(positions)
    mean, directions = principal_directions(seen, DIRECTIONS)
    features = np.asarray((seen - mean) @ directions, np.float32)
    values = np.asarray(evaluate([evaluator(str(brain))], positions)[0], np.float64)
    return EmbeddingMap(
        brain=brain,
        points=tsne(features, perplexity=perplexity, rounds=rounds, seed=seed),
        values=np.asarray(ranks(values) / max(len(values) - 1, 1), np.float32),
        mean=mean,
        directions=directions,
        features=features,
    )


def tsne(
    features: NDArray[np.floating], *, perplexity: float = 30.0, rounds: int = 750, seed: int = 1
) -> NDArray[np.float32]:
    """A point in the plane for each row of features: NotFound without scikit-learn."""
    if len(features) < LEAST_POINTS:
        raise ValueError(f"{len(features)} points make no map: four are the least")
    try:
        from sklearn.manifold import TSNE
    except ImportError:
        raise NotFound("t-SNE needs scikit-learn", hint="pip install okapi-chess[analysis]") from None
    limits: dict[str, Any] = {"perplexity": min(perplexity, (len(features) - 1) / 3), "max_iter": max(rounds, 250)}
    model = TSNE(**limits, init="pca", learning_rate="auto", random_state=seed, n_jobs=1)
    points = model.fit_transform(np.asarray(features, np.float32))
    return np.asarray(points - points.mean(axis=0), np.float32)


def principal_directions(features: NDArray[np.floating], count: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The mean of rows, and the unit vectors along which they differ most: [row length, count]."""
    mean = features.mean(axis=0, dtype=np.float64)
    centred = np.asarray(features - mean, np.float64)
    variances, directions = np.linalg.eigh(centred.T @ centred)
    chosen = directions[:, np.argsort(-variances, kind="stable")[:count]]
    # An eigenvector may as well point the other way: the largest number of each is made positive.
    largest = chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])]
    return mean.astype(np.float32), np.asarray(chosen * np.sign(largest), np.float32)
