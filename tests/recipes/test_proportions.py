"""How much larger one share is than another, where both had the same positions."""

import numpy as np
import pytest

from okapi.recipes.proportions import Proportion, difference, paired_difference


def test_the_interval_is_about_that_of_games_drawn_again() -> None:
    rng = np.random.default_rng(1)
    games = np.repeat(np.arange(80), rng.integers(10, 60, 80))
    habit = rng.normal(0, 0.1, 80)[games]  # some games are easier for the first one
    first = rng.random(len(games)) < 0.5 + habit
    second = np.where(rng.random(len(games)) < 0.8, first, rng.random(len(games)) < 0.45)
    found = paired_difference(first, second, games)

    of_game = [np.flatnonzero(games == game) for game in range(80)]
    drawn = []
    for _ in range(2000):
        rows = np.concatenate([of_game[game] for game in rng.integers(0, 80, 80)])
        drawn.append(100 * (first[rows].mean() - second[rows].mean()))
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.points == pytest.approx(100 * (first.mean() - second.mean()))
    assert (low, high) == pytest.approx((found.low, found.high), abs=0.15 * (high - low))


def test_the_same_answers_are_surer_than_other_positions() -> None:
    right, wrong = np.arange(1000) % 2 == 0, np.arange(1000) % 2 == 0
    wrong[:30] = False
    same, others = (
        paired_difference(right, wrong, np.arange(1000)),
        difference(Proportion(500, 1000), Proportion(485, 1000)),
    )

    assert same.points == pytest.approx(others.points) and same.low > others.low


def test_of_one_game_nothing_can_be_said() -> None:
    assert "undecided" == paired_difference(np.array([True]), np.array([False]), np.array([7])).verdict
