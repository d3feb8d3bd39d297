"""A course: carried elsewhere, broken off, gone on with, packed, and made a brain of."""

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
from okapi.recipes import course_command  # noqa: E402
from okapi.recipes.course import Course, Lesson, study, write_course  # noqa: E402
from okapi.recipes.course_command import main, pack  # noqa: E402
from okapi.recipes.graduation import graduate  # noqa: E402
from okapi.recipes.targets import Target  # noqa: E402
from okapi.training.supervised import Plan, read_learned  # noqa: E402

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def lesson(target: Target, outputs: int, loss: str, **changes: Any) -> Lesson:
    plan = {
        "model": "okapi.models.perceptron:perceptron",
        "arguments": {"inputs": 65, "hidden": [8], "outputs": outputs},
        "encoding": "vector-65",
        "loss": loss,
        "optimiser": {"name": "adam", "lr": 0.01},
        "batch": 50,
        "epochs": 3,
    }
    return Lesson(Plan(**{**plan, **changes}), target, "dice")


LESSONS = {
    "three": lesson(Target.classes([-100, 100], "white"), 3, "cross-entropy"),
    "number": lesson(Target.number(-1500, 1500, "white"), 1, "squared"),
}


def a_course(folder: Path, lessons: dict[str, Lesson] = LESSONS) -> Course:
    positions = random_positions(300, seed=1)
    values = np.random.default_rng(1).integers(-500, 500, 300)
    return write_course(folder, positions, values, {"dice": np.tile([0] * 8 + [1, 2], 30)}, lessons)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Studied undisturbed."""
    torch.set_num_threads(1)
    folder: Path = tmp_path_factory.mktemp("calm")
    a_course(folder)
    study(folder, device="cpu")
    return folder


ELSEWHERE = """
import os, signal, sys
from pathlib import Path
for missing in ("okapi.core", "okapi.core._core", "rich", "cyclopts", "chess", "zstandard"):
    sys.modules[missing] = None
import torch
torch.set_num_threads(1)
from okapi.recipes.course import study

def die(name, now):
    if name == "number" and now.epoch == 2:
        os.kill(os.getpid(), signal.SIGKILL)

study(Path(sys.argv[1]), device="cpu", watch=die)
"""


def test_elsewhere_without_the_core_it_is_killed_and_goes_on_to_the_same_bits(calm: Path, tmp_path: Path) -> None:
    """On a machine that has torch and numpy, and nothing else that okapi likes to have."""
    a_course(tmp_path)
    killed = subprocess.run([sys.executable, "-c", ELSEWHERE, str(tmp_path)], check=False)
    assert -signal.SIGKILL == killed.returncode
    assert (tmp_path / "three" / "report.json").exists() and not (tmp_path / "number" / "report.json").exists()

    assert 0 == main([str(tmp_path), "--device", "cpu"])

    for name in LESSONS:
        one, other = read_learned(calm / name), read_learned(tmp_path / name)
        assert all(np.array_equal(one.tensors[key], other.tensors[key]) for key in one.tensors)


def test_the_command_tells_what_is_finished(calm: Path, capsys: Capture) -> None:
    assert 0 == main([str(calm), "--list", "--json"])

    told = json.loads(capsys.readouterr().out)["lessons"]
    assert [("three", True), ("number", True)] == [(each["name"], each["finished"]) for each in told]
    assert {"accuracy", "near", "loss", "count"} == set(told[0]["test"])


def test_time_that_is_over_leaves_something_to_go_on_with(tmp_path: Path, capsys: Capture) -> None:
    a_course(tmp_path)

    assert 4 == main([str(tmp_path), "--seconds", "0", "--device", "cpu"])
    assert "2 of 2 lessons are not finished" in capsys.readouterr().err
    with pytest.raises(Unfinished):
        study(tmp_path, device="cpu", seconds=0)


def test_a_lesson_that_fails_does_not_keep_the_others_from_going_on(tmp_path: Path) -> None:
    wild = lesson(Target.number(-9, 9), 1, "squared", optimiser={"name": "sgd", "lr": 1e30})
    a_course(tmp_path, {"wild": wild, **LESSONS})

    with pytest.raises(OkapiError, match="1 of 3 lessons are not finished; wild"):
        study(tmp_path, device="cpu")
    assert all((tmp_path / name / "report.json").exists() for name in LESSONS)


def test_lessons_that_start_from_another_one_come_after_it(tmp_path: Path) -> None:
    number = LESSONS["number"]
    then, later = (replace(number, plan=replace(number.plan, start=f"lesson:{name}")) for name in ("number", "then"))
    order: list[str] = []
    a_course(tmp_path, {"later": later, "then": then, **LESSONS})
    study(tmp_path, device="cpu", watch=lambda name, now: order.append(name))

    assert ["three", "number", "then", "later"] == list(dict.fromkeys(order))


def test_lessons_that_wait_for_each_other_are_told(tmp_path: Path) -> None:
    number = LESSONS["number"]
    a_course(tmp_path, {"egg": replace(number, plan=replace(number.plan, start="lesson:egg"))})

    with pytest.raises(NotFound, match="no network to start from"):
        study(tmp_path, device="cpu")


def test_what_is_packed_can_be_put_back(calm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course_command, "PIECE", 5000)
    pieces = pack(calm, tmp_path / "out.tar", ["number"])
    assert len(pieces) > 1 and all(piece.stat().st_size <= 5000 for piece in pieces)

    whole = tmp_path / "whole.tar"
    whole.write_bytes(b"".join(piece.read_bytes() for piece in pieces))
    with tarfile.open(whole) as tar:
        tar.extractall(tmp_path / "back", filter="data")
    assert not (tmp_path / "back" / "three" / "learned.npz").exists()
    before, after = read_learned(calm / "number"), read_learned(tmp_path / "back" / "number")
    for name, values in before.tensors.items():
        np.testing.assert_allclose(values, after.tensors[name], rtol=1e-3, atol=1e-6)
    for name in LESSONS:
        assert (calm / name / "report.json").read_bytes() == (tmp_path / "back" / name / "report.json").read_bytes()


def test_more_lessons_may_come_but_no_other_positions(calm: Path) -> None:
    more = {**LESSONS, "late": lesson(Target.score(), 1, "squared")}

    assert list(more) == list(a_course(calm, more).lessons)
    assert Course.read(calm).report("three") is not None and Course.read(calm).report("late") is None
    with pytest.raises(UsageError, match="`values` in"):
        write_course(calm, random_positions(300, seed=1), np.zeros(300), {"dice": np.zeros(300)}, LESSONS)


def test_a_finished_lesson_becomes_a_brain(calm: Path) -> None:
    brain = graduate(calm, "three", {"name": "mine", "recipe": "a test"})

    header = json.loads(brain[8 : 8 + int.from_bytes(brain[:8], "little")])["__metadata__"]
    assert ("mine", "perceptron", "vector-65") == tuple(header[key] for key in ("name", "kind", "encoding"))
    assert ["relu", "none"] == [layer["activation"] for layer in json.loads(header["layers"])]
    assert "white" == json.loads(header["output"])["view"] and 3 == len(json.loads(header["output"])["values"])
    assert 3 == len(json.loads(header["curve"]))


def test_mistakes_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="holds no course"):
        Course.read(tmp_path)
    course = a_course(tmp_path)
    with pytest.raises(UsageError, match="no lesson `tree`") as error:
        course.named(["tree"])
    assert "three" in error.value.hint
    with pytest.raises(NotFound, match="not finished"):
        graduate(tmp_path, "three", {})
    with pytest.raises(UsageError, match="split by `dice`"):
        write_course(tmp_path, course.positions, course.values, {"games": course.values * 0}, LESSONS)
    (tmp_path / "values.npy").write_bytes(b"nonsense")
    with pytest.raises(InvalidText, match="no array"):
        Course.read(tmp_path)
    (tmp_path / "course.json").write_text('{"lessons": {"three": {}}}')
    with pytest.raises(OkapiError, match="not whole"):
        Course.read(tmp_path)
