"""Functions whose best place is known."""

import numpy as np

from okapi.optimize.population import FloatArray, ParameterSpace

BOX = ParameterSpace(tuple("abcde"), np.full(5, -50.0), np.full(5, 50.0))
PEAK = np.array([3.0, -20.0, 11.0, 0.0, 42.0])


def sphere(population: FloatArray, number: int) -> FloatArray:
    """Falls off evenly around the peak, where it is 0."""
    return np.asarray(-((population - PEAK) ** 2).sum(axis=1))


def steps(population: FloatArray, number: int) -> FloatArray:
    """The same in stairs, flat between: counts of solved positions look like that."""
    return np.asarray(-np.floor(np.abs(population - PEAK) / 4).sum(axis=1))


def distance(place: FloatArray) -> float:
    return float(np.abs(place - PEAK).max())
