"""A report for programs."""

from dataclasses import asdict
from typing import Any, Final

from okapi.analysis.report.judged import Judged
from okapi.analysis.report.replay import sans
from okapi.analysis.report.study import Report
from okapi.analysis.report.wdl import Wdl
from okapi.core import Color, Game, Position, Value

__all__ = ["CLASSES", "move_as_json", "report_as_json", "value_as_json", "wdl_as_json"]

CLASSES: Final = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}
"""What the marks are called."""


def report_as_json(report: Report) -> dict[str, Any]:
    """Everything the report knows."""
    game, found = report.game, report.opening
    return {
        "white": game.tags.get("White", "?"),
        "black": game.tags.get("Black", "?"),
        "result": game.result,
        "opening": None if found is None else asdict(found),
        "by": report.by,
        "values": [{"ply": ply, **wdl_as_json(value)} for ply, value in enumerate(report.values)],
        "moves": [move_as_json(game, position, move) for position, move in _with_positions(report)],
        "summary": {side.name.lower(): asdict(report.summary(side)) for side in Color},
    }


def move_as_json(game: Game, position: Position, move: Judged) -> dict[str, Any]:
    """One move, played in `position`."""
    return {
        "ply": move.ply,
        "move": game.start.uci(move.move),
        "san": move.san,
        **value_as_json(move.value),
        "best": game.start.uci(move.best),
        "best_san": move.best_san,
        "loss": round(move.loss, 6),
        "mark": move.mark,
        "class": CLASSES.get(move.mark),
        "note": move.note,
        "sentence": move.sentence,
        "best_line": sans(position, move.best_line),
        "reply_line": sans(position.after(move.move), move.reply_line),
    }


def value_as_json(value: Value) -> dict[str, Any]:
    """A value, with centipawns or a mate."""
    unit = {"centipawns": value.centipawns} if value.mate is None else {"mate": value.mate}
    return {"value": round(value.expected, 6), **unit}


def wdl_as_json(value: Value) -> dict[str, Any]:
    """A value for White, with the shares of games."""
    seen = value.for_side(Color.WHITE)
    shares = Wdl.of(seen)
    return {
        **value_as_json(seen),
        "win": round(shares.win, 4),
        "draw": round(shares.draw, 4),
        "loss": round(shares.loss, 4),
    }


def _with_positions(report: Report) -> list[tuple[Position, Judged]]:
    positions = [position.copy() for position, _ in report.game.positions()]
    return [(positions[move.ply], move) for move in report.moves]
