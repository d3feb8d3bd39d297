"""singh2015's matches: who meets Sunfish and how, and matches that are kept, against somebody who is always here."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from singh_networks import made_up_networks
from test_singh_boards import page_section, write_value

from okapi.arena.time_control import TimeControl
from okapi.errors import NotFound
from okapi.optimize.executor import ThreadExecutor
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
from okapi.papers.rating import PlannedMatch
from okapi.papers.singh2015 import gameplay
from okapi.papers.singh2015.training import TrainedNetworks
from okapi.players import parse_player

SETTINGS: dict[str, Any] = {
    "depth": 4,
    "quiescence": False,
    "k": 5,
    "movetime_ms": 1000,
    "gamma": 0.0,
    "sunfish": "sunfish-uci",
    "games": dict.fromkeys(gameplay.LINES, 2),
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> TrainedNetworks:
    folder = tmp_path_factory.mktemp("trained")
    return replace(made_up_networks(folder), outcome={gamma: write_value(folder, gamma) for gamma in (0.7, 0.99)})


@pytest.fixture
def lab(tmp_path: Path) -> ExperimentContext:
    return ExperimentContext(size="tiny", folder=tmp_path, seed=1, executor=ThreadExecutor(1), tell=lambda line: None)


def test_everybody_of_the_table_can_play(trained: TrainedNetworks) -> None:
    lines = gameplay.pairings(trained, **SETTINGS)

    keys = ["top_prob", "top_prob_on", "topprob_negamax", "negamax", "ours_limited", "ours_unlimited"]
    assert keys == [line.key for line in lines]
    for line in lines:
        assert callable(parse_player(line.first).choose)
    assert 1000 == lines[-1].control.movetime_ms


def test_v_can_be_chosen_by_its_discount(trained: TrainedNetworks) -> None:
    (line,) = gameplay.pairings(trained, **{**SETTINGS, "gamma": 0.99}, only="negamax")

    assert "outcome-0.99" in line.first and "V (0.99)" in line.name
    with pytest.raises(NotFound, match=r"no V was trained with a discount of 0\.5"):
        gameplay.pairings(trained, **{**SETTINGS, "gamma": 0.5})


def test_who_was_not_taught_does_not_play(trained: TrainedNetworks) -> None:
    lines = gameplay.pairings(replace(trained, seven=None, outcome={}), **SETTINGS)

    assert ["ours_limited", "ours_unlimited"] == [line.key for line in lines]


def test_without_sunfish_it_says_so(lab: ExperimentContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gameplay, "find_program", lambda program: None)

    with pytest.raises(ExperimentSkipped, match=r"^Sunfish is not installed: pip install --no-deps sunfish$"):
        gameplay.gameplay(lab)


def test_games_are_kept_and_not_played_again(trained: TrainedNetworks, lab: ExperimentContext) -> None:
    player, control = f"top-prob:{trained.seven}", TimeControl(nodes=1)
    line = PlannedMatch(key="top_prob", name="Top-Prob", first=player, second="random", control=control, games=2)
    first = gameplay.played(lab, [line])
    again = gameplay.played(replace(lab, tell=lambda line: pytest.fail("played again")), [line])
    (row,) = first["rows"]

    assert first == again
    assert 2 == row["games"] == row["wins"] + row["draws"] + row["losses"]
    assert (0, 0) == (row["illegal"], row["their_faults"])
    drawn = page_section("Gameplay", gameplay=first)
    for words in ("7–20–46", "Top-Prob", "23.3 %", "0 / 0"):
        assert words in drawn
