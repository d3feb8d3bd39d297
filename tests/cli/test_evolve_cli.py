"""`okapi evolve`: what it prints, its JSON, its exit codes, and what it says when it is used wrongly."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from okapi.brains.library import BRAIN
from okapi.cli import main, progress
from okapi.cli.console import Exit
from okapi.core import RawBrain
from okapi.recipes import RECIPES, Recipe
from okapi.recipes.evolution import read_generations

Capture = pytest.CaptureFixture[str]

RECIPE_TESTS = str(Path(__file__).parent.parent / "recipes")
"""Where the toy recipe is."""

TOY = Recipe("Five weights on a made-up score", "nothing", "evolution", "toy:toy")


@pytest.fixture(autouse=True)
def with_a_toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(RECIPE_TESTS)
    monkeypatch.setitem(RECIPES, "toy", TOY)
    monkeypatch.setattr("okapi.recipes.summary.GAMES", 2)
    monkeypatch.chdir(tmp_path)


def evolve(options: str) -> int:
    quickly = ["--change", "elo_games=2", "--change", "elo_depth=1"]
    return main(["evolve", *shlex.split(options), *(quickly if options.startswith("toy ") else [])])


def data(capsys: Capture) -> Any:
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


def test_json(runs: Path, capsys: Capture) -> None:
    assert Exit.DONE == evolve("toy --json --threads 1")
    answer = data(capsys)

    assert (str(runs / "evolve-toy-quick-1"), "toy", 6, 56) == tuple(
        answer[key] for key in ("run", "recipe", "generations", "evaluations")
    )
    assert answer["best"] >= answer["mean"] and answer["spread"] > 0 and answer["seconds"] >= 0
    assert "toy" == RawBrain.open(answer["brain"]).name
    assert Exit.DONE == evolve("toy --json --threads 1")
    assert answer == data(capsys)


def test_people_are_told_what_was_found_and_where(capsys: Capture) -> None:
    assert Exit.DONE == evolve("toy --out runs/mine --seed 3 --change generations=2 --change players=4 --threads 1")
    said = capsys.readouterr().out

    assert "2 generations, 12 players scored" in said
    assert f"brain: runs/mine/{BRAIN}" in said


def test_threads_make_no_difference() -> None:
    for threads in (1, 3):
        assert Exit.DONE == evolve(f"toy --threads {threads} --out runs/{threads}")

    assert Path("runs/1", BRAIN).read_bytes() == Path("runs/3", BRAIN).read_bytes()


def test_the_recipes_are_listed(capsys: Capture) -> None:
    assert Exit.DONE == evolve("--list")
    assert re.search(r"^toy +nothing +Five weights on a made-up score *$", capsys.readouterr().out, re.MULTILINE)
    assert Exit.DONE == evolve("--list --json")
    assert {"name": "toy", "what": "Five weights on a made-up score", "needs": "nothing"} in data(capsys)["recipes"]


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ("toys", Exit.INPUT, "did you mean `toy`?"),
        ("", Exit.USAGE, "okapi evolve --list"),
        ("toy --change sigma=1", Exit.USAGE, "no setting `sigma`"),
        ("toy --change players", Exit.USAGE, "KEY=VALUE"),
        ("toy --change players=many", Exit.USAGE, "expected a whole number"),
        ("toy --size huge", Exit.USAGE, "huge"),
        ("toy --threads 2 --cluster auto", Exit.USAGE, "not both"),
    ],
)
def test_wrong_usage(options: str, code: Exit, says: str, capsys: Capture) -> None:
    assert code == evolve(options)
    assert says in capsys.readouterr().err.replace("\n", " ")


def test_a_run_with_other_settings_is_left_alone(capsys: Capture) -> None:
    assert Exit.DONE == evolve("toy --out runs/x --threads 1")
    assert Exit.USAGE == evolve("toy --out runs/x --change b=3 --threads 1")
    assert "settings differ" in capsys.readouterr().err
    assert 7 == len(read_generations(Path("runs/x")))


def test_where_nobody_watches_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)

    assert Exit.DONE == evolve("toy --threads 1")
    line = r"^generation (\d)/6, best \S+, mean \S+, spread \S+?(?:, 0:\d\d left)?$"
    assert list("0123456") == re.findall(line, capsys.readouterr().err, re.MULTILINE)


def test_on_a_terminal_curves_grow(runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")

    assert Exit.DONE == evolve("toy --threads 1")
    said = capsys.readouterr().err
    assert "• best" in said and "○ mean" in said and "spread" in said and " left" in said
    assert Exit.DONE == evolve("toy --threads 1")
    assert f"7 generations are in {runs}/evolve-toy-quick-1" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_the_generations(runs: Path, capsys: Capture) -> None:
    line = "toy --change pause_ms=100 --out run"
    program = (
        "import sys; from okapi.cli import main; from okapi.recipes import RECIPES, Recipe;"
        f"sys.path.insert(0, {RECIPE_TESTS!r}); RECIPES['toy'] = {TOY!r}; sys.exit(main(['evolve', *sys.argv[1:]]))"
    )
    process = subprocess.Popen([sys.executable, "-c", program, *line.split()], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 20
    while len(read_generations(runs / "run")) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)

    assert Exit.INTERRUPTED == process.returncode
    assert f"the run is in {runs}/run, and the same command goes on" in said
    assert Exit.DONE == evolve(f"{line} --json")
    assert 6 == data(capsys)["generations"]
