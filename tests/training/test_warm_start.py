"""Training that begins with a network which learned before."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from small_network import after, dataset, plan, same_weights, train_small  # noqa: E402

from okapi.errors import NotFound, Unfinished, UsageError  # noqa: E402
from okapi.training.report import read_network  # noqa: E402
from okapi.training.supervised import SupervisedConfig, train_supervised  # noqa: E402
from okapi.training.trainer import TrainingProgress  # noqa: E402

SLOW = {"optimiser": {"name": "sgd", "lr": 1e-9}, "schedule": {}, "epochs": 1}
"""Learns nothing, so that one sees where it began."""


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished training."""
    torch.set_num_threads(1)
    folder: Path = tmp_path_factory.mktemp("jobs")
    train_small(folder / "first")
    return folder


def then(**changes: Any) -> SupervisedConfig:
    return plan(**{"warm_start": "job:first", "epochs": 2, **changes})


def test_it_begins_where_the_other_ended(jobs: Path) -> None:
    """Batch normalisation stands still, so a network that learns nothing stays what it was."""
    before = train_small(jobs / "first")
    report = train_small(jobs / "same", then(**SLOW))

    assert before.test["confusion"] == report.test["confusion"]
    assert before.test["loss"] == pytest.approx(report.test["loss"], rel=1e-5)
    found, learned = read_network(jobs / "first"), read_network(jobs / "same")
    assert found.layers == learned.layers
    for name, tensor in found.tensors.items():
        np.testing.assert_allclose(tensor, learned.tensors[name], rtol=1e-5, atol=1e-6)


def test_it_learns_on(jobs: Path) -> None:
    report = train_small(jobs / "on", then(optimiser={"name": "adam", "lr": 0.005}, epochs=4))

    assert report.curve[-1]["train_loss"] < 0.95 * report.curve[0]["train_loss"]


def test_dropout_goes_on(jobs: Path) -> None:
    """The loss in training is that of a network which forgets, the one on the same samples afterwards is not."""
    report = train_small(jobs / "dropping", then(**SLOW))

    assert abs(report.curve[0]["train_loss"] - report.train["loss"]) > 1e-3


def test_a_file_is_as_seen_from_the_folder(jobs: Path) -> None:
    train_small(jobs / "by-name", then(**SLOW))
    train_small(jobs / "by-path", then(warm_start="../first/learned.npz", **SLOW))
    train_small(jobs / "by-whole-path", then(warm_start=str(jobs / "first" / "learned.npz"), **SLOW))

    assert same_weights(jobs / "by-name", jobs / "by-path")
    assert same_weights(jobs / "by-name", jobs / "by-whole-path")


@pytest.mark.parametrize("looks", [1, 2])
def test_broken_off_it_comes_to_the_same_bits(looks: int, jobs: Path) -> None:
    train_small(jobs / "calm", then())
    broken = jobs / f"broken-{looks}"
    with pytest.raises(Unfinished):
        train_small(broken, then(), stop=after(looks))
    train_small(broken, then())

    assert same_weights(jobs / "calm", broken)


def test_between_epochs_nothing_moves_the_statistics(jobs: Path) -> None:
    """A look at the validation samples wakes only what was awake before."""
    looks: list[TrainingProgress] = []
    train_small(jobs / "three", then(**{**SLOW, "epochs": 3}), watch=looks.append)

    assert len({round(entry["validation_loss"], 5) for entry in looks[-1].curve}) == 1


def test_another_start_in_the_same_folder_is_refused(jobs: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    shutil.copytree(jobs / "first", base)
    train_small(tmp_path / "next", then(warm_start="job:base", **SLOW))
    shutil.rmtree(base)
    train_small(base, plan(seed=9, epochs=1))

    with pytest.raises(UsageError, match="begun from another network"):
        train_small(tmp_path / "next", then(warm_start="job:base", **SLOW))


@pytest.mark.parametrize(
    ("start", "says", "hint"),
    [("job:zero", "no network to start from", "run the job `zero` first"), ("x.npz", "x.npz", "learned.npz")],
)
def test_a_start_that_is_not_there_is_told(start: str, says: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=says) as error:
        train_small(tmp_path / "job", then(warm_start=start))
    assert hint in error.value.hint


def test_a_start_of_another_shape_is_told(jobs: Path) -> None:
    wide = {"inputs": 768, "hidden": [17], "outputs": 3, "normalise": True}

    with pytest.raises(UsageError, match=r"where `1\.weight` is"):
        train_supervised(then(arguments=wide), *(dataset(seed) for seed in (1, 2, 3)), jobs / "wide", device="cpu")


def test_the_names_of_older_versions_are_read() -> None:
    old = then().as_json()
    assert "job:first" == old.pop("warm_start")

    assert SupervisedConfig.from_json({**old, "start": "lesson:first"}) == then()


def test_plans_from_before_there_were_starts_are_read() -> None:
    told = plan().as_json()
    del told["warm_start"]

    assert SupervisedConfig.from_json(told) == plan()
