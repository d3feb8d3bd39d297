"""A map made by t-SNE, of a network made up for it."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from okapi.analysis.embedding_map import make_embedding_map, principal_directions, tsne
from okapi.brains.embedding_map import EmbeddingMap
from okapi.brains.files import write_brain
from okapi.core.packed import random_positions
from okapi.errors import NotFound

pytest.importorskip("sklearn", reason="pip install 'okapi-chess[analysis]'")

POSITIONS = random_positions(400, seed=6)[::4]
RNG = np.random.default_rng(5)
GROUPS = np.repeat(np.arange(4), 30)
ROWS = 6 * RNG.normal(size=(4, 10))[GROUPS] + RNG.normal(size=(120, 10))


@pytest.fixture(scope="module")
def places() -> np.ndarray:
    return tsne(ROWS, perplexity=15, rounds=400)


def test_groups_stay_apart(places: np.ndarray) -> None:
    away = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(away, np.inf)

    assert (GROUPS[away.argmin(axis=1)] == GROUPS).all(), "everybody's nearest neighbour is of the same group"
    centres = np.stack([places[GROUPS == group].mean(axis=0) for group in range(4)])
    widths = [np.linalg.norm(places[GROUPS == group] - centres[group], axis=1).max() for group in range(4)]
    between = np.linalg.norm(centres[:, None] - centres, axis=2)[~np.eye(4, dtype=bool)].min()
    assert between > 1.5 * max(widths)


def test_the_same_seed_gives_the_same_points(places: np.ndarray) -> None:
    assert (places == tsne(ROWS, perplexity=15, rounds=400)).all()
    assert np.abs(places.mean(axis=0)).max() < 1e-3


def test_equal_rows_lie_together() -> None:
    rows = np.concatenate([np.zeros((6, 3)), RNG.normal(size=(30, 3))])
    places = tsne(rows, rounds=300)

    assert np.isfinite(places).all()
    assert np.ptp(places[:6], axis=0).max() < np.ptp(places, axis=0).max() / 4


def test_principal_directions_are_found_in_their_order() -> None:
    rows = RNG.normal(size=(500, 3)) * (1, 5, 2) + 7
    mean, directions = principal_directions(rows, 2)

    assert mean == pytest.approx(rows.mean(axis=0), abs=1e-4)
    assert np.abs(directions).argmax(axis=0).tolist() == [1, 2]
    assert directions.T @ directions == pytest.approx(np.eye(2), abs=1e-5)


def test_three_points_make_no_map() -> None:
    with pytest.raises(ValueError, match="four are the least"):
        tsne(np.zeros((3, 2)))


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.manifold", None)
    with pytest.raises(NotFound, match="scikit-learn") as error:
        tsne(ROWS)
    assert "okapi-chess[analysis]" in error.value.hint


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> EmbeddingMap:
    """Of a perceptron that knows random things about the board."""
    rng = np.random.default_rng(3)
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
    tensors = {name: (0.1 * rng.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}
    write_brain(brain, card, tensors)
    return make_embedding_map(brain, POSITIONS, rounds=300)


def test_it_is_small_and_says_what_is_liked(atlas: EmbeddingMap) -> None:
    assert (100, 2) == atlas.points.shape
    assert (64, 50) == atlas.directions.shape
    assert (0, 0.5, 1) == (atlas.values.min(), pytest.approx(atlas.values.mean()), atlas.values.max())


def test_the_same_positions_give_the_same_map(atlas: EmbeddingMap) -> None:
    assert (make_embedding_map(atlas.brain, POSITIONS, rounds=300).points == atlas.points).all()


def test_its_own_positions_find_their_way_home(atlas: EmbeddingMap, tmp_path: Path) -> None:
    atlas.write(tmp_path / "made.atlas")
    read = EmbeddingMap.open(tmp_path / "made.atlas", atlas.brain)
    away = np.linalg.norm(read.place(POSITIONS) - atlas.points, axis=1)
    width = np.ptp(atlas.points, axis=0).max()

    assert np.median(away) < 0.02 * width
