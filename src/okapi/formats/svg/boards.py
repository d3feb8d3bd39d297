"""Boards for HTML pages, as SVG: pieces and empty boards stand in a page once, and every board uses them."""

from collections.abc import Iterable
from html import escape
from math import hypot
from typing import Final

import chess.svg

from okapi.core import Color, Move, Position, Square

__all__ = ["BOARD_STYLE", "board", "board_parts"]

SQUARE: Final = 45
"""The size of a square, which is that of python-chess's pieces."""

BOARD_STYLE: Final = """
.parts { position: absolute; }
.board { --light: light-dark(#f0e3cb, #b9ab91); --dark: light-dark(#b98b5e, #7a5f44); display: block; width: 100%; }
.light-square, .on-dark { fill: var(--light); }
.dark-square, .on-light { fill: var(--dark); }
.on-light, .on-dark { font: 600 9px ui-sans-serif, system-ui, sans-serif; }
.board .arrow { opacity: .75; stroke-linecap: round; }
.board .arrow line { stroke-width: 7; }
.board .arrow polygon { stroke: none; }
"""
"""What a page says about boards; its `color-scheme` chooses. Classes of arrows are its own: it gives them colours.

What boards use is styled by classes alone: browsers differ about which ancestors such elements have.
"""


def board_parts() -> str:
    """What all boards of a page use, to stand in it once."""
    pieces = "".join(chess.svg.PIECES.values())
    empty = "".join(f'<g id="squares-{side.name.lower()}">{_squares(side)}</g>' for side in Color)
    return f'<svg class="parts" width="0" height="0" aria-hidden="true"><defs>{pieces}{empty}</defs></svg>'


def board(position: Position, arrows: Iterable[tuple[str, Move]] = ()) -> str:
    """A position as the side to move sees it; an arrow is a class and a move.

    >>> board(Position.start()).count('href="#white-pawn"')
    8
    """
    side = position.turn
    pieces = "".join(
        f'<use href="#{piece.color.name.lower()}-{piece.kind.name.lower()}" x="{x}" y="{y}"/>'
        for square, piece in position.pieces()
        for x, y in [_corner(square, side)]
    )
    drawn = "".join(_arrow(move, side, kind) for kind, move in arrows)
    return (
        f'<svg class="board" viewBox="0 0 360 360" role="img" aria-label="{escape(position.fen())}">'
        f'<use href="#squares-{side.name.lower()}"/>{pieces}{drawn}</svg>'
    )


def _corner(square: Square, side: Color) -> tuple[int, int]:
    """Where a square begins, on a board that `side` looks at."""
    file, rank = (square.file, 7 - square.rank) if side is Color.WHITE else (7 - square.file, square.rank)
    return SQUARE * file, SQUARE * rank


def _squares(side: Color) -> str:
    """An empty board with the names of files and ranks."""
    drawn = []
    for square in map(Square.at, range(64)):
        (x, y), name = _corner(square, side), str(square)
        shade = "light" if (square.file + square.rank) % 2 else "dark"
        drawn.append(f'<rect class="{shade}-square" x="{x}" y="{y}" width="45" height="45"/>')
        if x == 0:
            drawn.append(f'<text class="on-{shade}" x="2" y="{y + 9}">{name[1]}</text>')
        if y == 7 * SQUARE:
            drawn.append(f'<text class="on-{shade}" x="{x + 38}" y="357">{name[0]}</text>')
    return "".join(drawn)


def _arrow(move: Move, side: Color, kind: str) -> str:
    """From the middle of one square to the middle of another, with a head."""
    (x, y), (to_x, to_y) = (_middle(square, side) for square in (move.from_square, move.to_square))
    length = hypot(to_x - x, to_y - y)
    dx, dy = (to_x - x) / length, (to_y - y) / length
    neck_x, neck_y = to_x - 18 * dx, to_y - 18 * dy
    corners = ((to_x, to_y), (neck_x - 11 * dy, neck_y + 11 * dx), (neck_x + 11 * dy, neck_y - 11 * dx))
    head = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return (
        f'<g class="arrow {kind}"><line x1="{x:.1f}" y1="{y:.1f}" x2="{neck_x:.1f}" y2="{neck_y:.1f}"/>'
        f'<polygon points="{head}"/></g>'
    )


def _middle(square: Square, side: Color) -> tuple[float, float]:
    x, y = _corner(square, side)
    return x + SQUARE / 2, y + SQUARE / 2
