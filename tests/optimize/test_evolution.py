from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest
from known_peaks import BOX, PEAK, distance, sphere, steps

from okapi.optimize.evolution import evolve, gaussian, non_uniform, self_adaptive, step_size
from okapi.optimize.population import CountedScore, FloatArray, Generation, ParameterSpace, evaluate, limit_evaluations

michalewicz = partial(evolve, players=20, mutate=non_uniform(), seed=5)


@pytest.mark.parametrize(
    ("time", "rng", "expected"),
    [(0.0, 0.25, 0.75), (0.0, 1.0, 0.0), (0.5, 0.0625, 0.5), (0.9, 0.5, 1 - 0.5**0.01), (1.0, 0.3, 0.0)],
)
def test_the_step_is_as_equation_20_says(time: float, rng: float, expected: float) -> None:
    """By hand, with b = 2: at half time the power is a quarter, and the fourth root of 1/16 is 1/2."""
    assert step_size(time, np.array(rng), b=2.0) == pytest.approx(expected, abs=1e-12)


def test_non_uniform_mutation_goes_anywhere_at_first_and_nowhere_at_last() -> None:
    parents = np.tile(PEAK, (2000, 1))

    def moved(t: int) -> FloatArray:
        return non_uniform(rate=1.0)(parents, BOX, t, 100, np.random.default_rng(3)) - parents

    assert np.allclose(BOX.low, (parents + moved(0)).min(axis=0), atol=0.5)
    assert np.allclose(BOX.high, (parents + moved(0)).max(axis=0), atol=0.5)
    assert np.abs(moved(99)).max() < 0.2
    assert not moved(100).any()


def test_non_uniform_mutation_changes_nine_genes_in_ten() -> None:
    parents = np.tile(PEAK, (4000, 1))
    children = non_uniform()(parents, BOX, 10, 50, np.random.default_rng(1))

    assert (children != parents).mean() == pytest.approx(0.9, abs=0.01)
    assert ((children >= BOX.low) & (children <= BOX.high)).all()


def test_gaussian_mutation_moves_every_gene_by_sigma_and_stops_on_the_bound() -> None:
    inside = gaussian(0.05)(np.tile(PEAK, (4000, 1)), BOX, 0, 50, np.random.default_rng(1)) - PEAK
    outside = gaussian(0.05)(np.tile(BOX.high, (4000, 1)), BOX, 0, 50, np.random.default_rng(1))

    assert inside.std() == pytest.approx(0.05, rel=0.02)
    assert inside.all()
    assert (outside <= BOX.high).all()
    assert (outside == BOX.high).mean() == pytest.approx(0.5, abs=0.02)


def test_self_adaptive_mutation_moves_each_gene_by_its_own_deviation_which_mutates_too() -> None:
    space = ParameterSpace(
        ("a", "b", "c", "x", "y"), np.array([-9.0] * 3 + [0.01] * 2), np.array([9.0] * 3 + [5.0] * 2)
    )
    parents = np.tile([0.0, 0.0, 0.0, 0.02, 1.0], (4000, 1))

    children = self_adaptive(2, np.array([0, 1, 1]))(parents, space, 0, 50, np.random.default_rng(1))

    assert children[:, 0].std() < 0.05 < 0.7 < children[:, 1].std()
    assert children[:, 1].std() == pytest.approx(children[:, 2].std(), rel=0.1)
    assert len(np.unique(children[:, 4])) > 3000 and (space.low <= children).all() and (children <= space.high).all()


@pytest.mark.parametrize("score", [sphere, steps])
def test_it_finds_the_peak(score: object) -> None:
    *_, last = michalewicz(score, BOX, generations=150)  # type: ignore[arg-type]

    assert distance(last.best) < 5.0


def test_the_better_half_survives_and_the_rest_are_children() -> None:
    first, second = michalewicz(sphere, BOX, generations=1)
    kept = {row.tobytes() for row in first.population[:10]}

    assert 10 == sum(row.tobytes() in kept for row in second.population)
    assert second.best_score >= first.best_score
    assert (np.diff(second.scores) <= 0).all()


def test_survivors_are_asked_about_again_unless_the_exam_is_always_the_same() -> None:
    sizes: list[int] = []

    def counting(population: FloatArray, number: int) -> FloatArray:
        sizes.append(len(population))
        return sphere(population, number)

    *_, again = michalewicz(counting, BOX, generations=3)
    assert [20, 20, 20, 20] == sizes and 80 == again.evaluations
    sizes.clear()
    *_, kept = michalewicz(counting, BOX, generations=3, keep_scores=True)
    assert [20, 10, 10, 10] == sizes and 50 == kept.evaluations
    assert again.population.tolist() == kept.population.tolist()


def test_the_seed_decides() -> None:
    def last(seed: int) -> Generation:
        *_, generation = evolve(sphere, BOX, players=6, generations=4, mutate=gaussian(1.0), seed=seed)
        return generation

    assert last(1).population.tolist() == last(1).population.tolist()
    assert last(1).population.tolist() != last(2).population.tolist()


def test_a_given_start_is_taken_within_bounds() -> None:
    start = np.full((4, 5), 60.0)
    first = next(evolve(sphere, BOX, players=4, generations=1, mutate=gaussian(1.0), seed=1, start=start))

    assert (first.population == 50.0).all()


@pytest.mark.parametrize("players", [0, 1, 7])
def test_half_of_the_players_must_be_a_number(players: int) -> None:
    with pytest.raises(ValueError, match="even number"):
        next(evolve(sphere, BOX, players=players, generations=1, mutate=gaussian(1.0), seed=1))


def test_equals_keep_their_order() -> None:
    generation = CountedScore(sphere).ranked(0, np.arange(4.0)[:, None], np.array([1.0, 2.0, 1.0, 2.0]))

    assert [1.0, 3.0, 0.0, 2.0] == generation.population[:, 0].tolist()
    assert (2.0, 1.5, 0.5) == (generation.best_score, generation.mean_score, generation.spread)


def test_a_score_function_that_answers_something_else_is_named() -> None:
    with pytest.raises(ValueError, match="2 individuals have scores of shape"):
        evaluate(lambda population, number: np.zeros(3), np.zeros((2, 1)), 0)
    with pytest.raises(ValueError, match="individual 1 is nan"):
        evaluate(lambda population, number: np.array([0.0, np.nan]), np.zeros((2, 1)), 0)


def test_a_budget_ends_with_the_generation_that_spends_it() -> None:
    def spending() -> Iterator[Generation]:
        yield from michalewicz(sphere, BOX, generations=100)

    assert [20, 40, 60] == [generation.evaluations for generation in limit_evaluations(50, spending())]
