"""The NNUE brain: the core beside plain numpy, and what it refuses."""

from dataclasses import replace
from pathlib import Path

import nnue_twin
import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Limits, Position
from okapi.brains import evaluator, find
from okapi.brains.card import ModelCard
from okapi.brains.files import brain_file
from okapi.brains.nnue import QuantisedLayeredNnue, QuantisedNnue
from okapi.core import Evaluator, RawBrain, Search
from okapi.core.evaluation import evaluate
from okapi.core.packed import pack_fens, random_positions
from okapi.errors import InvalidBrain, WrongBrain

CARD = {"name": "made", "kind": "incremental", "encoding": "piece-square-mirrored", "quantisation": "255 64"}


def thinking(network: QuantisedNnue | QuantisedLayeredNnue) -> Evaluator:
    return Evaluator.from_brain(RawBrain.from_bytes(network.file({"name": "made"})))


@pytest.fixture(scope="module")
def positions() -> NDArray[np.void]:
    return random_positions(2000, seed=3)


@pytest.mark.parametrize(
    ("neurons", "outputs", "king_buckets"), [(32, 8, 1), (96, 1, 1), (256, 5, 4), (1024, 32, 1), (32, 8, 4)]
)
def test_the_core_says_what_numpy_says(
    neurons: int, outputs: int, king_buckets: int, positions: NDArray[np.void]
) -> None:
    some = positions[:: max(1, neurons // 64)]
    network = nnue_twin.random_network(neurons, outputs=outputs, king_buckets=king_buckets)
    expected = nnue_twin.values(network, some)

    np.testing.assert_array_equal(expected, evaluate([thinking(network)], some, threads=2)[0])
    assert expected.std() > 30
    assert len(np.unique(network.buckets(some))) > outputs // 3


@pytest.mark.parametrize(("neurons", "stacks", "king_buckets"), [(64, 8, 1), (128, 1, 4), (192, 5, 1), (1024, 8, 4)])
def test_the_core_computes_layers_as_numpy_does(
    neurons: int, stacks: int, king_buckets: int, positions: NDArray[np.void], tmp_path: Path
) -> None:
    some = positions[:: max(1, neurons // 64)]
    network = nnue_twin.random_layers(neurons, stacks=stacks, king_buckets=king_buckets)
    expected = nnue_twin.layered_values(network, some)

    np.testing.assert_array_equal(expected, evaluate([thinking(network)], some, threads=2)[0])
    assert expected.std() > 30
    file = tmp_path / "made.safetensors"
    file.write_bytes(network.file({"name": "made"}))
    assert file.read_bytes() == QuantisedLayeredNnue.open(file).file({"name": "made"})


@pytest.mark.parametrize(
    ("name", "tensor", "says"),
    [
        ("accumulator.bias", np.zeros(96, np.int16), "96 neurons, expected a multiple of 64"),
        ("first_weight", np.zeros((8, 16, 128), np.int8), r"expected I8 \[8, 16, 64\]"),
        ("second_bias", np.full((8, 32), 2**30 + 1, np.int32), r"beyond 2\^30"),
        ("last_bias", np.zeros(33, np.int32), "33 outputs, expected 1 to 32"),
        ("more", np.zeros(1, np.int8), "9 tensors, expected 8"),
    ],
)
def test_layers_that_do_not_fit_are_refused(name: str, tensor: NDArray[np.generic], says: str) -> None:
    tensors = nnue_twin.random_layers().tensors() | {name: tensor}
    card = {**CARD, "kind": "nnue-layers", "scale": "100"}

    with pytest.raises(InvalidBrain, match=says):
        Evaluator.from_brain(RawBrain.from_bytes(brain_file(card, tensors)))


def test_colours_and_wings_exchanged_are_the_same_position() -> None:
    network = nnue_twin.random_network(32)
    alike = ["3k4/8/8/8/8/2n5/P7/1K6 w - - 0 1", "4k3/8/8/8/8/5n2/7P/6K1 w - - 0 1", "1k6/p7/2N5/8/8/8/8/3K4 b - - 0 1"]

    assert 1 == len(set(nnue_twin.values(network, pack_fens(alike))))


@pytest.mark.parametrize("neurons", [32, 96, 512])
def test_a_network_that_counts_pieces(neurons: int, positions: NDArray[np.void]) -> None:
    counted = nnue_twin.values(QuantisedNnue.counting(neurons), positions)
    material = evaluate([evaluator("material")], positions, threads=1)[0]

    assert np.abs(counted - material).max() <= 3 + np.abs(material).max() / 200


def test_large_values_are_kept_within_bounds() -> None:
    network = replace(nnue_twin.random_network(32), scale=1_000_000)
    both = random_positions(300, seed=4)

    values = evaluate([thinking(network)], both, threads=1)[0]
    assert {-20_000, 20_000} <= set(values)
    np.testing.assert_array_equal(nnue_twin.values(network, both), values)


def test_a_search_thinks_with_it() -> None:
    search = Search(thinking(nnue_twin.random_network(32)))

    assert search.run(Position.start(), Limits(depth=4)).nodes > 50


def test_a_brain_is_the_network_again(tmp_path: Path) -> None:
    network = nnue_twin.random_network(32)
    file = tmp_path / "made.safetensors"
    file.write_bytes(network.file({"name": "made"}))

    assert file.read_bytes() == QuantisedNnue.open(file).file({"name": "made"})
    with pytest.raises(WrongBrain, match="material"):
        QuantisedNnue.open(find("material"))


def test_the_kind_that_files_call_incremental_is_shown_as_nnue(tmp_path: Path) -> None:
    file = tmp_path / "made.safetensors"
    file.write_bytes(brain_file(CARD | {"scale": "100"}, nnue_twin.random_network(32).tensors()))

    assert "incremental" == ModelCard.read(file).metadata["kind"]
    assert "nnue" == ModelCard.read(file).kind == ModelCard.read(file).details()["kind"]
    assert 32 == QuantisedNnue.open(file).neurons


@pytest.mark.parametrize(
    ("name", "tensor", "says"),
    [
        ("accumulator.weight", np.zeros((768, 64), np.int16), r"I16 \[768, 64\], expected I16 \[768, 32\]"),
        ("accumulator.weight", np.zeros((768, 32), np.int32), r"I32 \[768, 32\], expected I16"),
        ("accumulator.bias", np.zeros(33, np.int16), "33 neurons, expected a multiple of 32"),
        ("accumulator.bias", np.zeros(1056, np.int16), "up to 1,024"),
        ("accumulator.bias", np.zeros((), np.int16), "0 neurons"),
        ("output.weight", np.zeros((8, 32), np.int8), r"expected I8 \[8, 64\]"),
        ("output.bias", np.zeros(33, np.int32), "33 outputs, expected 1 to 32"),
        ("output.bias", np.zeros(8, np.float32), r"F32 \[8\], expected I32"),
        ("more", np.zeros(1, np.int8), "5 tensors, expected 4"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(name: str, tensor: NDArray[np.generic], says: str) -> None:
    tensors = nnue_twin.random_network(32).tensors() | {name: tensor}

    with pytest.raises(InvalidBrain, match=says):
        Evaluator.from_brain(RawBrain.from_bytes(brain_file({**CARD, "scale": "100"}, tensors)))


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"scale": "100.5"}, "scale '100.5', expected a whole number"),
        ({"scale": "0"}, "scale '0'"),
        ({}, "scale ''"),
        ({"scale": "100", "quantisation": "127 64"}, "quantisation '127 64', expected '255 64'"),
        ({"scale": "100", "encoding": "piece-square"}, "this kind reads piece-square-mirrored"),
    ],
)
def test_cards_that_do_not_fit_are_refused(entry: dict[str, str], says: str) -> None:
    with pytest.raises(InvalidBrain, match=says):
        Evaluator.from_brain(RawBrain.from_bytes(brain_file({**CARD, **entry}, nnue_twin.random_network(32).tensors())))


def test_an_accumulator_that_could_overflow_is_refused() -> None:
    """Of each side a king and fifteen others count, on squares of their own."""
    network = nnue_twin.random_network(32)
    weight = np.zeros((768, 32), np.int16)
    weight[:, 5] = 1023
    bias = np.zeros(32, np.int16)
    fits = replace(network, weight=weight, bias=bias)
    bias[5] = 32_767 - 32 * 1023
    thinking(fits)

    bias[5] += 1
    with pytest.raises(InvalidBrain, match=r"neuron 5 could reach 32768"):
        thinking(fits)
    bias[5] = 0
    weight[64:128, 5] = 1100
    with pytest.raises(InvalidBrain, match=r"neuron 5 could reach 33891"):
        thinking(fits)
    weight[:, 5] = -1025
    with pytest.raises(InvalidBrain, match=r"neuron 5 could reach -32800"):
        thinking(fits)


def test_an_output_that_could_overflow_is_refused() -> None:
    """Weights of both signs cannot count in full at once, and may be twice as many."""
    network = nnue_twin.random_network(256, outputs=1)
    weight = np.full((1, 512), 127, np.int8)
    weight[0, 1::2] = -128
    thinking(replace(network, output_weight=weight))

    with pytest.raises(InvalidBrain, match="output 0 add up to 65024, expected at most 33025"):
        thinking(replace(network, output_weight=np.full((1, 512), 127, np.int8)))
