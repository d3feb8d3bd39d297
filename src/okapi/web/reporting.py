"""The report of a game while it is written, as pages get it."""

import time
from dataclasses import asdict
from typing import Any, Final

from okapi.analysis.report import Judged, Study, quicker
from okapi.core import Color, Limits, Line, Position
from okapi.web.inquiry import Steps
from okapi.web.views import line_view, side_name, value_view

__all__ = ["EFFORTS", "write_report"]

EFFORTS: Final = {"quick": Limits(nodes=20_000), "normal": Limits(nodes=100_000), "deep": Limits(nodes=1_000_000)}
"""How closely every position is looked at; what seems a mistake, four times as closely."""

FIRST_LOOK: Final = 1 / 8
"""What the quick first pass costs, in parts of the second."""

CHECK: Final = 8.0
"""What it costs to look again at a mistake: before and after it, four times as closely each."""

SUSPECTS: Final = 0.15
"""How many moves seem mistakes at first, about; for the time left, as long as nobody knows better."""

EVERY_S: Final = 0.2


def write_report(study: Study, limits: Limits) -> Steps:
    """Study a game, quickly first, and show what is known five times a second; the last view is the report."""
    desk = _Desk(study)
    for asked, cost, phase in ((quicker(limits), FIRST_LOOK, "first look"), (limits, 1.0, "closer look")):
        for _ in study.deepen(asked):
            desk.done += cost
            if desk.is_due():
                yield desk.view(phase)
    desk.expect(sum(bool(move.mark or move.note) for move in study.moves()))
    yield desk.view("looking again at mistakes")
    for move in study.check(limits):
        desk.done += CHECK
        if desk.is_due():
            yield desk.view(f"looking again: {move.name}")
    yield desk.view("")


class _Desk:
    """Where a report is written: how far it is, and how it looks so far."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.done = 0.0
        self._whole = (1 + FIRST_LOOK + CHECK * SUSPECTS) * (len(study.game.moves) + 1)
        self._share = 0.0
        self._positions = [Position.from_fen(position.fen(shredder=True)) for position, _ in study.game.positions()]
        self._begun = self._shown = time.monotonic()

    def expect(self, suspects: int) -> None:
        """Every position was looked at, and so many moves seem mistakes."""
        self._whole = self.done + CHECK * suspects

    def is_due(self) -> bool:
        """Is it time to show something new?"""
        if time.monotonic() < self._shown + EVERY_S:
            return False
        self._shown = time.monotonic()
        return True

    def view(self, phase: str) -> dict[str, Any]:
        """All that is known; without a phase it is finished."""
        report = self.study.report()
        share = self._share = max(self._share, min(1.0, self.done / self._whole))
        spent = time.monotonic() - self._begun
        return {
            "by": report.by,
            "phase": phase,
            "share": round(share, 3),
            "left_s": round(spent / max(share, 0.01) * (1 - share)),
            "opening": None if report.opening is None else asdict(report.opening),
            "values": [value_view(value) for value in report.values],
            "moves": [self._move_view(move) for move in report.moves if move.mark or move.note],
            "summary": {side_name(side): asdict(report.summary(side)) for side in Color},
        }

    def _move_view(self, move: Judged) -> dict[str, Any]:
        """A move that deserves a word, with what was better and what it runs into."""
        position = self._positions[move.ply]
        return {
            "ply": move.ply,
            "name": move.name,
            "side": side_name(move.side),
            "mark": move.mark,
            "note": move.note,
            "loss": round(move.loss, 3),
            "sentence": move.sentence,
            "better": move.better,
            "best": _line(position, Line(move.best_line, move.before)),
            "reply": _line(position.after(move.move), Line(move.reply_line, move.value)),
        }


def _line(position: Position, line: Line) -> dict[str, Any]:
    return line_view(position, Line(line.moves[:8], line.value))
