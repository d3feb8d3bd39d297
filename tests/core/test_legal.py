"""The legal moves of many positions, against those that each position lists by itself."""

import numpy as np
import pytest

from okapi.core import Move, Position
from okapi.core.packed import AT_ONCE, legal_moves, pack_fens, random_positions, unpack
from okapi.errors import OkapiError

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
CASTLING_960 = "5k2/8/8/8/8/8/8/1R3KR1 w GB - 0 1"


@pytest.mark.parametrize("threads", [1, 3])
def test_they_are_what_each_position_lists(threads: int) -> None:
    positions = np.concatenate([random_positions(300, seed=5), pack_fens([MATED, MOST_MOVES, CASTLING_960])])
    found = legal_moves(positions, threads=threads)
    wanted = [[move.bits for move in unpack(packed).legal_moves()] for packed in positions]

    assert [bits for moves in wanted for bits in moves] == found.bits.tolist()
    assert [len(moves) for moves in wanted] == np.diff(found.starts).tolist()
    assert [row for row, moves in enumerate(wanted) for _ in moves] == found.rows.tolist()


def test_more_positions_than_are_looked_at_together() -> None:
    found = legal_moves(np.repeat(pack_fens([Position.start().fen(), MATED]), AT_ONCE))

    assert (20 * AT_ONCE, 2 * AT_ONCE) == (len(found.bits), len(found.starts) - 1)
    assert 0 == len(legal_moves(random_positions(0, seed=1)).bits)


def test_a_move_is_made_of_its_bits() -> None:
    for move in Position.from_fen("1n2k2r/P7/8/8/8/8/8/4K3 w k - 0 1").legal_moves():
        assert move == Move.from_bits(move.bits)


def test_bytes_that_are_no_position_are_refused() -> None:
    with pytest.raises(OkapiError):
        legal_moves(np.zeros(3, random_positions(1, seed=1).dtype))
