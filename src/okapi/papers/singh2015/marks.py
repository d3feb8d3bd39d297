"""
Marks of an exam: how a brain that predicts moves ranked what was played, by itself and with the rules.

A brain gives three distributions for a position: of the square that a piece comes from, of the square that the played
piece goes to, and of whole moves, which is the product of the two. Masking (section 3.3) sets to zero what cannot be:
squares without a piece of the mover, squares where the piece cannot go, moves that are not legal.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.move_prediction import Predictor
from okapi.core import Kind
from okapi.core.packed import legal_moves
from okapi.encodings import move_squares
from okapi.encodings.boards import EMPTY, moving_kinds, piece_codes
from okapi.encodings.singh2015 import CHANNELS
from okapi.papers.singh2015.exam import Exam

__all__ = ["MARK", "SAID", "loss", "mark"]

SAID: Final = np.dtype(
    [
        ("rank", "<u2"),  # of what was played; 1 is the first choice
        ("masked", "<u2"),  # the same among what can be
        ("squared", "<f4"),  # squared Euclidean distance between the distribution and the masked one
        ("chebyshev", "<f4"),  # the largest probability that is masked
        ("illegal", "?"),  # is the first choice one that cannot be?
    ]
)
"""What one distribution said about one position."""

MARK: Final = np.dtype(
    [
        ("piece", SAID),
        ("target", SAID),
        ("move", SAID),
        ("kind", "u1"),  # of the piece that moved, by its number in CHANNELS
        ("stuck", "?"),  # does the likeliest piece of the mover have no legal move?
        ("probability", "<f4"),  # of the played pair of squares among the legal ones
    ]
)
"""What a brain gets for one position. A promotion counts by its squares, whatever the pawn becomes."""

Floats = NDArray[np.float32]


def mark(brain: Predictor, exam: Exam) -> NDArray[np.void]:
    """A MARK for each position; the brain is told the mover's rating."""
    said = brain.squares(exam.positions, elo=exam.elos)
    rows = np.arange(len(exam))
    origin, target = move_squares(exam.moves)
    own, legal = _own(exam.positions), _legal(exam.positions)
    pairs = (said.origin[:, :, np.newaxis] * said.target).reshape(-1, 4096)
    masked = np.where(legal.reshape(-1, 4096), pairs, 0).sum(axis=1, dtype=np.float64)
    played = pairs[rows, origin * 64 + target]
    likeliest = np.where(own, said.origin, -1).argmax(axis=1)

    marks = np.zeros(len(exam), MARK)
    marks["piece"] = _said(said.origin, own, origin)
    marks["target"] = _said(said.target[rows, origin], legal[rows, origin], target)
    marks["move"] = _said(pairs, legal.reshape(-1, 4096), origin * 64 + target)
    marks["kind"] = _channels(moving_kinds(exam.positions, origin))
    marks["stuck"] = ~legal[rows, likeliest].any(axis=1)
    marks["probability"] = np.divide(played, masked, out=np.zeros_like(masked), where=masked > 0)
    return marks


def loss(marks: NDArray[np.void]) -> float | None:
    """The mean of minus the logarithm of the probability of what was played; a millionth is as good as nothing."""
    return float(-np.log(np.maximum(marks["probability"], 1e-6)).mean()) if len(marks) else None


def _said(probabilities: Floats, allowed: NDArray[np.bool_], played: NDArray[np.int64]) -> NDArray[np.void]:
    """Of one distribution for each position."""
    kept = np.where(allowed, probabilities, 0)
    lost = probabilities - kept
    said = np.zeros(len(probabilities), SAID)
    said["rank"] = _rank(probabilities, played)
    said["masked"] = _rank(kept, played)
    said["squared"] = np.square(lost, dtype=np.float64).sum(axis=1)
    said["chebyshev"] = lost.max(axis=1)
    said["illegal"] = ~np.take_along_axis(allowed, probabilities.argmax(axis=1)[:, np.newaxis], axis=1)[:, 0]
    return said


def _rank(probabilities: Floats, played: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of what was played. Among equals, those on earlier squares come first."""
    its = np.take_along_axis(probabilities, played[:, np.newaxis], axis=1)
    before = np.arange(probabilities.shape[1]) < played[:, np.newaxis]
    return np.asarray(1 + ((probabilities > its) | ((probabilities == its) & before)).sum(axis=1))


def _own(positions: NDArray[np.void]) -> NDArray[np.bool_]:
    """Squares where a piece of the mover stands."""
    codes = piece_codes(positions)
    return np.asarray((codes != EMPTY) & (codes & 1 == positions["turn"][:, np.newaxis]))


def _legal(positions: NDArray[np.void]) -> NDArray[np.bool_]:
    """Pairs of squares that a legal move joins: batch x 64 x 64."""
    moves = legal_moves(positions)
    origin, target = move_squares(moves.bits)
    allowed = np.zeros((len(positions), 64, 64), np.bool_)
    allowed[moves.rows, origin, target] = True
    return allowed


def _channels(kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Kinds as the thesis numbers them."""
    return np.array([CHANNELS.index(kind) for kind in Kind])[kinds]
