"""The whole paper at its smallest, as a user makes it: what experiments answer is what the page reads."""

import json
import re
from pathlib import Path

import pytest
from html_reader import check

from okapi.cli import main
from okapi.papers.vazquez2012 import PAPER

ONCE = {"beyond"}
"""Experiments that tests of their own make; they take the longest."""


def test_from_the_command_to_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("okapi.papers.rating.is_installed", lambda: False)
    wanted = [name for name in PAPER.experiments if name not in ONCE]

    assert 0 == main(["paper", "vazquez2012", "--size", "tiny", "--out", str(tmp_path), "--json", "--only", *wanted])
    answer = json.loads(capsys.readouterr().out)
    rated = {name for name in wanted if name.endswith("_rating")}
    assert {name: "skipped" if name in rated else "done" for name in wanted} == answer["experiments"]
    assert {key for key, figure in answer["figures"].items() if figure["ours"] is None} == {
        key for key, figure in answer["figures"].items() if figure["experiment"] in rated
    }
    page = (tmp_path / "index.html").read_text()
    check(page)
    assert "stockfish is not installed" in page
    assert not re.search(r"\b(nan|None|inf)\b", page)
