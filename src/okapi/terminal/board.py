"""Drawing: the board, the value bar, and the captured pieces."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.text import Text

from okapi.core import Color, Kind, Move, Piece, Position, Square

SOLID: Final = dict(zip("pnbrqk", "♟♞♝♜♛♚", strict=True))
OUTLINE: Final = dict(zip("PNBRQK", "♙♘♗♖♕♔", strict=True))
WORTH: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}

LIGHT, DARK = "#9c8a70", "#6b5842"
LIGHT_MOVED, DARK_MOVED = "#b59b3c", "#8f7722"
CHECK = "#b4483c"
WHITE_PIECE, BLACK_PIECE = "#ffffff", "#101010"


@dataclass(frozen=True, slots=True)
class BoardStyle:
    color: bool = True
    unicode: bool = True
    large: bool = False
    """Squares of three rows instead of one."""

    @classmethod
    def of(cls, console: Console) -> "BoardStyle":
        unicode = (console.encoding or "").lower().replace("-", "").startswith("utf")
        roomy = console.height >= 34 and console.width >= 100
        return cls(color=console.color_system is not None and not console.no_color, unicode=unicode, large=roomy)


def draw_board(position: Position, look: BoardStyle, *, last: Move | None = None, flipped: bool = False) -> Text:
    """The board seen by White or, if flipped, by Black; the last move is highlighted."""
    ranks = range(8) if flipped else range(7, -1, -1)
    files = range(7, -1, -1) if flipped else range(8)
    moved = {last.from_square.index, last.to_square.index} if last is not None else set()
    checked = position.king(position.turn).index if position.is_check() else None
    text = Text(no_wrap=True)
    for rank in ranks:
        for row in range(3 if look.large else 1):
            middle = not look.large or row == 1
            text.append(f" {rank + 1} " if middle else "   ", style="dim")
            for file in files:
                square = Square.at(8 * rank + file)
                piece = position.at(square) if middle else None
                text.append(*_cell(square, piece, look, moved=square.index in moved, checked=square.index == checked))
            text.append("\n")
    width = 7 if look.large else 3
    text.append("   " + "".join("abcdefgh"[file].center(width) for file in files), style="dim")
    return text


def _cell(square: Square, piece: Piece | None, look: BoardStyle, *, moved: bool, checked: bool) -> tuple[str, str]:
    """One row of one square: its text and its style."""
    dark = (square.file + square.rank) % 2 == 0
    symbol = " " if piece is None else figure(piece, look)
    if not look.color:
        if piece is None:
            symbol = "·" if dark and look.unicode else "." if dark else " "
        return (f"[{symbol}]" if moved else f" {symbol} "), ""
    ground = (DARK_MOVED if dark else LIGHT_MOVED) if moved else (DARK if dark else LIGHT)
    return symbol.center(7 if look.large else 3), f"bold {ink(piece)} on {CHECK if checked else ground}"


def ink(piece: Piece | None) -> str:
    return WHITE_PIECE if piece is not None and piece.color is Color.WHITE else BLACK_PIECE


def figure(piece: Piece, look: BoardStyle) -> str:
    """With colours all figures are solid; without, White's are outlines."""
    letter = str(piece)
    if not look.unicode:
        return letter
    return SOLID[letter.lower()] if look.color or letter.islower() else OUTLINE[letter]


def draw_bar(expected: float, look: BoardStyle, *, width: int = 24) -> Text:
    """The expected score of White as a bar, from the left."""
    filled = round(expected * width)
    text = Text(no_wrap=True)
    if look.color:
        text.append(" " * filled, style="on #f0f0f0").append(" " * (width - filled), style="on #303030")
    elif look.unicode:
        text.append("█" * filled + "░" * (width - filled))
    else:
        text.append("#" * filled + "." * (width - filled))
    return text.append(f" {expected:.2f}", style="bold")


def captured(start: Position, now: Position, by: Color, look: BoardStyle) -> str:
    """What `by` has taken since `start`, the most valuable first, and how far it is ahead in pawns."""
    taken = Counter(_kinds(start, by.other)) - Counter(_kinds(now, by.other))
    pieces = sorted(taken.elements(), key=lambda kind: -WORTH[kind])
    shown = "".join(figure(Piece(by.other, kind), look) for kind in pieces)
    lead = sum(map(WORTH.__getitem__, _kinds(now, by))) - sum(map(WORTH.__getitem__, _kinds(now, by.other)))
    return f"{shown} +{lead}".strip() if lead > 0 else shown


def _kinds(position: Position, color: Color) -> Iterable[Kind]:
    return [piece.kind for _, piece in position.pieces() if piece.color is color]
