"""Heat maps, likely moves and maps of positions as pages get them."""

from collections import defaultdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.atlas import Atlas
from okapi.brains.prediction import Squares
from okapi.core import Game, Move, Position, Square
from okapi.core.packed import pack
from okapi.web.views import landing

__all__ = ["felt_view", "map_view", "walk_view"]

LEAST: Final = 0.0005
"""Shares below this are not shown."""

MOST_DOTS: Final = 6000
"""Dots of a map that a page draws."""

SIDE: Final = 1000
"""Maps are squares of so many units."""

Likely = list[tuple[Move, float]]


def felt_view(position: Position, squares: Squares, moves: Likely) -> dict[str, Any]:
    """What a brain says of one position: two pairs of heat maps, and the legal moves, likeliest first.

    `masked` counts legal moves only, `said` is what the networks say, `astray` how much of that is no legal move.
    """
    origin, target = squares.origin[0], squares.target[0]
    own = _standing(position)
    kept = {(move.from_square.index, landing(move).index) for move, _ in moves}
    return {
        "masked": _masked(moves),
        "said": {
            "origin": _heat(origin),
            "targets": {str(Square.at(start)): _heat(target[start]) for start in sorted(own)},
        },
        "astray": round(max(0.0, 1.0 - float(sum(origin[start] * target[start][end] for start, end in kept))), 4),
        "moves": [
            {
                "uci": position.uci(move),
                "san": position.san(move),
                "squares": [str(move.from_square), str(landing(move))],
                "share": round(float(share), 4),
            }
            for move, share in moves
        ],
    }


def map_view(atlas: Atlas) -> dict[str, Any]:
    """The dots of a map, thinned out evenly, and how the side to move stands at each, from 0 to 100."""
    some = np.linspace(0, len(atlas.points) - 1, min(len(atlas.points), MOST_DOTS)).astype(int)
    return {
        "points": _placed(atlas, atlas.points[some]),
        "values": np.rint(100 * atlas.values[some]).astype(int).tolist(),
    }


def walk_view(atlas: Atlas, game: Game) -> list[list[int]]:
    """Where each position of a game lies, the start first."""
    passed = [position.copy() for position, _ in game.positions()]
    return _placed(atlas, atlas.place(pack([*passed, game.last])))


def _masked(moves: Likely) -> dict[str, Any]:
    """Shares of pieces and, for each of them, of the squares it may go to, as the legal moves have them."""
    origin: dict[str, float] = defaultdict(float)
    targets: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for move, share in moves:
        start, end = str(move.from_square), str(landing(move))
        origin[start] += share
        targets[start][end] += share
    return {
        "origin": {start: round(share, 4) for start, share in origin.items()},
        "targets": {
            start: {end: round(share / max(origin[start], 1e-12), 4) for end, share in ends.items()}
            for start, ends in targets.items()
        },
    }


def _heat(shares: NDArray[np.float32]) -> dict[str, float]:
    return {str(Square.at(int(at))): round(float(shares[at]), 4) for at in np.flatnonzero(shares >= LEAST)}


def _standing(position: Position) -> set[int]:
    """Squares with a piece of the side to move, whether it can move or not."""
    return {square.index for square, piece in position.pieces() if piece.color == position.turn}


def _placed(atlas: Atlas, points: NDArray[np.float32]) -> list[list[int]]:
    """In units of the map that the page draws, upwards as in a plot, the same along both sides."""
    low, high = atlas.points.min(axis=0), atlas.points.max(axis=0)
    span = max(float((high - low).max()), 1e-9)
    spare = (1 - (high - low) / span) / 2
    scaled = np.clip((points - low) / span + spare, 0, 1)
    scaled[:, 1] = 1 - scaled[:, 1]
    found: list[list[int]] = np.rint(SIDE * scaled).astype(int).tolist()
    return found
