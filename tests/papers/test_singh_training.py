"""The trainings of singh2015: the games that its networks learn from, and what comes of them."""

import json
import re
import runpy
import shutil
from contextlib import redirect_stdout
from dataclasses import replace
from html import unescape
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import torch
from html_reader import check
from singh_networks import random_store

from okapi.brains import evaluator, predictor
from okapi.cli import main
from okapi.core import Position
from okapi.core.packed import SAMPLE, pack
from okapi.data.sources import write_samples
from okapi.encodings.singh2015 import move_labels
from okapi.errors import UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.papers import games as played_here
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import JobsLeft
from okapi.papers.page import read_paper
from okapi.papers.singh2015 import training as module
from okapi.papers.singh2015.accuracy import SCORES, WHOLE, full_moves, networks
from okapi.papers.singh2015.jobs import GAMMAS, TEACHER, training_jobs
from okapi.papers.singh2015.training import gathered, keep_best_moves, trained_networks, training
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.recipes.game_jobs import TEACHER_ELO, BestMoves

PAPER = read_paper("singh2015")


torch.set_num_threads(1)

ROOT = Path(__file__).parent.parent.parent

MADE_HERE = {"tiny": 12, "full": 12}
NODES = 20
"""Games that are played for these tests, and how little is thought about a move."""


def lab_in(folder: Path, games: Path | None = None, size: str = "tiny") -> ExperimentContext:
    return ExperimentContext(
        size=size,  # type: ignore[arg-type]
        folder=folder,
        seed=1,
        executor=ThreadExecutor(1),
        games=games,
        tell=lambda line: None,
    )


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_here, "GAMES", MADE_HERE)
    monkeypatch.setattr(played_here, "NODES", NODES)


def test_games_without_tournaments_are_split_one_by_one(tmp_path: Path) -> None:
    random_store(tmp_path / "given.okapi")
    found = gathered(lab_in(tmp_path, tmp_path / "given.okapi"), tmp_path / "jobs")

    assert {TRAIN: 17, VALIDATION: 2, TEST: 5} == {part: len(found.of(part)) for part in (TRAIN, VALIDATION, TEST)}
    assert np.array_equal(found.parts, gathered(lab_in(tmp_path, tmp_path / "given.okapi"), tmp_path / "jobs").parts)


def test_a_course_of_other_games_is_refused(tmp_path: Path) -> None:
    random_store(tmp_path / "given.okapi")
    gathered(lab_in(tmp_path, tmp_path / "given.okapi"), tmp_path / "jobs")

    with pytest.raises(UsageError, match="are of 24 games, not of 12"):
        gathered(lab_in(tmp_path), tmp_path / "jobs")


def test_of_too_many_games_some_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", {"tiny": 10})
    random_store(tmp_path / "given.okapi")

    assert 14 == len(gathered(lab_in(tmp_path, tmp_path / "given.okapi"), tmp_path / "jobs").of(NONE))


ELSEWHERE = {"illegal_queen_whole", "move_whole_1", "move_whole_3", "move_whole_10"}
"""Figures of whole networks that were scored on another machine."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the whole paper was made at its smallest, as a user makes it."""
    folder = tmp_path_factory.mktemp("paper")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(played_here, "GAMES", MADE_HERE)
        patch.setattr(played_here, "NODES", NODES)
        patch.setattr("okapi.papers.singh2015.gameplay.find_program", lambda name: None)
        command = ["paper", "singh2015", "--size", "tiny", "--threads", "1", "--out", str(folder), "--json"]
        with redirect_stdout(StringIO()) as said:
            assert 0 == main(command)
    answer = json.loads(said.getvalue())
    skipped = {"gameplay"} if find_spec("sklearn") else {"gameplay", "trajectories"}
    assert {name: "skipped" if name in skipped else "done" for name in PAPER.experiments} == answer["experiments"]
    return folder


def test_the_page_of_it_all(folder: Path) -> None:
    told = json.loads((folder / "figures.json").read_text())
    check((folder / "index.html").read_text())
    page = unescape(re.sub(r"<[^>]*>", " ", (folder / "index.html").read_text()))

    missing = {key: figure["experiment"] for key, figure in told.items() if figure["ours"] is None}
    assert {"gameplay"} >= {experiment for key, experiment in missing.items() if key not in ELSEWHERE}
    assert not re.search(r"\b(nan|None|inf)\b", page)
    assert "is missing: Sunfish is not installed" in page


def test_from_games_to_brains(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.safetensors")}
    trained = trained_networks(lab_in(folder))
    start = pack([Position.start()])

    assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*.safetensors")}
    assert set(training_jobs("tiny")) - {TEACHER} == set(trained.reports)
    assert trained.seven is not None and trained.ours is not None and set(GAMMAS) == set(trained.outcome)
    for brain in (trained.seven, trained.ours):
        asked = predictor(str(brain))
        assert 20 == len(asked.moves(start)[0]) and {"elo"} == asked.inputs
    assert -10_000 <= evaluator(str(trained.outcome[0.7])).centipawns(Position.start()) <= 10_000
    games = gathered(lab_in(folder), folder / "jobs")
    assert len(trained.tests) and set(trained.tests.games) == set(games.of(TEST))
    assert 20 == len(trained.first_moves) and sum(trained.first_moves.values()) == len(games.of(TRAIN))


def test_a_teacher_s_best_moves_are_kept_once_and_split(tmp_path: Path) -> None:
    positions = [Position.start().after(move) for move in Position.start().legal_moves()]
    rows = np.zeros(len(positions), SAMPLE)
    rows["position"], rows["game"] = pack(positions), np.arange(len(rows))
    rows["move"] = [position.legal_moves()[0].bits for position in positions]
    write_samples(tmp_path / "labels.samples", [rows])
    lab = replace(lab_in(tmp_path), labels=tmp_path / "labels.samples")

    keep_best_moves(lab, tmp_path)
    found = BestMoves.read(tmp_path)

    assert len(found.moves) == len(positions) and {TRAIN, VALIDATION, TEST} == set(found.parts.tolist())
    labels = move_labels(rows["position"], rows["move"])
    np.testing.assert_array_equal(found.moves, 64 * labels.from_square + labels.to_square)
    assert TEACHER_ELO == int(found.rows[0, 32]) + 256 * int(found.rows[0, 33])
    keep_best_moves(replace(lab, labels=tmp_path / "nowhere"), tmp_path)  # there are some already


def test_the_exam_finds_what_the_lessons_found(folder: Path) -> None:
    """Games and planes as torch has them, against the store, the encodings and the brains of the core."""
    everything = {name: {"positions": 1_000_000} for name in ("networks", "full_moves")}
    lab = replace(lab_in(folder), changes=everything)
    trained = trained_networks(lab)

    found = dict(networks(lab)["brains"]["seven"])
    found["ours"] = {"count": len(trained.tests), "top": full_moves(lab)["brains"]["ours"]["all"]["top_unmasked"]}
    for name, row in found.items():
        test = trained.reports[name].test
        shares = {1: test["accuracy"], 3: test["top_3"], 5: test["top_5"], 10: test["top_10"]}
        assert test["count"] == row["count"]
        for k, share in shares.items():
            assert share * row["count"] == pytest.approx(row["top"][str(k)], abs=2), f"{name}, {k}"


@pytest.mark.skipif(not (ROOT / "bench").is_dir(), reason="bench/ comes only with the repository")
def test_scores_of_the_whole_seven_come_from_elsewhere(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = lab_in(folder)
    monkeypatch.setattr("sys.argv", ["", str(folder / "jobs"), str(tmp_path / WHOLE), "--positions", "200"])
    runpy.run_path(str(ROOT / "bench" / "whole_seven.py"), run_name="__main__")
    shutil.copyfile(tmp_path / WHOLE, folder / WHOLE)
    try:
        squares, moves = networks(lab), full_moves(lab)["brains"]
    finally:
        (folder / WHOLE).unlink()

    assert ["whole", "seven", "ours"] == list(moves) == list(squares["queens"])
    for name, row in squares["brains"]["seven"].items():
        assert squares["brains"]["whole"][name]["count"] == row["count"]
        assert squares["brains"]["whole"][name]["top"]["1"] == pytest.approx(row["top"]["1"], abs=1)
    assert moves["whole"]["all"]["loss"] == pytest.approx(moves["seven"]["all"]["loss"], abs=1e-3)
    whole, brain = squares["queens"]["whole"], squares["queens"]["seven"]
    assert whole["count"] == brain["count"] >= squares["brains"]["seven"]["queen"]["count"]
    assert whole["illegal"] == pytest.approx(brain["illegal"], abs=1) and whole["rank"] == pytest.approx(
        brain["rank"], rel=0.01
    )


def test_scores_of_other_positions_are_refused(folder: Path) -> None:
    lab = lab_in(folder)
    np.savez(folder / WHOLE, some=np.zeros(3, SCORES), queens=np.zeros(3, SCORES))
    try:
        with pytest.raises(UsageError, match="scores of other positions"):
            full_moves(lab)
    finally:
        (folder / WHOLE).unlink()


def test_jobs_that_are_elsewhere_keep_their_stored_rows(folder: Path, tmp_path: Path) -> None:
    stored = tmp_path / "singh2015"
    shutil.copytree(folder / "results", stored / "results")
    told = json.loads((stored / "results" / "training.json").read_text())
    told["data"]["jobs"]["piece"]["seconds"], told["data"]["jobs"]["before"] = -1, {"model": "chessnet_1"}
    (stored / "results" / "training.json").write_text(json.dumps(told))

    rows = training(replace(lab_in(folder), stored=stored / "runs"))["jobs"]

    assert {"model": "chessnet_1"} == rows["before"] and 0 < rows["piece"]["seconds"]
    assert 0 < rows["outcome-letter"]["always_0"] == rows["outcome-0.7"]["always_0"] < 1
    assert "always_0" not in rows["piece"]


def test_full_size_waits_for_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)

    with pytest.raises(JobsLeft, match="are for a machine with a GPU"):
        trained_networks(lab_in(tmp_path, size="full"))
    assert (tmp_path / "jobs" / "jobs.json").exists()
