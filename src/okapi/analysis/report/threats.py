"""What the other side would do if it were its move."""

from dataclasses import dataclass
from typing import Final

from okapi.analysis.report.judged import MARKS
from okapi.analysis.report.replay import Replay
from okapi.analysis.report.tactics import tactic
from okapi.core import Limits, Line, Position
from okapi.players import Player

__all__ = ["Threat", "find_threat"]

TEMPO: Final = 0.15
"""Expected score that a second move in a row wins in any opening: a threat without a name has to win more."""


@dataclass(frozen=True, slots=True)
class Threat:
    """What the side that is not to move would do."""

    line: Line
    gain: float
    """Expected score that it would win by moving twice in a row."""
    sentence: str
    """threatens Bxe5, which wins the knight"""


def find_threat(position: Position, player: Player, limits: Limits) -> Threat | None:
    """Let the side to move pass and see what happens: nothing, if it is in check or if passing costs little.

    >>> from okapi.players import AlphaBeta
    >>> position = Position.from_fen("4k3/p7/4b3/3N4/8/8/P7/4K3 w - - 0 1")
    >>> find_threat(position, AlphaBeta(), Limits(depth=4)).sentence
    'threatens Bxd5, which wins the knight'
    """
    if position.is_check() or not position.legal_moves():
        return None
    passed = position.copy()
    passed.pass_turn()
    passed = Position.from_fen(passed.fen(shredder=position.is_chess960()))
    if not passed.legal_moves():
        return None
    now = player.choose(position, limits)
    then = player.choose(passed, limits)
    gain = then.value.expected - now.value.seen_by(passed.turn)
    claim = tactic(Replay.of(passed, then.line))
    if gain < (TEMPO if claim is None else MARKS[-1][0]) and then.value.mate is None:
        return None
    what = claim.gets if claim is not None else f"{passed.san(then.move)}, which is worth {gain:.0%}".replace("%", " %")
    return Threat(Line(then.line, then.value, then.depth), gain, f"threatens {what}")
