"""Moves as tensors are those of the core, on the mover's squares."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.core import Move  # noqa: E402
from okapi.core.packed import legal_moves as core_moves  # noqa: E402
from okapi.core.packed import pack_fens, random_positions, rows, unpack  # noqa: E402
from okapi.models.move_features import boards, legal_moves  # noqa: E402

SPECIAL = (
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "r3k2r/8/8/8/8/6n1/8/RN2K2R w KQkq - 0 1",  # one wing is looked at, the other blocked
    "r3k2r/8/8/4R3/8/8/8/4K3 b kq - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1",  # taking in passing would uncover the king
    "8/8/8/2k5/3Pp3/8/8/3K4 b - d3 0 1",
    "1n5k/P1P5/8/8/8/8/8/K7 w - - 0 1",
    "4k3/8/8/8/7b/8/5P2/4K2q w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",  # Chess960
    "6kr/8/8/8/8/8/8/6KR b Hh - 0 1",
)


@pytest.fixture(scope="module")
def positions() -> np.ndarray:
    torch.set_num_threads(1)
    return np.concatenate([pack_fens(SPECIAL), random_positions(600, seed=2)])


def test_moves_are_those_of_the_core(positions: np.ndarray) -> None:
    on = boards(torch.from_numpy(rows(positions).copy()))
    found, expected = legal_moves(on), core_moves(positions)

    assert bool((found.rows.diff() >= 0).all())
    pairs = sorted(zip(found.rows.tolist(), found.bits(on.black).tolist(), strict=True))
    assert pairs == sorted(zip(expected.rows.tolist(), expected.bits.tolist(), strict=True))


def test_moves_give_check_where_the_core_says_so(positions: np.ndarray) -> None:
    on = boards(torch.from_numpy(rows(positions).copy()))
    found = legal_moves(on)
    moves = list(zip(found.rows.tolist(), found.bits(on.black).tolist(), found.checks.tolist(), strict=True))

    assert sum(checks for _, _, checks in moves) > 100
    for row, bits, checks in [*moves[:400], *moves[400::10]]:
        assert checks == unpack(positions[row]).gives_check(Move.from_bits(bits))
