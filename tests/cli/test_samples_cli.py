"""`okapi samples`: what it prints, its JSON, its exit codes, and that nothing half-written is left behind."""

import itertools
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.core import Game
from okapi.data.store import StoreWriter

Capture = pytest.CaptureFixture[str]

LINES = """\
4k3/8/8/8/8/8/3QP3/4K3 w - - 0 40 | 900 | 1.0
4k3/8/8/8/8/8/3QP3/4K3 b - - 1 40 | 900 | 1.0
this is no position | 900 | 1.0
"""


def okapi(line: str) -> int:
    return main(shlex.split(line))


def data(capsys: Capture) -> Any:
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(LINES)
    return tmp_path


def test_from_format_to_format_and_back(folder: Path, capsys: Capture) -> None:
    way = ["a.txt", "b.samples", "c.epd.gz", "d.tsv.zst", "e.csv.xz", "f.plain.bz2", "g.binpack", "h.txt"]
    for number, (source, target) in enumerate(itertools.pairwise(way)):
        assert Exit.DONE == okapi(f"samples convert {source} --to {target} --json"), target
        answer = data(capsys)
        assert (2, 1 if number == 0 else 0) == (answer["positions"], answer["skipped"])
        assert answer["seconds"] >= 0

    assert "".join(LINES.splitlines(keepends=True)[:2]) == (folder / "h.txt").read_text()


def test_bad_lines_are_reported_with_file_and_line(folder: Path, capsys: Capture) -> None:
    assert Exit.DONE == okapi("samples convert a.txt --to b.samples")
    captured = capsys.readouterr()

    assert "2 positions in b.samples, 1 skipped" in captured.out
    assert "a.txt, line 3" in captured.err


def test_show(folder: Path, capsys: Capture) -> None:
    okapi("samples convert a.txt --to b.samples")
    capsys.readouterr()
    assert Exit.DONE == okapi("samples show b.samples --verify --json")
    answer = data(capsys)
    assert (2, 2, 2, 0) == tuple(answer[key] for key in ("positions", "with_value", "with_result", "with_move"))
    assert ["a.txt"] == answer["card"]["source"]
    assert [(900, 1.0), (-900, 0.0)] == [(row["value"], row["result"]) for row in answer["rows"]]

    assert Exit.DONE == okapi("samples show b.samples")
    printed = capsys.readouterr().out
    assert "2 positions" in printed and "4k3/8/8/8/8/8/3QP3/4K3 b - - 1 40" in printed
    assert Exit.DONE == okapi("samples show a.txt --count 1")
    assert "1 skipped" in capsys.readouterr().out


def test_the_games_of_a_store_become_chains_of_a_binpack(folder: Path, capsys: Capture) -> None:
    with StoreWriter.open(folder / "games.okapi") as writer:
        for line in ("e4 e5 Nf3", "f3 e5 g4 Qh4#", "e4 c5"):
            writer.add(Game.of(line.split()))

    assert Exit.DONE == okapi("samples convert games.okapi --to a.binpack --json")
    answer = data(capsys)
    assert (4, 5) == (answer["positions"], answer["skipped"])  # two games have no result
    assert Exit.DONE == okapi("samples show a.binpack --json")
    rows = data(capsys)["rows"]
    assert [("f2f3", 0.0), ("e7e5", 1.0), ("g2g4", 0.0), ("d8h4", 1.0)] == [
        (row["move"], row["result"]) for row in rows
    ]
    assert {0} == {row["game"] for row in rows}


def test_several_files_become_one(folder: Path, capsys: Capture) -> None:
    assert Exit.DONE == okapi("samples convert a.txt a.txt --to b.samples --json")

    assert 4 == data(capsys)["positions"]


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("samples convert no.txt --to b.samples", Exit.INPUT, "no file"),
        ("samples convert a.txt --to b.nonsense", Exit.USAGE, "does not say what to write"),
        ("samples convert a.txt --to a.txt", Exit.USAGE, "read and written at once"),
        ("samples convert a.txt --to b.samples --from bimpack", Exit.USAGE, "did you mean `binpack`"),
        ("samples convert a.tsv --to b.samples", Exit.USAGE, "--view mover"),
        ("samples convert a.txt --to no/b.samples", Exit.INPUT, "cannot be written"),
        ("samples show a.samples", Exit.INPUT, "not a sample file"),
    ],
)
def test_mistakes(folder: Path, capsys: Capture, line: str, code: int, said: str) -> None:
    (folder / "a.tsv").write_text("fen\tcentipawns\n4k3/8/8/8/8/8/3QP3/4K3 w - - 0 40\t900\n")
    (folder / "a.samples").write_text("this is none")

    assert code == okapi(line)
    assert said in capsys.readouterr().err
    assert not list(folder.glob("**/*.part*")) and not (folder / "b.samples").exists()


def test_damaged_blocks_can_be_left_out(folder: Path, capsys: Capture) -> None:
    okapi("samples convert a.txt --to b.samples")
    whole = (folder / "b.samples").read_bytes()
    start = whole.index(b"OKSB")
    (folder / "b.samples").write_bytes(whole[: start + 60] + b"\xff" + whole[start + 61 :] + whole[start:])
    capsys.readouterr()

    assert Exit.INPUT == okapi("samples show b.samples --verify")
    assert "--skip-damaged" in capsys.readouterr().err
    assert Exit.DONE == okapi("samples convert b.samples --to c.samples --skip-damaged --json")
    assert 2 == data(capsys)["positions"]


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="this system has no /dev/stdin")
def test_pipes(folder: Path) -> None:
    command = [sys.executable, "-m", "okapi", "samples", "convert", "/dev/stdin", "--to", "-", "--as", "epd"]
    done = subprocess.run(command, input=LINES, capture_output=True, text=True, check=True)

    first, second = done.stdout.splitlines()
    assert "ce 900;" in first and "ce -900;" in second
    assert "2 positions" in done.stderr
    assert Exit.USAGE == okapi("samples convert a.txt --to - --as samples")
