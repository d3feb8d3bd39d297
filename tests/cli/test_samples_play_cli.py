"""`okapi samples play`: what it prints, its JSON, its exit codes, and that a kill costs nothing."""

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.data import datagen
from okapi.data.samples import Samples

Capture = pytest.CaptureFixture[str]


def play(options: str) -> int:
    return main(["samples", "play", *shlex.split(options)])


def test_json(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "own.samples"

    assert Exit.DONE == play(f"material --games 4 --nodes 8 --to {path} --json")
    answer = json.loads(capsys.readouterr().out)
    assert (4, 0, str(path)) == (answer["games"], answer["kept"], answer["file"])
    assert answer["positions"] == len(Samples.open(path))
    assert 4 == sum(answer["results"].values())


def test_for_people(tmp_path: Path, capsys: Capture) -> None:
    assert Exit.DONE == play(f"material --games 2 --nodes 8 --to {tmp_path / 'own.samples'}")
    assert "2 games" in capsys.readouterr().out

    assert Exit.DONE == play(f"material --games 3 --nodes 8 --to {tmp_path / 'own.samples'}")
    assert "2 of 3 games are in" in capsys.readouterr().err


def test_other_settings_are_refused(tmp_path: Path, capsys: Capture) -> None:
    assert Exit.DONE == play(f"material --games 1 --nodes 8 --to {tmp_path / 'own.samples'}")
    assert Exit.INPUT == play(f"material --games 1 --nodes 8 --seed 2 --to {tmp_path / 'own.samples'}")

    assert "seed was 1 and is 2" in capsys.readouterr().err


ONE_BY_ONE = """
import sys
from okapi.data import datagen
from okapi.cli import main

datagen.NODES_IN_A_BATCH = datagen.SMALLEST_BATCH = 1
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals) -> None:
    path, whole = tmp_path / "own.samples", tmp_path / "whole.samples"
    line = ["samples", "play", "material", "--games", "60", "--nodes", "30", "--threads", "1", "--to"]
    work = subprocess.Popen([sys.executable, "-c", ONE_BY_ONE, *line, str(path)], stderr=subprocess.DEVNULL)
    while work.poll() is None and not (path.exists() and path.stat().st_size > 1 << 14):
        time.sleep(0.01)
    work.send_signal(number)

    assert work.wait(60) == (Exit.INTERRUPTED if number == signal.SIGINT else -number)
    monkeypatch.setattr(datagen, "NODES_IN_A_BATCH", 1)
    monkeypatch.setattr(datagen, "SMALLEST_BATCH", 1)
    kept = len(Samples.open(path))
    assert Exit.DONE == main([*line, str(path)])
    assert kept < len(Samples.open(path))
    assert Exit.DONE == main([*line, str(whole)])
    assert whole.read_bytes() == path.read_bytes()
