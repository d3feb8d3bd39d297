"""Brains that predict moves: what they say about squares, and what becomes of it when the rules are laid over it."""

import sys
from pathlib import Path

import images
import numpy as np
import pytest
from networks import SHARES, write_mover, write_seven
from numpy.typing import NDArray

from okapi.brains import evaluator, is_native, predictor, predicts_moves
from okapi.core import Kind, Position
from okapi.core.packed import random_positions, unpack
from okapi.errors import WrongBrain

POSITIONS = random_positions(400, seed=3)[::8]
CASTLING_960 = "5k2/8/8/8/8/8/8/5K1R w H - 0 1"
"""The king may step to g1, and castle there."""


@pytest.fixture(scope="module", params=["mover", "seven", "plain"])
def brain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("brains")
    if request.param == "mover":
        return str(write_mover(folder, encoding="planes-12+elo+outcome"))
    return str(write_seven(folder, piece_layer=request.param == "seven", name=request.param))


class TestTheDoor:
    def test_it_tells_who_predicts_and_who_judges(self, brain: str, tmp_path: Path) -> None:
        judge = str(images.write(tmp_path))

        assert (True, False) == (predicts_moves(brain), predicts_moves(judge))
        assert not is_native(brain)
        with pytest.raises(WrongBrain, match="does not judge positions") as wrong:
            evaluator(brain)
        assert "okapi moves" in wrong.value.hint
        with pytest.raises(WrongBrain, match="does not predict moves"):
            predictor(judge)


class TestSquares:
    def test_each_origin_and_each_target_is_a_distribution(self, brain: str) -> None:
        said = predictor(brain).squares(POSITIONS)

        np.testing.assert_allclose(said.origin.sum(axis=1), 1, atol=1e-5)
        for row, packed in enumerate(POSITIONS):
            position = unpack(packed)
            own = [square.index for square, piece in position.pieces() if piece.color is position.turn]
            np.testing.assert_allclose(said.target[row, own].sum(axis=1), 1, atol=1e-5)

    def test_the_rating_is_a_dial(self, brain: str) -> None:
        asked = predictor(brain)
        low, high, each = (
            asked.squares(POSITIONS, elo=elo).origin for elo in (2000, 2800, [2000, 2800] * (len(POSITIONS) // 2))
        )

        assert "elo" in asked.dials
        assert np.abs(low - high).max() > 1e-4
        np.testing.assert_allclose(each[::2], low[::2], atol=1e-6)
        np.testing.assert_allclose(each[1::2], high[1::2], atol=1e-6)


class TestMoves:
    def test_they_are_the_legal_ones_by_the_product_of_the_squares(self, brain: str) -> None:
        """Position by position, as section 3.3 tells it."""
        asked = predictor(brain)
        said, found = asked.squares(POSITIONS), asked.moves(POSITIONS)
        for row, packed in enumerate(POSITIONS):
            wanted = _masked(unpack(packed), said.origin[row], said.target[row])
            assert wanted.keys() == {move.bits for move, _ in found[row]}
            got = [probability for _, probability in found[row]]
            np.testing.assert_allclose([wanted[move.bits] for move, _ in found[row]], got, atol=1e-5)
            assert sorted(got, reverse=True) == got


def _masked(position: Position, origin: NDArray[np.float32], target: NDArray[np.float32]) -> dict[int, float]:
    said = {}
    for move in position.legal_moves():
        goes_to = move.to_square.index
        if move.castles:
            goes_to = (goes_to & 56) + (6 if goes_to > move.from_square.index else 2)
        promoted = dict(zip((Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT), SHARES, strict=True))
        share = 1.0 if move.promotion is None else promoted[move.promotion]
        said[move.bits] = share * float(origin[move.from_square.index]) * float(target[move.from_square.index, goes_to])
    return {bits: probability / sum(said.values()) for bits, probability in said.items()}


def test_the_door_stays_a_door(brain: str) -> None:
    """A module of its name would take its place as soon as somebody imports it."""
    predictor(brain)

    assert callable(vars(sys.modules["okapi.brains"])["predictor"])
