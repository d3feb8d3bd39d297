"""Tuning by games: who meets whom, what is kept, and that an interruption changes nothing."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from okapi.arena.time_control import TimeControl
from okapi.errors import UsageError
from okapi.optimize.population import FloatArray
from okapi.optimize.run_log import RunLog
from okapi.recipes import tune as paired
from okapi.recipes.tune import (
    PAIRS,
    PICTURE,
    TUNED,
    PairedGames,
    TuneConfig,
    TuneResult,
    chosen_constants,
    tune,
    with_constants,
)

PLAN = TuneConfig(
    player="material",
    constants=chosen_constants(["null_move_base", "futility_base"]),
    iterations=3,
    directions=2,
    control=TimeControl(depth=2),
)


class ByDepth(TuneConfig):
    """Its gene is the depth, not a constant."""

    def spec(self, genes: FloatArray) -> str:
        return f"material,depth={genes[0]:.0f}"


USUAL = PLAN.constants[1].usual


def pairs(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / PAIRS).read_bytes().splitlines()[1:]]


def test_the_constants_stand_in_the_players_name() -> None:
    assert "alphabeta:material,null_move_base=5,futility_base=71" == PLAN.spec(np.array([5.0, 71.0]))
    assert {"null_move_base": 6, "futility_base": USUAL} == replace(PLAN, player="material,null_move_base=6").start


def test_a_constant_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="no constant `null_move_bass`") as error:
        chosen_constants(["null_move_bass"])

    assert "null_move_base" in error.value.hint


@pytest.mark.parametrize("player", ["random:1", "material,elo=1500", "uci:stockfish"])
def test_who_cannot_be_tuned(player: str) -> None:
    with pytest.raises(UsageError, match="cannot be tuned"):
        replace(PLAN, player=player)


def test_each_pair_scores_what_its_players_got(tmp_path: Path) -> None:
    """Material alone at two plies against one ply, from both sides of the table."""
    tuning = ByDepth(player="material", constants=PLAN.constants, iterations=3, directions=1, control=PLAN.control)
    games = PairedGames(tuning, RunLog(tmp_path / PAIRS, {}))
    scores = games(np.array([[2.0], [1.0], [1.0], [2.0], [1.0], [1.0]]), 0)

    assert [2.0, 2.0, 2.0] == (scores[0::2] + scores[1::2]).tolist()
    assert 1.0 == scores[4]
    assert 3 == games.played == len(pairs(tmp_path))


def test_an_interruption_changes_nothing(tmp_path: Path) -> None:
    def interrupt(found: TuneResult, played: bool) -> None:
        if found.iterations == 1:
            raise KeyboardInterrupt

    whole = tune(PLAN, tmp_path / "whole", threads=2)
    with pytest.raises(KeyboardInterrupt):
        tune(PLAN, tmp_path / "parts", threads=1, watch=interrupt)
    kept = tmp_path / "parts" / PAIRS
    assert 2 == len(pairs(tmp_path / "parts"))
    kept.write_bytes(kept.read_bytes() + b'{"pair":2,"poi')
    told: list[tuple[int, bool]] = []
    parts = tune(PLAN, tmp_path / "parts", threads=1, watch=lambda found, new: told.append((found.iterations, new)))

    assert np.array_equal(whole.path, parts.path)
    assert [(0, False), (1, False), (2, True), (3, True)] == told
    by_number = [sorted(map(str, pairs(tmp_path / folder))) for folder in ("whole", "parts")]
    assert by_number[0] == by_number[1]


def test_other_settings_are_refused(tmp_path: Path) -> None:
    tune(replace(PLAN, iterations=1), tmp_path)

    with pytest.raises(UsageError, match="iterations"):
        tune(replace(PLAN, iterations=2), tmp_path)


def test_what_comes_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the larger constant wins."""

    def play(self: PairedGames, number: int, first: str, second: str) -> list[float]:
        larger = int(first.rpartition("=")[2]) > int(second.rpartition("=")[2])
        return [float(larger), float(larger)]

    monkeypatch.setattr(paired.PairedGames, "_play", play)
    found = tune(replace(PLAN, constants=PLAN.constants[1:], iterations=100, rate=0.05), tmp_path)

    value = found.values["futility_base"]
    assert value > USUAL + 5 * PLAN.constants[1].step
    assert f"alphabeta:material,futility_base={value}" == found.player
    assert f"okapi match {found.player} material --depth 2 --games 20000 --sprt 0 5" == found.proof
    assert value == json.loads((tmp_path / TUNED).read_bytes())["values"]["futility_base"]
    assert f"futility_base: {USUAL} → {value}" in (tmp_path / PICTURE).read_text(encoding="utf-8")


def test_constants_that_stayed_are_not_said() -> None:
    stayed = TuneResult(PLAN, [np.array([4.0, 90.0]), np.array([4.4, 120.0])])

    assert "alphabeta:material,futility_base=120" == stayed.player == with_constants("material", {"futility_base": 120})
    assert {"null_move_base": 0.4, "futility_base": 1.5} == stayed.moved
