"""Experiments A and B of chapter 4, and what lies beyond, as small as they can be."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from okapi.brains import find, load
from okapi.errors import NotFound
from okapi.optimize.executor import ThreadExecutor
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, Paper, run_experiments
from okapi.papers.page import read_paper
from okapi.papers.vazquez2012.pieces import beyond_pieces, pieces_rating

PAPER = read_paper("vazquez2012")


def lab(folder: Path) -> ExperimentContext:
    return ExperimentContext(size="tiny", folder=folder, seed=3, executor=ThreadExecutor(2), tell=lambda line: None)


def make(paper: Paper, where: ExperimentContext, *names: str) -> None:
    run_experiments(paper, where, names, watch=lambda *told: None)


def test_experiments_without_opponents(tmp_path: Path) -> None:
    where = lab(tmp_path)
    make(PAPER, where, "pieces", "beyond_pieces")
    found, beyond = where.result("pieces"), where.result("beyond_pieces")

    assert [3] == [run["seed"] for run in found["runs"]] and 1 == found["best_run"]
    run = found["runs"][0]
    assert 8 == run["wins"] + run["draws"] + run["losses"]
    assert run["score"] == pytest.approx((run["wins"] + run["draws"] / 2) / 8)
    assert 12 == sum(run["everybody"]), "two games against each of six"
    assert (8, 8) == (len(found["table11"]), len(found["table11"][0]))
    assert "vazquez-pieces 3" == load(str(tmp_path / found["champion"])).name
    assert "vazquez-pieces 0" == load(str(tmp_path / found["start"])).name
    assert 3 + (find_spec("cma") is not None) == len(beyond["rows"])
    assert all(row["low"] <= row["elo"] <= row["high"] and 0 <= row["score"] <= 1 for row in beyond["rows"])


def test_without_stockfish_the_rating_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rated, "is_installed", lambda: False)

    with pytest.raises(ExperimentSkipped, match="stockfish is not installed"):
        pieces_rating(lab(tmp_path))


def test_what_builds_on_experiment_a_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="`pieces` has to be made first"):
        beyond_pieces(lab(tmp_path))


@pytest.mark.skipif(not rated.is_installed(), reason="stockfish is not installed")
def test_brains_are_rated_by_stockfish(tmp_path: Path) -> None:
    brains = {"before": find("material"), "after": find("okapi-28")}
    standings = rated.meet(lab(tmp_path), "rating", brains, (1400, 2400), games=2, depth=1)
    again = rated.meet(lab(tmp_path), "rating", brains, (1400, 2400), games=2, depth=1)
    rows = rated.table(standings, games=2, depth=1)["rows"]

    assert {"before", "after", "stockfish-1400", "stockfish-2400"} == {row["name"] for row in rows}
    assert rows == rated.table(again, games=2, depth=1)["rows"], "games are kept"
    assert 1900 == pytest.approx(sum(row["elo"] for row in rows if "stockfish" in row["name"]) / 2, abs=1)
    assert {"before", "after"} == set(rated.tallies(standings))
    assert all(2 == sum(tally) for met in rated.tallies(standings).values() for tally in met.values())
    gain = rated.gain(standings, "before", "after")
    elo = {row["name"]: row["elo"] for row in rows}
    assert gain["low"] < gain["elo"] < gain["high"]
    assert gain["elo"] == pytest.approx(elo["after"] - elo["before"], abs=0.2)
