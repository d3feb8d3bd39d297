"""When to end a game that the rules would let go on."""

from dataclasses import dataclass, field

from okapi.core import Agreement, Color, Position, Value
from okapi.formats.syzygy import Tables

__all__ = ["Adjudication", "Adjudicator"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication(Agreement):
    """What both players have to agree upon, or tables know."""

    tablebase: str | None = None
    """A folder of Syzygy tables: where they reach, they decide."""


@dataclass
class Adjudicator:
    """Watches one game."""

    rules: Adjudication
    tables: Tables | None = None
    """Not the core's: its search would look into them, too."""
    _decided: int = field(default=0, init=False)
    _level: int = field(default=0, init=False)

    def judge(self, position: Position, value: Value | None) -> tuple[str, str] | None:
        """Result and reason, if the game is to end after the move that led here; `value` is what its player saw."""
        return self._looked_up(position) or self._seen(position, value)

    def _looked_up(self, position: Position) -> tuple[str, str] | None:
        """What the tables say, where they say it exactly: just after a capture or pawn move."""
        verdict = self.tables.verdict(position) if self.tables and position.halfmove_clock == 0 else None
        if verdict is None:
            return None
        mover = (verdict == 2) - (verdict == -2)  # a win that the fifty-move rule spoils (±1) is a draw
        return _result(mover if position.turn is Color.WHITE else -mover), "adjudication: tablebase"

    def _seen(self, position: Position, value: Value | None) -> tuple[str, str] | None:
        """What both players have been saying for a while."""
        if value is None:
            self._decided = self._level = 0
            return None
        white = value.for_side(Color.WHITE).centipawns
        return self._resigned(white) or self._agreed(position, white)

    def _resigned(self, white: int) -> tuple[str, str] | None:
        rules = self.rules
        if rules.resign_score is None or abs(white) < rules.resign_score:
            self._decided = 0
            return None
        ahead = 1 if white > 0 else -1
        self._decided = self._decided + ahead if self._decided * ahead > 0 else ahead
        if abs(self._decided) < 2 * rules.resign_moves:
            return None
        return _result(ahead), "adjudication: both see it decided"

    def _agreed(self, position: Position, white: int) -> tuple[str, str] | None:
        rules = self.rules
        move = position.fullmove_number - (position.turn is Color.WHITE)
        if (
            rules.draw_score is None
            or move < rules.draw_after
            or abs(white) > rules.draw_score
            or position.halfmove_clock == 0
        ):
            self._level = 0
            return None
        self._level += 1
        return ("1/2-1/2", "adjudication: both see it drawn") if self._level >= 2 * rules.draw_moves else None


def _result(white: int) -> str:
    return {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[white]
