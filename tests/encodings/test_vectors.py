"""The vectors of sheehan2016 and the channels of sabatelli2018."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position
from okapi.core.packed import fens
from okapi.encodings import ENCODINGS

QUEEN_UP = "4k3/8/8/8/8/8/4P3/3QK3 b - - 0 1"


def test_a_number_for_each_square() -> None:
    vector = ENCODINGS["vector-64"].encode(Position.start()).reshape(8, 8)

    assert [4, 2, 3, 5, 6, 3, 2, 4] == vector[0].tolist()
    assert [1] * 8 == vector[1].tolist()
    assert [0] * 32 == vector[2:6].ravel().tolist()
    assert [10, 8, 9, 11, 12, 9, 8, 10] == vector[7].tolist()


def test_python_chess_would_write_the_same(positions: NDArray[np.void]) -> None:
    sample = positions[::500]
    for fen, vector in zip(fens(sample), ENCODINGS["vector-64"].encode_many(sample), strict=True):
        board = chess.Board(fen)
        pieces = [board.piece_at(square) for square in chess.SQUARES]

        assert [0 if p is None else p.piece_type + 6 * (not p.color) for p in pieces] == vector.tolist()


def test_the_piece_differential_is_whites() -> None:
    assert 10 == ENCODINGS["vector-65"].encode(Position.from_fen(QUEEN_UP))[64]


@pytest.mark.parametrize(("name", "queen", "king"), [("bitmap", 1, 1), ("algebraic", 9, 10)])
def test_the_sign_says_who_moves(name: str, queen: int, king: int) -> None:
    for fen, sign in ((QUEEN_UP, -1), (QUEEN_UP.replace(" b ", " w "), 1)):
        flat = ENCODINGS[f"{name}-768"].encode(Position.from_fen(fen))
        image = ENCODINGS[f"{name}-12x8x8"].encode(Position.from_fen(fen))

        assert flat.tolist() == image.ravel().tolist()
        assert sign * queen == image[4, 0, 3], "channel 4 is the white queen; the board stays as White sees it"
        assert (sign * king, -sign * king) == (image[5, 0, 4], image[11, 7, 4])
        assert 4 == np.count_nonzero(image)
