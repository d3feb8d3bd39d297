"""Boards in the terminal with a number on each square, which is also a colour: red for more, blue for less."""

import math
from collections.abc import Mapping, Sequence

from rich.text import Text

from okapi.core import Position, Square
from okapi.terminal.board import Look, figure, ink

__all__ = ["draw_map", "draw_numbers"]

LESS, PLAIN, MORE = (0x4A, 0x7C, 0xD2), (0x85, 0x71, 0x59), (0xD8, 0x5A, 0x32)
"""Colours of squares: neither too dark for black figures nor too bright for white ones."""

TENTHS = 9
"""The largest number of a map."""


def draw_numbers(position: Position, texts: Mapping[Square, str], warmth: Mapping[Square, float], look: Look) -> Text:
    """The board as White sees it, with a few characters beside pieces; warmth is -1 for less to 1 for more.

    >>> position = Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    >>> pawn = next(square for square, piece in position.pieces() if str(piece) == "P")
    >>> board = draw_numbers(position, {pawn: "1.00"}, {pawn: 0.0}, Look(color=False, unicode=False))
    >>> [line.split() for line in str(board).splitlines()][-3:-1]
    [['2', 'P', '1.00'], ['1', 'K']]
    """
    text = Text(no_wrap=True)
    for rank in range(7, -1, -1):
        text.append(f"{rank + 1} ", style="dim")
        for file in range(8):
            square = Square.at(8 * rank + file)
            piece = position.at(square)
            man = " " if piece is None else figure(piece, look)
            style = f"bold {ink(piece)} on {_colour(warmth.get(square, 0.0))}" if look.color else ""
            text.append(f" {man} {texts.get(square, ''):<5}"[:8], style=style)
        text.append("\n")
    text.append("  " + "".join(f" {file}      " for file in "abcdefgh"), style="dim")
    return text


def draw_map(title: str, values: Sequence[float], most: float, look: Look) -> Text:
    """A number for each square from a1 to h8, in ninths of the largest; none where there is nothing to say.

    >>> board = draw_map("own knight", [1.0] + [-0.5] * 7 + [math.nan] * 56, 1.0, Look(color=False))
    >>> str(board).splitlines()[-2]
    '1  +9 -4 -4 -4 -4 -4 -4 -4'
    """
    text = Text(f"{title}\n", style="bold", no_wrap=True)
    for rank in range(7, -1, -1):
        text.append(f"{rank + 1} ", style="not bold dim")
        for value in values[8 * rank : 8 * rank + 8]:
            if math.isnan(value):
                text.append("   ", style="not bold")
                continue
            part = max(-1.0, min(1.0, value / most)) if most > 0 else 0.0
            number = round(TENTHS * part)
            style = f"not bold #ffffff on {_colour(part)}" if look.color else "not bold"
            text.append(f" {number:+d}" if number else "  ·", style=style)
        text.append("\n")
    text.append("  " + "".join(f"  {file}" for file in "abcdefgh"), style="not bold dim")
    return text


def _colour(warmth: float) -> str:
    towards = MORE if warmth > 0 else LESS
    part = min(1.0, abs(warmth))
    mixed = (round(plain + (end - plain) * part) for plain, end in zip(PLAIN, towards, strict=True))
    return "#" + "".join(f"{shade:02x}" for shade in mixed)
