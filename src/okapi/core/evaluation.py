"""Evaluators and move networks over many positions at once."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import _core
from okapi.core._core import Evaluator, RawBrain
from okapi.core.packed import LegalMoves, rows
from okapi.core.search import check_least, known_heuristics
from okapi.errors import InvalidBrain

FACTORS: Final[tuple[str, ...]] = tuple(_core.factor_names())
"""The factors of linear-28 and linear-35 brains, in the order of their tensors."""

AT_ONCE: Final = 8192
"""Moves between two checks for Ctrl-C: at one ply a fraction of a second."""


def choose(
    evaluators: Sequence[Evaluator],
    positions: NDArray[np.void],
    *,
    depth: int = 1,
    without: Sequence[str] = (),
    threads: int = 1,
) -> NDArray[np.uint16]:
    """Move.bits of what each evaluator chooses in each packed position, by a search of `depth` plies and quiescence.

    It depends on evaluator and position alone; 0 where no move is legal. One row an evaluator, one column a position.
    """
    check_least(1, depth=depth)
    listed, switched_off = list(evaluators), known_heuristics(without)
    parts = [np.zeros((len(listed), 0), np.uint16)]
    for some in _in_parts(positions, AT_ONCE // max(1, len(listed))):
        parts.append(np.zeros((len(listed), len(some)), np.uint16))
        _core.choose_moves(listed, rows(some), parts[-1], depth=depth, without=switched_off, threads=threads)
    return np.concatenate(parts, axis=1)


def _in_parts(positions: NDArray[np.void], count: int) -> Iterator[NDArray[np.void]]:
    step = max(1, count)
    return (positions[begin : begin + step] for begin in range(0, len(positions), step))


def solve(
    evaluators: Sequence[Evaluator], positions: NDArray[np.void], moves: ArrayLike, *, without: Sequence[str] = ()
) -> NDArray[np.bool_]:
    """Where each evaluator chooses the given move (Move.bits) at a depth of one ply. See choose()."""
    wanted = np.asarray(moves, np.uint16)
    if wanted.shape != (len(positions),):
        raise ValueError(f"there are {len(positions)} positions and moves of shape {wanted.shape}")
    return np.equal(choose(evaluators, positions, without=without), wanted)


def evaluate(evaluators: Sequence[Evaluator], positions: NDArray[np.void], *, threads: int = 1) -> NDArray[np.int32]:
    """The value of each packed position by each evaluator, without search: centipawns for the side to move."""
    listed = list(evaluators)
    values = np.empty((len(listed), len(positions)), np.int32)
    _core.evaluate_positions(listed, rows(positions), values, threads)
    return values


def outputs(brain: RawBrain, positions: NDArray[np.void], *, threads: int = 1) -> NDArray[np.float32]:
    """The outputs of an MLP for packed positions, one row each: probabilities of classes, or one number."""
    network = Evaluator.from_brain(brain)
    count = _core.count_outputs(network)
    if count == 0:
        hint = "choose a brain of kind `mlp`"
        raise InvalidBrain(f"brain `{brain.name}` of kind `{brain.kind}` has no outputs", hint=hint)
    parts = [np.zeros((0, count), np.float32)]
    for some in _in_parts(positions, AT_ONCE):
        parts.append(np.empty((len(some), count), np.float32))
        _core.network_answers(network, rows(some), parts[-1], threads)
    return np.concatenate(parts)


def factors(positions: NDArray[np.void], *, threads: int = 1) -> NDArray[np.int32]:
    """FACTORS of packed positions, a row each, mover less opponent; a value is the sum of weight * factor / divisor."""
    array = np.empty((len(positions), len(FACTORS)), np.int32)
    _core.position_factors(rows(positions), array, threads)
    return array


def priors(brain: RawBrain, positions: NDArray[np.void], legal: LegalMoves, *, threads: int = 1) -> NDArray[np.float32]:
    """The probability of each of `legal`, the moves of packed positions: InvalidBrain if this is no move network."""
    found = np.empty(len(legal.bits), np.float32)
    _core.move_priors(brain, rows(positions), legal.starts, legal.bits, found, threads)
    return found


def move_columns(positions: NDArray[np.void], legal: LegalMoves, *, threads: int = 1) -> NDArray[np.uint16]:
    """The columns of `legal`, the moves of packed positions, in the first layer of our move networks: 15 a move."""
    found = np.empty((len(legal.bits), _core.MOVE_QUESTIONS), np.uint16)
    _core.move_columns(rows(positions), legal.starts, legal.bits, found, threads)
    return found
