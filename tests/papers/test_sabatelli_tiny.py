"""The whole paper at its smallest, as a user makes it; and one network of it by itself."""

import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
import torch
from html_reader import check

from okapi.cli import main
from okapi.core import Position
from okapi.core.packed import pack, rows
from okapi.errors import UsageError
from okapi.papers.jobs import JobLabels
from okapi.papers.page import read_paper
from okapi.papers.sabatelli2018.training import jobs, nearest
from okapi.recipes.config import RecipeConfig
from okapi.recipes.labels import load_labels
from okapi.recipes.sabatelli2018 import players
from okapi.recipes.splits import both_splits

PAPER = read_paper("sabatelli2018")


torch.set_num_threads(1)


def test_from_the_command_to_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("okapi.papers.rating.is_installed", lambda: False)
    command = ["paper", "sabatelli2018", "--size", "tiny", "--threads", "1", "--out", str(tmp_path), "--json"]

    assert 0 == main(command)
    answer = json.loads(capsys.readouterr().out)
    skipped = {"kaufman", "strength"}
    assert {name: "skipped" if name in skipped else "done" for name in PAPER.experiments} == answer["experiments"]
    assert {figure["experiment"] for figure in answer["figures"].values() if figure["ours"] is None} <= {
        *skipped,
        "splits",  # which has datasets 1 and 4 only at this size
        "weaker",  # where one network plays at this size
    }
    check((tmp_path / "index.html").read_text())
    page = unescape(re.sub(r"<[^>]*>", " ", (tmp_path / "index.html").read_text()))
    assert not re.search(r"\b(nan|None|inf)\b", page)
    assert "The networks have one unit where the paper's have 32." in page


def test_the_nearest_position_has_the_fewest_other_squares() -> None:
    texts = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", "4k3/8/8/8/4P3/8/8/3K4 w - - 0 1")
    asked, other_mover, known = (rows(pack([Position.from_fen(text)])) for text in texts)

    assert [4] == nearest(asked, np.concatenate([other_mover, known])).tolist()
    assert [0] == nearest(asked, np.concatenate([asked, known])).tolist()


def test_full_size_leaves_jobs_for_a_machine_with_a_gpu(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("okapi.recipes.labels.GAMES", {"full": 40})
    command = ["paper", "sabatelli2018", "--size", "full", "--threads", "1", "--out", str(tmp_path), "--json"]

    assert 0 == main([*command, "--only", "tables"])
    assert {"tables": "skipped"} == json.loads(capsys.readouterr().out)["experiments"]
    assert "21 training jobs of `jobs/tables` are for a machine with a GPU" in (tmp_path / "index.html").read_text()
    assert "cnn-algebraic-3" in json.loads((tmp_path / "jobs/tables/jobs.json").read_text())["jobs"]


def test_one_network_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "sabatelli-mlp-3", "--size", "tiny", "--threads", "1", "--out", str(tmp_path), "--json"]

    assert 0 == main([*command, "--change", "input=algebraic"])
    assert json.loads(capsys.readouterr().out)
    assert (tmp_path / "brain.safetensors").exists()
    assert 2 == main([*command, "--change", "input=upside-down"])
    assert "expected bitmap or algebraic" in capsys.readouterr().err


def test_a_course_that_lies_there_is_taken_as_it_is(tmp_path: Path) -> None:
    """As a folder that was prepared elsewhere, with arrays and nothing else; jobs of others stay in it."""
    labels = load_labels(RecipeConfig("tiny"), most=600)
    folder = tmp_path / "jobs"
    folder.mkdir()
    made = JobLabels(folder, labels, both_splits(labels), labels.about())
    first = made.write_jobs(players(parts="games", epochs=1))
    found = JobLabels.gathered(folder, {"seed": 1}, lambda: pytest.fail("it was made again"))
    written = found.write_jobs(jobs(parts="positions", epochs=1))

    assert np.array_equal(found.labels.positions, labels.positions) and {"games", "positions"} == set(found.parts)
    assert {*first.jobs, *jobs(parts="positions", epochs=1)} == set(written.jobs)
    assert found.split_figures("games")["parts"] == made.split_figures("games")["parts"]


def test_a_course_for_other_positions_is_refused(tmp_path: Path) -> None:
    labels = load_labels(RecipeConfig("tiny"), most=600)
    folder = tmp_path / "jobs"
    made = JobLabels.gathered(folder, {"seed": 1}, lambda: (labels, both_splits(labels)))
    made.write_jobs(players(parts="games", epochs=1))

    with pytest.raises(UsageError, match="has positions for"):
        JobLabels.gathered(folder, {"seed": 2}, lambda: pytest.fail("it was made again"))
