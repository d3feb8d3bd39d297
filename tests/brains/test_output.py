"""What the numbers that a network answers mean."""

import json

import images
import numpy as np
import pytest
from networks import NUMBER, SCORE

from okapi.brains.output import Output
from okapi.errors import InvalidBrain


def test_a_number_is_centipawns_between_low_and_high() -> None:
    output = Output.read(json.dumps(NUMBER))

    assert [-1500.0, 300.0] == output.centipawns(np.array([[0.0], [0.6]]), np.array([0, 1])).round().tolist()


def test_a_score_is_the_expected_score() -> None:
    output = Output.read(json.dumps(SCORE))
    raw = np.array([[0.5], [10 / 11], [0.0], [1.0]])

    assert [0.0, 400.0, -20000.0, 20000.0] == output.centipawns(raw, np.zeros(4)).round().tolist()
    assert [0.5, 10 / 11, 0.0, 1.0] == output.expected(raw, np.zeros(4)).tolist()


def test_classes_give_the_expectation_for_the_side_to_move() -> None:
    output = Output.read(json.dumps(images.CLASSES))
    answers = output.finish(np.log(np.array([[0.25, 0.25, 0.5], [0.25, 0.25, 0.5]], np.float32)))

    assert [[0.25, 0.25, 0.5]] * 2 == answers.round(6).tolist()
    assert [0.6, 0.4] == output.expected(answers, np.array([0, 1])).round(6).tolist()
    assert [70, -70] == output.centipawns(answers, np.array([0, 1])).round().tolist()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        "{}",
        '{"form": "number"}',
        '{"form": "number", "view": "mover", "low": 5, "high": 5}',
        '{"form": "number", "view": "mover", "low": -1e99, "high": 1e99}',
        '{"form": "number", "view": "mover", "low": NaN, "high": 1}',
        '{"form": "number", "view": "black", "low": 0, "high": 1}',
        '{"form": "classes", "view": "white"}',
        '{"form": "classes", "view": "white", "values": [0.5]}',
        '{"form": "classes", "view": "white", "values": [0.5, 2]}',
        '{"form": "classes", "view": "white", "values": [0.5, "x"]}',
        '{"form": "classes", "view": "white", "values": "many"}',
    ],
)
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(InvalidBrain) as caught:
        Output.read(text)

    assert caught.value.hint
