"""Runs: what long work leaves in its folder, and how others follow it."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from okapi.brains.library import RUN_FILE, is_running
from okapi.core import Color, Position, Value
from okapi.data.runs import LOG_FILE, MOST_POINTS, SAMPLES_FILE, Run, RunInfo, RunReader, runs_in
from okapi.errors import InvalidText, UsageError

WORK = """
import sys, time
from pathlib import Path
from okapi.data.runs import Run
run = Run.start(Path(sys.argv[1]), "train", total=1000)
for step in range(1, 1000):
    run.log(step=step, loss=1 / step)
    print(step, flush=True)
    time.sleep(0.01)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bowl"


def followed(folder: Path, *, whole: bool = True) -> RunReader:
    follower = RunReader(folder, whole=whole)
    follower.look()
    return follower


def test_a_run_says_what_it_is_and_how_it_goes(folder: Path) -> None:
    with Run.start(folder, "train", total=10, unit="epochs", settings={"rate": 0.1}) as run:
        run.log(step=1, loss=0.5, accuracy=0.25)
        run.log(step=2, loss=0.4)
        seen = followed(folder)

    assert ("train", "epochs", 10, "running") == (
        seen.about.kind, seen.about.unit, seen.about.total, seen.about.state,
    )  # fmt: skip
    assert {"loss": ([1, 2], [0.5, 0.4]), "accuracy": ([1], [0.25])} == seen.curves
    assert seen.look() and "done" == seen.about.state


@pytest.mark.parametrize(
    ("error", "state", "note"), [(KeyboardInterrupt(), "stopped", ""), (ValueError("no loss"), "failed", "no loss")]
)
def test_it_says_how_it_ended(folder: Path, error: BaseException, state: str, note: str) -> None:
    with pytest.raises(type(error)), Run.start(folder, "train"):
        raise error

    assert (state, note) == (RunInfo.read(folder).state, RunInfo.read(folder).note)


def test_a_follower_reads_on_where_it_was(folder: Path) -> None:
    with Run.start(folder, "train") as run:
        seen = followed(folder)
        run.log(step=1, loss=0.5)

        assert seen.look() and not seen.look()
    assert seen.last is not None and 1 == seen.last.step


def test_whoever_is_killed_is_seen_to_be_gone_and_goes_on(folder: Path) -> None:
    work = subprocess.Popen([sys.executable, "-c", WORK, folder], stdout=subprocess.PIPE)
    assert work.stdout is not None
    while int(work.stdout.readline()) < 5:
        pass
    assert is_running(folder) and "running" == followed(folder).about.state
    os.kill(work.pid, signal.SIGKILL)
    work.communicate()
    with (folder / LOG_FILE).open("ab") as log:
        log.write(b'{"step":999,"at":17')  # half a line

    assert not is_running(folder)
    assert "stopped" == followed(folder).about.state, "run.json itself still says that it runs"
    with Run.start(folder, "train", total=1000) as run:
        run.log(step=3, loss=7.0)
        seen = followed(folder)
    assert ([1, 2, 3], [1, 0.5, 7.0]) == seen.curves["loss"], "what came after step 3 is replaced"
    assert 2 == len(RunInfo.read(folder).sessions)


def test_two_cannot_write_one_run(folder: Path) -> None:
    with Run.start(folder, "train"), pytest.raises(UsageError, match="another program writes"):
        Run.start(folder, "train")


def test_the_time_left_counts_from_when_it_was_taken_up(folder: Path) -> None:
    Run.start(folder, "train", total=100).finish("stopped")
    with Run.start(folder, "train", total=100):
        now = RunInfo.read(folder).sessions[-1]
        lines = [{"step": 10, "at": now - 9000}, {"step": 50, "at": now}, {"step": 60, "at": now + 5}]
        (folder / LOG_FILE).write_text("".join(json.dumps(line) + "\n" for line in lines))

        assert 20.0 == followed(folder).left_s


def test_a_long_log_is_thinned_out_and_its_end_is_enough_for_the_list(folder: Path) -> None:
    lines = (json.dumps({"step": step, "at": step, "loss": 1.0}) + "\n" for step in range(20_000))
    with Run.start(folder, "train"):
        (folder / LOG_FILE).write_text("".join(lines))
    whole, end = followed(folder), followed(folder, whole=False)

    steps = whole.curves["loss"][0]
    assert MOST_POINTS / 2 <= len(steps) <= MOST_POINTS + 1 and steps[-1] == 19_999
    assert 1 == len({later - step for step, later in pairwise(steps[:-1])}), "evenly"
    assert end.last == whole.last and end.curves["loss"][0][0] > 10_000


def test_what_is_measured_now_and_then_is_not_thinned_out(folder: Path) -> None:
    with Run.start(folder, "train") as run:
        for step in range(3 * MOST_POINTS):
            run.log(step=step, loss=1.0)
            if step % 1000 == 999:
                run.log(step=step, sts=step)

    assert ([999, 1999, 2999], [999, 1999, 2999]) == followed(folder).curves["sts"]


def test_what_was_measured_beside_the_work_comes_late_and_replaces_nothing(folder: Path) -> None:
    with Run.start(folder, "train", total=100) as run:
        for step in (10, 20, 30):
            run.log(step=step, loss=1 / step)
        run.log(step=10, elo=50.0, elo_low=20.0, elo_high=80.0)
        seen = followed(folder)

    assert [10, 20, 30] == seen.curves["loss"][0] and ([10], [50.0]) == seen.curves["elo"]
    assert seen.last is not None and 30 == seen.last.step


def test_samples_are_positions_with_what_is_thought_of_them(folder: Path) -> None:
    with Run.start(folder, "train") as run:
        run.sample(Position.start(), Value(0.4, Color.BLACK), step=7, note="the start")

    (sample,) = followed(folder).samples
    assert (0.6, 7, "the start") == (sample["white"], sample["step"], sample["note"])


def test_nonsense_is_skipped_and_numbers_that_are_none(folder: Path) -> None:
    with Run.start(folder, "train") as run:
        run.log(step=1, loss=float("nan"), elo=float("inf"), score=0.5)
    for name in (LOG_FILE, SAMPLES_FILE):
        with (folder / name).open("ab") as file:
            file.write(b'\xff\xfe\n[]\n{"step":"two"}\n{"fen":5}\n7\n')
    seen = followed(folder)

    assert {"score": ([1], [0.5])} == seen.curves and not seen.samples


def test_a_damaged_run_is_an_error_and_no_run_is_no_run(folder: Path) -> None:
    Run.start(folder, "train").finish()
    (folder / RUN_FILE).write_text("{}")
    (folder.parent / "other").mkdir()

    assert {folder.name: folder} == runs_in({path.name: path for path in folder.parent.iterdir()}, 10)
    with pytest.raises(InvalidText, match="damaged"):
        RunReader(folder).look()


def test_the_newest_run_is_first(tmp_path: Path) -> None:
    for name in ("old", "new"):
        Run.start(tmp_path / name, "train").finish()
    for file in (tmp_path / "old").iterdir():
        os.utime(file, (time.time() - 100,) * 2)

    folders = {name: tmp_path / name for name in ("old", "missing", "new")}
    assert ["new", "old"] == list(runs_in(folders, 10)) and ["new"] == list(runs_in(folders, 1))
