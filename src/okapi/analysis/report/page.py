"""A report as one HTML file that needs nothing else, and the win probability as a chart in characters or SVG."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

import chess
import chess.svg

from okapi.analysis.report.game import CLASSES, GameReport
from okapi.analysis.report.moves import JudgedMove
from okapi.core import Color, Value

EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
ROWS: Final = 6
WIDTH, HEIGHT = 900, 220  # in pixels
SYMBOLS: Final = {"": " ", "?!": "~", "?": "?", "??": "X"}

COLOURS: Final = {"?!": "#d9a400", "?": "#e07000", "??": "#d02020"}
GRAPH_STYLE: Final = ".w{fill:#f4f0e6}.d{fill:#b9b5ac}.l{fill:#4a4744}.m{stroke:#888;stroke-dasharray:4}"


def plot(values: Sequence[Value], moves: Sequence[JudgedMove], width: int = 72) -> list[str]:
    """Rows of characters: Black's mistakes, White's expected score from top to bottom, White's mistakes."""
    columns = _columns(len(values), width)
    heights = [sum(values[ply].seen_by(Color.WHITE) for ply in column) / len(column) for column in columns]
    labels = {ROWS - 1: "100 %", ROWS // 2 - 1: " 50 %", 0: "  0 %"}
    rows = [_marks(moves, columns, Color.BLACK)]
    for row in range(ROWS - 1, -1, -1):
        cells = (EIGHTHS[max(0, min(8, round(8 * (height * ROWS - row))))] for height in heights)
        rows.append(f"{labels.get(row, ''):5} {''.join(cells)}")
    return [*rows, _marks(moves, columns, Color.WHITE)]


def _columns(plies: int, width: int) -> list[range]:
    """The plies of each column: one, or several where the game is longer than the row."""
    each = -(-plies // width)
    return [range(first, min(first + each, plies)) for first in range(0, plies, each)]


def _marks(moves: Sequence[JudgedMove], columns: Sequence[range], side: Color) -> str:
    """The worst mistake of `side` in each column. A move leads to the position of the next ply."""
    losses = {move.ply + 1: (move.loss, move.mark) for move in moves if move.side is side and move.mark}
    worst = (max((losses[ply] for ply in column if ply in losses), default=(0.0, "")) for column in columns)
    return f"{'':6}{''.join(SYMBOLS[mark] for _, mark in worst)}"


def svg(values: Sequence[Value], moves: Sequence[JudgedMove]) -> str:
    """Win, draw and loss for White from bottom to top, with a dot and a title for each mistake."""
    shares = [value.for_side(Color.WHITE).win_draw_loss for value in values]
    step = WIDTH / max(1, len(values) - 1)
    edges = zip(*((0.0, win, win + draw, 1.0) for win, draw, _ in shares), strict=True)
    points = [[f"{step * ply:.1f},{HEIGHT * (1 - share):.1f}" for ply, share in enumerate(edge)] for edge in edges]
    areas = (" ".join(high + low[::-1]) for low, high in pairwise(points))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>Win, draw and loss for White</title><style>{GRAPH_STYLE}</style>",
        *(f'<polygon class="{kind}" points="{area}"/>' for kind, area in zip("wdl", areas, strict=False)),
        f'<line class="m" x1="0" x2="{WIDTH}" y1="{HEIGHT / 2}" y2="{HEIGHT / 2}"/>',
    ]
    for move in moves:
        if move.mark:
            x, y = step * (move.ply + 1), HEIGHT * (1 - move.value.seen_by(Color.WHITE))
            title = f"<title>{escape(move.name)} {escape(move.sentence)}</title>"
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{COLOURS[move.mark]}">{title}</circle>')
    return "".join([*parts, "</svg>"])


STYLE: Final = Path(__file__).with_name("page.css")


def page(reports: list[GameReport]) -> str:
    title = escape(_title(reports[0]) if len(reports) == 1 else f"{len(reports)} games")
    style, sections = STYLE.read_text(encoding="utf-8"), "\n".join(map(_section, reports))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>\n{style}</style></head>\n<body>\n'
        f"{sections}\n</body></html>\n"
    )


def _section(report: GameReport) -> str:
    found = "" if report.opening is None else f"<p>{escape(str(report.opening))}</p>\n"
    boards = [_mistake(move) for move in report.moves if move.sentence]
    mistakes = f'<h2>Mistakes</h2>\n<div class="mistakes">{"".join(boards)}</div>\n' if boards else ""
    return (
        f"<h1>{escape(_title(report))}</h1>\n{found}"
        f"<figure>{svg(report.values, report.moves)}<figcaption>White wins below, Black wins above, "
        f"draws between.</figcaption></figure>\n{_summaries(report)}\n{mistakes}{_moves(report)}\n"
        f"<footer>Written by {escape(report.by or 'Okapi')}. Values are the expected score of the side that moved."
        "</footer>"
    )


def _title(report: GameReport) -> str:
    tags = report.game.tags
    return f"{tags.get('White', '?')} – {tags.get('Black', '?')}  {report.game.result}"


def _mistake(move: JudgedMove) -> str:
    """The position before the mistake, with the move in the colour of its mark and the best move in green."""
    played, best = (chess.Move.from_uci(move.position.uci(each)) for each in (move.move, move.best))
    colours = {best: "#208040c0", played: f"{COLOURS.get(move.mark, '#606060')}c0"}
    arrows = [chess.svg.Arrow(each.from_square, each.to_square, color=colour) for each, colour in colours.items()]
    white = move.side is Color.WHITE
    board = chess.svg.board(chess.Board(move.position.fen()), orientation=white, arrows=arrows, size=320)
    better = f"<br>Better was {escape(move.better)}." if move.better else ""
    what = CLASSES.get(move.mark) or str(move.note or "")
    return (
        f"<section><h3>{escape(move.name)}</h3>{board}"
        f"<p><b>{what.capitalize()}</b>: {escape(move.sentence)}.{better}</p></section>"
    )


def _summaries(report: GameReport) -> str:
    rows = []
    for side in Color:
        of = report.summary(side)
        counts = (str(count) for count in (of.moves, of.inaccuracies, of.mistakes, of.blunders))
        rows.append((side.name.capitalize(), *counts, f"{of.accuracy:.0f} %", f"{of.average_loss:.1%}"))
    return _table(("", "moves", "?!", "?", "??", "accuracy", "lost per move"), rows)


def _moves(report: GameReport) -> str:
    rows = []
    for move in report.moves:
        lost, better = (f"{move.loss:.2f}", move.best_san) if move.mark else ("", "")
        rows.append((move.name, f"{move.value.expected:.2f}", str(move.value), lost, better))
    table = _table(("move", "value", "pawns", "lost", "better"), rows)
    return f"<details><summary>All moves</summary>{table}</details>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    above = "".join(f"<th>{escape(head)}</th>" for head in heads)
    below = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table><tr>{above}</tr>{''.join(f'<tr>{row}</tr>' for row in below)}</table>"
