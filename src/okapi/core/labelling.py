"""Labels in bulk: by another engine over UCI, or by searches of an evaluator."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import _core
from okapi.core._core import EngineFailure as EngineFailure
from okapi.core._core import Evaluator
from okapi.core.packed import POSITION, in_bytes, rows
from okapi.core.samples import LINE
from okapi.core.search import check_least

LABEL: Final = np.dtype(
    [
        ("value", "<i2"),  # centipawns for the side to move, or NO_VALUE
        ("move", "<u2"),  # Move.bits
        ("nodes", "<u4"),
        ("wdl", "<u2", 3),  # win, draw, loss in thousandths for the side to move; zeros: unknown
        ("depth", "u1"),
        ("unused", "u1"),
    ]
)
"""A teacher's label of a position; cpp/okapi/uci/info_reader.h has the same bytes."""


@dataclass(frozen=True, slots=True)
class LabelRun:
    labels: NDArray[np.void]
    """LABEL, for the positions that were answered."""
    lines: NDArray[np.void]
    """LINE, so many for each of them."""
    failure: EngineFailure
    """What happened at the next position, if anything."""
    message: bytes
    """The answer that was no move, or the last of stderr."""


def label_positions(
    streams: tuple[int, int, int],
    positions: NDArray[np.void],
    *,
    go: str,
    lines: int = 1,
    chess960: bool = False,
    forget: bool = False,
    ahead: int = 0,
    timeout: float = 60.0,
) -> LabelRun:
    """Label each POSITION by the engine behind three pipes (stdin, stdout, stderr) with `go`.

    With `forget`, each starts with empty tables. `ahead` requests are sent before the last one is answered; each
    answer has `timeout` seconds. Not on Windows, where pipes cannot be polled.
    """
    labels = np.zeros(len(positions), LABEL)
    found = np.zeros((len(positions), lines), LINE)
    room = {"labels": in_bytes(labels), "lines": in_bytes(found)}
    raw = _core.label_positions(
        streams, rows(positions), go=go, chess960=chess960, forget=forget, ahead=ahead, timeout=timeout, **room
    )
    return LabelRun(labels[: raw.answered], found[: raw.answered], raw.failure, raw.message)


def play_random_moves(positions: NDArray[np.void], choices: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Play one legal move in each POSITION of an array: number `choices` of them, modulo their count.

    The array is changed. Of each position: was there a move at all?
    """
    moved = np.empty(len(positions), np.bool_)
    _core.play_random_moves(rows(positions), np.ascontiguousarray(choices, np.uint64), moved)
    return moved


def best_moves(
    evaluator: Evaluator, positions: NDArray[np.void], *, nodes: int, threads: int = 1
) -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
    """Move.bits of what a search of `nodes` nodes finds best in each POSITION, and its value as play_tdleaf() has them.

    Each is searched on its own, without endgame tables. 0 where no move is legal.
    """
    check_least(1, nodes=nodes)
    moves, values = np.zeros(len(positions), np.uint16), np.zeros(len(positions), np.int32)
    _core.best_moves(evaluator, rows(positions), moves, values, nodes=nodes, threads=threads)
    return moves, values


def internal_nodes(
    evaluator: Evaluator, positions: NDArray[np.void], *, nodes: int, each: int, seed: int, threads: int = 1
) -> tuple[NDArray[np.void], NDArray[np.intp]]:
    """POSITIONs that searches of `nodes` nodes look into, and the number of the root below which each was found.

    Of each search so many as `each` says, all different, drawn evenly among those whose moves it tried: the root is one
    of them, quiescence does not count, and after a null move it is the other side's turn. Of a search that looks into
    fewer, all of them.
    """
    check_least(1, nodes=nodes, each=each)
    drawn = np.zeros((len(positions), each), POSITION)
    counts = np.zeros(len(positions), np.uint32)
    _core.inner_nodes(evaluator, rows(positions), in_bytes(drawn), counts, nodes=nodes, seed=seed, threads=threads)
    roots, places = np.nonzero(np.arange(each) < counts[:, np.newaxis])
    return drawn[roots, places], roots


ITERATION_FEATURES: Final = ("depth", "moves", "stable for", "just changed", "changes", "effort", "fallen", "grown")
"""The features of an iteration, each about as large as 1; cpp/okapi/search/time_manager.cpp makes them."""

ITERATION: Final = np.dtype(
    {
        "names": ["features", "nodes", "usual", "best", "depth"],
        "formats": [("<f4", len(ITERATION_FEATURES)), "<u8", "<f4", "<u2", "<u2"],
    }
)
"""A finished depth: its features, the nodes until then, the share of the optimum time after which the rule stops,
and Move.bits of the best move. `depth` is 0 where the search was over before."""

DEPTHS: Final = 40
"""Of a search, at most."""


def record_iterations(
    evaluator: Evaluator, positions: NDArray[np.void], *, nodes: int, threads: int = 1
) -> NDArray[np.void]:
    """Search each POSITION with so many nodes: ITERATIONs, one row a position, one column a depth."""
    iterations = np.zeros((len(positions), DEPTHS), ITERATION)
    _core.record_iterations(evaluator, rows(positions), in_bytes(iterations), nodes=nodes, threads=threads)
    return iterations


def random_walks(
    positions: NDArray[np.void], count: int, *, plies: int = 7, seed: int = 1, threads: int = 1
) -> NDArray[np.void]:
    """So many quiet POSITIONs on and beside random walks of up to `plies` legal moves from random ones of the array.

    Quiet: nobody is in check, and no capture or promotion wins material. Every position has to have a legal move.
    """
    found = _room(positions, count)
    _core.random_walks(rows(positions), rows(found), plies=plies, seed=seed, threads=threads)
    return found


def evaluated_positions(
    evaluator: Evaluator,
    positions: NDArray[np.void],
    count: int,
    *,
    nodes: int = 1000,
    one_in: int = 2,
    seed: int = 1,
    threads: int = 1,
) -> NDArray[np.void]:
    """So many POSITIONs that searches of `nodes` nodes from random ones of the array evaluate: one in `one_in`."""
    found, how = _room(positions, count), {"nodes": nodes, "one_in": one_in, "seed": seed, "threads": threads}
    _core.evaluated_positions(evaluator, rows(positions), rows(found), **how)
    return found


def _room(positions: NDArray[np.void], count: int) -> NDArray[np.void]:
    if not len(positions):
        raise ValueError("there is no position to begin with")
    return np.zeros(count, POSITION)
