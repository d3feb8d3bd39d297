"""The whole paper at its smallest, as a user makes it: what experiments answer is what the page reads."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from html_reader import check

from okapi.brains.library import BRAIN
from okapi.cli import main
from okapi.papers.page import read_paper

PAPER = read_paper("vazquez2012")


ONCE = {"beyond"}
"""Experiments that tests of their own make; they take the longest."""

READINGS = "piece_readings.readings=as in the thesis+mutation adapts itself+n - 1 games+c as a gene+c 0.1"
"""One of each kind."""


def test_from_the_command_to_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("okapi.papers.rating.is_installed", lambda: False)
    wanted = [name for name in PAPER.experiments if name not in ONCE]

    command = ["paper", "vazquez2012", "--size", "tiny", "--out", str(tmp_path), "--json", "--change", READINGS]

    assert 0 == main([*command, "--only", *wanted])
    answer = json.loads(capsys.readouterr().out)
    rated = {name for name in wanted if name.endswith("_rating")}
    assert {name: "skipped" if name in rated else "done" for name in wanted} == answer["experiments"]
    assert {key for key, figure in answer["figures"].items() if figure["ours"] is None} == {
        "best_c",  # of ten
        *(key for key, figure in answer["figures"].items() if figure["experiment"] in rated),
    }
    check_weights(tmp_path)
    page = (tmp_path / "index.html").read_text()
    check(page)
    assert "stockfish is not installed" in page
    assert not re.search(r"\b(nan|None|inf)\b", page)


def check_weights(folder: Path) -> None:
    """What the experiments of chapters 5 and 6 found agrees with itself."""

    def found(name: str) -> Any:
        return json.loads((folder / "results" / f"{name}.json").read_bytes())["data"]

    five = found("five")
    assert 2 == len(five["runs"]) and 9 == len(five["history"]) and {"average", "best"} == set(five["games"])
    explored = found("exploration")
    assert max(run["solved"] for run in explored["runs"]) == explored["history"][-1]["best"]
    exploited = found("exploitation")
    assert exploited["trained"] == exploited["readings"][exploited["reading"]]["trained"]
    assert (folder / "exploitation" / exploited["reading"] / BRAIN).exists()
    games = found("exploitation_games")
    assert 2 == games["wins"] + games["draws"] + games["losses"] == games["rows"][0]["games"]
