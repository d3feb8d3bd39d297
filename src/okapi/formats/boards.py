"""Boards for HTML pages, as SVG: pieces and empty boards stand in a page once, and every board uses them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import hypot
from pathlib import Path
from typing import Final

import chess.svg

from okapi.core import Color, Move, Position, Square

SQUARE: Final = 45  # the size of a square, which is that of python-chess's pieces

BOARD_STYLE: Final = Path(__file__).with_name("boards.css").read_text(encoding="utf-8")
"""A page gives arrows their colours. Parts are styled by classes alone: browsers differ about their ancestors."""

GAP: Final = 20  # between boards that stand in one picture
TOLD: Final = 0.005  # shares of squares from here on are told in numbers; smaller ones are 0 %


@dataclass(frozen=True, slots=True)
class BoardPanel:
    """A board of a picture that has several: words below it, and how much of something falls on each square."""

    words: str
    heat: Sequence[float] = ()  # shares of one for a1 to h8: the larger, the redder
    arrow: str = ""  # origin and target, as in e1g1; it need not be a legal move


def board_parts() -> str:
    pieces = "".join(chess.svg.PIECES.values())
    empty = "".join(f'<g id="squares-{side.name.lower()}">{_squares(side)}</g>' for side in Color)
    return f'<svg class="parts" width="0" height="0" aria-hidden="true"><defs>{pieces}{empty}</defs></svg>'


def board(position: Position, arrows: Iterable[tuple[str, Move]] = ()) -> str:
    """A position as the side to move sees it; an arrow is a class and a move."""
    drawn = "".join(_arrow(move.from_square, move.to_square, position.turn, kind) for kind, move in arrows)
    return _svg(8 * SQUARE, 8 * SQUARE, position.fen(), _inside(position, (), drawn))


def panels(position: Position, drawn: Sequence[BoardPanel]) -> str:
    """The same position several times, side by side in one picture."""
    step = 8 * SQUARE + GAP
    width, height = step * len(drawn) - GAP, 8 * SQUARE + 24
    boards = ""
    for place, panel in enumerate(drawn):
        origin, target = panel.arrow[:2], panel.arrow[2:4]
        is_move = target not in ("", origin)
        arrow = _arrow(Square(origin), Square(target), position.turn, "chosen") if is_move else ""
        boards += f'<g transform="translate({step * place},0)">{_inside(position, panel.heat, arrow)}'
        boards += f'<text class="panel" x="180" y="{8 * SQUARE + 18}">{escape(panel.words)}</text></g>'
    described = f"{position.fen()}: {'; '.join(panel.words for panel in drawn)}"
    return _svg(width, height, described, boards)


def _svg(width: int, height: int, described: str, inside: str) -> str:
    label = escape(described)
    return f'<svg class="board" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{inside}</svg>'


def _inside(position: Position, heat: Sequence[float], arrows: str) -> str:
    """Squares, which glow by how much falls on them, pieces, arrows, and how much that is."""
    side, glow, pieces, told = position.turn, "", "", ""
    for square, piece in position.pieces():
        x, y = _corner(square, side)
        pieces += f'<use href="#{piece.color.name.lower()}-{piece.kind.name.lower()}" x="{x}" y="{y}"/>'
    for number, share in enumerate(heat):
        if share >= TOLD:
            x, y = _corner(Square.at(number), side)
            depth = 0.9 * min(share, 1) ** 0.5  # the root makes small shares visible
            glow += f'<rect class="heat" x="{x}" y="{y}" width="45" height="45" fill-opacity="{depth:.3f}"/>'
            told += f'<text class="share" x="{x + 2}" y="{y + 43}">{100 * share:.0f}</text>'
    return f'<use href="#squares-{side.name.lower()}"/>{glow}{pieces}{arrows}{told}'


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


def _arrow(origin: Square, target: Square, side: Color, kind: str) -> str:
    """From the middle of one square to the middle of another, with a head."""
    corners = (*_corner(origin, side), *_corner(target, side))
    x, y, to_x, to_y = (corner + SQUARE / 2 for corner in corners)
    length = hypot(to_x - x, to_y - y)
    dx, dy = (to_x - x) / length, (to_y - y) / length
    neck_x, neck_y = to_x - 18 * dx, to_y - 18 * dy
    points = ((to_x, to_y), (neck_x - 11 * dy, neck_y + 11 * dx), (neck_x + 11 * dy, neck_y - 11 * dx))
    head = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    return (
        f'<g class="arrow {kind}"><line x1="{x:.1f}" y1="{y:.1f}" x2="{neck_x:.1f}" y2="{neck_y:.1f}"/>'
        f'<polygon points="{head}"/></g>'
    )
