"""`okapi.arena.ablation`: who meets whom, what is counted, and what is not played twice."""

from pathlib import Path
from typing import Never

import pytest

from okapi.arena import ablation
from okapi.arena.ablation import Ablation, AblationResult, play_ablation
from okapi.arena.games import PlayedGame
from okapi.arena.match import local_workers
from okapi.arena.settings import GameSettings
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import Workers
from okapi.core import heuristics
from okapi.errors import UsageError

PLAN = Ablation(player="material", control=TimeControl(depth=2))


def here(settings: GameSettings) -> Workers:
    return local_workers(settings, 1)


def never(settings: GameSettings) -> Never:
    raise AssertionError(f"nothing was left to play for {settings.players}")


def counts(rows: list[AblationResult]) -> dict[str, tuple[int, int, int]]:
    return {row.trial.name: (row.report.wins, row.report.draws, row.report.losses) for row in rows}


def test_everything_that_makes_a_difference_is_tried() -> None:
    tried = {trial.name: trial for trial in PLAN.trials()}

    assert set(heuristics()) - {"tablebases", "learned_reductions", "learned_ordering"} == set(tried)
    assert {name for name, trial in tried.items() if trial.on_by_default} == set(heuristics(usual=True)) & set(tried)
    assert ("alphabeta:material,with=similarity", "material") == (
        tried["similarity"].enabled,
        tried["similarity"].disabled,
    )


def test_a_brain_that_knows_moves_brings_what_needs_it() -> None:
    player = "alphabeta:material,moves=giraffe-moves"

    assert "learned_reductions" in {
        trial.name for trial in Ablation(player=player, control=TimeControl(nodes=1)).trials()
    }


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("without=razoring", "without=razoring+killers"),
        ("without=killers", "without=killers,with=killers"),
        ("with=similarity+killers,hash=4", "hash=4,without=killers,with=similarity"),
        ("without=all", f"without={'+'.join(heuristics())},with=killers"),
    ],
)
def test_other_switches_of_the_player_stay_as_they_are(said: str, turned: str) -> None:
    (trial,) = Ablation(player=f"material,{said}", control=TimeControl(nodes=1)).trials(["killers"])

    assert {f"material,{said}", f"alphabeta:material,{turned}"} == {trial.enabled, trial.disabled}
    assert trial.on_by_default == (trial.enabled == f"material,{said}")


def test_what_has_no_heuristics_is_refused() -> None:
    with pytest.raises(UsageError, match="no heuristics"):
        Ablation(player="random:1", control=TimeControl(nodes=1)).trials()


def test_elo_are_those_of_the_player_that_has_it(tmp_path: Path) -> None:
    (row,) = play_ablation(PLAN, 20, only=["quiescence"], folder=tmp_path, make_workers=here)

    assert row.report.wins > row.report.losses
    assert row.estimate.elo > 0


def test_games_are_played_once_and_more_games_only_add(tmp_path: Path) -> None:
    names = ["killers", "similarity"]
    some = play_ablation(PLAN, 4, only=names, folder=tmp_path, make_workers=here)

    assert counts(some) == counts(play_ablation(PLAN, 4, only=names, folder=tmp_path, make_workers=never))
    more = play_ablation(PLAN, 6, only=names, folder=tmp_path, make_workers=here)
    assert [6, 6] == [row.report.games for row in more]
    assert counts(more) == counts(play_ablation(PLAN, 6, only=names, folder=tmp_path / "at once", make_workers=here))


def test_a_fresh_start_throws_the_games_away(tmp_path: Path) -> None:
    play_ablation(PLAN, 2, only=["killers"], folder=tmp_path, make_workers=here)

    with pytest.raises(AssertionError, match="nothing was left"):
        play_ablation(PLAN, 2, only=["killers"], folder=tmp_path, fresh=True, make_workers=never)


def test_all_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the whole table is there early."""
    monkeypatch.setattr(ablation, "GAMES_PER_TURN", 2)
    told: list[tuple[int, ...]] = []

    def watch(rows: object, played: PlayedGame | None) -> None:
        assert isinstance(rows, list)
        if played is None:
            told.append(tuple(row.report.games for row in rows))

    play_ablation(PLAN, 3, only=["killers", "history"], folder=tmp_path, make_workers=here, watch=watch)

    assert [(2, 0), (2, 2), (3, 2), (3, 3)] == told
