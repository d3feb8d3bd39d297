"""Without shortcuts, the search looks at every move: held against a slow twin that has nothing but the definition."""

import chess
import pytest

from okapi.brains import load
from okapi.core import Evaluator, Limits, Position
from okapi.core.search import Search
from okapi.recipes.exercises import PLAIN

WORTH = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}

POSITIONS = [
    "6k1/5ppp/8/8/1b6/8/r4PPP/1R4K1 w - - 0 1",
    "8/5k2/3r4/8/2B5/4K3/3R4/8 b - - 0 1",
    "R7/8/8/3b4/2N4K/p2kp3/8/8 w - - 0 1",
    "8/4k3/1p2b3/1P6/8/5p2/8/5nK1 w - - 0 1",
    "3R4/5R2/1rk4b/p7/P6p/1R2p2K/8/4N3 b - - 0 1",
    "2k5/5R2/rP1P3b/p7/P6p/4p3/1R4K1/4N3 w - - 0 1",
    "3k1BN1/N7/P7/6PP/5b2/1Pp1r3/6KR/8 b - - 0 1",
]
"""Of most, the value is another if one answer to check or one check that loses a piece is left out."""


def static(board: chess.Board) -> int:
    mine = sum(WORTH[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values())
    return mine if board.turn else -mine


def negamax(board: chess.Board, depth: int, alpha: float, beta: float) -> float:
    if depth == 0:
        return quiesce(board, alpha, beta, 0)
    best = -100_000.0
    for move in board.legal_moves:
        board.push(move)
        best = max(
            best, 0 if board.is_insufficient_material() else -negamax(board, depth - 1, -beta, -max(alpha, best))
        )
        board.pop()
        if best >= beta:
            break
    return best


def quiesce(board: chess.Board, alpha: float, beta: float, ply: int) -> float:
    """Captures and promotions to a queen; all moves in check; at the first ply also all checks."""
    in_check = board.is_check()
    best = -50_000.0 if in_check else static(board)
    for move in board.legal_moves:
        if best >= beta:
            break
        noisy = board.is_capture(move) or move.promotion == chess.QUEEN
        if in_check or noisy or (ply == 0 and board.gives_check(move)):
            board.push(move)
            drawn = board.is_insufficient_material()
            best = max(best, 0 if drawn else -quiesce(board, -beta, -max(alpha, best), ply + 1))
            board.pop()
    return best


@pytest.mark.parametrize(("fen", "depth"), [*((fen, 1) for fen in POSITIONS), (POSITIONS[0], 2), (POSITIONS[1], 2)])
def test_it_has_the_value_of_a_search_that_leaves_nothing_out(fen: str, depth: int) -> None:
    search = Search(Evaluator.from_brain(load("material")), without=(*PLAIN, "table"))

    found = search.run(Position.from_fen(fen), Limits(depth=depth)).value

    expected = negamax(chess.Board(fen), depth, -200_000, 200_000)
    assert abs(expected) < 10_000 and found.mate is None
    assert expected == found.centipawns
