"""The learners that a user would pick instead of evolutionary programming."""

from functools import partial

import numpy as np
import pytest
from known_peaks import BOX, PEAK, distance, sphere, steps

from okapi.optimize.evolution import differential_evolution
from okapi.optimize.population import FloatArray, Score

evolve = partial(differential_evolution, space=BOX, players=12, seed=3)


@pytest.mark.parametrize("keep_scores", [True, False])
@pytest.mark.parametrize("score", [sphere, steps])
def test_differences_lead_to_the_peak(score: Score, keep_scores: bool) -> None:
    *_, last = evolve(score, generations=150, keep_scores=keep_scores)

    assert distance(last.best) < 5.0
    assert last.population.shape == (12, 5)


def test_opposites_are_tried_at_the_start() -> None:
    asked: list[FloatArray] = []

    def note(population: FloatArray, number: int) -> FloatArray:
        asked.append(population)
        return sphere(population, number)

    first = next(evolve(note, generations=1))

    assert np.allclose(BOX.low + BOX.high, asked[0][:12] + asked[0][12:])
    assert first.scores.tolist() == sorted(sphere(asked[0], 0), reverse=True)[:12]
    assert 24 == first.evaluations


def test_nobody_gets_worse_where_the_exam_stays_the_same() -> None:
    best = [now.best_score for now in evolve(sphere, generations=60, keep_scores=True)]

    assert best == sorted(best)


def test_the_history_brings_back_who_died_of_bad_luck() -> None:
    """Exam 1 punishes the place that all other exams praise: whoever stood there is not forgotten."""

    def unlucky(population: FloatArray, number: int) -> FloatArray:
        return sphere(population, number) * (-1.0 if number == 1 else 1.0)

    start = np.vstack([PEAK, np.random.default_rng(1).uniform(-50, 50, (11, 5))])
    runs = {
        size: [
            any(np.array_equal(PEAK, player) for player in now.population)
            for now in evolve(unlucky, generations=4, start=start, history=size, jumping=0.0)
        ]
        for size in (0, 5)
    }

    assert [True, False] == runs[0][:2] and not any(runs[0][1:])
    assert runs[5][0] and any(runs[5][1:])


def test_the_seed_decides() -> None:
    def last(seed: int) -> list[list[float]]:
        *_, generation = evolve(sphere, generations=5, seed=seed)
        population: list[list[float]] = generation.population.tolist()
        return population

    assert last(1) == last(1) != last(2)


def test_a_rival_needs_five_others() -> None:
    with pytest.raises(ValueError, match="at least 6"):
        next(evolve(sphere, generations=1, players=5))
