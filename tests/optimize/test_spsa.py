import numpy as np
import pytest
from known_peaks import BOX, PEAK, distance, sphere

from okapi.optimize.population import FloatArray, Generation, ParameterSpace
from okapi.optimize.spsa import Gains, spsa, usual_rate

LINE = ParameterSpace(("x",), np.array([-100.0]), np.array([100.0]))


def games(population: FloatArray, number: int) -> FloatArray:
    """Pairs of games, won or lost at random by the true strengths: one step away from the peak costs 4 Elo."""
    rng = np.random.default_rng([7, number])
    strength = -4.0 * np.abs(population - PEAK).sum(axis=1)
    expected = 1 / (1 + 10 ** ((strength[1::2] - strength[0::2]) / 400))
    points = (rng.random((2, len(expected))) < expected).sum(axis=0)
    return np.stack([points, 2.0 - points], axis=1).reshape(-1)


def last(generations: object) -> Generation:
    *_, final = generations  # type: ignore[misc]
    assert isinstance(final, Generation)
    return final


def test_it_climbs_to_the_peak_of_a_function_that_says_the_truth() -> None:
    found = spsa(sphere, BOX, start=np.zeros(5), reach=np.full(5, 2.0), gains=Gains(iterations=1000), seed=1)

    assert distance(last(found).best) < 0.1


def test_it_climbs_by_the_results_of_games_alone() -> None:
    """As engines are tuned: what it sees of the peak is who wins."""
    gains = Gains(iterations=1000, rate=usual_rate(1000 * 8))
    found = spsa(games, BOX, start=np.zeros(5), reach=np.full(5, 4.0), gains=gains, seed=1, directions=8)

    assert distance(last(found).best) < 8.0
    assert distance(np.zeros(5)) > 40.0


def test_an_iteration_by_hand() -> None:
    """Half of the way: the gains of the middle, and a slope of one point for each step."""
    asked: list[FloatArray] = []

    def rising(population: FloatArray, number: int) -> FloatArray:
        asked.append(population)
        return population[:, 0]

    gains = Gains(iterations=2, rate=0.1)
    start, first, second = spsa(rising, LINE, start=np.zeros(1), reach=np.array([3.0]), gains=gains, seed=1)

    reach = 3.0 * 2**0.101
    assert {reach, -reach} == {*asked[0][:, 0].tolist()}
    assert 0.0 == start.best[0]
    assert first.best[0] == pytest.approx(0.1 * (2.2 / 1.2) ** 0.602 / 2**0.101 * 3.0 * 2 * reach)
    assert second.best[0] - first.best[0] == pytest.approx(0.1 * 3.0 * 2 * 3.0)
    assert [0, 2, 4] == [now.evaluations for now in (start, first, second)]


def test_every_direction_has_its_own_coins_and_both_of_its_places() -> None:
    def look(population: FloatArray, number: int) -> FloatArray:
        pairs = population.reshape(6, 2, 5)
        assert np.allclose(pairs.sum(axis=1), 0.0)
        assert len(np.unique(pairs[:, 0] > 0, axis=0)) > 1
        return np.zeros(12)

    gains = Gains(iterations=3)
    found = spsa(look, BOX, start=np.zeros(5), reach=np.ones(5), gains=gains, seed=1, directions=6)

    assert [0.0] * 5 == last(found).best.tolist()


def test_whole_numbers_are_asked_about_and_nothing_is_lost_by_rounding() -> None:
    seen: list[FloatArray] = []

    def look(population: FloatArray, number: int) -> FloatArray:
        assert (population == population.round()).all()
        seen.append(population)
        return np.zeros(len(population))

    gains = Gains(iterations=500)
    last(spsa(look, LINE, start=np.array([0.3]), reach=np.array([0.5]), gains=gains, seed=1, directions=4, whole=True))

    assert np.concatenate(seen).mean() == pytest.approx(0.3, abs=0.05)


def test_it_never_leaves_the_bounds() -> None:
    def rising(population: FloatArray, number: int) -> FloatArray:
        assert (np.abs(population) <= 100.0).all()
        return population[:, 0]

    gains = Gains(iterations=100, rate=0.5)
    found = spsa(rising, LINE, start=np.array([90.0]), reach=np.array([30.0]), gains=gains, seed=1, whole=True)

    assert 100.0 == last(found).best[0]


def test_the_same_seed_asks_the_same() -> None:
    def walk(seed: int) -> list[float]:
        gains = Gains(iterations=50)
        return last(spsa(sphere, BOX, start=np.zeros(5), reach=np.ones(5), gains=gains, seed=seed)).best.tolist()

    assert walk(1) == walk(1) != walk(2)
