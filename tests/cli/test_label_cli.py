"""`okapi label`: what it prints, its JSON, its exit codes, and what it says when it is used wrongly."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.core import random_openings
from okapi.data.samples import Samples
from okapi.uci import okapi_uci

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "positions.fen"
    path.write_text("".join(f"{opening.fen()}\n" for opening in random_openings(40, seed=1)))
    return path


def label(source: Path, options: str) -> int:
    return main(["label", str(source), "--engine", str(okapi_uci()), *shlex.split(options)])


def data(capsys: Capture) -> Any:
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


def test_json(source: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "labels.samples"

    assert Exit.DONE == label(source, f"--nodes 200 --workers 2 --to {target} --json")
    answer = data(capsys)
    assert (40, 0, 0, 0, str(target)) == tuple(
        answer[key] for key in ("positions", "duplicates", "skipped", "kept", "file")
    )
    assert answer["nodes"] > 0 and answer["nps"] > 0 and answer["seconds"] > 0

    assert Exit.DONE == label(source, f"--nodes 200 --workers 1 --to {target} --json")
    again = data(capsys)
    assert (40, 40) == (again["positions"], again["kept"])


def test_half_of_them_get_a_random_move_if_only_asked_for(source: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "labels.samples"

    assert Exit.DONE == label(source, f"--depth 1 --to {target} --max 30 --random-moves")
    samples = Samples.open(target)
    assert (30, 0.5) == (len(samples), samples.card["random_moves"])
    assert 5 < samples[:]["flags"].sum() < 25
    assert "30 labels in" in capsys.readouterr().out


def test_options_of_the_engine(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "labels.samples"

    assert Exit.DONE == label(source, f"--depth 1 --to {target} --option Hash=1 --option 'MultiPV=2' --every 4")
    assert {"Hash": "1", "MultiPV": "2"} == Samples.open(target).card["options"]
    assert 10 == len(Samples.open(target))


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ("--to x.samples", Exit.USAGE, "no limit of the search is given"),
        ("--to x.samples --nodes 0", Exit.USAGE, "Must be >= 1"),
        ("--to x.docx --nodes 10", Exit.USAGE, "does not say what to write"),
        ("--to x.samples --nodes 10 --random-moves 2", Exit.USAGE, "a share is between 0 and 1"),
        ("--to x.samples --nodes 10 --option Hash", Exit.USAGE, "--option Hash=64"),
        ("--to x.samples --nodes 10 --option Hush=64", Exit.USAGE, "did you mean `Hash`?"),
        ("--to no/such/folder/x.samples --nodes 10", Exit.INPUT, "cannot be written"),
    ],
)
def test_wrong_usage(options: str, code: Exit, says: str, source: Path, tmp_path: Path, capsys: Capture,
                     monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)

    assert code == label(source, options)
    assert says in capsys.readouterr().err.replace("\n", " ")


def test_a_source_that_is_not_there(tmp_path: Path, capsys: Capture) -> None:
    assert Exit.INPUT == label(tmp_path / "none.epd", f"--nodes 10 --to {tmp_path / 'x.samples'}")
    assert "none.epd" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_labelled(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "labels.samples"
    command = ["label", str(source), "--engine", str(okapi_uci()), "--nodes", "300000", "--to", str(target)]
    process = subprocess.Popen([sys.executable, "-m", "okapi", *command], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 20
    while not target.exists() and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)

    assert Exit.INTERRUPTED == process.returncode
    assert "the same command goes on" in said
