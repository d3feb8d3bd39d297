"""The sequential test. Reference values are those of fastchess' own tests."""

import numpy as np
import pytest

from okapi.arena.elo import MatchResult, expected_score, with_mean
from okapi.arena.sprt import Scale, Sprt, Verdict, log_likelihood_ratio
from okapi.errors import UsageError


@pytest.mark.parametrize(
    ("counts", "bounds", "scale", "llr"),
    [
        ((36027, 68692, 36433), (0, 2), "normalised", 0.92),
        ((10650, 20431, 10871), (-1.75, 0.25), "normalised", 2.30),
        ((0, 0, 4250), (0, 10), "normalised", 120.56),
        ((21184, 40708, 21404), (0.5, 2.5), "logistic", -1.57),
        ((57030, 106593, 57433), (0, 2), "logistic", -2.59),
        ((365, 16618, 36229, 16974, 390), (0, 2), "normalised", 2.25),
        ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), "normalised", 3.01),
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), "logistic", -3.07),
        ((871, 26175, 55983, 26678, 821), (0, 2), "logistic", -4.98),
    ],
)
def test_agrees_with_fastchess(counts: tuple[int, ...], bounds: tuple[float, float], scale: Scale, llr: float) -> None:
    assert llr == pytest.approx(float(log_likelihood_ratio(counts, *bounds, scale)), abs=0.02)


def test_a_thousand_matches_at_once_are_a_thousand_matches() -> None:
    counts = np.random.default_rng(1).integers(0, 50, (1000, 5))
    for scale in ("logistic", "normalised"):
        together = log_likelihood_ratio(counts, 0, 10, scale)

        assert together[::100] == pytest.approx(
            [float(log_likelihood_ratio(row, 0, 10, scale)) for row in counts[::100]]
        )


@pytest.mark.parametrize("scale", ["logistic", "normalised"])
@pytest.mark.parametrize(
    "tally",
    [MatchResult(), MatchResult(1), MatchResult.of([(1, 1)]), MatchResult.of([(0, 0)] * 3), MatchResult(draws=5)],
)
def test_a_handful_of_games_decides_nothing(tally: MatchResult, scale: Scale) -> None:
    """No variance has been seen yet; a formula that divides by it would stop here."""
    assert Verdict.UNDECIDED is Sprt(0, 10, scale=scale).status(tally).verdict


def test_accepts_what_the_games_show() -> None:
    test = Sprt(0, 10)
    better, equal = [(1, 0.5)] * 900 + [(0, 0.5)] * 700, [(1, 0.5), (0, 0.5)] * 1500

    assert Verdict.H1 is test.status(MatchResult.of(better)).verdict
    assert Verdict.H0 is test.status(MatchResult.of(equal)).verdict


def test_games_without_pairs_are_judged_one_by_one() -> None:
    status = Sprt(0, 10).status(MatchResult(wins=900, draws=2000, losses=700))

    assert float(log_likelihood_ratio((700, 2000, 900), 0, 10)) == status.llr
    assert Verdict.H1 is status.verdict


def test_bounds_follow_the_error_rates() -> None:
    assert (-2.944, 2.944) == pytest.approx((Sprt(0, 5).lower, Sprt(0, 5).upper), abs=0.001)
    assert Sprt(0, 5, alpha=0.01).upper > Sprt(0, 5).upper


@pytest.mark.parametrize(
    "bad", [{"elo0": 5, "elo1": 0}, {"elo0": 0, "elo1": 5, "alpha": 0.7}, {"elo0": 0, "elo1": float("nan")}]
)
def test_nonsense_is_refused(bad: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Sprt(**bad)  # type: ignore[arg-type]


def test_errs_as_seldom_as_promised() -> None:
    """A small simulation; bench/sprt_simulation.py is the large one. 200 runs, H0 true: 5 % and four deviations."""
    rng = np.random.default_rng(7)
    test = Sprt(-40, 40)
    truth = with_mean(np.array([0.06, 0.24, 0.40, 0.24, 0.06]), expected_score(-40))
    counts, active, wrong = np.zeros((200, 5)), np.arange(200), 0
    while len(active):
        counts[active] += rng.multinomial(1, truth, len(active))
        llr = log_likelihood_ratio(counts[active], test.elo0, test.elo1)
        wrong += int((llr >= test.upper).sum())
        active = active[(llr > test.lower) & (llr < test.upper)]

    assert 0 < wrong < 200 * 0.11
