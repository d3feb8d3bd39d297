"""Training jobs: copied, interrupted, resumed, packed, and exported as a brain."""

import json
import signal
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.core.packed import random_positions  # noqa: E402
from okapi.errors import InvalidText, NotFound, OkapiError, Unfinished, UsageError  # noqa: E402
from okapi.recipes import jobs as training_jobs  # noqa: E402
from okapi.recipes.jobs import (  # noqa: E402
    LabelledJobs,
    TrainingJob,
    export_job,
    main,
    pack,
    run_jobs,
    write_labelled_jobs,
)
from okapi.recipes.targets import Target  # noqa: E402
from okapi.training.report import read_network  # noqa: E402
from okapi.training.supervised import SupervisedConfig  # noqa: E402

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def job(target: Target, outputs: int, loss: str, **changes: Any) -> TrainingJob:
    plan = {
        "model": "okapi.models.perceptron:perceptron",
        "arguments": {"inputs": 65, "hidden": [8], "outputs": outputs},
        "encoding": "vector-65",
        "loss": loss,
        "optimiser": {"name": "adam", "lr": 0.01},
        "batch": 50,
        "epochs": 3,
    }
    return TrainingJob(SupervisedConfig(**{**plan, **changes}), target, "dice")


JOBS = {
    "three": job(Target.classes([-100, 100], "white"), 3, "cross-entropy"),
    "number": job(Target.number(-1500, 1500, "white"), 1, "squared"),
}


def some_jobs(folder: Path, jobs: dict[str, TrainingJob] = JOBS) -> LabelledJobs:
    positions = random_positions(300, seed=1)
    values = np.random.default_rng(1).integers(-500, 500, 300)
    return write_labelled_jobs(folder, positions, values, {"dice": np.tile([0] * 8 + [1, 2], 30)}, jobs)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Studied undisturbed."""
    torch.set_num_threads(1)
    folder: Path = tmp_path_factory.mktemp("calm")
    some_jobs(folder)
    run_jobs(folder, device="cpu")
    return folder


KILLED = """
import os, signal, sys
from pathlib import Path
import torch
torch.set_num_threads(1)
from okapi.recipes.jobs import run_jobs

def die(name, now):
    if name == "number" and now.epoch == 2:
        os.kill(os.getpid(), signal.SIGKILL)

run_jobs(Path(sys.argv[1]), device="cpu", watch=die)
"""


def test_a_killed_run_resumes_to_the_same_bits(calm: Path, tmp_path: Path) -> None:
    some_jobs(tmp_path)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert -signal.SIGKILL == killed.returncode
    assert (tmp_path / "three" / "report.json").exists() and not (tmp_path / "number" / "report.json").exists()

    assert 0 == main([str(tmp_path), "--device", "cpu"])

    for name in JOBS:
        one, other = read_network(calm / name), read_network(tmp_path / name)
        assert all(np.array_equal(one.tensors[key], other.tensors[key]) for key in one.tensors)


def test_the_command_tells_what_is_finished(calm: Path, capsys: Capture) -> None:
    assert 0 == main([str(calm), "--list", "--json"])

    told = json.loads(capsys.readouterr().out)["jobs"]
    assert [("three", True), ("number", True)] == [(each["name"], each["finished"]) for each in told]
    assert {"accuracy", "near", "loss", "count"} == set(told[0]["test"])


def test_time_that_is_over_leaves_something_to_go_on_with(tmp_path: Path, capsys: Capture) -> None:
    some_jobs(tmp_path)

    assert 4 == main([str(tmp_path), "--seconds", "0", "--device", "cpu"])
    assert "2 of 2 jobs are not finished" in capsys.readouterr().err
    with pytest.raises(Unfinished):
        run_jobs(tmp_path, device="cpu", seconds=0)


def test_a_lesson_that_fails_does_not_keep_the_others_from_going_on(tmp_path: Path) -> None:
    wild = job(Target.number(-9, 9), 1, "squared", optimiser={"name": "sgd", "lr": 1e30})
    some_jobs(tmp_path, {"wild": wild, **JOBS})

    with pytest.raises(OkapiError, match="1 of 3 jobs are not finished; wild"):
        run_jobs(tmp_path, device="cpu")
    assert all((tmp_path / name / "report.json").exists() for name in JOBS)


def test_lessons_that_start_from_another_one_come_after_it(tmp_path: Path) -> None:
    number = JOBS["number"]
    then, later = (replace(number, plan=replace(number.plan, warm_start=f"job:{name}")) for name in ("number", "then"))
    order: list[str] = []
    some_jobs(tmp_path, {"later": later, "then": then, **JOBS})
    run_jobs(tmp_path, device="cpu", watch=lambda name, now: order.append(name))

    assert ["three", "number", "then", "later"] == list(dict.fromkeys(order))


def test_lessons_that_wait_for_each_other_are_told(tmp_path: Path) -> None:
    number = JOBS["number"]
    some_jobs(tmp_path, {"egg": replace(number, plan=replace(number.plan, warm_start="job:egg"))})

    with pytest.raises(NotFound, match="no network to start from"):
        run_jobs(tmp_path, device="cpu")


def test_what_is_packed_can_be_put_back(calm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_jobs, "PIECE", 5000)
    pieces = pack(calm, tmp_path / "out.tar", ["number"])
    assert len(pieces) > 1 and all(piece.stat().st_size <= 5000 for piece in pieces)

    whole = tmp_path / "whole.tar"
    whole.write_bytes(b"".join(piece.read_bytes() for piece in pieces))
    with tarfile.open(whole) as tar:
        tar.extractall(tmp_path / "back", filter="data")
    assert not (tmp_path / "back" / "three" / "learned.npz").exists()
    before, after = read_network(calm / "number"), read_network(tmp_path / "back" / "number")
    for name, values in before.tensors.items():
        np.testing.assert_allclose(values, after.tensors[name], rtol=1e-3, atol=1e-6)
    for name in JOBS:
        assert (calm / name / "report.json").read_bytes() == (tmp_path / "back" / name / "report.json").read_bytes()


def test_more_lessons_may_come_but_no_other_positions(calm: Path) -> None:
    more = {**JOBS, "late": job(Target.score(), 1, "squared")}

    assert list(more) == list(some_jobs(calm, more).jobs)
    assert LabelledJobs.read(calm).report("three") is not None and LabelledJobs.read(calm).report("late") is None
    with pytest.raises(UsageError, match="`values` in"):
        write_labelled_jobs(calm, random_positions(300, seed=1), np.zeros(300), {"dice": np.zeros(300)}, JOBS)


def test_a_finished_lesson_becomes_a_brain(calm: Path) -> None:
    brain = export_job(calm, "three", {"name": "mine", "recipe": "a test"})

    header = json.loads(brain[8 : 8 + int.from_bytes(brain[:8], "little")])["__metadata__"]
    assert ("mine", "perceptron", "vector-65") == tuple(header[key] for key in ("name", "kind", "encoding"))
    assert ["relu", "none"] == [layer["activation"] for layer in json.loads(header["layers"])]
    assert "white" == json.loads(header["output"])["view"] and 3 == len(json.loads(header["output"])["values"])
    assert 3 == len(json.loads(header["curve"]))


def test_mistakes_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="has no training jobs"):
        LabelledJobs.read(tmp_path)
    found = some_jobs(tmp_path)
    with pytest.raises(UsageError, match="no training job `tree`") as error:
        found.select(["tree"])
    assert "three" in error.value.hint
    with pytest.raises(NotFound, match="not finished"):
        export_job(tmp_path, "three", {})
    with pytest.raises(UsageError, match="split by `dice`"):
        write_labelled_jobs(tmp_path, found.positions, found.values, {"games": found.values * 0}, JOBS)
    (tmp_path / "values.npy").write_bytes(b"nonsense")
    with pytest.raises(InvalidText, match="no array"):
        LabelledJobs.read(tmp_path)
    (tmp_path / "jobs.json").write_text('{"jobs": {"three": {}}}')
    with pytest.raises(OkapiError, match="incomplete"):
        LabelledJobs.read(tmp_path)


def test_a_folder_of_an_older_okapi_is_read(tmp_path: Path) -> None:
    """Its jobs were lessons, listed in course.json."""
    jobs = some_jobs(tmp_path).jobs
    listed = json.loads((tmp_path / "jobs.json").read_text())["jobs"]
    (tmp_path / "jobs.json").unlink()
    (tmp_path / "course.json").write_text(json.dumps({"lessons": listed}))

    assert dict(jobs) == dict(LabelledJobs.read(tmp_path).jobs)
