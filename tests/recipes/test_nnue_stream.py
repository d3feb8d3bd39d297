"""An NNUE learns from a network of Stockfish on positions that are made meanwhile; interrupted, it goes on the same."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from random_nnue import random_nnue  # noqa: E402

from okapi import brains  # noqa: E402
from okapi.cli import main as okapi  # noqa: E402
from okapi.core.packed import pack_fens, random_positions  # noqa: E402
from okapi.data.store import Store  # noqa: E402
from okapi.errors import Unfinished, UsageError  # noqa: E402
from okapi.training.nnue import NnueConfig, NnueDataset, read_weights  # noqa: E402
from okapi.training.shards import unlabelled_shard  # noqa: E402
from okapi.training.stream import StreamConfig, boards_of_packed, make_positions, train_on_stream  # noqa: E402

from .test_game_jobs import stored  # noqa: E402

SMALL = NnueConfig(neurons=32, epochs=3, samples=256, batch=128, result=0.0, last_result=0.0)
STREAM = StreamConfig(fresh=128, pool=2, validation=64, label_batch=64, nodes=50)


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("teacher") / "made.nnue"
    path.write_bytes(random_nnue().to_bytes())
    return path


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return stored(tmp_path_factory.mktemp("games"))


def games() -> "tuple[np.ndarray[tuple[int], np.dtype[np.void]], np.ndarray[tuple[int], np.dtype[np.void]]]":
    fens = ["4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "r3k2r/pppq1ppp/2np4/8/8/2NP4/PPPQ1PPP/R3K2R b KQkq - 0 1"]
    return pack_fens(fens), pack_fens(fens[:1])


def trained(teacher: Path, folder: Path, **more: object) -> "dict[str, torch.Tensor]":
    train_on_stream(SMALL, STREAM, teacher, games(), brains.evaluator("material"), folder, device="cpu", **more)  # type: ignore[arg-type]
    return read_weights(folder / "weights.npz")


def test_boards_are_those_of_shards() -> None:
    """Also with castling rights, and with Black to move."""
    positions = np.concatenate([games()[0], random_positions(200, seed=5)])
    expected = NnueDataset.from_shard(unlabelled_shard(positions), torch.device("cpu"))
    codes, turned = boards_of_packed(torch.from_numpy(positions.view(np.uint8).reshape(-1, 32)))
    assert torch.equal(expected.codes, codes)
    assert torch.equal(expected.turned, turned)


def test_an_interrupted_training_ends_with_the_same_weights(teacher: Path, tmp_path: Path) -> None:
    whole = trained(teacher, tmp_path / "whole")
    for steps in (1, 2):
        answers = partial(next, iter([False] * steps), True)
        with pytest.raises(Unfinished):
            trained(teacher, tmp_path / "parts", stop=answers, checkpoint_every_s=0.0)
    parts = trained(teacher, tmp_path / "parts")
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_every_epoch_has_new_positions() -> None:
    first, again, second = (
        make_positions(STREAM, games()[0], brains.evaluator("material"), 1, number, 100) for number in (1, 1, 2)
    )
    assert not np.array_equal(first, second)
    assert np.array_equal(first, again)


def test_another_teacher_for_the_same_folder_is_refused(teacher: Path, tmp_path: Path) -> None:
    trained(teacher, tmp_path / "run")
    (tmp_path / "other.nnue").write_bytes(random_nnue(2).to_bytes())
    with pytest.raises(UsageError, match="other samples"):
        trained(tmp_path / "other.nnue", tmp_path / "run")


def test_the_recipe_makes_a_brain_that_says_who_taught(
    teacher: Path, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", "nnue-stream", "--labels", str(teacher), "--games", str(store.path), "--size", "tiny", "--json"]
    command += ["--change", "brain=material", "--device", "cpu", "--threads", "1", "--out", str(tmp_path / "run")]
    assert okapi(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert 1024 == found["samples"]
    card = brains.card(found["brain"])
    assert ("nnue", "nnue-stream") == (card.kind, card.metadata["recipe"])
    assert "made.nnue of Stockfish 15" in card.metadata["teacher"]
    assert json.loads(card.metadata["losses"])["quantised_value_mae"] > 0
    assert okapi(command) == 0
    assert found == json.loads(capsys.readouterr().out), "a finished run is only read"


def test_without_a_network_there_is_no_teacher(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert okapi(["train", "nnue-stream", "--games", str(store.path)]) == 2
    assert "--labels FILE.nnue" in capsys.readouterr().err


@pytest.mark.parametrize("change", [{"searched": 2.0}, {"fresh": 0}, {"pool": 0}])
def test_settings_that_make_no_sense_are_refused(change: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=next(iter(change))):
        StreamConfig().changed(change)
