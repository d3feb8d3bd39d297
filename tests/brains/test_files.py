"""Brains written by learners and read by everybody."""

import struct
from pathlib import Path

import numpy as np
import pytest

from okapi.brains import ModelCard, find
from okapi.brains.files import brain_file, read_tensors, tensors_of, write_brain
from okapi.core import Evaluator, Position, RawBrain
from okapi.errors import InvalidBrain, NotFound

CARD = {"name": "mine", "kind": "material", "encoding": "material-5", "note": 'quotes " and ½ survive'}
WEIGHTS = np.array([100, 300, 325.5, 500, 900], np.float32)


def test_the_core_thinks_with_what_is_written() -> None:
    brain = RawBrain.from_bytes(brain_file(CARD, {"weights": WEIGHTS}))

    assert {"okapi": "1", **CARD} == brain.card
    bishop = Position.from_fen("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1")
    assert abs(Evaluator.from_brain(brain).centipawns(bishop)) <= 326


def test_a_written_brain_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    tensors = {"b": np.arange(6, dtype=np.float32).reshape(2, 3), "a": WEIGHTS, "turned": np.ones((2, 5), np.float32).T}
    write_brain(file, CARD, tensors)
    card = ModelCard.read(file)

    assert ("mine", "material", "material-5") == (card.name, card.kind, card.encoding)
    assert {"a": (5,), "b": (2, 3), "turned": (5, 2)} == dict(card.tensors)
    for name, values in read_tensors(file).items():
        np.testing.assert_array_equal(tensors[name], values)
    assert [file] == list(tmp_path.iterdir()), "nothing is left beside it"


def test_the_same_brain_is_the_same_bytes() -> None:
    tensors = {"a": WEIGHTS, "b": WEIGHTS}

    assert brain_file(CARD, tensors) == brain_file(CARD, dict(reversed(tensors.items())))


def test_the_writer_agrees_with_the_shipped_brains() -> None:
    file = find("okapi-28")

    assert file.read_bytes() == brain_file(ModelCard.read(file).metadata, read_tensors(file))


@pytest.mark.parametrize("missing", ["name", "kind", "encoding"])
def test_a_card_that_says_too_little(missing: str) -> None:
    with pytest.raises(InvalidBrain, match=missing):
        brain_file({**CARD, missing: ""}, {"weights": WEIGHTS})


def test_tensors_that_no_brain_has() -> None:
    with pytest.raises(InvalidBrain, match="float64"):
        brain_file(CARD, {"weights": WEIGHTS.astype(np.float64)})
    with pytest.raises(InvalidBrain, match="not finite"):
        brain_file(CARD, {"weights": WEIGHTS * np.float32(np.inf)})
    with pytest.raises(InvalidBrain):
        brain_file(CARD, {"__metadata__": WEIGHTS})


@pytest.mark.parametrize("length", [0, 7, 100, -1])
def test_a_file_that_was_cut_short(tmp_path: Path, length: int) -> None:
    file = tmp_path / "cut.safetensors"
    file.write_bytes(brain_file(CARD, {"weights": WEIGHTS})[:length])

    with pytest.raises(InvalidBrain):
        read_tensors(file)


def test_whole_numbers_come_back_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "whole.safetensors"
    tensors = {f"i{8 * kind().itemsize}": np.arange(-4, 2, dtype=kind) for kind in (np.int8, np.int16, np.int32)}
    write_brain(file, CARD, tensors | {"weights": WEIGHTS}, bits=16)
    again = read_tensors(file)

    assert np.float32 == again["weights"].dtype
    for name, values in tensors.items():
        assert values.dtype == again[name].dtype
        np.testing.assert_array_equal(values, again[name])


def test_bytes_with_a_scale_for_each_row(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    matrix = (rng.normal(size=(5, 3, 2)) * [[[1e-3]], [[1]], [[100]], [[0]], [[1]]]).astype(np.float32)
    file = tmp_path / "bytes.safetensors"
    write_brain(file, CARD, {"matrix": matrix, "bytes": np.arange(6, dtype=np.int8), "weights": WEIGHTS}, bits=8)
    again = read_tensors(file)

    assert set(again) == {"matrix", "bytes", "weights"}
    assert again["bytes"].dtype == np.int8
    largest = np.abs(matrix).max(axis=(1, 2), keepdims=True)
    assert (np.abs(again["matrix"] - matrix) <= largest / 254 + 1e-9).all()
    assert not np.array_equal(again["matrix"], matrix)


def test_scales_for_other_rows() -> None:
    tensors = {"matrix": np.zeros((3, 2), np.int8), "matrix.scale": np.ones(2, np.float32)}

    with pytest.raises(InvalidBrain, match=r"'matrix\.scale' has 2 scales"):
        tensors_of(brain_file(CARD, tensors))


def test_a_shape_that_no_number_holds(tmp_path: Path) -> None:
    content = brain_file(CARD, {"weights": WEIGHTS})
    end = 8 + struct.unpack_from("<Q", content)[0]
    header = content[8:end].replace(b'"shape":[5]', b'"shape":[1e999]')
    file = tmp_path / "large.safetensors"
    file.write_bytes(struct.pack("<Q", len(header)) + header + content[end:])

    with pytest.raises(InvalidBrain, match="damaged"):
        ModelCard.read(file)


def test_tensors_of_another_type(tmp_path: Path) -> None:
    file = tmp_path / "other.safetensors"
    file.write_bytes(brain_file(CARD, {"weights": WEIGHTS}).replace(b'"F32"', b'"U32"'))

    with pytest.raises(InvalidBrain, match="U32"):
        read_tensors(file)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="cannot be written"):
        write_brain(tmp_path / "nowhere" / "mine.safetensors", CARD, {"weights": WEIGHTS})
