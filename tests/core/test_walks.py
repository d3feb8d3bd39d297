"""Positions in bulk: quiet ones near games, and those that searches evaluate."""

import numpy as np
import pytest

from okapi import brains
from okapi.core import Position
from okapi.core.labelling import evaluated_positions, random_walks
from okapi.core.packed import fens, pack

START = pack([Position.start()])


def test_positions_do_not_depend_on_the_number_of_threads() -> None:
    assert np.array_equal(random_walks(START, 9000, seed=4), random_walks(START, 9000, seed=4, threads=3))
    material = brains.evaluator("material")
    one, three = (evaluated_positions(material, START, 9000, nodes=200, threads=threads) for threads in (1, 3))
    assert np.array_equal(one, three)


def test_another_seed_gives_other_positions() -> None:
    assert not np.array_equal(random_walks(START, 500, seed=1), random_walks(START, 500, seed=2))


def test_walked_positions_are_quiet() -> None:
    for fen in fens(random_walks(START, 500, plies=20)):
        position = Position.from_fen(fen)
        assert not position.is_check(), fen
        for move in position.legal_moves():
            assert not (position.is_capture(move) and position.see(move) > 0), (fen, move)


def test_there_has_to_be_a_position() -> None:
    with pytest.raises(ValueError, match="no position"):
        random_walks(START[:0], 10)
