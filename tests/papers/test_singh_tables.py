"""singh2015: networks, whole moves, openings and bands of ratings with made-up networks, and their page."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from singh_networks import TRAINED, made_up_networks

from okapi.optimize.executor import ThreadExecutor
from okapi.papers.experiment import ExperimentContext, ExperimentResult, ExperimentSkipped
from okapi.papers.page import read_paper
from okapi.papers.singh2015 import accuracy
from okapi.papers.singh2015.accuracy import bands, full_moves, networks, opening
from okapi.papers.singh2015.headlines import PUBLISHED
from okapi.papers.singh2015.training import TrainedNetworks, training

PAPER = read_paper("singh2015")


MADE = {"training": training, "networks": networks, "full_moves": full_moves, "opening": opening, "bands": bands}


def attend(trained: TrainedNetworks, patch: pytest.MonkeyPatch) -> None:
    """Use these networks instead of training some."""
    for name in ("training", "accuracy"):
        patch.setattr(f"okapi.papers.singh2015.{name}.trained_networks", lambda lab: trained)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> TrainedNetworks:
    return made_up_networks(tmp_path_factory.mktemp("trained"))


@pytest.fixture
def lab(trained: TrainedNetworks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExperimentContext:
    attend(trained, monkeypatch)
    return ExperimentContext(size="tiny", folder=tmp_path, seed=1, executor=ThreadExecutor(1), tell=lambda line: None)


@pytest.fixture(scope="module")
def found(trained: TrainedNetworks, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What all experiments find."""
    folder = tmp_path_factory.mktemp("lab")
    with pytest.MonkeyPatch.context() as patch:
        attend(trained, patch)
        lab = ExperimentContext(size="tiny", folder=folder, seed=1, executor=ThreadExecutor(1), tell=lambda line: None)
        return {name: make(lab) for name, make in MADE.items()}


def test_each_of_the_six_is_asked_where_such_a_piece_moved(found: dict[str, Any]) -> None:
    for brain in ("seven", "ours"):
        rows = found["networks"]["brains"][brain]
        assert PUBLISHED.networks == tuple(rows)
        assert (
            found["networks"]["positions"]
            == rows["piece"]["count"]
            == sum(rows[kind]["count"] for kind in PUBLISHED.kinds)
        )
        for row in rows.values():
            assert row["rank_masked"] <= row["rank"]
            assert row["top"]["1"] <= row["top_masked"]["1"] <= row["top_masked"]["10"] <= row["count"]


def test_masking_finds_the_moves_of_networks_that_know_nothing(found: dict[str, Any]) -> None:
    row = found["full_moves"]["brains"]["seven"]["all"]

    assert row["illegal"] > row["count"] / 2
    assert row["top"]["30"] > 4 * row["top_unmasked"]["30"]
    assert [row["top"][str(k)] for k in range(1, 31)] == sorted(row["top"].values())


def test_positions_of_training_games_are_told_apart(found: dict[str, Any]) -> None:
    data = found["full_moves"]
    for brain in data["brains"].values():
        assert data["positions"] - data["seen"] == brain["fresh"]["count"] < brain["all"]["count"]
        assert data["positions"] == sum(point["count"] for point in brain["by_number"])


def test_twenty_first_moves(found: dict[str, Any]) -> None:
    assert TRAINED == sum(found["opening"]["played"].values())
    for brain in found["opening"]["brains"].values():
        assert 20 == len(brain["moves"]) and sum(brain["moves"].values()) == pytest.approx(1, abs=1e-5)
        assert 64 == len(brain["origin"]) and sum(brain["origin"]) == pytest.approx(1, abs=1e-5)


def test_a_band_beside_itself_is_no_better(found: dict[str, Any]) -> None:
    rows = found["bands"]["rows"]

    assert ["2200 to 2299", "2700 and more"] == [rows[0]["name"], rows[-1]["name"]]
    for row in rows:
        own = row["cells"][row["own"]]
        assert 0 == own["only_here"] == own["only_own"]
        for cell in row["cells"]:
            assert cell["right"] - own["right"] == cell["only_here"] - cell["only_own"]


def test_a_brain_from_elsewhere_has_bands_without_a_training(
    trained: TrainedNetworks, lab: ExperimentContext, found: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(accuracy, "trained_networks")
    monkeypatch.setattr(accuracy, "test_positions", lambda context: trained.tests)
    named = bands(replace(lab, changes={"bands": {"brain": str(trained.ours)}}))

    assert found["bands"]["rows"] == named["rows"]
    assert str(trained.ours) == named["brain"]


def test_ratings_of_one_band_tell_nothing(
    trained: TrainedNetworks, lab: ExperimentContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = replace(trained, tests=replace(trained.tests, elos=np.full(len(trained.tests), 2500, np.int32)))
    attend(same, monkeypatch)

    with pytest.raises(ExperimentSkipped, match="no ratings in two bands"):
        bands(lab)


def test_marks_are_made_once(lab: ExperimentContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracy, "AT_ONCE", 64)
    first = networks(lab)
    parts = sorted(path for path in (lab.folder / "marks").glob("*/*.npy") if not path.parent.name.endswith("-targets"))
    assert 2 * 4 == len(parts)
    parts[-1].unlink()  # as if it had been killed before the last one

    thought = []
    monkeypatch.setattr(
        accuracy, "score", lambda brain, tests, score=accuracy.score: thought.append(tests) or score(brain, tests)
    )
    assert first == networks(lab)
    assert [200 - 3 * 64] == [len(tests) for tests in thought]


def test_one_network_of_two_is_enough(
    trained: TrainedNetworks, lab: ExperimentContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    attend(replace(trained, seven=None), monkeypatch)

    assert ["ours"] == list(full_moves(lab)["brains"])


def test_the_page_says_theirs_and_ours(found: dict[str, Any]) -> None:
    settings = {"size": "tiny", "seed": 1, "games": None, "labels": None, "changes": {}}
    about = {"settings": settings, "seconds": 1.0, "version": "1", "machine": "one"}
    results = {name: ExperimentResult(data=data, **about) for name, data in found.items()}

    text = unescape(re.sub(r"<[^>]*>", " ", PAPER.page(results)))
    assert not re.search(r"\b(nan|None|inf)\b", text)
    for name in ("Figures 3.1 and 3.2", "Table 3.1", "Table 3.2", "Table 3.3", "Figure 3.3", "Figure 3.4", "Table 3.4"):
        assert f"{name}." in text
    assert re.search(r"PIECE, trained as in section 2.7 +20.0 % \(.*?\) +25.0 % \(.*?\) +−5.0 \(", text)
    assert "1.23 %" in text
    told = PAPER.figures(results)
    assert told["move_seven_1"]["theirs"] == pytest.approx(33.6) and told["move_seven_1"]["ours"] is not None
    trained = {f"{job}_whole" for job in found["training"]["jobs"]}
    missing = {key for key, figure in told.items() if figure["experiment"] in MADE and figure["ours"] is None}
    elsewhere = {key for key in told if key.endswith("_whole") or key.startswith(("move_whole_", "v_letter"))}
    assert missing == elsewhere - trained


def test_a_page_of_nothing_says_what_is_missing() -> None:
    assert "Tables 3.1 to 3.3</b> is missing: the experiment networks was not made." in PAPER.page({})
