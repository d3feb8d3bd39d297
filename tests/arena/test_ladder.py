"""The ladder: who is met next, where a player stands, and how honest the interval is."""

import json
import math
import random
import sys
from pathlib import Path

import pytest

from okapi.arena.elo import expected_score
from okapi.arena.games import Pairing, PlayedGame, read_games
from okapi.arena.ladder import LADDER, LadderRating, Rung, climb, nearest, rate_on_ladder, usable
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import SerialWorkers
from okapi.cli import main
from okapi.errors import NotFound

SMALL = Rung("small", "alphabeta:material,hash=1", 1500, "a test")
RANDOM = Rung("dice", "random", 800, "a test")
GREEDY = Rung("greedy", "greedy:material", 1200, "a test")
FIVE = Rung("five", "greedy:vazquez-five", 1300, "a test")
FAST = TimeControl(depth=1)


def a_ladder(*ratings: int) -> list[Rung]:
    return [Rung(f"rung-{elo}", f"random:{elo}", elo, "a test") for elo in ratings]


def standings_after(rungs: list[Rung], results: dict[int, str]) -> Standings:
    """What there is after a pair of games against each of some rungs, all with the same result for the player."""
    table = Standings(["player", *(rung.name for rung in rungs)])
    for number, (rung, result) in enumerate(results.items()):
        other = {"1-0": "0-1", "0-1": "1-0"}.get(result, result)
        table.add(PlayedGame(Pairing(2 * number, 0, rung + 1, "…"), result, "", None, (), ()))
        table.add(PlayedGame(Pairing(2 * number + 1, rung + 1, 0, "…"), other, "", None, (), ()))
    return table


# --- Whom to meet ---------------------------------------------------------------------------------------------------


def test_the_climb_begins_in_the_middle() -> None:
    rungs = a_ladder(*range(1000, 3100, 100))

    assert {1900, 2000, 2100} <= {rungs[rung - 1].elo for _, rung in nearest(rungs, standings_after(rungs, {}), 0)}


@pytest.mark.parametrize(("result", "expected"), [("1-0", range(2300, 3100)), ("0-1", range(1000, 1800))])
def test_whoever_wins_meets_stronger_ones_and_whoever_loses_weaker_ones(result: str, expected: range) -> None:
    rungs = a_ladder(*range(1000, 3100, 100))
    table = standings_after(rungs, dict.fromkeys((9, 10, 11), result))

    assert all(rungs[rung - 1].elo in expected for _, rung in nearest(rungs, table, 1))


def test_near_rungs_take_turns() -> None:
    rungs = a_ladder(1850, 1900, 1950, 2050, 2100, 2150, 3000)
    table = standings_after(rungs, dict.fromkeys((1, 2, 3, 4), "1/2-1/2"))

    assert {0, 5} <= {rung - 1 for _, rung in nearest(rungs, table, 1)}


def test_a_short_ladder_is_climbed_too() -> None:
    rungs = a_ladder(1200, 1500)

    assert {1, 2} == {rung for _, rung in nearest(rungs, standings_after(rungs, {}), 0)}


# --- Where somebody stands ------------------------------------------------------------------------------------------


def test_half_of_the_points_is_as_strong_as_the_rung() -> None:
    placing = rate_on_ladder({SMALL: [1.0, 2.0, 0.0, 1.0] * 10})

    assert 1500 == pytest.approx(placing.elo, abs=0.1)
    assert 1500 == pytest.approx((placing.low + placing.high) / 2, abs=0.1)
    assert 80 == placing.games


def test_results_against_several_rungs_are_weighed_together() -> None:
    weak, strong = a_ladder(1400, 1600)
    placing = rate_on_ladder({weak: [1.5, 1.0] * 20, strong: [0.5, 1.0] * 20})

    assert 1500 == pytest.approx(placing.elo, abs=1)


def test_the_interval_is_wider_when_the_rungs_disagree() -> None:
    one, other = a_ladder(2000, 2010)
    agreeing = rate_on_ladder({one: [1.0, 1.5, 0.5] * 10, other: [1.0, 0.5, 1.5] * 10})
    quarrelling = rate_on_ladder({one: [2.0, 1.5, 1.5] * 10, other: [0.0, 0.5, 0.5] * 10})

    assert quarrelling.high - quarrelling.low > 3 * (agreeing.high - agreeing.low)
    assert any("contradict" in caveat for caveat in quarrelling.caveats("10+0.1"))
    assert not any("contradict" in caveat for caveat in agreeing.caveats("10+0.1"))


def test_a_true_rating_is_inside_its_interval_nineteen_times_of_twenty() -> None:
    rng, rungs, hits = random.Random(3), a_ladder(1800, 1900, 2000, 2100, 2200), 0

    def game(ahead: float) -> float:
        chance = expected_score(ahead)
        drawn = min(chance, 1 - chance) * 0.7
        thrown = rng.random()
        return 1.0 if thrown < chance - drawn / 2 else 0.5 if thrown < chance + drawn / 2 else 0.0

    for _ in range(400):
        true = rng.uniform(1850, 2150)
        placing = rate_on_ladder(
            {rung: [game(true - rung.elo) + game(true - rung.elo) for _ in range(10)] for rung in rungs}
        )
        hits += placing.low <= true <= placing.high

    assert 0.92 <= hits / 400 <= 0.985


def test_whoever_wins_everything_is_above_the_ladder() -> None:
    placing = rate_on_ladder({SMALL: [2.0] * 5})

    assert math.inf == placing.elo == placing.high and 1500 < placing.low < 2000
    assert "above" in placing.sentence("x") and "won every game" in placing.sentence("x")
    assert 0.05 == pytest.approx(expected_score(placing.low - 1500) ** 10, rel=0.01)


def test_whoever_loses_everything_is_below_the_ladder() -> None:
    placing = rate_on_ladder({SMALL: [0.0] * 5})

    assert -math.inf == placing.elo == placing.low and 1000 < placing.high < 1500
    assert "below" in placing.sentence("x")


def test_without_games_there_is_no_answer() -> None:
    assert "no pair" in rate_on_ladder({}).sentence("x") and not rate_on_ladder({SMALL: []}).games


def test_beyond_the_last_rung_is_said_to_be_extrapolated() -> None:
    placing = rate_on_ladder({SMALL: [2.0, 1.5] * 10})

    assert any("extrapolated" in caveat for caveat in placing.caveats("10+0.1"))


def test_the_answer_is_a_sentence() -> None:
    assert "okapi: about 2480 ± 35 on this ladder" == LadderRating(2480, 2445, 2515, 100, (), 1.0).sentence("okapi")


# --- The rungs ------------------------------------------------------------------------------------------------------


def test_the_ladder_rises_and_every_rung_names_its_source() -> None:
    ratings = [rung.elo for rung in LADDER]

    assert sorted(ratings) == ratings
    assert len({rung.name for rung in LADDER}) == len(LADDER) and all(rung.source for rung in LADDER)


def test_engines_that_are_missing_or_broken_are_left_out_with_a_reason() -> None:
    absent = Rung("absent", "uci:no-such-engine-anywhere", 1, "a test")
    mute = Rung("mute", f"uci:{sys.executable} -c pass", 2, "a test")

    good, missing = usable([absent, mute])

    assert [] == good
    assert "not installed" == missing["absent"] and "does not speak UCI" in missing["mute"]


# --- Climbing -------------------------------------------------------------------------------------------------------


def test_a_climb_is_stored_and_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "ladder.sqlite"

    def go(games: int) -> LadderRating:
        return climb(
            "greedy:vazquez-five", games, FAST, rungs=[RANDOM, GREEDY, SMALL], store=store, make_workers=SerialWorkers
        )

    first = go(6)
    before = [played.moves for played in read_games(store)[1]]
    second = go(12)

    assert (6, 12) == (first.games, second.games)
    assert before == [played.moves for played in read_games(store)[1]][:6]
    assert second == go(12)


def test_without_any_engine_the_hint_says_what_to_install() -> None:
    with pytest.raises(NotFound) as caught:
        climb("material", 10, FAST, rungs=[])

    assert "apt install" in caught.value.hint


@pytest.fixture
def short_ladder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("okapi.cli.rate.usable", lambda: ([RANDOM, GREEDY, FIVE], {"absent": "not installed"}))


@pytest.mark.usefixtures("short_ladder")
def test_the_command_answers_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["rate", "--ladder", "random:5", "--games", "6", "--tc", "5+0.1", "--concurrency", "1", "--json"]

    assert 0 == main(command)

    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert {"players", "elo", "low", "high", "games", "rungs", "caveats", "left_out"} <= set(answer)
    assert {"name", "elo", "low", "high", "games", "score", "draws"} == set(answer["players"][0])
    assert {"dice", "greedy", "five"} == {rung["name"] for rung in answer["rungs"]}
    assert "left out: absent (not installed)" in said.err


@pytest.mark.usefixtures("short_ladder")
def test_the_command_answers_in_words(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["rate", "--ladder", "greedy:material", "--games", "6", "--tc", "5+0.1"]

    assert 0 == main(command) == main(command)

    said = capsys.readouterr()
    assert "greedy:material: " in said.out and "nominal" in said.out
    assert f"6 of 6 games are in {runs}/ladder-" in said.err


@pytest.mark.usefixtures("short_ladder")
def test_the_command_takes_no_files_beside_a_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["rate", "games.pgn", "--ladder", "material"])
    assert "no files" in capsys.readouterr().err
