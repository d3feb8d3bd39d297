"""Features of legal moves, for move networks.

`giraffe-moves-15` is the thesis' (lai2015, section 6.1): piece, squares, promotion and rank, as numbers.
`giraffe-moves-20` has captures, checks, exchanges and the number of moves besides. `okapi-moves` has fifteen
categorical features with a column for every value, so a move is fifteen columns: who attacks its squares, what is
captured, threatened from there, left undefended. The core finds them: cpp/okapi/eval/giraffe/move_features.
"""

from itertools import pairwise
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Move
from okapi.core.evaluation import move_columns
from okapi.core.packed import LegalMoves, unpack
from okapi.encodings import move_features

LETTER: Final = (
    "giraffe-moves-15"  # the thesis' numbers, the last of them the rank; moves are scored alone, in two passes
)
PROGRAM: Final = "giraffe-moves-20"  # the same, and five that Giraffe's program had besides
OURS: Final = "okapi-moves"  # columns; moves are compared with each other, in one pass

QUESTIONS: Final = {
    "from": (6, 64),  # kind, square
    "to": (6, 64),  # kind, square
    "takes": (6, 7),  # kind, what it takes
    "target": (6, 7, 3),  # kind, the enemy's least attacker there, other friends there
    "origin": (6, 7, 2),  # kind, the enemy's least attacker here, any friend here
    "exchange": (7, 4, 3),  # what it takes, enemies there, other friends there
    "promotion": (5,),  # none, knight, bishop, rook, queen
    "check": (6, 2, 2),  # kind, does it give check, is the mover in check
    "attacks": (6, 6),  # kind, the best enemy it attacks from there: none, pawn … queen
    "threatens": (6, 6),  # the same among those that are dearer than itself or that nobody defends
    "leaves": (6, 6),  # kind, the best friend under attack that only it defended
    "mobility": (6, 8),  # kind, half the number of squares it attacks from there
    "danger": (6, 2, 2),  # the mover's best piece in danger, is that what moves, does it take anything
    "pawn": (17,),  # of a pawn: is it passed there, on which rank; else the last one
    "king": (6, 8),  # kind, steps from there to the enemy's king
}
"""The features and the number of values of each; a feature of several parts has a number for each part.

Squares and ranks are the mover's. Kinds are those before the move, but what a piece does from its new square it does as
what it is promoted to. Among kinds, 6 stands for no piece.
"""

FEATURES: Final = {LETTER: 15, PROGRAM: 20, OURS: sum(map(prod, QUESTIONS.values()))}

MANY_MOVES: Final = 64


def encoded_moves(name: str, positions: NDArray[np.void], legal: LegalMoves, *, threads: int = 1) -> NDArray[Any]:
    """A row for each legal move of packed positions: int16 columns, or float32 numbers without the rank."""
    if name == OURS:
        return move_columns(positions, legal, threads=threads).view(np.int16)
    plain = move_features(positions[legal.rows], legal.bits)[:, :-1]
    return plain if name == LETTER else np.concatenate([plain, exchange_features(positions, legal)], axis=1)


def exchange_features(positions: NDArray[np.void], legal: LegalMoves) -> NDArray[np.float32]:
    """Captures? Checks? Does the exchange on its square win, does it lose? How many legal moves are there? k x 5."""
    found = []
    for row, (begin, end) in zip(positions, pairwise(legal.starts.tolist()), strict=True):
        board, share = unpack(row), (end - begin) / MANY_MOVES
        for move in map(Move.from_bits, legal.bits[begin:end].tolist()):
            won = board.see(move)
            found.append((board.is_capture(move), board.gives_check(move), won > 0, won < 0, share))
    return np.array(found, np.float32).reshape(-1, 5)
