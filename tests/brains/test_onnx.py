"""The networks of convolutional brains: against plain arithmetic and torch, and what is refused."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import images
import numpy as np
import pytest
from networks import SCORE, Perceptron

from okapi.brains import evaluator
from okapi.brains.evaluation import Convolutional
from okapi.brains.output import Output
from okapi.core import Position, RawBrain
from okapi.core.evaluation import outputs
from okapi.core.networks import Network
from okapi.core.packed import random_positions
from okapi.encodings import find_encoding
from okapi.errors import InvalidBrain, OkapiError, WrongBrain

POSITIONS = random_positions(300, seed=3)[::3]
NETWORKS = {
    "sabatelli": (images.SABATELLI, images.sabatelli(), images.CLASSES),
    "residual": (images.RESIDUAL, images.residual(), SCORE),
}


class TestAnswers:
    @pytest.mark.parametrize("encoding", ["bitmap-12x8x8", "algebraic-12x8x8", "planes-12"])
    @pytest.mark.parametrize("network", NETWORKS)
    def test_they_are_those_of_plain_arithmetic(self, tmp_path: Path, network: str, encoding: str) -> None:
        layers, tensors, output = NETWORKS[network]
        brain = Convolutional.open(images.write(tmp_path, layers, tensors, encoding=encoding, output=output))
        seen = find_encoding(encoding).encode_many(POSITIONS)

        plain = brain.output.finish(images.answers(layers, tensors, seen))

        assert np.abs(brain.answers(POSITIONS) - plain).max() < 1e-4

    @pytest.mark.parametrize("network", NETWORKS)
    def test_they_are_those_of_torch(self, tmp_path: Path, network: str) -> None:
        torch = pytest.importorskip("torch", reason="torch is not installed")
        express = pytest.importorskip("okapi.models.express")
        torch.set_num_threads(1)
        layers, tensors, output = NETWORKS[network]
        brain = Convolutional.open(images.write(tmp_path, layers, tensors, output=output))
        seen = brain.encoding.encode_many(POSITIONS, np.float32)
        rebuilt = express.rebuilt(express.Expressed(list(layers), tensors))

        with torch.no_grad():
            slow = brain.output.finish(rebuilt(torch.from_numpy(seen)).numpy())

        assert np.abs(brain.answers(POSITIONS) - slow).max() < 1e-4

    def test_a_perceptron_says_the_same_in_the_core(self) -> None:
        network = Perceptron.random("bitmap-768", [20, 10, 3], ["elu", "relu", "none"], images.CLASSES)
        encoding = find_encoding(network.encoding)
        layers = Network(list(network.layers), network.tensors, encoding.shape, outputs=3)
        here = Convolutional(encoding, Output.read(json.dumps(network.output)), layers).answers(POSITIONS)

        assert np.abs(here - outputs(RawBrain.from_bytes(network.file()), POSITIONS)).max() < 1e-4

    def test_a_batch_says_what_its_positions_say_alone(self, tmp_path: Path) -> None:
        network = Convolutional.open(images.write(tmp_path))
        alone = [network.answers(POSITIONS[i : i + 1])[0] for i in range(len(POSITIONS))]

        assert np.abs(network.answers(POSITIONS) - alone).max() < 1e-5

    def test_many_are_answered_in_parts(self, tmp_path: Path) -> None:
        many = random_positions(700, seed=5)
        network = Convolutional.open(images.write(tmp_path))

        assert (700, 3) == network.answers(many).shape
        assert (0, 3) == network.answers(many[:0]).shape
        np.testing.assert_allclose(network.answers(many)[600:], network.answers(many[600:]), atol=1e-5)


def changed(number: int, **changes: Any) -> list[Mapping[str, Any]]:
    """The layers of RESIDUAL with one of them changed."""
    return [{**layer, **changes} if i == number else layer for i, layer in enumerate(images.RESIDUAL)]


def without(name: str) -> images.Tensors:
    return {key: value for key, value in images.residual().items() if key != name}


def reshaped(name: str, *shape: int) -> images.Tensors:
    return {**images.residual(), name: np.zeros(shape, np.float32)}


class TestHostileCards:
    @pytest.mark.parametrize(
        ("layers", "tensors", "message"),
        [
            (None, images.residual(), "no layers"),
            ({}, images.residual(), "no layers"),
            ([], images.residual(), "no layers"),
            ([{"do": "flatten"}] * 1000, images.residual(), "more than 256"),
            (["dense"], images.residual(), "layer 1 does `None`"),
            (changed(2, do="attend"), images.residual(), "layer 3 does `attend`"),
            (changed(2, do=["dense"]), images.residual(), "layer 3 does"),
            (changed(0, activation="swish"), images.residual(), "activation `swish`"),
            (changed(0, activation=["relu"]), images.residual(), "activation"),
            (changed(0, name="9"), images.residual(), "`9.weight`, which is not there"),
            (changed(0, name=None), images.residual(), "which is not there"),
            (changed(1, names=["2"]), images.residual(), "no two `names`"),
            (changed(1, names=["2", "2"]), images.residual(), "again"),
            (changed(1, squeeze="45"), images.residual(), "no two `squeeze`"),
            (images.RESIDUAL[3:], images.residual(), "768 inputs"),
            (images.RESIDUAL[:3] + images.RESIDUAL[4:], images.residual(), "put a flatten|sees planes"),
            ([images.RESIDUAL[3], *images.RESIDUAL], images.residual(), "no longer planes"),
            (images.RESIDUAL[:-1], images.residual(), "last layer answers"),
            (images.RESIDUAL, without("8.bias"), "`8.bias`, which is not there"),
            (images.RESIDUAL, reshaped("1.weight", 4, 12, 4, 4), "size 4"),
            (images.RESIDUAL, reshaped("1.weight", 4, 12, 17, 17), "size 17"),
            (images.RESIDUAL, reshaped("1.weight", 4, 12, 3, 5), "kernels"),
            (images.RESIDUAL, reshaped("1.weight", 4, 11, 3, 3), "for 12 channels"),
            (images.RESIDUAL, reshaped("1.weight", 0, 12, 3, 3), "0 kernels"),
            (images.RESIDUAL, reshaped("1.weight", 5000, 12, 1, 1), "5000 kernels"),
            (images.RESIDUAL, reshaped("1.bias", 5), "for 4 outputs"),
            (images.RESIDUAL, reshaped("3.weight", 4, 4, 3), "kernels"),
            (images.RESIDUAL, {**images.residual(), **images.tensors(1, {"3": (5, 4, 3, 3)})}, "adds 5 channels"),
            (images.RESIDUAL, reshaped("4.weight", 2, 5), "for 4 inputs"),
            (images.RESIDUAL, {**images.residual(), **images.tensors(1, {"5": (3, 2)})}, "for 4 outputs"),
            (images.RESIDUAL, reshaped("8.weight", 0, 256), "weights"),
            (images.RESIDUAL, {**images.residual(), "8.bias": np.array([np.nan], np.float32)}, "not finite"),
        ],
    )
    def test_layers_that_do_not_fit_are_refused(self, layers: Any, tensors: Mapping[str, Any], message: str) -> None:
        listed = list(layers) if isinstance(layers, tuple) else layers
        with pytest.raises(InvalidBrain, match=message) as caught:
            Network(listed, tensors, (12, 8, 8), outputs=1)

        assert caught.value.hint

    @pytest.mark.parametrize(
        ("card", "error"),
        [
            ({"encoding": "planes-99"}, WrongBrain),
            ({"encoding": "vector-64"}, InvalidBrain),
            ({"layers": "no json"}, InvalidBrain),
            ({"layers": "[" * 100_000}, InvalidBrain),
            ({"output": "no json"}, InvalidBrain),
            ({"output": json.dumps(SCORE)}, InvalidBrain),
        ],
    )
    def test_a_file_that_does_not_fit_is_refused(
        self, tmp_path: Path, card: Mapping[str, str], error: type[OkapiError]
    ) -> None:
        path = images.write(tmp_path, changes=card)

        with pytest.raises(error, match="looker") as caught:
            evaluator(str(path))
        assert caught.value.hint

    def test_weights_that_explode_are_told(self, tmp_path: Path) -> None:
        tensors = {name: np.full_like(values, 3e38) for name, values in images.sabatelli().items()}

        with pytest.raises(InvalidBrain, match="not finite"):
            evaluator(str(images.write(tmp_path, made=tensors))).centipawns(Position.start())
