"""`okapi ablate`: its table, JSON, picture and exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from okapi.cli import main, progress
from okapi.cli.console import Exit

Capture = pytest.CaptureFixture[str]

LINE = "ablate --player material --depth 2 --only killers similarity --games 4 --concurrency 1"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_table_and_a_picture(runs: Path, capsys: Capture) -> None:
    assert Exit.DONE == main(LINE.split())
    said = capsys.readouterr()

    rows = [line.split() for line in said.out.splitlines()]
    assert ["heuristic", "usually", "Elo"] == rows[0][:3]
    assert {("killers", "on"), ("similarity", "off")} == {(row[0], row[1]) for row in rows[1:]}
    (picture,) = runs.glob("ablate-*/ablation.svg")
    assert str(picture) in said.err
    assert "killers" in picture.read_text(encoding="utf-8")


def test_json_the_second_time_without_a_game(capsys: Capture) -> None:
    main(LINE.split())
    capsys.readouterr()

    assert Exit.DONE == main([*LINE.split(), "--json", "--cluster", "nowhere:1"])  # nobody is asked to play
    answer = json.loads(capsys.readouterr().out)
    assert ("material", "depth=2") == (answer["player"], answer["limits"])
    elos = [row["elo"] for row in answer["heuristics"]]
    assert sorted(elos, reverse=True) == elos
    assert {4} == {row["games"] for row in answer["heuristics"]}
    assert Path(answer["picture"]).parent == Path(answer["folder"])


def test_where_nobody_watches_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)

    assert Exit.DONE == main(LINE.split())
    assert "8/8 " in capsys.readouterr().err


def test_ctrl_c_keeps_the_games(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    update = progress.Progress.update

    def interrupted(self: progress.Progress, done: int, *about: Any, **more: Any) -> None:
        update(self, done, *about, **more)
        if done == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(progress.Progress, "update", interrupted)
    assert Exit.INTERRUPTED == main(LINE.split())
    assert "interrupted after 4 of 8 games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--only kilers", "did you mean `killers`?"),
        ("--player random:1", "no heuristics"),
        ("--games 0", "games"),
    ],
)
def test_wrong_usage(options: str, says: str, capsys: Capture) -> None:
    assert Exit.USAGE == main(["ablate", *options.split()])
    assert says in capsys.readouterr().err.replace("\n", " ")
