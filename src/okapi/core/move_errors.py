"""Errors for moves that cannot be played. The core calls these functions."""

import re

from okapi.core._core import Move, Position
from okapi.errors import GameIsOver, IllegalMove, InvalidMove, OkapiError

LOOKS_LIKE_A_MOVE = re.compile(
    r"""(?: [PNBRQK]? [a-h]? [1-8]? [-x:]? (?P<to>[a-h][1-8]) (?:\s?e\.p\.)? (?:=?/?[NBRQKnbrqk])?
          | [Oo0]-?[Oo0](?:-?[Oo0])? )
        [+#!?]*""",
    re.VERBOSE,
)


def unreadable(position: Position, text: str) -> OkapiError:
    """The error for text that is no legal move: no move at all, an ambiguous one, or an illegal one."""
    if position.ending() in ("checkmate", "stalemate"):
        return over(position)
    match = LOOKS_LIKE_A_MOVE.fullmatch(text.strip())
    if not match:
        return InvalidMove(text)
    legal = [position.san(move) for move in position.legal_moves()]
    wanted = _piece_and_target(text.strip())
    fitting = [san for san in legal if match["to"] and _piece_and_target(san) == wanted]
    if len(fitting) > 1:
        return IllegalMove(text, position.fen(), fitting, why="fits several moves")
    return IllegalMove(text, position.fen(), legal)


def illegal(position: Position, move: Move) -> OkapiError:
    if position.ending() in ("checkmate", "stalemate"):
        return over(position)
    return IllegalMove(str(move), position.fen(), [position.san(legal) for legal in position.legal_moves()])


def over(position: Position) -> OkapiError:
    return GameIsOver(position.fen(), position.ending() or "nothing to play")


def _piece_and_target(san: str) -> tuple[str, str]:
    letter = san[0] if san[0] in "NBRQK" else "P"
    targets = re.findall(r"[a-h][1-8]", san)
    return letter, targets[-1] if targets else ""
