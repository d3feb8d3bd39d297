"""`okapi train`: what it prints, its JSON, its exit codes, and what it says when it is used wrongly."""

import json
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

sys.path.insert(0, str(Path(__file__).parent.parent / "recipes"))

from played_games import season, stored  # noqa: E402

from okapi.brains import card  # noqa: E402
from okapi.cli import main, progress  # noqa: E402
from okapi.cli.console import Exit  # noqa: E402
from okapi.data.runs import RunInfo  # noqa: E402
from okapi.formats.pgn import write_pgn  # noqa: E402
from okapi.recipes import RECIPES, Recipe  # noqa: E402

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def with_a_toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        RECIPES, "toy", Recipe("Three classes of material", "nothing", "supervised", "toy_training:toy")
    )
    monkeypatch.setattr("okapi.recipes.summary.GAMES", 2)
    monkeypatch.chdir(tmp_path)


def ask(options: str) -> int:
    quickly = ["--change", "elo_games=2", "--change", "elo_depth=1"]
    return main(["train", "--threads", "1", *shlex.split(options), *(quickly if options else [])])


def data(capsys: Capture) -> Any:
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


def test_json_and_the_run(runs: Path, capsys: Capture) -> None:
    assert Exit.DONE == ask("toy --json")
    answer = data(capsys)

    assert (str(runs / "train-toy-quick-1"), "toy", 3, "cpu") == tuple(
        answer[key] for key in ("run", "recipe", "epochs", "device")
    )
    assert 40 == answer["test"]["count"] and 0 < answer["test"]["accuracy"] <= answer["test"]["near"] <= 1
    about = RunInfo.read(Path(answer["run"]))
    assert ("train", "done", 48, "steps") == (about.kind, about.state, about.total, about.unit)
    log = [json.loads(line) for line in Path(answer["run"], "log.jsonl").read_text().splitlines()]
    whole = [line for line in log if "validation_loss" in line]
    assert [(16, 1), (32, 2), (48, 3)] == [(line["step"], line["epoch"]) for line in whole]
    assert all("train_loss" in line or "elo_material" in line for line in log)
    ages = sorted(int(file.stem) for file in Path(answer["run"], "checkpoints").iterdir())
    assert (0, 48) == (ages[0], ages[-1]) and len(ages) > 10
    assert 48 in [line["step"] for line in log if "elo_material" in line]
    assert Exit.DONE == ask("toy --json")
    assert answer == data(capsys)


def test_the_brain_says_where_it_comes_from() -> None:
    assert Exit.DONE == ask("toy --seed 3 --change epochs=1 --out runs/mine")
    said = card("runs/mine/brain.safetensors")

    assert ("mine", "perceptron", "bitmap-768") == (said.name, said.kind, said.encoding)
    settings = said.details()["settings"]
    assert (1, 3, "made of dice") == (settings["epochs"], settings["seed"], settings["labels"])
    assert "white" == said.details()["output"]["view"]


def test_people_are_told_what_was_found_and_where(runs: Path, capsys: Capture) -> None:
    assert Exit.DONE == ask("toy --change epochs=2")
    said = capsys.readouterr().out

    assert re.search(r"2 epochs, the best \d, in .* samples/s: loss \S+, accuracy \S+%, near \S+% on 40 test", said)
    assert f"brain: {runs}/train-toy-quick-1/brain.safetensors" in said


def test_ctrl_c_keeps_everything_and_the_same_command_goes_on(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert Exit.DONE == ask("toy --out runs/calm")
    with monkeypatch.context() as patched:
        patched.setattr(progress.Progress, "update", lambda *about, **more: signal.raise_signal(signal.SIGINT))
        assert Exit.INTERRUPTED == ask("toy --out runs/broken")
    assert "runs/broken, and the same command goes on" in capsys.readouterr().err
    assert "stopped" == RunInfo.read(Path("runs/broken")).state
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    assert Exit.DONE == ask("toy --out runs/broken")
    brains = [Path("runs", name, "brain.safetensors").read_bytes() for name in ("calm", "broken")]
    assert brains[0] == brains[1]


def test_the_trainings_are_listed(capsys: Capture) -> None:
    assert Exit.DONE == ask("--list")
    assert re.search(r"^toy +nothing +Three classes of material *$", capsys.readouterr().out, re.MULTILINE)
    assert Exit.DONE == ask("--list --json")
    assert {"name": "toy", "what": "Three classes of material", "needs": "nothing"} in data(capsys)["recipes"]


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ("toys", Exit.INPUT, "did you mean `toy`?"),
        ("", Exit.USAGE, "okapi train --list"),
        ("toy --labels nowhere.samples", Exit.INPUT, "no labels at `nowhere.samples`"),
        ("toy --games nowhere.pgn", Exit.INPUT, "no games at `nowhere.pgn`"),
        ("toy --change width=1", Exit.USAGE, "no setting `width`"),
        ("toy --change epochs=0", Exit.USAGE, "`epochs` is 0"),
        ("toy --device gpu", Exit.USAGE, "no device `gpu`"),
        ("toy --size huge", Exit.USAGE, "huge"),
        ("toy --player Me", Exit.USAGE, "`toy` does not use --player"),
        ("personal", Exit.USAGE, "--games FILE"),
    ],
)
def test_wrong_usage(options: str, code: Exit, says: str, capsys: Capture) -> None:
    assert code == ask(options)
    assert says in capsys.readouterr().err.replace("\n", " ")


def test_a_run_with_other_settings_is_left_alone(capsys: Capture) -> None:
    assert Exit.DONE == ask("toy --out runs/x")
    assert Exit.USAGE == ask("toy --out runs/x --change epochs=4")
    assert "other settings: epochs 3, not 4" in capsys.readouterr().err


def test_one_player_s_moves(runs: Path, capsys: Capture) -> None:
    games = season(60, "Doe, Jane")
    stored(Path("games.okapi"), games)
    assert Exit.DONE == ask("moves --games games.okapi --size tiny --change epochs=1 --out base")
    capsys.readouterr()

    Path("me.pgn").write_text("\n".join(map(write_pgn, games)))
    options = 'personal --games me.pgn --player "Doe, Jane" --brain base --size tiny'
    assert Exit.DONE == ask(f"{options} --json")
    answer = data(capsys)
    assert str(runs / "train-personal-doe-jane-tiny-1") == answer["run"] and "Doe, Jane" == answer["player"]
    assert {"top_1", "top_3"} == set(answer["before"]) == set(answer["after"])
    assert answer["low"] <= answer["gain"] <= answer["high"] and 12 == answer["held_out_games"]
    assert "train" == RunInfo.read(Path(answer["run"])).kind
    assert card(answer["brain"]).predicts_moves

    assert Exit.DONE == ask(options)
    said = capsys.readouterr()
    assert "Moves of Doe, Jane, from 60 games" in said.err
    assert re.search(r"its first choice: before \S+ %.*, now \S+ %", said.out) and "points: the" in said.out


def test_where_nobody_watches_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)

    assert Exit.DONE == ask("toy")
    line = r"^epoch 3/3, \S+ samples/s.*, validation \S+, 0:\d\d left$"
    assert re.search(line, capsys.readouterr().err, re.MULTILINE)


def test_on_a_terminal_curves_grow(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")

    assert Exit.DONE == ask("toy")
    said = capsys.readouterr().err
    assert "• training loss" in said and "○ validation loss" in said and " left" in said and "┤" in said


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("toy --games me.pgn", "`toy` does not use --games"),
        ("vazquez-pieces --labels me.pgn", "`vazquez-pieces` does not use --labels"),
        ("mlp --games me.pgn", "--games only tells which games they came from"),
        ("perceptron --player Doe", "it takes --labels and --games"),
        ("time --minutes 3", "cannot be chosen"),
        ("nnue --minutes 0", "minutes"),
    ],
)
def test_data_that_a_recipe_does_not_use_is_an_error(options: str, says: str, capsys: Capture) -> None:
    Path("me.pgn").write_text("")

    assert Exit.USAGE == ask(options)
    assert says in re.sub(r"\s+", " ", capsys.readouterr().err)
