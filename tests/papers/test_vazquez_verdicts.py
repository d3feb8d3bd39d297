"""A best setting is the best only as far as games and runs tell it from the others."""

from typing import Any

import pytest

from okapi.papers.vazquez2012.headlines import best_c, best_rate, last_against_first, more_games


def reading(name: str, wins: int) -> dict[str, Any]:
    return {"reading": name, "wins": wins, "draws": 0, "losses": 200 - wins, "score": wins / 200}


def readings() -> dict[str, Any]:
    """Every c is as good as any other."""
    names = [*(f"c {tenth / 10:.1f}" for tenth in range(1, 11) if tenth != 5), "as in the thesis"]
    return {"rows": [reading(name, 100) for name in names], "conditions": "2 plies"}


def test_a_c_that_is_a_little_better_says_nothing_of_the_others() -> None:
    data = readings()
    data["rows"][0]["wins"], data["rows"][0]["losses"] = 105, 95
    close = best_c(data)
    data["rows"][0]["wins"], data["rows"][0]["losses"] = 180, 20
    clear = best_c(data)

    assert (0.1, 0.1, 1.0) == (close.ours, close.low, close.high)
    assert (0.1, 0.1, 0.1) == (clear.ours, clear.low, clear.high)


def test_points_that_more_games_add_have_the_interval_of_both_matches() -> None:
    data = readings()
    data["rows"].append(reading("n - 1 games", 110))
    found = more_games(data)

    assert 5 == pytest.approx(found.ours) and found.low is not None and found.high is not None
    assert found.low < -4 and found.high > 14, "two matches of 200 games"


def test_rates_with_a_run_each_cannot_be_told_apart() -> None:
    rows = [{"rate": rate, "run": 1, "matched": 20 + rate} for rate in (0.8, 0.9, 1.0)]
    single = best_rate({"rows": rows})
    twice = best_rate({"rows": rows + [{**row, "run": 2} for row in rows]})

    assert (100, 80, 100) == (single.ours, single.low, single.high)
    assert (100, 100, 100) == (twice.ours, twice.low, twice.high)


def test_a_single_run_has_the_interval_of_its_games() -> None:
    run = {"wins": 150, "draws": 0, "losses": 50}
    single = last_against_first({"runs": [run], "unfinished": {"done": 1, "of": 10}})

    assert 75 == single.ours and single.low is not None and 65 < single.low < 72
    assert single.note.startswith("1 run of 10")
