import numpy as np
import pytest
from known_peaks import BOX, distance, sphere, steps

from okapi.optimize.hooke_jeeves import hooke_jeeves
from okapi.optimize.population import FloatArray, ParameterSpace

LINE = ParameterSpace(("x",), np.array([-100.0]), np.array([100.0]))


def test_it_climbs_to_the_peak_as_near_as_its_last_step() -> None:
    *_, last = hooke_jeeves(sphere, BOX, start=np.zeros(5))

    assert distance(last.best) <= 0.5


def test_it_climbs_stairs() -> None:
    *_, last = hooke_jeeves(steps, BOX, start=np.full(5, 40.0))

    assert 0.0 == last.best_score


def test_every_place_it_asks_about_is_as_the_algorithm_says() -> None:
    """By hand: the peak is at 50, the start at 0, the step 30. Forwards, once more as far, then half the step."""
    asked: list[float] = []

    def hill(population: FloatArray, number: int) -> FloatArray:
        asked.append(float(population[0, 0]))
        assert number == len(asked) - 1
        return -np.abs(population[:, 0] - 50.0)

    places = [float(now.best[0]) for now in hooke_jeeves(hill, LINE, start=np.zeros(1), end=10.0)]

    assert [0.0, 30.0, 60.0, 90.0, 30.0, 75.0, 45.0, 30.0, 60.0, 30.0] == asked
    assert [0.0, 60.0, 60.0, 45.0, 45.0] == places


def test_it_never_leaves_the_bounds_nor_asks_twice_on_one() -> None:
    asked: list[float] = []

    def rising(population: FloatArray, number: int) -> FloatArray:
        asked.append(float(population[0, 0]))
        return population[:, 0]

    *_, last = hooke_jeeves(rising, LINE, start=np.array([90.0]))

    assert 100.0 == last.best[0] == max(asked)
    assert last.evaluations == len(asked)


def test_a_step_for_each_gene() -> None:
    *_, last = hooke_jeeves(sphere, BOX, start=np.zeros(5), step=np.array([1.0, 2.0, 4.0, 8.0, 16.0]), end=0.01)

    assert distance(last.best) < 0.02


def test_a_step_that_never_becomes_small_is_refused() -> None:
    with pytest.raises(ValueError, match="expected more than 1"):
        next(hooke_jeeves(sphere, BOX, start=np.zeros(5), reduction=1.0))
