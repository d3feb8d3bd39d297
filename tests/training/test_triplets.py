"""Samples of three positions, which Deep Pink learns from, and epochs that are part of all samples."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from okapi.core.packed import POSITION, random_positions
from okapi.encodings import ENCODINGS
from okapi.training.supervised import Dataset, SupervisedConfig, train_supervised


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def triplets(count: int, seed: int) -> Dataset:
    """Of three random positions, that with the most material for its mover is never where somebody went."""
    positions = np.random.default_rng(seed).permutation(random_positions(3 * count, seed=seed))
    material = ENCODINGS["algebraic-768"].encode_many(positions).sum(axis=1, dtype=np.int64).reshape(-1, 3)
    packed = positions.view(np.uint8).reshape(-1, 3, POSITION.itemsize)
    order = np.argsort(material, axis=1)[:, [1, 0, 2]]  # p between q and r
    return Dataset(np.take_along_axis(packed, order[:, :, np.newaxis], axis=1), np.zeros(count, np.float32))


def plan(**changes: object) -> SupervisedConfig:
    usual = {
        "model": "okapi.models.sheehan2016:deep_pink",
        "arguments": {"hidden": [16]},
        "encoding": "algebraic-768",
        "loss": "ranking",
        "optimiser": {"name": "adam", "lr": 0.01},
        "batch": 50,
        "epochs": 6,
    }
    return SupervisedConfig(**{**usual, **changes})  # type: ignore[arg-type]


def test_where_nobody_went_is_ranked_lower(tmp_path: Path) -> None:
    report = train_supervised(plan(), triplets(300, 1), triplets(50, 2), triplets(50, 3), tmp_path)

    assert 50 == report.test["count"]
    assert report.train["accuracy"] > 0.9  # learned by heart: random games have little in common


def test_the_networks_answers_to_three_positions_stay_together(tmp_path: Path) -> None:
    samples = triplets(10, 1)
    each: NDArray[np.uint8] = samples.positions.reshape(-1, POSITION.itemsize)

    assert (10, 3, 32) == samples.positions.shape
    assert np.array_equal(each[4], samples.positions[1, 1])


def test_an_epoch_may_be_part_of_all_samples(tmp_path: Path) -> None:
    seen = []
    train_supervised(
        plan(samples=100),
        triplets(400, 1),
        triplets(50, 2),
        triplets(50, 3),
        tmp_path,
        watch=lambda now: seen.append((now.epochs, now.batches)),
    )

    assert {(6, 2)} == set(seen)
