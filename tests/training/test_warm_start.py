"""Training that begins with a network which learned before."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from small_network import after, lessons, plan, same_weights, school  # noqa: E402

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
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a lesson that was had."""
    torch.set_num_threads(1)
    folder: Path = tmp_path_factory.mktemp("course")
    school(folder / "first")
    return folder


def then(**changes: Any) -> SupervisedConfig:
    return plan(**{"warm_start": "job:first", "epochs": 2, **changes})


def test_it_begins_where_the_other_ended(course: Path) -> None:
    """Batch normalisation stands still, so a network that learns nothing stays what it was."""
    before = school(course / "first")
    report = school(course / "same", then(**SLOW))

    assert before.test["confusion"] == report.test["confusion"]
    assert before.test["loss"] == pytest.approx(report.test["loss"], rel=1e-5)
    found, learned = read_network(course / "first"), read_network(course / "same")
    assert found.layers == learned.layers
    for name, tensor in found.tensors.items():
        np.testing.assert_allclose(tensor, learned.tensors[name], rtol=1e-5, atol=1e-6)


def test_it_learns_on(course: Path) -> None:
    report = school(course / "on", then(optimiser={"name": "adam", "lr": 0.005}, epochs=4))

    assert report.curve[-1]["train_loss"] < 0.95 * report.curve[0]["train_loss"]


def test_dropout_goes_on(course: Path) -> None:
    """The loss in training is that of a network which forgets, the one on the same samples afterwards is not."""
    report = school(course / "dropping", then(**SLOW))

    assert abs(report.curve[0]["train_loss"] - report.train["loss"]) > 1e-3


def test_a_file_is_as_seen_from_the_folder(course: Path) -> None:
    school(course / "by-name", then(**SLOW))
    school(course / "by-path", then(warm_start="../first/learned.npz", **SLOW))
    school(course / "by-whole-path", then(warm_start=str(course / "first" / "learned.npz"), **SLOW))

    assert same_weights(course / "by-name", course / "by-path")
    assert same_weights(course / "by-name", course / "by-whole-path")


@pytest.mark.parametrize("looks", [1, 2])
def test_broken_off_it_comes_to_the_same_bits(looks: int, course: Path) -> None:
    school(course / "calm", then())
    broken = course / f"broken-{looks}"
    with pytest.raises(Unfinished):
        school(broken, then(), stop=after(looks))
    school(broken, then())

    assert same_weights(course / "calm", broken)


def test_between_epochs_nothing_moves_the_statistics(course: Path) -> None:
    """A look at the validation samples wakes only what was awake before."""
    looks: list[TrainingProgress] = []
    school(course / "three", then(**{**SLOW, "epochs": 3}), watch=looks.append)

    assert len({round(entry["validation_loss"], 5) for entry in looks[-1].curve}) == 1


def test_another_start_in_the_same_folder_is_refused(course: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    shutil.copytree(course / "first", base)
    school(tmp_path / "next", then(warm_start="job:base", **SLOW))
    shutil.rmtree(base)
    school(base, plan(seed=9, epochs=1))

    with pytest.raises(UsageError, match="begun from another network"):
        school(tmp_path / "next", then(warm_start="job:base", **SLOW))


@pytest.mark.parametrize(
    ("start", "says", "hint"),
    [("job:zero", "no network to start from", "run the job `zero` first"), ("x.npz", "x.npz", "learned.npz")],
)
def test_a_start_that_is_not_there_is_told(start: str, says: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=says) as error:
        school(tmp_path / "lesson", then(warm_start=start))
    assert hint in error.value.hint


def test_a_start_of_another_shape_is_told(course: Path) -> None:
    wide = {"inputs": 768, "hidden": [17], "outputs": 3, "normalise": True}

    with pytest.raises(UsageError, match=r"where `1\.weight` is"):
        train_supervised(then(arguments=wide), *(lessons(seed) for seed in (1, 2, 3)), course / "wide", device="cpu")


def test_the_names_of_older_versions_are_read() -> None:
    old = then().as_json()
    assert "job:first" == old.pop("warm_start")

    assert SupervisedConfig.from_json({**old, "start": "lesson:first"}) == then()


def test_plans_from_before_there_were_starts_are_read() -> None:
    told = plan().as_json()
    del told["warm_start"]

    assert SupervisedConfig.from_json(told) == plan()
