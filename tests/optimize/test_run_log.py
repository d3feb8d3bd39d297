from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from known_peaks import BOX, sphere

from okapi.errors import UsageError
from okapi.optimize.evolution import evolve, gaussian
from okapi.optimize.population import FloatArray, Generation, Score
from okapi.optimize.run_log import EvaluationCache

ABOUT = {"recipe": "toy", "seed": 1, "settings": {"sigma": 0.5}}


class Counting:
    """A score function that knows how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, population: FloatArray, number: int) -> FloatArray:
        self.asked += 1
        return sphere(population, number) / 3.0


def learner(score: Score) -> Iterator[Generation]:
    return evolve(score, BOX, players=6, generations=5, mutate=gaussian(2.0), seed=1)


def written(generations: Iterator[Generation]) -> list[object]:
    return [(now.number, now.population.tolist(), now.scores.tolist(), now.evaluations) for now in generations]


def test_a_learner_that_was_killed_goes_on_to_the_same_generations(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    list(islice(learner(EvaluationCache(path, Counting(), ABOUT)), 3))
    path.write_bytes(path.read_bytes() + b'{"call":3,"popul')
    second = Counting()
    cache = EvaluationCache(path, second, ABOUT)

    assert cache.replaying
    assert written(learner(Counting())) == written(learner(cache))
    assert (3, 6, False) == (second.asked, cache.calls, cache.replaying)


def test_an_answer_is_on_disk_before_it_is_given(tmp_path: Path) -> None:
    cache = EvaluationCache(tmp_path / "tape.jsonl", Counting(), ABOUT)
    scores = cache(np.ones((2, 5)), 0)
    again = EvaluationCache(tmp_path / "tape.jsonl", _never, ABOUT)

    assert scores.tolist() == again(np.ones((2, 5)), 0).tolist()


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    EvaluationCache(tmp_path / "tape.jsonl", Counting(), ABOUT)(np.ones((2, 5)), 0)

    with pytest.raises(UsageError, match="is of another run: settings differ"):
        EvaluationCache(tmp_path / "tape.jsonl", Counting(), {**ABOUT, "settings": {"sigma": 0.6}})


@pytest.mark.parametrize(
    ("population", "number"), [(np.full((2, 5), 1.0 + 1e-15), 0), (np.ones((1, 10)), 0), (np.ones((2, 5)), 1)]
)
def test_another_question_is_not_answered_from_the_tape(population: FloatArray, number: int, tmp_path: Path) -> None:
    EvaluationCache(tmp_path / "tape.jsonl", Counting(), ABOUT)(np.ones((2, 5)), 0)

    with pytest.raises(UsageError, match="call 0 has another population"):
        EvaluationCache(tmp_path / "tape.jsonl", _never, ABOUT)(population, number)


def test_a_tape_whose_first_line_was_cut_begins_again(tmp_path: Path) -> None:
    (tmp_path / "tape.jsonl").write_bytes(b'{"recipe":"to')

    assert not EvaluationCache(tmp_path / "tape.jsonl", Counting(), ABOUT).replaying
    assert (tmp_path / "tape.jsonl").read_bytes().startswith(b'{"recipe":"toy"')


def test_a_damaged_tape_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "tape.jsonl").write_bytes(b'{"recipe"\n{}\n')

    with pytest.raises(UsageError, match="damaged"):
        EvaluationCache(tmp_path / "tape.jsonl", Counting(), ABOUT)


def _never(population: FloatArray, number: int) -> FloatArray:
    raise AssertionError("the cache knows the answer")
