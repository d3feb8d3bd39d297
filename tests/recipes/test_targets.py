"""What a network is to say of a teacher's centipawns, and how that is read again."""

import numpy as np
import pytest

from okapi.brains.output import expected_scores
from okapi.core import Color, Value
from okapi.errors import UsageError
from okapi.recipes.targets import Target

VALUES = np.array([-1000, -150, 0, 149, 150, 1000])
WHITE, BLACK = np.zeros(6, np.uint8), np.ones(6, np.uint8)


def test_centipawns_are_worth_what_the_core_says() -> None:
    expected = [Value.from_centipawns(int(value), Color.WHITE).expected for value in VALUES]

    np.testing.assert_allclose(expected, expected_scores(VALUES))


def test_classes_are_those_of_whoever_looks() -> None:
    edges = [-150, 150]

    assert [0, 1, 1, 1, 2, 2] == Target.classes(edges, "mover").of(VALUES, BLACK).tolist()
    assert [2, 2, 1, 1, 1, 0] == Target.classes(edges, "white").of(VALUES, BLACK).tolist()
    assert Target.classes(edges, "white").of(VALUES, WHITE).dtype == np.int64


def test_a_class_is_worth_what_its_samples_are_worth() -> None:
    output = Target.classes([-150, 150, 5000]).output(VALUES, WHITE)

    scores = expected_scores(VALUES)
    assert {"form": "classes", "view": "mover", "edges": [-150.0, 150.0, 5000.0]}.items() <= output.items()
    np.testing.assert_allclose(output["values"][:3], [scores[0], scores[1:4].mean(), scores[4:].mean()], atol=1e-6)
    assert output["values"] == sorted(output["values"]) and output["values"][3] > 0.99


def test_numbers_and_scores() -> None:
    number = Target.number(-500, 1500)

    np.testing.assert_allclose(number.of(VALUES, WHITE), [0, 0.175, 0.25, 0.3245, 0.325, 0.75], atol=1e-6)
    assert {"form": "number", "view": "mover", "low": -500.0, "high": 1500.0} == number.output(VALUES, WHITE)
    np.testing.assert_allclose(Target.score("white").of(VALUES, BLACK), expected_scores(-VALUES), atol=1e-6)
    assert {"form": "score", "view": "white"} == Target.score("white").output(VALUES, BLACK)


@pytest.mark.parametrize("target", [Target.classes([1, 2.5], "white"), Target.number(-1, 1), Target.score()])
def test_there_and_back_as_json(target: Target) -> None:
    assert target == Target.from_json(target.as_json())


@pytest.mark.parametrize(
    "told",
    [
        {"form": "class", "edges": [1]},
        {"form": "classes"},
        {"form": "classes", "edges": [2, 1]},
        {"form": "number", "low": 1, "high": 1},
        {"form": "score", "view": "black"},
        {"form": "score", "edge": [1]},
    ],
)
def test_what_is_no_target_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Target.from_json(told)
