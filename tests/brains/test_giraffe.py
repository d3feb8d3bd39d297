"""The giraffe brain: what the core says about positions, beside PyTorch; and what it refuses."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Limits, Position
from okapi.brains.files import brain_file, read_tensors, tensors_of
from okapi.cli import main
from okapi.core import Color, Evaluator, RawBrain, Search
from okapi.core.evaluation import evaluate
from okapi.core.packed import random_positions, unpack
from okapi.encodings import ENCODINGS
from okapi.errors import InvalidBrain, WrongBrain

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from okapi.models.lai2015 import Giraffe, giraffe_brain, open_giraffe  # noqa: E402

CENTIPAWNS = 800 / np.log(10)
"""What z = 1 is worth."""

ENCODED = pytest.mark.parametrize("encoding", ["giraffe-363", "giraffe-363-mover"])


@pytest.fixture(scope="module")
def positions() -> NDArray[np.void]:
    return random_positions(300, seed=2)


@pytest.fixture(scope="module")
def model() -> Giraffe:
    """Weights as they begin, but so that positions differ by pawns."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    made = Giraffe()
    with torch.no_grad():
        made.output.weight *= 20
    return made


@ENCODED
@pytest.mark.parametrize("sizes", [(19, 44, 26, 64), (19, 11, 7, 64), (33, 64, 48, 100)])
def test_the_core_says_what_pytorch_says(
    encoding: str, sizes: tuple[int, int, int, int], positions: NDArray[np.void]
) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = Giraffe(*sizes)
    with torch.no_grad():
        model.output.weight *= 20
        z = model(torch.from_numpy(ENCODINGS[encoding].encode_many(positions))).numpy()
    for_white = encoding == "giraffe-363"
    sign = np.array([-1 if for_white and unpack(row).turn is Color.BLACK else 1 for row in positions])

    evaluator = Evaluator.from_brain(RawBrain.from_bytes(giraffe_brain(model, {"name": "made"}, encoding=encoding)))
    values = evaluate([evaluator], positions, threads=2)[0]

    assert np.abs(values).max() > 50
    assert np.abs(values - CENTIPAWNS * sign * z).max() < 0.8, "half a centipawn is rounding"


def test_a_brain_is_the_network_again(model: Giraffe, tmp_path: Path) -> None:
    data = giraffe_brain(model, {"name": "made", "recipe": "none"})
    file = tmp_path / "made.safetensors"
    file.write_bytes(data)

    for again in (open_giraffe(data), open_giraffe(file)):
        assert data == giraffe_brain(again, {"name": "made", "recipe": "none"})
    np.testing.assert_array_equal(read_tensors(file)["joined.weight"], tensors_of(data)["joined.weight"])


def test_a_search_thinks_with_it(model: Giraffe) -> None:
    search = Search(Evaluator.from_brain(RawBrain.from_bytes(giraffe_brain(model, {"name": "made"}))))

    assert search.run(Position.start(), Limits(depth=3)).nodes > 20


@pytest.mark.parametrize(
    ("name", "shape", "says"),
    [
        ("position.weight", (19, 20), "expected F32 \\[19, 19\\]"),
        ("pieces.weight", (44, 80), "expected F32 \\[44, 216\\]"),
        ("squares.bias", (25,), "expected F32 \\[26\\]"),
        ("joined.weight", (64, 90), "expected F32 \\[64, 89\\]"),
        ("joined.weight", (513, 89), "has 513 outputs, expected 1 to 512"),
        ("output.weight", (2, 64), "has 2 outputs, expected 1"),
        ("output.weight", (), "has 0 outputs"),
        ("more.weight", (1,), "11 tensors, expected 10"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(model: Giraffe, name: str, shape: tuple[int, ...], says: str) -> None:
    tensors = tensors_of(giraffe_brain(model, {"name": "made"})) | {name: np.zeros(shape, np.float32)}
    card = {"name": "made", "kind": "giraffe", "encoding": "giraffe-363-mover"}

    with pytest.raises(InvalidBrain, match=says):
        Evaluator.from_brain(RawBrain.from_bytes(brain_file(card, tensors)))


def test_a_missing_layer_is_named(model: Giraffe) -> None:
    tensors = tensors_of(giraffe_brain(model, {"name": "made"}))
    tensors["other.bias"] = tensors.pop("squares.bias")
    card = {"name": "made", "kind": "giraffe", "encoding": "giraffe-363"}

    with pytest.raises(InvalidBrain, match=r"no tensor 'squares\.bias'"):
        Evaluator.from_brain(RawBrain.from_bytes(brain_file(card, tensors)))


def test_other_encodings_and_brains_are_refused(model: Giraffe) -> None:
    tensors = tensors_of(giraffe_brain(model, {"name": "made"}))
    card = {"name": "made", "kind": "giraffe", "encoding": "bitmap-768"}
    with pytest.raises(InvalidBrain, match="this kind reads giraffe-363-mover, giraffe-363"):
        Evaluator.from_brain(RawBrain.from_bytes(brain_file(card, tensors)))
    with pytest.raises(WrongBrain, match="does not read `bitmap-768`"):
        giraffe_brain(model, {"name": "made"}, encoding="bitmap-768")
    other = brain_file(
        {"name": "other", "kind": "material", "encoding": "material-5"}, {"weights": np.ones(5, np.float32)}
    )
    with pytest.raises(WrongBrain, match="no giraffe"):
        open_giraffe(other)


def test_show_prints_its_layers_for_people(model: Giraffe, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "made.safetensors"
    file.write_bytes(giraffe_brain(model, {"name": "made"}))

    assert main(["brains", "show", str(file)]) == 0
    text = " ".join(capsys.readouterr().out.split())

    assert "made giraffe, 19,107 weights" in text
    assert "twice the expected score, less 1, for the side to move" in text
    assert "dense pieces 216 → 44 relu 9,548" in text and "dense output 64 → 1 tanh 65" in text
