"""The loop: it learns, comes to the same bits however it is broken off, and refuses what does not belong together."""

import csv
import math
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from small_network import SAMPLES, after, dataset, plan, quiet, same_weights, train_small  # noqa: E402

from okapi.errors import InvalidSamples, InvalidText, OkapiError, Unfinished, UsageError  # noqa: E402
from okapi.training.devices import (  # noqa: E402
    Ranks,
    find_device,
)
from okapi.training.optimisers import OPTIMISERS, rate_at  # noqa: E402
from okapi.training.report import TrainingReport, read_network  # noqa: E402
from okapi.training.supervised import Dataset, SupervisedConfig, train_supervised  # noqa: E402
from okapi.training.trainer import (  # noqa: E402
    TrainingProgress,
    refuse_others,
)

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What comes out if nothing happens."""
    torch.set_num_threads(1)
    folder: Path = tmp_path_factory.mktemp("calm")
    train_small(folder)
    return folder


def test_a_network_learns(calm: Path) -> None:
    report = TrainingReport.read(calm)

    assert report is not None
    assert report.curve[-1]["train_loss"] < 0.8 * report.curve[0]["train_loss"]
    assert report.test["accuracy"] > 0.5 and report.test["near"] >= report.test["accuracy"]
    assert SAMPLES == report.test["count"] == sum(map(sum, report.test["confusion"]))
    assert math.isclose(report.test["accuracy"], np.trace(report.test["confusion"]) / SAMPLES)


def test_a_training_that_is_cut_ends_with_its_best_weights_so_far(tmp_path: Path) -> None:
    report = train_small(tmp_path, plan(epochs=9), stop=after(8), cut=True)

    assert 1 <= report.epochs < 9 and report.about["cut"] and report == TrainingReport.read(tmp_path)
    assert not (tmp_path / "checkpoint.pt").exists()


def test_what_has_finished_no_epoch_cannot_be_cut(tmp_path: Path) -> None:
    with pytest.raises(Unfinished):
        train_small(tmp_path, stop=after(1), cut=True)


@pytest.mark.parametrize("looks", [1, 3, 4])
def test_broken_off_between_batches_it_comes_to_the_same_bits(looks: int, calm: Path, tmp_path: Path) -> None:
    with pytest.raises(Unfinished):
        train_small(tmp_path, stop=after(looks))
    again = train_small(tmp_path)

    assert same_weights(calm, tmp_path)
    before = TrainingReport.read(calm)
    assert before is not None
    assert [entry["train_loss"] for entry in before.curve] == [entry["train_loss"] for entry in again.curve]
    assert before.test == again.test


def test_broken_off_by_an_error_it_comes_to_the_same_bits(calm: Path, tmp_path: Path) -> None:
    def stumble(now: TrainingProgress) -> None:
        if now.epoch == 3:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        train_small(tmp_path, watch=stumble, checkpoint_every_s=0.0)
    train_small(tmp_path)

    assert same_weights(calm, tmp_path)


def test_whoever_trains_has_the_same_dice_as_before(tmp_path: Path) -> None:
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    train_small(tmp_path, plan(epochs=1))

    assert expected == torch.rand(1)


def test_the_best_epoch_is_kept_and_patience_ends(tmp_path: Path) -> None:
    """A learning rate like this makes everything worse at once."""
    report = train_small(tmp_path, plan(optimiser={"name": "sgd", "lr": 3.0}, schedule={}, epochs=30, patience=2))

    losses = [entry["validation_loss"] for entry in report.curve]
    assert report.best_epoch == 1 + losses.index(min(losses)) and report.epochs == report.best_epoch + 2 < 30
    assert math.isclose(min(losses), report.validation["loss"], rel_tol=1e-6)


def test_a_number_is_learned(tmp_path: Path) -> None:
    arguments = {"inputs": 768, "hidden": [8], "outputs": 1, "last": "sigmoid"}
    report = train_small(tmp_path, plan(arguments=arguments, loss="squared", smooth=0.0))

    errors = np.array([report.test["mse"], report.test["mae"]])
    assert math.isclose(report.test["loss"], report.test["mse"], rel_tol=1e-5)
    assert errors[0] < np.var(dataset(3, numbers=True).targets) and errors[1] ** 2 <= errors[0]
    assert 0 < report.test["mse_error"] < report.test["mse"]


@pytest.mark.parametrize("name", OPTIMISERS)
def test_every_optimiser_lowers_the_loss(name: str, tmp_path: Path) -> None:
    rate = {"sgd": 0.1, "adadelta": 5.0, "adagrad": 0.05}.get(name, 0.01)
    report = train_small(tmp_path, plan(optimiser={"name": name, "lr": rate}, schedule={}, epochs=2))

    assert report.curve[1]["train_loss"] < report.curve[0]["train_loss"]


def test_metrics_are_a_table_with_a_line_for_each_epoch(calm: Path) -> None:
    with (calm / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))

    assert ["1", "2", "3", "4"] == [row["epoch"] for row in rows]
    assert {"train_loss", "validation_loss", "validation_accuracy", "validation_near", "rate"} <= set(rows[0])


def test_what_is_finished_is_only_read(calm: Path) -> None:
    looks: list[TrainingProgress] = []
    report = train_small(calm, watch=looks.append)

    assert TrainingReport.read(calm) == report and not looks


@pytest.mark.parametrize(
    ("changes", "says"),
    [({"batch": 16}, "batch 32, not 16"), ({"seed": 2}, "seed 1, not 2"), ({"loss": "squared"}, "other samples")],
)
def test_another_plan_in_the_same_folder_is_refused(changes: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(Unfinished):
        train_small(tmp_path, stop=after(1))
    with pytest.raises(UsageError, match=says) as error:
        train_small(tmp_path, plan(**changes))

    assert "another folder" in error.value.hint
    (tmp_path / "config.json").unlink()  # the checkpoint says so, too
    with pytest.raises(UsageError, match=says):
        train_small(tmp_path, plan(**changes))


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"nonsense", lambda data: b""])
def test_a_damaged_checkpoint_is_told(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with pytest.raises(Unfinished):
        train_small(tmp_path, stop=after(1))
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(InvalidText, match=r"checkpoint\.pt` is damaged") as error:
        train_small(tmp_path)
    assert "delete it" in error.value.hint


@pytest.mark.parametrize("damage", [lambda data: data[:100], lambda data: b""])
def test_a_damaged_network_is_told(damage: Callable[[bytes], bytes], calm: Path, tmp_path: Path) -> None:
    (tmp_path / "learned.npz").write_bytes(damage((calm / "learned.npz").read_bytes()))

    with pytest.raises(InvalidText, match=r"learned\.npz` cannot be read"):
        read_network(tmp_path)


def test_a_loss_that_is_no_number_ends_it(tmp_path: Path) -> None:
    arguments = {"inputs": 768, "hidden": [8], "outputs": 1}
    with pytest.raises(OkapiError, match="not a finite number") as error:
        train_small(tmp_path, plan(arguments=arguments, loss="squared", optimiser={"name": "sgd", "lr": 1e30}))

    assert "learning rate" in error.value.hint


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"loss": "cross-entrpy"}, "no loss `cross-entrpy`"),
        ({"encoding": "piece-square"}, "networks cannot be trained on `piece-square`"),
        ({"optimiser": {"name": "adma", "lr": 1}}, "no optimiser `adma`"),
        ({"optimiser": {"name": "adam", "lr": 0}}, "`lr` is 0"),
        ({"optimiser": {"name": "adam", "lr": 1, "momentum": 1}}, "takes no `momentum`"),
        ({"optimiser": {"name": "adam", "lr": 1, "betas": [2, 3]}}, "is not possible"),
        ({"schedule": {"name": "steps"}}, "no schedule `steps`"),
        ({"schedule": {"name": "step", "every": 10}}, "is incomplete"),
        ({"batch": 0}, "`batch` is 0"),
        ({"epochs": 1.5}, "`epochs` is 1.5"),
        ({"precision": "float16"}, "`precision` is 'float16'"),
        ({"smooth": 1}, "`smooth` is 1"),
        ({"model": "os:system"}, "is no network"),
        ({"model": "okapi.models.perceptron:nobody"}, "there is no network"),
        ({"arguments": {"inputs": 768}}, "cannot be made of"),
        ({"model": "okapi.models.layers:activation", "arguments": {"name": "relu"}}, "makes a ReLU"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(changes: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=says):
        train_small(tmp_path, plan(**changes))


def test_a_run_that_calls_its_network_by_a_former_name_goes_on(tmp_path: Path) -> None:
    now = {"config": plan(model="okapi.models.resnet:resnet").as_json(), "data": []}
    before = {"plan": now["config"] | {"model": "okapi.models.tower:tower"}, "data": []}

    refuse_others(tmp_path, before, now)
    assert SupervisedConfig.from_json(now["config"]) == SupervisedConfig.from_json(before["plan"])


def test_a_plan_from_a_file_is_checked() -> None:
    told = plan().as_json()

    assert plan() == SupervisedConfig.from_json(told)
    with pytest.raises(UsageError, match="no setting `epoch`") as error:
        SupervisedConfig.from_json({**told, "epoch": 3})
    assert "epochs" in error.value.hint
    with pytest.raises(UsageError, match="are missing"):
        SupervisedConfig.from_json({name: value for name, value in told.items() if name != "batch"})


def test_lessons_that_do_not_fit_are_refused() -> None:
    good = dataset()

    with pytest.raises(InvalidSamples, match="shape"):
        Dataset(good.positions, good.targets[1:])
    with pytest.raises(InvalidSamples, match="int32"):
        Dataset(good.positions, good.targets.astype(np.int32))
    with pytest.raises(InvalidSamples, match="finite"):
        Dataset(good.positions, np.full(len(good), np.nan, np.float32))


def test_nothing_to_learn_from_is_told(tmp_path: Path) -> None:
    some, none = dataset(), dataset(count=0)

    for parts in ((none, some), (some, none)):
        with pytest.raises(InvalidSamples, match="there are no"):
            train_supervised(plan(), *parts, some, tmp_path)


@pytest.mark.parametrize(("step", "rate"), [(0, 0.05), (1, 0.1), (6, 0.055), (10, 0.01)])
def test_a_cosine_warms_up_and_falls_to_its_floor(step: int, rate: float) -> None:
    schedule = {"name": "cosine", "warmup": 2, "floor": 0.1}

    assert math.isclose(rate, rate_at({"lr": 0.1}, schedule, step, 10))


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no device `gpu`"):
        find_device("gpu")
    if not torch.cuda.is_available():
        with pytest.raises(UsageError, match="no GPU"):
            find_device("cuda")


SECOND = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import torch
torch.set_num_threads(1)
from small_network import quiet, train_small
train_small(Path(sys.argv[2]), quiet())
"""


def test_two_processes_learn_what_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without dropout and batch normalisation, which see only a process' share of a batch."""
    together, alone = tmp_path / "together", tmp_path / "alone"
    expected = train_small(alone, quiet())
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    world = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    second = [sys.executable, "-c", SECOND, str(HERE), str(together)]
    with subprocess.Popen(second, env={**os.environ, **world, "RANK": "1"}) as process:
        for name, value in {**world, "RANK": "0"}.items():
            monkeypatch.setenv(name, value)
        report = train_small(together, quiet())
    assert 0 == process.returncode

    one, two = read_network(alone), read_network(together)
    for name, values in one.tensors.items():
        np.testing.assert_allclose(values, two.tensors[name], atol=1e-4)
    losses = [[entry["train_loss"] for entry in each.curve] for each in (expected, report)]
    np.testing.assert_allclose(*losses, rtol=1e-4)
    assert expected.test["count"] == report.test["count"]


def test_a_batch_that_cannot_be_shared_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ranks, "join", lambda self, device: None)
    monkeypatch.setenv("WORLD_SIZE", "3")

    with pytest.raises(UsageError, match="32 cannot be shared by 3"):
        train_small(tmp_path)


def test_keras_of_2015_took_the_root_of_the_mean_square_and_epsilon() -> None:
    weight = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    optimiser = OPTIMISERS["keras-rmsprop"].make([weight], lr=0.1, alpha=0.9, eps=1e-6)
    expected, mean = np.array([1.0, 2.0]), np.zeros(2)

    for gradient in ((3e-4, 5.0), (1e-3, -1.0)):
        weight.grad = torch.tensor(gradient)
        optimiser.step()
        mean = 0.9 * mean + 0.1 * np.square(gradient)
        expected -= 0.1 * np.array(gradient) / np.sqrt(mean + 1e-6)

    np.testing.assert_allclose(weight.detach().numpy(), expected, rtol=1e-5)
