"""A map made by t-SNE, of a network made up for it."""

import json
from pathlib import Path

import numpy as np
import pytest

from okapi.brains.embedding_map import EmbeddingMap
from okapi.brains.files import write_brain
from okapi.core.packed import random_positions
from okapi.recipes.atlas import make_atlas

POSITIONS = random_positions(400, seed=6)[::4]


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> EmbeddingMap:
    """Of a perceptron that knows random things about the board."""
    dice = np.random.default_rng(3)
    brain = tmp_path_factory.mktemp("maps") / "made.safetensors"
    layers = [{"do": "dense", "name": name, "activation": "tanh"} for name in "12"]
    card = {
        "name": "made",
        "kind": "perceptron",
        "encoding": "bitmap-768",
        "layers": json.dumps(layers),
        "output": json.dumps({"form": "number", "view": "mover", "low": 0, "high": 10_000}),
    }
    shapes = {"1.weight": (64, 768), "1.bias": (64,), "2.weight": (1, 64), "2.bias": (1,)}
    tensors = {name: (0.1 * dice.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}
    write_brain(brain, card, tensors)
    return make_atlas(brain, POSITIONS, rounds=300)


def test_it_is_small_and_says_what_is_liked(atlas: EmbeddingMap) -> None:
    assert (100, 2) == atlas.points.shape
    assert (64, 50) == atlas.directions.shape
    assert (0, 0.5, 1) == (atlas.values.min(), pytest.approx(atlas.values.mean()), atlas.values.max())


def test_the_same_positions_give_the_same_map(atlas: EmbeddingMap) -> None:
    assert (make_atlas(atlas.brain, POSITIONS, rounds=300).points == atlas.points).all()


def test_its_own_positions_find_their_way_home(atlas: EmbeddingMap, tmp_path: Path) -> None:
    atlas.write(tmp_path / "made.atlas")
    read = EmbeddingMap.open(tmp_path / "made.atlas", atlas.brain)
    away = np.linalg.norm(read.place(POSITIONS) - atlas.points, axis=1)
    width = np.ptp(atlas.points, axis=0).max()

    assert np.median(away) < 0.02 * width
