import numpy as np
import pytest

from okapi.optimize.gradient import LinearDataset, fit, loss
from okapi.optimize.population import FloatArray, ParameterSpace, Score

GENES = ParameterSpace(("knight", "queen", "nothing"), np.array([100.0, 500.0, -50.0]), np.array([500.0, 1300.0, 50.0]))
TRUE = np.array([310.0, 940.0, 0.0])
START = np.array([200.0, 700.0, 20.0])
SCALE, MOVE = 0.004, 0.2


def made(count: int, seed: int = 1) -> LinearDataset:
    """Games whose results are drawn by the true weights; a pawn is 100."""
    rng = np.random.default_rng(seed)
    factors = rng.integers(-2, 3, (count, 3)).astype(np.float64)
    known = 100.0 * rng.integers(-4, 5, count)
    chance = 1 / (1 + np.exp(-SCALE * (known + factors @ TRUE) - MOVE))
    return LinearDataset(factors, known, (rng.random(count) < chance).astype(np.float64))


def held_out(dataset: LinearDataset) -> Score:
    return lambda population, number: np.array([-loss(dataset, player) for player in population])


def last(dataset: LinearDataset, **options: float) -> FloatArray:
    *_, generation = fit(held_out(dataset), GENES, dataset, start=START, steps=30, **options)
    return generation.best


def test_it_finds_the_weights_that_drew_the_results() -> None:
    assert np.abs(last(made(60_000), prior=0.0) - TRUE).max() < 25.0


def test_no_small_change_is_better() -> None:
    """The slope, by finite differences of a loss that is counted otherwise, is nought."""
    dataset = made(5_000)
    best = last(dataset, prior=0.0)
    for gene in range(3):
        for change in (-2.0, 2.0):
            place = best.copy()
            place[gene] += change
            assert loss(dataset, place) > loss(dataset, best)


def test_each_step_is_better_on_what_it_learns_from() -> None:
    dataset = made(5_000)
    scores = [now.best_score for now in fit(held_out(dataset), GENES, dataset, start=START, steps=30)]

    assert scores == sorted(scores) and 3 < len(scores) < 31


def test_bounds_hold_and_the_others_make_the_best_of_it() -> None:
    narrow = ParameterSpace(GENES.names, np.array([100.0, 500.0, -50.0]), np.array([250.0, 1300.0, 50.0]))
    dataset = made(20_000)
    *_, now = fit(held_out(dataset), narrow, dataset, start=START, steps=30, prior=0.0)

    assert 250.0 == now.best[0]
    assert loss(dataset, now.best) <= min(loss(dataset, now.best + change) for change in ([0, 5, 0], [0, -5, 0]))


def test_the_prior_holds_back() -> None:
    dataset = made(300)
    free, held = last(dataset, prior=0.0), last(dataset, prior=10.0)

    assert np.abs(held - START).max() < 3.0 < np.abs(free - START).max()


def test_the_loss_of_knowing_nothing_is_one_bit() -> None:
    dataset = LinearDataset(np.zeros((4, 1)), np.array([1.0, -1.0, 1.0, -1.0]), np.array([1.0, 1.0, 0.0, 0.0]))

    assert loss(dataset, np.zeros(1)) == pytest.approx(np.log(2))


def test_rows_and_results_belong_together() -> None:
    with pytest.raises(ValueError, match="4 rows, 4 known, 3 results"):
        LinearDataset(np.zeros((4, 1)), np.zeros(4), np.zeros(3))
