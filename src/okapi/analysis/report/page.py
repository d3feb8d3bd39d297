"""A report as one HTML file that needs nothing else."""

from html import escape

import chess
import chess.svg

from okapi.analysis.report.as_json import CLASSES
from okapi.analysis.report.graph import COLOURS, svg
from okapi.analysis.report.judged import Judged
from okapi.analysis.report.study import Report
from okapi.core import Color, Position

__all__ = ["page"]

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: auto; padding: 1rem; }
table { border-collapse: collapse; } th, td { padding: 0.15rem 0.8rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.mistakes { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1.5rem; }
.mistakes svg { width: 100%; height: auto; } h3 { margin: 0 0 0.3rem; } footer { margin-top: 2rem; opacity: 0.7; }
"""


def page(reports: list[Report]) -> str:
    """All reports, one after the other."""
    title = _title(reports[0]) if len(reports) == 1 else f"{len(reports)} games"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body>\n'
        + "\n".join(map(_section, reports))
        + "\n</body></html>\n"
    )


def _section(report: Report) -> str:
    found = "" if report.opening is None else f"<p>{escape(str(report.opening))}</p>\n"
    boards = [_mistake(position, move) for position, move in _mistakes(report)]
    mistakes = f'<h2>Mistakes</h2>\n<div class="mistakes">{"".join(boards)}</div>\n' if boards else ""
    return (
        f"<h1>{escape(_title(report))}</h1>\n{found}"
        f"<figure>{svg(report.values, report.moves)}<figcaption>White wins below, Black wins above, "
        f"draws between.</figcaption></figure>\n{_summaries(report)}\n{mistakes}{_moves(report)}\n"
        f"<footer>Written by {escape(report.by or 'Okapi')}. Values are the expected score of the side that moved."
        "</footer>"
    )


def _title(report: Report) -> str:
    tags = report.game.tags
    return f"{tags.get('White', '?')} – {tags.get('Black', '?')}  {report.game.result}"


def _mistakes(report: Report) -> list[tuple[Position, Judged]]:
    positions = [position.copy() for position, _ in report.game.positions()]
    return [(positions[move.ply], move) for move in report.moves if move.sentence]


def _mistake(position: Position, move: Judged) -> str:
    """The position before the mistake, with the move in its mark's colour and what was better in green."""
    played, best = (chess.Move.from_uci(position.uci(each)) for each in (move.move, move.best))
    board = chess.svg.board(
        chess.Board(position.fen()),
        orientation=move.side is Color.WHITE,
        arrows=[
            chess.svg.Arrow(best.from_square, best.to_square, color="#208040c0"),
            chess.svg.Arrow(played.from_square, played.to_square, color=f"{COLOURS.get(move.mark, '#606060')}c0"),
        ],
        size=320,
    )
    better = f"<br>Better was {escape(move.better)}." if move.better else ""
    what = CLASSES.get(move.mark) or str(move.note or "")
    return (
        f"<section><h3>{escape(move.name)}</h3>{board}"
        f"<p><b>{what.capitalize()}</b>: {escape(move.sentence)}.{better}</p></section>"
    )


def _summaries(report: Report) -> str:
    rows = ""
    for side in Color:
        of = report.summary(side)
        cells = (of.moves, of.inaccuracies, of.mistakes, of.blunders, f"{of.accuracy:.0f} %", f"{of.average_loss:.1%}")
        rows += f"<tr><td>{side.name.capitalize()}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    heads = "".join(f"<th>{head}</th>" for head in ("", "moves", "?!", "?", "??", "accuracy", "lost per move"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def _moves(report: Report) -> str:
    rows = "".join(
        f"<tr><td>{escape(move.name)}</td><td>{move.value.expected:.2f}</td><td>{move.value}</td>"
        f"<td>{f'{move.loss:.2f}' if move.mark else ''}</td><td>{escape(move.best_san) if move.mark else ''}</td></tr>"
        for move in report.moves
    )
    heads = "".join(f"<th>{head}</th>" for head in ("move", "value", "pawns", "lost", "better"))
    return f"<details><summary>All moves</summary><table><tr>{heads}</tr>{rows}</table></details>"
