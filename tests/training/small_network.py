"""A tiny network and its data: does White, in a random packed position, have more pieces than Black?"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.training.report import TrainingReport, read_network
from okapi.training.supervised import Dataset, SupervisedConfig, train_supervised

SAMPLES = 512


def plan(**changes: Any) -> SupervisedConfig:
    usual: dict[str, Any] = {
        "model": "okapi.models.perceptron:perceptron",
        "arguments": {"inputs": 768, "hidden": [16], "outputs": 3, "dropout": 0.1, "normalise": True},
        "encoding": "bitmap-768",
        "loss": "cross-entropy",
        "optimiser": {"name": "adam", "lr": 0.02},
        "schedule": {"name": "cosine", "warmup": 4},
        "batch": 32,
        "epochs": 4,
    }
    return SupervisedConfig(**{**usual, **changes})


def quiet() -> SupervisedConfig:
    """Nothing in it depends on who learns with whom."""
    return plan(
        arguments={"inputs": 768, "hidden": [16], "outputs": 3}, optimiser={"name": "sgd", "lr": 0.1, "momentum": 0.9}
    )


def dataset(seed: int = 1, count: int = SAMPLES, numbers: bool = False) -> Dataset:
    positions, balance = some_positions(seed, count)
    if numbers:
        return Dataset(positions, (0.5 + balance / 20).astype(np.float32))
    return Dataset(positions, np.sign(balance).astype(np.int64) + 1)


def some_positions(seed: int, count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Ten pieces each that stand anywhere, and how many more are white than black."""
    rng = np.random.default_rng(seed)
    board = np.zeros((count, 64), np.uint8)
    board[:, :10] = 1
    board = rng.permuted(board, axis=1)
    codes = rng.integers(0, 12, (count, 10), dtype=np.uint8)
    halves = np.zeros((count, 32), np.uint8)
    halves[:, :10] = codes
    positions = np.zeros((count, 32), np.uint8)
    positions[:, :8] = np.packbits(board, axis=1, bitorder="little")
    positions[:, 8:24] = halves[:, ::2] | halves[:, 1::2] << 4
    positions[:, 25] = 64
    return positions, 10 - 2 * (codes & 1).sum(axis=1).astype(np.int64)


def train_small(folder: Path, how: SupervisedConfig | None = None, **options: Any) -> TrainingReport:
    how = how or plan()
    numbers = how.loss != "cross-entropy"
    parts = [dataset(seed, numbers=numbers) for seed in (1, 2, 3)]
    return train_supervised(how, *parts, folder, device="cpu", **options)


def same_weights(one: Path, other: Path) -> bool:
    first, second = read_network(one), read_network(other)
    return first.layers == second.layers and all(
        np.array_equal(first.tensors[name], second.tensors[name]) for name in first.tensors
    )


def after(looks: int) -> Callable[[], bool]:
    """Says stop at the so-manieth look."""
    left = iter(range(looks - 1))
    return lambda: next(left, None) is None
