"""`okapi selfplay`: what it prints, its JSON, its exit codes, and what it says when it is used wrongly."""

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
from okapi.data.store import Store

Capture = pytest.CaptureFixture[str]


def selfplay(options: str) -> int:
    return main(["selfplay", *shlex.split(options)])


def data(capsys: Capture) -> Any:
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


def test_json(tmp_path: Path, capsys: Capture) -> None:
    store = tmp_path / "games.okapi"
    line = f"material --games 6 --depth 1 --max-plies 20 --to {store} --json"

    assert Exit.DONE == selfplay(line)
    answer = data(capsys)
    assert (6, 0, 0, str(store)) == tuple(answer[key] for key in ("games", "kept", "faults", "store"))
    assert answer["plies"] == answer["positions"] == int(Store.open(store).plies().sum())
    assert 6 == sum(answer["results"].values())

    assert Exit.DONE == selfplay(line)
    again = data(capsys)
    assert (6, 6, answer["results"]) == (again["games"], again["kept"], again["results"])


def test_threads_make_no_difference(tmp_path: Path, capsys: Capture) -> None:
    for threads in (1, 3):
        target = tmp_path / f"{threads}.okapi"
        assert Exit.DONE == selfplay(f"material okapi-28 --games 8 --nodes 50 --threads {threads} --to {target}")

    assert (tmp_path / "1.okapi").read_bytes() == (tmp_path / "3.okapi").read_bytes()
    assert "8 games" in capsys.readouterr().out


def test_from_a_book_and_from_stored_games(tmp_path: Path, capsys: Capture) -> None:
    book = tmp_path / "book.epd"
    book.write_text("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n")
    first, second = tmp_path / "first.okapi", tmp_path / "second.okapi"

    assert Exit.DONE == selfplay(f"material --games 2 --depth 1 --openings {book} --to {first}")
    assert "there are only 1 openings" in capsys.readouterr().err
    assert Exit.DONE == selfplay(f"material --games 4 --depth 1 --from {first} --max-plies 4 --to {second}")
    assert 4 == len({game.start.fen() for game in Store.open(second)})


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ("material --games 2 --to x.okapi", Exit.USAGE, "a search needs a limit"),
        ("material --games 0 --depth 1 --to x.okapi", Exit.USAGE, "Must be >= 1"),
        ("materiel --games 2 --depth 1 --to x.okapi", Exit.INPUT, "did you mean `material`?"),
        ("material --games 2 --depth 1 --to x.okapi --openings random", Exit.USAGE, "random:8"),
        ("material --games 2 --depth 1 --to x.okapi --openings random:2 --from y.epd", Exit.USAGE, "not with both"),
        ("material --games 2 --depth 1 --to x.okapi --from y.epd", Exit.INPUT, "y.epd"),
        ("material --games 2 --depth 1 --to no/folder/x.okapi", Exit.INPUT, "cannot be written"),
    ],
)
def test_wrong_usage(options: str, code: Exit, says: str, tmp_path: Path, capsys: Capture,
                     monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)

    assert code == selfplay(options)
    assert says in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_stored(tmp_path: Path) -> None:
    target = tmp_path / "games.okapi"
    command = ["selfplay", "material", "--games", "100000", "--nodes", "20000", "--to", str(target)]
    process = subprocess.Popen([sys.executable, "-m", "okapi", *command], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 20
    while not target.exists() and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)

    assert Exit.INTERRUPTED == process.returncode
    assert "the same command goes on" in said
