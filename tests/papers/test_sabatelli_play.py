"""The Kaufman test, on positions of our own; normalisations, on numbers of our own."""

import json
from pathlib import Path

import numpy as np
import pytest

from okapi.arena.suite import read_suite
from okapi.errors import NotFound, UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
from okapi.papers.sabatelli2018.play import kaufman, losing, named_brains, wanted
from okapi.papers.sabatelli2018.training import compared

SUITE = """\
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id "take";
4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O; id "castle";
"""


@pytest.fixture
def lab(tmp_path: Path) -> ExperimentContext:
    return ExperimentContext(size="tiny", folder=tmp_path, seed=1, executor=ThreadExecutor(1), tell=lambda line: None)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "two.epd"
    path.write_text(SUITE)
    return path


def asked(lab: ExperimentContext, **changes: str) -> ExperimentContext:
    return ExperimentContext(
        size=lab.size, folder=lab.folder, seed=1, executor=lab.executor, tell=lab.tell, changes={"kaufman": changes}
    )


def test_without_a_suite_it_is_skipped_and_says_what_to_do(lab: ExperimentContext) -> None:
    with pytest.raises(ExperimentSkipped, match=r"--change kaufman\.suite="):
        kaufman(lab)
    with pytest.raises(NotFound, match="no suite at `nowhere"):
        kaufman(asked(lab, suite="nowhere.epd", brains="one=material"))


def test_each_brain_plays_in_each_way(lab: ExperimentContext, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okapi.papers.rating.is_installed", lambda: False)

    data = kaufman(asked(lab, suite=str(suite), brains="one=material"))

    assert ["depth 1", "with quiescence", "with search"] == [row["way"] for row in data["rows"]]
    for row in data["rows"]:
        assert ["exd5"] == [answer["played"] for answer in row["answers"]][:1]
        assert row["solved_own"] >= 1 and row["losing"] is None
    assert json.dumps(data)


def test_no_brain_at_all_is_a_reason_to_skip(lab: ExperimentContext, suite: Path) -> None:
    with pytest.raises(ExperimentSkipped, match="no network was trained yet"):
        kaufman(asked(lab, suite=str(suite)))
    with pytest.raises(UsageError, match="`material` names no brain"):
        named_brains(lab, "kaufman", "material")


def test_table_4_says_what_is_best_and_either_rook_will_do(tmp_path: Path) -> None:
    path = tmp_path / "seven.epd"
    quiet = '4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id "x";\n'
    path.write_text(6 * quiet + 'r4rk1/8/8/8/8/8/8/4K3 b - - bm Rfb8; id "seven";\n')
    tasks = read_suite(path)
    seventh = wanted(tasks[6])

    assert {"Rae8+", "Rfe8+"} == {seventh.position.san(move) for move in seventh.best}
    assert tasks[0] == wanted(tasks[0])  # Qb3 cannot be played here


def test_a_move_loses_if_it_gives_much_away_and_the_game_with_it() -> None:
    assert losing(420, -300)
    assert not losing(170, -20) and not losing(100, -300)


def test_an_error_has_as_many_sizes_as_there_are_ways_to_normalise() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(0, 300, 2000)
    values[:20] = 31_990.0
    found = compared(values.clip(-1500, 1500) + rng.normal(0, 100, 2000), values)
    rows = {row["name"]: row for row in found["rows"]}

    fifteen, fifty = rows["cut off at ±15 pawns"], rows["cut off at ±50 pawns"]
    assert fifteen["network"] == pytest.approx((100 / 3000) ** 2, rel=0.2)
    assert fifteen["network"] > rows["least to largest, mates 320 pawns"]["constant"] / 100
    assert fifteen["constant"] > fifty["constant"] and 0.01 == found["mates"]
    free = rows["least to largest, without mates"]
    assert free["range_cp"] == pytest.approx(2 * found["largest"])
