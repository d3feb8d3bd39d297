"""Elo from one match. Reference values are those of fastchess' own tests, and the formulas that it uses."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from okapi.arena.elo import (
    MatchResult,
    deviance,
    elo_difference,
    estimate_elo,
    expected_score,
    moments,
    regularised,
    with_mean,
    with_t_value,
)


def paired(ll: int, ld: int, wl: int, dd: int, wd: int, ww: int) -> MatchResult:
    """A match of pairs, in fastchess' order."""
    return MatchResult(wl + wd + 2 * ww, ld + 2 * dd + wd, 2 * ll + ld + wl, (ll, ld, wl + dd, wd, ww))


@pytest.mark.parametrize(
    ("tally", "elo", "error", "normalised", "los"),
    [
        (MatchResult(136, 111, 96), 40.70, 30.43, 49.77, 0.9960),
        (paired(34, 54, 31, 32, 64, 75), 55.58, 27.65, 57.94, 1.0),
        (paired(332, 433, 457, 41, 333, 334), -8.64, 10.33, -9.17, 0.0505),
        (paired(7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95, -19.01, 0.0),
    ],
)
def test_agrees_with_fastchess(tally: MatchResult, elo: float, error: float, normalised: float, los: float) -> None:
    found = estimate_elo(tally)

    assert elo == pytest.approx(found.elo, abs=0.01)
    assert error == pytest.approx((found.high - found.low) / 2, rel=0.005)
    assert normalised == pytest.approx(found.normalised, abs=0.01)
    assert los == pytest.approx(found.los, abs=0.001)


def test_pairs_from_biased_openings_do_not_look_like_luck() -> None:
    """Each opening is won by White: the players are equal, and pairs know it, while single games see only noise."""
    as_pairs, as_games = estimate_elo(MatchResult.of([(1, 0)] * 100)), estimate_elo(MatchResult.of([], [1, 0] * 100))

    assert as_pairs.elo == as_games.elo == 0
    assert as_pairs.high < 10 < 40 < as_games.high


@pytest.mark.parametrize("tally", [MatchResult(7), MatchResult.of([(1, 1)] * 10), MatchResult.of([(1, 1)])])
def test_winning_everything_is_finite_and_has_no_upper_bound(tally: MatchResult) -> None:
    found = estimate_elo(tally)

    assert found.low < found.elo < math.inf == found.high
    assert math.isfinite(found.normalised)


def test_losing_everything_mirrors_winning_everything() -> None:
    won, lost = estimate_elo(MatchResult.of([(1, 1)] * 10)), estimate_elo(MatchResult.of([(0, 0)] * 10))

    assert (won.elo, won.low, won.los) == pytest.approx((-lost.elo, -lost.high, 1 - lost.los))


def test_ten_won_games_prove_less_than_a_hundred() -> None:
    """A variance of zero must not become an interval of zero: 0.95 of luck is left to a score of exp(−1.92 / games)."""
    ten, hundred = estimate_elo(MatchResult(wins=10)), estimate_elo(MatchResult(wins=100))

    assert elo_difference(math.exp(-1.92 / 10)) == pytest.approx(ten.low, abs=1)
    assert elo_difference(math.exp(-1.92 / 100)) == pytest.approx(hundred.low, abs=1)


def test_no_games_say_nothing() -> None:
    found = estimate_elo(MatchResult())

    assert (0, -math.inf, math.inf, 0.5) == (found.elo, found.low, found.high, found.los)


def test_only_draws_are_not_certainty() -> None:
    found = estimate_elo(MatchResult(draws=50))

    assert 0 == found.elo
    assert -20 < found.low < -5 and 5 < found.high < 20


@pytest.mark.parametrize("truth", [(0.1, 0.2, 0.4, 0.2, 0.1), (0.0, 0.02, 0.08, 0.3, 0.6)], ids=["even", "lopsided"])
def test_the_interval_holds_the_truth_as_often_as_it_says(truth: tuple[float, ...]) -> None:
    """300 matches of 50 pairs: 95 % and three standard deviations of luck."""
    elo = elo_difference(float(np.dot(truth, np.linspace(0, 1, 5))))
    matches = np.random.default_rng(1).multinomial(50, truth, 300)
    found = [estimate_elo(paired(ll, ld, 0, middle, wd, ww)) for ll, ld, middle, wd, ww in matches.tolist()]

    assert 0.91 < np.mean([one.low <= elo <= one.high for one in found]) < 0.99


def test_a_game_without_its_partner_counts_as_a_game_but_not_as_a_pair() -> None:
    tally = MatchResult.of([(1, 0.5)], [0])

    assert (1, 1, 1, (0, 0, 0, 1, 0)) == (tally.wins, tally.draws, tally.losses, tally.pairs)
    assert MatchResult(2, 2, 2, (0, 0, 0, 2, 0)) == tally + tally


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, 0, 0, (0, 0, 1, 0, 0))])
def test_impossible_counts_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="impossible counts"):
        MatchResult(*counts)  # type: ignore[arg-type]


@given(st.floats(-3000, 3000))
def test_elo_and_score_are_inverse(difference: float) -> None:
    assert difference == pytest.approx(elo_difference(expected_score(difference)), abs=1e-3)


def test_a_score_beyond_one_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo_difference(1.01)


@given(st.tuples(*[st.integers(0, 400)] * 5).filter(any))
def test_the_interval_holds_the_estimate(pairs: tuple[int, int, int, int, int]) -> None:
    ll, ld, middle, wd, ww = pairs
    found = estimate_elo(paired(ll, ld, 0, middle, wd, ww))

    assert found.low <= found.elo + 1e-6 and found.elo - 1e-6 <= found.high
    assert 0 <= found.los <= 1
    assert math.isfinite(found.elo) and math.isfinite(found.normalised)


@example((0, 0, 1, 0, 0), 0.5, 0.25)
@example((0, 0, 400, 0, 0), 0.5, -0.3)
@given(st.tuples(*[st.integers(0, 400)] * 5).filter(any), st.floats(0.01, 0.99), st.floats(-0.3, 0.3))
def test_hypotheses_are_met(counts: tuple[int, ...], mean: float, t: float) -> None:
    _, shares = regularised(counts)
    average, variance = moments(with_t_value(shares, t))

    assert mean == pytest.approx(float(moments(with_mean(shares, mean))[0]), abs=1e-8)
    assert t == pytest.approx(float((average - 0.5) / np.sqrt(variance)), abs=1e-4)
    assert deviance(counts, float(shares @ np.linspace(0, 1, 5))) == pytest.approx(0, abs=1e-6)
