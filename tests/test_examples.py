"""The staircase and the notebooks: every step runs."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
NOTEBOOKS = sorted((FOLDER / "notebooks").glob("*.ipynb"))
TUTORIALS = sorted((FOLDER.parent / "docs" / "tutorials").glob("*.ipynb"))
SMALL = {
    "1_first_engine": """how_long, games = "--size tiny", 4""",
    "2_own_network": "training_games, epochs, match_games, nodes = 20, 1, 2, 20",
    "3_own_games": """pgn, player, games, size = None, "Jane", 20, "tiny --threads 1 --change samples=64\"""",
    "4_paper": """size = "tiny\"""",
}
"""What takes the place of the cell `parameters` of a tutorial."""
FEWER = {"games=200": "games=20", "range(4)": "range(1)", "games=100": "games=20"}
"""Numbers of the script of twenty lines, and those with which it runs here: fewer games and one epoch."""
LONGEST_S = 900
"""On a machine that does much else."""

EXECUTE = """
import sys

import nbformat
from nbclient import NotebookClient

book = nbformat.read(sys.argv[1], as_version=4)
for cell in book.cells:
    if "parameters" in cell.metadata.get("tags", ()):
        cell.source = sys.argv[2]
NotebookClient(book, timeout=900, kernel_name="python3").execute()
said = [str(output.get("text", "")) for cell in book.cells for output in cell.get("outputs", ())]
print(*said)
"""


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, timeout=LONGEST_S, cwd=cwd
    )


def test_the_staircase_has_five_steps_three_notebooks_and_four_tutorials() -> None:
    assert [*"12345"] == [path.name[0] for path in EXAMPLES]
    assert [*"123"] == [path.name[0] for path in NOTEBOOKS]
    told = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(str(path.relative_to(FOLDER)) in told for path in (*EXAMPLES, *NOTEBOOKS))
    assert [*"1234"] == [path.name[0] for path in TUTORIALS]


@pytest.mark.parametrize("example", EXAMPLES[:-1], ids=lambda path: path.stem)
def test_every_example_runs(example: Path, tmp_path: Path) -> None:
    done = run(example, cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    assert done.stdout and "Traceback" not in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_twenty_lines_lead_from_a_network_of_one_s_own_to_its_elo(tmp_path: Path) -> None:
    lines = EXAMPLES[-1].read_text(encoding="utf-8")
    smaller = lines
    for number, few in FEWER.items():
        assert 1 == lines.count(number)
        smaller = smaller.replace(number, few)
    (tmp_path / "network.py").write_text(smaller, encoding="utf-8")
    done = run(tmp_path / "network.py", cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    assert len(lines.splitlines()) <= 20
    assert re.search(r"[+-]\d+ Elo \([+-](\d+|inf) … [+-](\d+|inf)\) against material", done.stdout), (
        done.stdout + done.stderr
    )


def test_the_player_of_the_staircase_plays_on_the_command_line(tmp_path: Path) -> None:
    spec = f"python:{FOLDER / '3_player.py'}:Cautious"
    done = run("-m", "okapi", "match", spec, "random", "--nodes", "1", "--games", "2", "--json", cwd=tmp_path)

    assert 0 == done.returncode, done.stderr
    assert ("Cautious", 2, []) == tuple(json.loads(done.stdout)[key] for key in ("first", "games", "errors"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    with_torch = ("torch",) if "torch" in notebook.read_text(encoding="utf-8") else ()
    for package in ("nbclient", "nbformat", "ipykernel", *with_torch):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install okapi-chess[dev]")
    done = run("-c", EXECUTE, notebook, cwd=tmp_path)

    assert 0 == done.returncode, done.stderr[-3000:]


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_every_tutorial_runs(tutorial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("nbclient", "nbformat", "ipykernel", "torch", "cma"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install okapi-chess[dev,learn]")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("OKAPI_RUNS", str(tmp_path / "runs"))
    done = run("-c", EXECUTE, tutorial, SMALL[tutorial.stem], cwd=tmp_path)

    assert 0 == done.returncode, done.stderr[-3000:]
    assert "error:" not in done.stdout and "hint:" not in done.stdout, done.stdout[-3000:]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_notebook_is_stored_with_outputs(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]

    assert all(cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in cells)
