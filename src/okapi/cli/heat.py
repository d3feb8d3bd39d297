"""A board in the terminal with a probability on each square: as a colour, and in percent."""

from collections.abc import Sequence

from rich.text import Text

from okapi.core import Color, Position, Square

__all__ = ["draw_heat"]

COLD, HOT = (0x5A, 0x50, 0x46), (0xD0, 0x4A, 0x1E)
LEAST = 0.005
"""What is less is not worth a number."""


def draw_heat(position: Position, shares: Sequence[float]) -> Text:
    """The board as the mover sees it; `shares` from a1 to h8. The likeliest square is as hot as can be.

    >>> board = draw_heat(Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), [0.3 * (n == 4) for n in range(64)])
    >>> [line.split() for line in str(board).splitlines()][-3:-1]
    [['2', 'P'], ['1', 'K30']]
    """
    mine_below = position.turn is Color.WHITE
    files = range(8) if mine_below else range(7, -1, -1)
    hottest = max(*shares, 1e-9)
    text = Text(no_wrap=True)
    for rank in range(7, -1, -1) if mine_below else range(8):
        text.append(f"{rank + 1} ", style="dim")
        for file in files:
            square = 8 * rank + file
            piece = position.at(Square.at(square))
            number = f"{100 * shares[square]:.0f}" if shares[square] >= LEAST else ""
            text.append(f" {piece or ' '}{number:<2}"[:4], style=f"bold #ffffff on {_warmth(shares[square] / hottest)}")
        text.append("\n")
    text.append("  " + "".join(f" {'abcdefgh'[file]}  " for file in files), style="dim")
    return text


def _warmth(part: float) -> str:
    """A colour between cold and hot."""
    mixed = (round(cold + (hot - cold) * part) for cold, hot in zip(COLD, HOT, strict=True))
    return "#" + "".join(f"{shade:02x}" for shade in mixed)
