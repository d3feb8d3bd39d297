"""Maps of brains' minds: made, written, read, and places found on them."""

from pathlib import Path

import images
import numpy as np
import pytest
from networks import NUMBER, Perceptron

from okapi.brains import evaluations, find_embedding_map
from okapi.brains.card import ModelCard
from okapi.brains.embedding_map import EmbeddingMap, embedder
from okapi.brains.files import read_tensors, write_brain
from okapi.core.packed import random_positions
from okapi.errors import InvalidBrain, WrongBrain

POSITIONS = random_positions(240, seed=4)[::2]


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("maps") / "made.safetensors"
    path.write_bytes(Perceptron.random("bitmap-768", [32, 1], ["tanh", "tanh"], NUMBER).file())
    return path


@pytest.fixture
def atlas(brain: Path) -> EmbeddingMap:
    """A made-up one: the first two features are the plane."""
    seen = embedder(brain)(POSITIONS)
    directions = np.eye(32, dtype=np.float32)
    mean = np.zeros(32, np.float32)
    values = np.linspace(0, 1, len(seen), dtype=np.float32)
    return EmbeddingMap(
        brain=brain, points=10 * seen[:, :2], values=values, mean=mean, directions=directions, features=seen
    )


class TestFeatures:
    def test_the_last_layer_makes_an_opinion_of_them(self, brain: Path) -> None:
        network = Perceptron.random("bitmap-768", [32, 1], ["tanh", "tanh"], NUMBER)
        seen = embedder(brain)(POSITIONS)
        answers = np.tanh(seen @ network.tensors["2.weight"].T + network.tensors["2.bias"])

        assert answers == pytest.approx(network(POSITIONS), abs=1e-5)
        assert (0, 32) == embedder(brain)(POSITIONS[:0]).shape

    def test_convolutional_brains_have_them(self, tmp_path: Path) -> None:
        seen = embedder(images.write(tmp_path))(POSITIONS)

        assert (len(POSITIONS), 7) == seen.shape
        assert np.ptp(seen, axis=0).all()

    def test_a_brain_without_a_hidden_layer_has_none(self, tmp_path: Path) -> None:
        path = tmp_path / "flat.safetensors"
        path.write_bytes(Perceptron.random("bitmap-768", [1], ["tanh"], NUMBER).file())

        with pytest.raises(WrongBrain, match="no dense layer before its last one"):
            embedder(path)


class TestTheMap:
    def test_it_comes_back_from_its_file(self, brain: Path, atlas: EmbeddingMap) -> None:
        assert find_embedding_map(str(brain)) is None
        path = brain.with_suffix(".atlas")
        atlas.write(path)
        read = EmbeddingMap.open(path)

        assert path == find_embedding_map(str(brain))
        for name in ("points", "values", "mean", "directions", "features"):
            assert getattr(read, name) == pytest.approx(getattr(atlas, name), abs=0.01)
        assert evaluations(str(brain), POSITIONS).values.shape == read.values.shape
        path.unlink()

    def test_its_own_positions_are_placed_where_they_lie(self, atlas: EmbeddingMap) -> None:
        assert atlas.place(POSITIONS[:20]) == pytest.approx(atlas.points[:20], abs=0.2)
        assert (0, 2) == atlas.place(POSITIONS[:0]).shape

    def test_others_are_placed_among_their_neighbours(self, atlas: EmbeddingMap) -> None:
        others = random_positions(60, seed=9)[5:]
        wanted = 10 * embedder(atlas.brain)(others)[:, :2]
        placed = atlas.place(others)
        anywhere = atlas.points[np.random.default_rng(1).integers(len(atlas.points), size=len(others))]

        assert np.linalg.norm(placed - wanted, axis=1).mean() < np.linalg.norm(anywhere - wanted, axis=1).mean()
        low, high = atlas.points.min(axis=0), atlas.points.max(axis=0)
        assert ((placed >= low - 1e-4) & (placed <= high + 1e-4)).all()

    def test_a_map_of_another_brain_is_refused(self, brain: Path, atlas: EmbeddingMap, tmp_path: Path) -> None:
        path = tmp_path / "made.atlas"
        atlas.write(path)
        other = tmp_path / "made.safetensors"
        other.write_bytes(Perceptron.random("bitmap-768", [32, 1], ["tanh", "tanh"], NUMBER, seed=2).file())

        with pytest.raises(WrongBrain, match="a map of another brain"):
            EmbeddingMap.open(path)
        assert EmbeddingMap.open(path, brain).brain == brain

    def test_a_brain_is_no_map(self, brain: Path) -> None:
        with pytest.raises(WrongBrain, match="is no embedding map"):
            EmbeddingMap.open(brain)

    def test_arrays_that_do_not_fit_are_refused(self, brain: Path, atlas: EmbeddingMap, tmp_path: Path) -> None:
        path = tmp_path / "made.atlas"
        atlas.write(path)
        told = {
            "name": "map",
            "kind": "atlas",
            "encoding": "bitmap-768",
            "brain_hash": ModelCard.read(path).metadata["brain_hash"],
        }
        for arrays, problem in (
            ({"points": atlas.points}, "it has the arrays points"),
            (read_tensors(path) | {"points": atlas.points[1:]}, "its points do not fit"),
        ):
            write_brain(path, told, arrays)
            with pytest.raises(InvalidBrain, match=problem):
                EmbeddingMap.open(path, brain)
