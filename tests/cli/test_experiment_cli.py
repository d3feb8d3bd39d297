"""`okapi experiment`: gates, the ledger, its page, and what is wrong with a queue."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from okapi.arena.experiments import STATUS, Gate, Ledger, Queue, QueueStatus, play_experiments
from okapi.arena.match import MatchRun
from okapi.cli import main
from okapi.cli.console import Exit
from okapi.errors import OkapiError

Capture = pytest.CaptureFixture[str]

QUEUE = """
against = "random"
gates = [{nodes = 100, games = 400, sprt = [0, 200]}, {nodes = 90, games = 2, sprt = [-1, 1]}]

[counts]
player = "material"
about = "Counts pieces."
commit = "1a2b3c4"

[same]
player = "random"
"""


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    path = tmp_path / "queue.toml"
    path.write_text(QUEUE, encoding="utf-8")
    return path


def results(queue: Path, capsys: Capture, *options: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert Exit.DONE == main(["experiment", str(queue), "--json", "--concurrency", "1", *options])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["results"]
    return found


def test_who_passes_a_gate_meets_the_next(queue: Path, capsys: Capture) -> None:
    rows = results(queue, capsys)

    assert [("counts", "nodes=100"), ("counts", "nodes=90"), ("same", "nodes=100")] == [
        (row["name"], row["gate"].split(",")[0]) for row in rows
    ]
    assert ["H1 accepted", "undecided", "H0 accepted"] == [row["sprt"]["verdict"] for row in rows]
    assert [None, False, False] == [row.get("kept") for row in rows], "another gate follows the first"
    assert rows == json.loads(queue.with_suffix(".json").read_text(encoding="utf-8"))


def test_who_passes_the_last_gate_is_kept(queue: Path, capsys: Capture) -> None:
    queue.write_text(QUEUE.replace(", {nodes = 90, games = 2, sprt = [-1, 1]}", ""), encoding="utf-8")

    assert [True, False] == [row["kept"] for row in results(queue, capsys)]


def test_a_ledger_of_an_earlier_version_is_not_played_again(queue: Path, capsys: Capture) -> None:
    old = [{name: row[name] for name in row if name != "kept"} for row in results(queue, capsys)]
    queue.with_suffix(".json").write_text(json.dumps(old), encoding="utf-8")

    assert old == results(queue, capsys, "--cluster", "nowhere:1")  # nobody is asked to play


def test_the_second_time_nothing_is_played_and_a_new_row_is(queue: Path, capsys: Capture) -> None:
    rows = results(queue, capsys)
    assert rows == results(queue, capsys, "--cluster", "nowhere:1")  # nobody is asked to play

    queue.write_text(QUEUE + '[more]\nplayer = "random"\nagainst = "material"\n', encoding="utf-8")
    again = results(queue, capsys)
    assert rows == again[:-1] and ("more", "H0 accepted") == (again[-1]["name"], again[-1]["sprt"]["verdict"])


def test_games_of_an_interrupted_test_are_kept(queue: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("okapi.arena.experiments.Ledger.add", _interrupted)
        assert Exit.INTERRUPTED == main(["experiment", str(queue), "--concurrency", "1"])
    assert not queue.with_suffix(".json").exists()

    results(queue, capsys)
    capsys.readouterr()
    queue.with_suffix(".json").unlink()
    assert Exit.DONE == main(["experiment", str(queue), "--cluster", "nowhere:1"])  # all games are in their stores


def _interrupted(*given: object) -> None:
    raise KeyboardInterrupt


def test_a_table_and_a_page(queue: Path, tmp_path: Path, capsys: Capture) -> None:
    assert Exit.DONE == main(["experiment", str(queue), "--out", str(tmp_path / "page.md"), "--concurrency", "1"])
    said = capsys.readouterr()

    assert "H1 accepted" in said.out and "passed" in said.out and "counts: nodes=100" in said.err
    page = (tmp_path / "page.md").read_text(encoding="utf-8").splitlines()
    assert 2 + 3 == len(page) and "| Counts pieces. (1a2b3c4) | nodes=100, SPRT 0 200 |" in page[2]
    assert ["passed", "no", "no"] == [line.split("|")[-2].strip() for line in page[2:]]


def test_after_a_kill_the_games_are_kept_and_the_board_can_tell(queue: Path, runs: Path) -> None:
    queue.write_text(QUEUE.replace("random", "material").replace("[0, 200]", "[-1, 1]"), encoding="utf-8")
    command = [sys.executable, "-m", "okapi", "experiment", str(queue), "--concurrency", "1"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as killed:
        while not (before := status(runs)) or not before["games"]:
            assert killed.poll() is None
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
    found: list[int] = []

    def begin(_: object, __: Gate, run: MatchRun) -> None:
        found.append(run.report.games)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_experiments(Queue.read(queue), Ledger(queue.with_suffix(".json")), on_begin=begin)

    assert before["games"] <= found[0]
    assert found[0] == status(runs)["games"] == sum(status(runs)[name] for name in ("wins", "draws", "losses"))


def status(runs: Path) -> dict[str, Any]:
    """The result so far of the test that is being played; empty before there is one."""
    for file in runs.glob(f"*/{STATUS}"):
        try:
            return dict(QueueStatus.read(file.parent).playing or {})
        except OkapiError as error:
            raise AssertionError(f"{error}: it is replaced as a whole") from None
    return {}


@pytest.mark.parametrize("content", ["{", "7", '[{"name": "a"}]', "[[]]", '[{"sprt": 7}]', "[" * 100_000])
def test_a_damaged_ledger_is_left_alone(content: str, queue: Path, capsys: Capture) -> None:
    queue.with_suffix(".json").write_text(content, encoding="utf-8")

    assert Exit.USAGE == main(["experiment", str(queue)])
    assert "queue.json" in capsys.readouterr().err
    assert content == queue.with_suffix(".json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("against = ", "is not TOML"),
        ("gates = []", "has no `against`"),
        ('against = "random"\ngates = []\n[a]\nplayer = "random"', "needs a list of gates"),
        (QUEUE.replace("about", "abuot"), "did you mean `about`?"),
        (QUEUE.replace("nodes = 100, ", ""), "either `nodes` or `tc`"),
        (QUEUE.replace("[0, 200]", "[200, 0]"), "the first must be smaller"),
        (QUEUE.replace("[0, 200]", "5"), "sprt = 5"),
        (QUEUE.replace("[0, 200]", "[1]"), "two Elo"),
        (QUEUE.replace("games = 400", "games = 0"), "at least one game"),
        (QUEUE.replace('player = "random"', "player = 7"), "expected: str"),
        (QUEUE.replace('player = "random"', 'player = "nobody"'), "nobody"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str, queue: Path, capsys: Capture) -> None:
    queue.write_text(text, encoding="utf-8")

    assert main(["experiment", str(queue), "--concurrency", "1"]) in (Exit.USAGE, Exit.INPUT)
    assert why in capsys.readouterr().err
