"""The piece differential alone as an evaluator: what it knows of the ten buckets without any network."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.encodings import ENCODINGS
from okapi.papers.sheehan2016.published import BUCKETS

__all__ = ["differential", "differential_alone"]

MOST: Final = 32
"""Pawns; whoever is further ahead counts as so far ahead."""

AT_ONCE: Final = 1 << 16


def differential(positions: NDArray[np.void]) -> NDArray[np.int64]:
    """White's pieces less Black's, in pawns, by Table 1."""
    parts = [
        ENCODINGS["vector-65"].encode_many(positions[begin : begin + AT_ONCE])[:, -1]
        for begin in range(0, len(positions), AT_ONCE)
    ]
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)


def differential_alone(
    train: tuple[NDArray[np.int64], NDArray[np.int64]], test: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> dict[str, Any]:
    """Differentials and buckets to learn from and to be tested on: each differential means the bucket it mostly had.

    No network that sees the differential alone can do better, apart from luck.
    """
    counts = np.zeros((2 * MOST + 1, BUCKETS), np.int64)
    np.add.at(counts, (_clipped(train[0]), train[1]), 1)
    never = counts.sum(axis=1) == 0
    answers = np.where(never, BUCKETS // 2, counts.argmax(axis=1))[_clipped(test[0])]
    return {
        "count": len(answers),
        "accuracy": float((answers == test[1]).mean()),
        "near": float((np.abs(answers - test[1]) <= 1).mean()),
    }


def _clipped(differentials: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.clip(differentials, -MOST, MOST) + MOST
