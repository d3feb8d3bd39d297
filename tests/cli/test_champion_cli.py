"""`okapi train champion`: the plan first, the result at the end, its JSON, its exit codes."""

import json
import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs torch")

from okapi.brains import card
from okapi.cli import main
from okapi.cli.console import Exit
from okapi.recipes.champion import run

Capture = pytest.CaptureFixture[str]

TINY = "--size tiny --device cpu --threads 1 --change games=16 --change nodes=6 --change test_games=4 --change epochs=1"


@pytest.fixture(autouse=True)
def in_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MEASURE_S", 0.0)
    monkeypatch.chdir(tmp_path)


def champion(options: str) -> int:
    return main(["train", "champion", *shlex.split(options)])


def test_it_waits_for_weights_and_goes_on(runs: Path, capsys: Capture) -> None:
    assert Exit.INTERRUPTED == champion(f"{TINY} --out run --change remote=yes")
    told = capsys.readouterr().err
    assert "plan: 1 ×" in told
    assert "generation 1 is to be trained on another machine" in told
    assert "run` there, run `sh 01/train.sh` in it" in told

    assert Exit.DONE == champion(f"{TINY} --out run")
    printed = capsys.readouterr()
    assert "generation 1:" in printed.err
    assert "Elo over the champion" in printed.out
    assert "planned were" in printed.out

    assert Exit.DONE == champion(f"{TINY} --out run --json")
    answer = json.loads(capsys.readouterr().out)
    assert ("champion", str(runs / "run")) == (answer["recipe"], answer["run"])
    assert [1] == [outcome["generation"] for outcome in answer["generations"]]
    assert {"accepted", "elo", "low", "high", "games", "verdict"} <= set(answer["generations"][0])
    assert "run" == card(answer["brain"]).name
    assert card(answer["brain"]).details()["name"] in ("material", "champion-1")


def test_what_is_wrong_is_said(tmp_path: Path, capsys: Capture) -> None:
    assert Exit.USAGE == champion("--size tiny --change games=0")
    assert "`games` is 0" in capsys.readouterr().err

    assert Exit.INPUT == champion("--labels nowhere.samples")
    assert "no labels at `nowhere.samples`" in capsys.readouterr().err

    (tmp_path / "a.samples").touch()
    assert Exit.USAGE == main(shlex.split("train perceptron --labels a.samples --labels a.samples"))
    assert "learns from one file of labels" in capsys.readouterr().err


def test_it_is_listed(capsys: Capture) -> None:
    assert Exit.DONE == main(["train", "--list"])
    assert "champion" in capsys.readouterr().out
