"""Networks that predict moves say the same as brains, in the core, as they did in torch."""

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from networks import KINDS  # noqa: E402

from okapi.brains import predictor  # noqa: E402
from okapi.brains.files import write_brain  # noqa: E402
from okapi.core import Color, Kind  # noqa: E402
from okapi.core.packed import random_positions, rows  # noqa: E402
from okapi.encodings import own_kinds  # noqa: E402
from okapi.models.express import express  # noqa: E402
from okapi.models.resnet import from_to  # noqa: E402
from okapi.models.singh2015 import chessnet_1  # noqa: E402
from okapi.models.torch_encodings import encode  # noqa: E402

POSITIONS = random_positions(60, seed=2)
ELO = 2300


@pytest.fixture(autouse=True, scope="module")
def calm() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)


def test_one_network(tmp_path: Path) -> None:
    model = from_to(19, channels=8, blocks=2, squeeze=4, width=6)
    model.train()(torch.rand(64, 19, 8, 8))  # so that batch normalisation has something to fold
    made = express(model.eval())
    about = {"name": "one", "kind": "convolutional", "encoding": "planes-18+elo", "layers": json.dumps(made.layers)}
    write_brain(tmp_path / "one.safetensors", {**about, "output": '{"form": "moves"}'}, made.tensors)
    said = predictor(str(tmp_path / "one.safetensors")).squares(POSITIONS, elo=ELO)

    pairs = _softmax(model, "planes-18+elo", told()).reshape(-1, 64, 64)
    turned = np.arange(64)[np.newaxis] ^ _turn()
    pairs = np.take_along_axis(np.take_along_axis(pairs, turned[:, :, np.newaxis], 1), turned[:, np.newaxis], 2)
    np.testing.assert_allclose(said.origin, pairs.sum(axis=2), rtol=1e-3)
    np.testing.assert_allclose(said.origin[:, :, np.newaxis] * said.target, pairs, rtol=1e-3, atol=1e-8)


def test_seven_networks(tmp_path: Path) -> None:
    seen = {name: f"planes-12+elo{'' if name == 'piece' else '+piece'}" for name in ("piece", *KINDS)}
    models = {name: chessnet_1(13 + (name != "piece"), (4, 5, 6), hidden=8).eval() for name in seen}
    made = {name: express(model) for name, model in models.items()}
    networks = {name: {"encoding": seen[name], "layers": made[name].layers} for name in seen}
    tensors = {f"{name}/{key}": tensor for name in seen for key, tensor in made[name].tensors.items()}
    about = {"name": "seven", "kind": "seven-networks", "encoding": "planes-12+elo", "output": '{"form": "squares"}'}
    write_brain(tmp_path / "seven.safetensors", {**about, "networks": json.dumps(networks)}, tensors)
    said = predictor(str(tmp_path / "seven.safetensors")).squares(POSITIONS, elo=ELO)

    turned = np.arange(64)[np.newaxis] ^ _turn()
    wanted = np.take_along_axis(_softmax(models["piece"], seen["piece"], told()), turned, axis=1)
    np.testing.assert_allclose(said.origin, wanted, rtol=1e-3)
    kinds = np.take_along_axis(own_kinds(POSITIONS), turned, axis=1)
    for square in range(64):
        for kind in Kind:
            here = np.flatnonzero(kinds[:, square] == kind.value)
            if len(here):
                name = kind.name.lower()
                answers = _softmax(models[name], seen[name], told(square)[here])
                wanted = np.take_along_axis(answers, turned[here], axis=1)
                np.testing.assert_allclose(said.target[here, square], wanted, rtol=1e-3)
        assert not said.target[kinds[:, square] < 0, square].any()


def told(square: int = 0) -> np.ndarray:
    """Rows of 36 bytes: positions, a rating, the square of the piece that moves, and a draw."""
    extra = np.array([*ELO.to_bytes(2, "little"), square, 1], np.uint8)
    return np.concatenate([rows(POSITIONS), np.tile(extra, (len(POSITIONS), 1))], axis=1)


def _turn() -> np.ndarray:
    return np.where(POSITIONS["turn"] == Color.BLACK.value, 56, 0)[:, np.newaxis]


def _softmax(model: torch.nn.Module, encoding: str, some: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        answers: np.ndarray = model(encode(torch.from_numpy(some), encoding)).softmax(dim=1).numpy()
    return answers
