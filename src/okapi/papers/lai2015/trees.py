"""Figures 5 and 6: the trees that searches of different shapes grow from the same position."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator, move_prior
from okapi.core import Position
from okapi.core.trees import Tree, grow
from okapi.papers.lai2015.cast import CAST, Cast, cast
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size

__all__ = ["POSITIONS", "below_move", "trees"]

POSITIONS: Final = {
    "check": ("r1bq1rk1/pppn1ppp/4pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8", "d3h7"),
    "queens": ("r1bq1rk1/ppp2ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 8", "d1d8"),
}
"""White may sacrifice a bishop with check, or exchange queens; the boards of the figures are lost."""

NODES: Final[dict[Size, int]] = {"tiny": 300, "quick": 10_000, "full": 100_000}
WAYS: Final[dict[str, tuple[str, ...]]] = {"naive": ("all",), "best": ()}
"""Heuristics that a search is without."""
DRAWN: Final = 600
"""Nodes that a picture has room for: those nearest to the root."""


def trees(lab: Lab) -> dict[str, Any]:
    """For each position and shape: how many nodes lie below one move and below the others, how deep, and a drawing."""
    chosen = lab.chosen("trees", {**CAST, "nodes": NODES[lab.size]})
    who = cast(lab, chosen)
    if isinstance(who, str):
        return {"skipped": who}
    return {
        "brain": who.brain,
        "nodes": chosen["nodes"],
        "positions": [_position(who, key, chosen["nodes"]) for key in POSITIONS],
    }


def _position(who: Cast, key: str, nodes: int) -> dict[str, Any]:
    fen, text = POSITIONS[key]
    position = Position.from_fen(fen)
    move = position.move(text)
    shapes = ("depth", "even", "shares") if who.moves is None else ("depth", "even", "shares", "learned")
    return {
        "key": key,
        "fen": fen,
        "san": position.san(move),
        "ways": {
            way: {shape: _told(_grown(who, shape, position, nodes, without), move.bits) for shape in shapes}
            for way, without in WAYS.items()
        },
    }


def _grown(who: Cast, shape: str, position: Position, nodes: int, without: tuple[str, ...]) -> Tree:
    asked = move_prior(who.moves) if shape == "learned" and who.moves is not None else None
    return grow(evaluator(who.brain), position, shape=shape, nodes=nodes, moves=asked, without=without, most=nodes)


def _told(tree: Tree, move: int) -> dict[str, Any]:
    parents, plies = tree.parent.astype(np.int64), tree.ply.astype(np.int64)
    below = below_move(parents, np.flatnonzero((plies == 1) & (tree.move == move)))
    others = ~below & (plies > 0)
    return {
        "nodes": len(plies),
        "by_ply": np.bincount(plies).tolist(),
        "branch": _counted(plies, below),
        "others": _counted(plies, others),
        "drawn": _drawn(parents, plies, below),
    }


def _counted(plies: NDArray[np.int64], which: NDArray[np.bool_]) -> dict[str, Any]:
    return {"nodes": int(which.sum()), "deepest": int(plies[which].max()) if which.any() else 0}


def below_move(parents: NDArray[np.int64], roots: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Those roots and everything that grows from them. A parent stands before its children."""
    found = np.zeros(len(parents), np.bool_)
    found[roots] = True
    for node in range(1, len(parents)):
        found[node] |= found[parents[node]]
    return found


def _drawn(parents: NDArray[np.int64], plies: NDArray[np.int64], below: NDArray[np.bool_]) -> list[list[int]]:
    """Of the nodes nearest to the root: parent, ply, and whether it lies below the move; parents numbered anew."""
    chosen = np.sort(np.argsort(plies, kind="stable")[:DRAWN])
    number = {int(node): new for new, node in enumerate(chosen)}
    return [[number[int(parents[node])] if plies[node] else -1, int(plies[node]), int(below[node])] for node in chosen]
