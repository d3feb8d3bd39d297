import numpy as np
import pytest

from okapi.optimize.population import ParameterSpace


def genes() -> ParameterSpace:
    return ParameterSpace(("a", "b"), np.array([-1.0, 10.0]), np.array([1.0, 30.0]))


def test_random_players_fill_the_bounds_and_stay_within() -> None:
    population = genes().random(np.random.default_rng(1), 1000)

    assert (1000, 2) == population.shape
    assert (population >= genes().low).all() and (population <= genes().high).all()
    assert np.allclose([0.0, 20.0], population.mean(axis=0), atol=0.5)
    assert np.allclose(genes().width / np.sqrt(12), population.std(axis=0), rtol=0.05)


def test_clip_puts_a_gene_on_the_nearest_bound_and_leaves_others() -> None:
    assert [[-1.0, 30.0], [0.5, 10.0]] == genes().clip(np.array([[-3.0, 31.0], [0.5, 9.9]])).tolist()


def test_bounds_that_leave_no_room_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="bounds of b are empty"):
        ParameterSpace(("a", "b"), np.array([0.0, 2.0]), np.array([1.0, 1.0]))


def test_every_gene_has_bounds() -> None:
    with pytest.raises(ValueError, match="2 parameters"):
        ParameterSpace(("a", "b"), np.zeros(2), np.ones(3))
