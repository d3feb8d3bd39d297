"""Perceptrons in the core: what numpy and PyTorch say, the core says."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from networks import ACTIVATIONS, NUMBER, SCORE, Perceptron, classes
from numpy.typing import NDArray

from okapi.brains import evaluations
from okapi.brains.files import brain_file, read_tensors, write_brain
from okapi.core import Color, Evaluator, Limits, Position, RawBrain, Search
from okapi.core.evaluation import evaluate, outputs
from okapi.core.packed import random_positions, rows, unpack
from okapi.encodings import ENCODINGS
from okapi.errors import InvalidBrain

DENSE_INPUTS = ("vector-64", "vector-65", "bitmap-768", "algebraic-768")


@pytest.fixture(scope="module")
def positions() -> NDArray[np.void]:
    return random_positions(300, seed=7)


def made(encoding: str = "bitmap-768", activation: str = "relu", output: Mapping[str, Any] = NUMBER) -> Perceptron:
    last = len(output["values"]) if "values" in output else 1
    return Perceptron.random(encoding, (40, 20, last), (activation, activation, "none"), output)


def brain(network: Perceptron, **card: str) -> RawBrain:
    return RawBrain.from_bytes(brain_file({**network.card(), **card}, network.tensors))


@pytest.mark.parametrize("encoding", DENSE_INPUTS)
@pytest.mark.parametrize("activation", list(ACTIVATIONS))
def test_the_core_says_what_numpy_says(encoding: str, activation: str, positions: NDArray[np.void]) -> None:
    for output in (NUMBER, classes(10)):
        network = made(encoding, activation, output)

        said = outputs(brain(network), positions, threads=2)

        np.testing.assert_allclose(said, network(positions), atol=2e-5, rtol=1e-5)


@pytest.mark.parametrize("encoding", DENSE_INPUTS)
@pytest.mark.parametrize("activation", ["relu", "elu", "tanh", "sigmoid"])
def test_the_core_says_what_pytorch_says(encoding: str, activation: str, positions: NDArray[np.void]) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from okapi.models.express import express, rebuilt
    from okapi.models.perceptron import perceptron
    from okapi.models.torch_encodings import encode

    torch.set_num_threads(1)
    torch.manual_seed(1)
    inputs = int(np.prod(ENCODINGS[encoding].shape))
    model = perceptron(inputs, [60, 30], 1, activation, normalise=True)
    with torch.no_grad():
        seen = encode(torch.from_numpy(rows(positions).copy()), encoding)
        model(seen)  # batch normalisation takes its statistics
        expressed = express(model.eval())
        expected = rebuilt(expressed)(seen).numpy()
    made = Perceptron(encoding, expressed.layers, expressed.tensors, NUMBER)

    assert np.abs(outputs(brain(made), positions) - expected).max() < 1e-4


@pytest.mark.parametrize("view", ["mover", "white"])
def test_a_value_is_for_the_side_to_move(view: str, positions: NDArray[np.void]) -> None:
    network = made(output={**NUMBER, "view": view})
    sign = np.array([1 if view == "mover" or unpack(row).turn is Color.WHITE else -1 for row in positions])
    expected = sign * (-1500 + 3000 * network(positions)[:, 0])

    values = evaluate([Evaluator.from_brain(brain(network))], positions)[0]

    assert np.abs(values - expected).max() < 0.6


def test_classes_and_scores_are_expected_scores(positions: NDArray[np.void]) -> None:
    known = classes(10)
    for network, score in (
        (made(output=known), lambda said: said @ np.array(known["values"])),
        (
            Perceptron.random("vector-65", (9, 1), ("elu", "sigmoid"), {**SCORE, "view": "white"}),
            lambda said: said[:, 0],
        ),
    ):
        evaluator = Evaluator.from_brain(brain(network))
        for row, expected in zip(positions, score(network(positions)), strict=True):
            position = unpack(row)
            mine = expected if position.turn is Color.WHITE else 1 - expected
            assert abs(evaluator([position])[0] - mine) < 2e-3, "half a centipawn"


def test_a_search_thinks_with_it() -> None:
    search = Search(Evaluator.from_brain(brain(made())))

    assert search.run(Position.start(), Limits(depth=3)).nodes > 20


def test_numbers_of_16_bits_halve_the_file(tmp_path: Path, positions: NDArray[np.void]) -> None:
    network = made()
    whole, half = tmp_path / "whole.safetensors", tmp_path / "half.safetensors"
    write_brain(whole, network.card(), network.tensors)
    write_brain(half, network.card(), network.tensors, bits=16)

    assert half.stat().st_size < 0.6 * whole.stat().st_size
    rounded = read_tensors(half)
    for name, values in network.tensors.items():
        np.testing.assert_array_equal(values.astype(np.float16).astype(np.float32), rounded[name])
    same = Perceptron(network.encoding, network.layers, rounded, network.output)
    np.testing.assert_allclose(outputs(RawBrain.open(str(half)), positions), same(positions), atol=1e-5)
    with pytest.raises(InvalidBrain, match="too large for F16"):
        brain_file(network.card(), {"1.weight": np.full(3, 1e6, np.float32)}, bits=16)


def test_opinions_have_the_classes(tmp_path: Path, positions: NDArray[np.void]) -> None:
    known = made(output=classes(10))
    file = tmp_path / "made.safetensors"
    file.write_bytes(known.file())

    found = evaluations(str(file), positions)

    np.testing.assert_allclose(found.classes, known(positions), atol=1e-5)
    rounded = Evaluator.from_brain(brain(known))([unpack(row) for row in positions])
    np.testing.assert_allclose(found.values, rounded, atol=2e-3)
    assert known.output == found.output
    file.write_bytes(made().file())
    assert evaluations(str(file), positions).classes is None


def test_only_networks_have_outputs(positions: NDArray[np.void]) -> None:
    with pytest.raises(InvalidBrain, match="no outputs"):
        outputs(RawBrain.default(), positions)


DENSE = {"do": "dense", "name": "1", "activation": "relu"}


@pytest.mark.parametrize(
    ("layers", "says"),
    [
        ("", "layers"),
        ("[]", "no layers"),
        ("{}", "expected '\\['"),
        ('[{"do":"dense"', "expected"),
        ([{**DENSE, "name": "7"}], "no tensor '7.weight'"),
        ([{**DENSE, "do": "convolve"}], "convolutional"),
        ([{**DENSE, "activation": "swish"}], "'swish', expected none"),
        ([{"do": "dense", "name": "1"}], "activation"),
        ([{**DENSE, "alpha": "1"}], "newer okapi"),
        ([DENSE, DENSE], "two of its layers"),
        ([DENSE], "expected 2"),
        ([DENSE, {**DENSE, "name": "3"}], "another encoding"),
        ([DENSE] * 65, "64 layers"),
    ],
)
def test_layers_that_do_not_fit_are_refused(layers: str | Sequence[Mapping[str, str]], says: str) -> None:
    text = layers if isinstance(layers, str) else json.dumps(layers)
    names = [*range(1, 66)]
    if says == "64 layers":
        text = json.dumps([{**DENSE, "name": str(name)} for name in names])
    with pytest.raises(InvalidBrain, match=says):
        Evaluator.from_brain(brain(made(), layers=text))


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("", "expected '{'"),
        ("{}", "'white' or 'mover'"),
        ({"form": "number", "view": "god"}, "'white' or 'mover'"),
        ({"form": "oracle", "view": "white"}, "newer okapi"),
        ({"form": "number", "view": "white"}, "'low' below a 'high'"),
        ({**NUMBER, "low": 1500}, "'low' below a 'high'"),
        ({**NUMBER, "low": "much"}, "a number"),
        ({**NUMBER, "scale": 1}, "unknown field 'scale'"),
        (json.dumps(NUMBER).replace("1500", "01500"), "leading zeros"),
        (json.dumps(NUMBER).replace("1500", "1e999"), "double"),
        (json.dumps(NUMBER).replace("1500", "NaN"), "a number"),
        (json.dumps(NUMBER) + "x", "the end"),
        (classes(3), "last layer has 1"),
    ],
)
def test_outputs_that_make_no_sense_are_refused(output: str | Mapping[str, Any], says: str) -> None:
    text = output if isinstance(output, str) else json.dumps(output)
    with pytest.raises(InvalidBrain, match=says):
        Evaluator.from_brain(brain(made(), output=text))


@pytest.mark.parametrize(
    "change",
    [
        {"values": [0.1, 0.5, 0.4]},
        {"values": [-0.1, 0.5, 0.9]},
        {"values": [0.1, 0.5, 1.1]},
        {"values": [0.1, 0.9]},
        {"edges": [3, 2]},
        {"edges": [1, 2, 3]},
        {"form": "score"},
    ],
)
def test_classes_that_make_no_sense_are_refused(change: Mapping[str, Any]) -> None:
    network = made(output=classes(3))
    with pytest.raises(InvalidBrain, match="Save it again"):
        Evaluator.from_brain(brain(network, output=json.dumps({**network.output, **change})))


def test_another_encoding_is_refused_with_those_that_are_read() -> None:
    with pytest.raises(InvalidBrain, match="vector-64, vector-65, bitmap-768, algebraic-768"):
        Evaluator.from_brain(brain(made(), encoding="planes-12"))
    with pytest.raises(InvalidBrain, match="expected F32"):
        Evaluator.from_brain(brain(made(), encoding="vector-64"))


def test_weights_so_large_that_sums_overflow_have_no_opinion() -> None:
    network = made()
    network = Perceptron(
        network.encoding, network.layers, {k: np.full_like(v, 2e4) for k, v in network.tensors.items()}, NUMBER
    )
    assert abs(Evaluator.from_brain(brain(network)).centipawns(Position.start())) <= 20000
