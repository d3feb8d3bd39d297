"""Small functions of the arena, one example each."""

import numpy as np

from okapi.arena.ablation import Ablation
from okapi.arena.elo import MatchResult, estimate_elo
from okapi.arena.ladder import LadderRating
from okapi.arena.ratings import RatingModel, RatingPool, rate
from okapi.arena.settings import player_names, short_name
from okapi.arena.suite import ReferenceEngine, _theme, summary
from okapi.arena.time_control import TimeControl
from okapi.core import Limits, Position
from okapi.players import AlphaBeta


def test_a_trial_switches_one_heuristic() -> None:
    (trial,) = Ablation(player="okapi-28", control=TimeControl(nodes=1000)).trials(["killers"])

    assert ("okapi-28", "alphabeta:okapi-28,without=killers") == (trial.enabled, trial.disabled)


def test_a_rating_on_the_ladder_as_a_sentence() -> None:
    rating = LadderRating(2480.4, 2445.0, 2516.0, 120, (), 1.0)

    assert "okapi: about 2480 ± 36 on this ladder" == rating.sentence("okapi")


def test_the_scale_of_a_model_depends_on_its_draws() -> None:
    assert 0.9255 == round(RatingModel(np.zeros(2), 0.0, 97.3).scale, 4)


def test_a_move_that_leaves_a_queen_loses_as_much_as_can_be() -> None:
    engine = ReferenceEngine(AlphaBeta("material"), Limits(depth=3))
    position = Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")

    assert 1000 == engine.compare(position, position.move("e5"), [position.move("exd5")]).delta


def test_a_player_with_black_more_often_is_rated_higher() -> None:
    games = [("A", "B", 1.0), ("B", "A", 0.5), ("A", "B", 0.5)] * 40 + [("A", "B", 0.0), ("B", "A", 1.0)] * 20
    players = rate(RatingPool.of(games)).players

    assert ["B 7 ± 19", "A -7 ± 19"] == [f"{each.name} {each.elo:.0f} ± {each.elo - each.low:.0f}" for each in players]


def test_names_are_short_and_different() -> None:
    assert ["stockfish{Hash=1}", "material (1)", "material (2)"] == player_names(
        ["uci:/usr/games/stockfish{Hash=1}", "material", "alphabeta:material"]
    )
    assert ["new/engine", "old/engine"] == player_names(["uci:new/engine", "uci:old/engine"])
    named = map(short_name, ("alphabeta:material,elo=1500", "greedy:material", "python:my.py:Mine"))
    assert ["material,elo=1500", "greedy:material", "Mine"] == list(named)


def test_differences_are_summed_up() -> None:
    assert {"mean": 270.0, "median": 40.0, "balanced": 3, "positions": 4} == summary([0, 80, 0, 1000])


def test_themes_of_positions_by_their_names() -> None:
    names = ("STS(v2.2) Open Files.003", "ERET 001 - Entlastung", "WAC.002", "LCTPOS06 (...e5!)", "2.5.IQ.921")

    assert ["Open Files", "Entlastung", "WAC", "LCTPOS", "IQ"] == [_theme({"id": name}) for name in names]
    assert "forks" == _theme({"id": "x", "c3": "theme: forks"})


def test_time_controls_as_text() -> None:
    assert 60000 == TimeControl.from_text("40/60+0.5").time_ms
    assert ("10+0.1", "nodes=1000") == (str(TimeControl.from_text("10+0.1")), str(TimeControl(nodes=1000)))


def test_elo_with_its_interval() -> None:
    found = estimate_elo(MatchResult.of([(1, 0.5)] * 60 + [(0.5, 0.5)] * 100 + [(0, 0.5)] * 40))

    assert "+17.4 (+0.4 … +34.2), 97.8%" == f"{found.elo:+.1f} ({found.low:+.1f} … {found.high:+.1f}), {found.los:.1%}"
