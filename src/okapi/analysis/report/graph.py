"""The win probability of a game as a picture: in characters, and as SVG."""

from collections.abc import Sequence
from html import escape
from typing import Final

from okapi.analysis.report.judged import Judged
from okapi.analysis.report.wdl import Wdl
from okapi.core import Color, Value

__all__ = ["plot", "svg"]

EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
ROWS: Final = 6
WIDTH, HEIGHT = 900, 220
"""Of the picture, in pixels."""

SYMBOLS: Final = {"": " ", "?!": "~", "?": "?", "??": "X"}
"""A mark in one character."""

COLOURS: Final = {"?!": "#d9a400", "?": "#e07000", "??": "#d02020"}
STYLE: Final = ".w{fill:#f4f0e6}.d{fill:#b9b5ac}.l{fill:#4a4744}.m{stroke:#888;stroke-dasharray:4}"


def plot(values: Sequence[Value], moves: Sequence[Judged], width: int = 72) -> list[str]:
    """Rows of characters: Black's mistakes, White's expected score from top to bottom, White's mistakes.

    >>> for row in plot([Value(share, Color.WHITE) for share in (0.5, 1.0, 0.25)], []):
    ...     print(row.rstrip())
    <BLANKLINE>
    100 %  █
           █
           █
     50 % ██
          ██▄
      0 % ███
    <BLANKLINE>
    """
    columns = _columns(len(values), width)
    heights = [sum(values[ply].seen_by(Color.WHITE) for ply in column) / len(column) for column in columns]
    labels = {ROWS - 1: "100 %", ROWS // 2 - 1: " 50 %", 0: "  0 %"}
    rows = [_marks(moves, columns, Color.BLACK)]
    for row in range(ROWS - 1, -1, -1):
        cells = (EIGHTHS[max(0, min(8, round(8 * (height * ROWS - row))))] for height in heights)
        rows.append(f"{labels.get(row, ''):5} {''.join(cells)}")
    return [*rows, _marks(moves, columns, Color.WHITE)]


def _columns(plies: int, width: int) -> list[range]:
    """The plies of each column: one each, or several where the game is longer than the row."""
    each = -(-plies // width)
    return [range(first, min(first + each, plies)) for first in range(0, plies, each)]


def _marks(moves: Sequence[Judged], columns: Sequence[range], side: Color) -> str:
    """The worst mistake of `side` in each column. A move leads to the position of the next ply."""
    losses = {move.ply + 1: (move.loss, move.mark) for move in moves if move.side is side and move.mark}
    worst = (max((losses[ply] for ply in column if ply in losses), default=(0.0, "")) for column in columns)
    return f"{'':6}{''.join(SYMBOLS[mark] for _, mark in worst)}"


def svg(values: Sequence[Value], moves: Sequence[Judged]) -> str:
    """Win, draw and loss for White from bottom to top, with a dot at each mistake that tells about it."""
    shares = [Wdl.of(value.for_side(Color.WHITE)) for value in values]
    step = WIDTH / max(1, len(values) - 1)
    wins = [share.win for share in shares]
    drawn = [share.win + share.draw for share in shares]
    ones = [1.0] * len(shares)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>Win, draw and loss for White</title><style>{STYLE}</style>",
        _area("w", [0.0] * len(shares), wins, step),
        _area("d", wins, drawn, step),
        _area("l", drawn, ones, step),
        f'<line class="m" x1="0" x2="{WIDTH}" y1="{HEIGHT / 2}" y2="{HEIGHT / 2}"/>',
    ]
    for move in moves:
        if move.mark:
            x, y = step * (move.ply + 1), HEIGHT * (1 - move.value.seen_by(Color.WHITE))
            title = f"<title>{escape(move.name)} {escape(move.sentence)}</title>"
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{COLOURS[move.mark]}">{title}</circle>')
    return "".join([*parts, "</svg>"])


def _area(kind: str, low: Sequence[float], high: Sequence[float], step: float) -> str:
    up = [f"{step * ply:.1f},{HEIGHT * (1 - share):.1f}" for ply, share in enumerate(high)]
    down = [f"{step * ply:.1f},{HEIGHT * (1 - share):.1f}" for ply, share in enumerate(low)]
    return f'<polygon class="{kind}" points="{" ".join(up + down[::-1])}"/>'
