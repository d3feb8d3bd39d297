"""`okapi tune`: what it prints, its JSON, its exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from okapi.cli import main, progress
from okapi.cli.console import Exit
from okapi.core import constants

Capture = pytest.CaptureFixture[str]

LINE = "tune --player material --depth 2 --constants null_move_base futility_base --iterations 2 --directions 1"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_people_are_told_what_was_found_and_how_to_prove_it(runs: Path, capsys: Capture) -> None:
    assert Exit.DONE == main(LINE.split())
    said = capsys.readouterr().out

    (picture,) = runs.glob("tune-*/constants.svg")
    assert f"2 iterations, 4 games; curves are in {picture}" in said
    assert "to prove it: okapi match alphabeta:material" in said
    assert {"null_move_base", "futility_base"} <= {line.split(" ")[0] for line in said.splitlines()}


def test_json_is_the_same_again(capsys: Capture) -> None:
    answers = []
    for _ in range(2):
        assert Exit.DONE == main([*LINE.split(), "--json"])
        answers.append(json.loads(capsys.readouterr().out))

    assert answers[0] == answers[1]
    assert (2, 4) == (answers[0]["iterations"], answers[0]["games"])
    assert {"null_move_base", "futility_base"} == set(answers[0]["values"])


def test_the_constants_are_listed(capsys: Capture) -> None:
    assert Exit.DONE == main(["tune", "--list"])
    assert "null_move_base" in capsys.readouterr().out
    assert Exit.DONE == main(["tune", "--list", "--json"])
    listed = json.loads(capsys.readouterr().out)["constants"]
    assert [constant.name for constant in constants()] == [row["name"] for row in listed]


def test_where_nobody_watches_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)

    assert Exit.DONE == main(LINE.split())
    said = capsys.readouterr().err
    assert "1/2 " in said and "2/2 " in said


def test_ctrl_c_keeps_the_games(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    update = progress.Progress.update

    def interrupted(self: progress.Progress, *about: Any, **more: Any) -> None:
        update(self, *about, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(progress.Progress, "update", interrupted)
    assert Exit.INTERRUPTED == main(LINE.split())
    assert "interrupted after 1 of 2 iterations" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--constants null_move", "no constant `null_move`"),
        ("--player random:1", "cannot be tuned"),
        ("--iterations 0", "iterations"),
        ("--rate -1", "rate"),
    ],
)
def test_wrong_usage(options: str, says: str, capsys: Capture) -> None:
    assert Exit.USAGE == main(["tune", *options.split()])
    assert says in capsys.readouterr().err.replace("\n", " ")
