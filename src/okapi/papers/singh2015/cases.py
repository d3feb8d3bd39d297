"""Figures 3.6 to 3.10 and Table 3.5: what the networks expect on single boards."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import predictor
from okapi.brains.move_prediction import Predictor
from okapi.core import Position, Square
from okapi.core.packed import pack
from okapi.encodings.boards import move_squares
from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.marking import brains_of
from okapi.papers.singh2015.positions import CASES, Case
from okapi.papers.singh2015.published import TABLE_3_5
from okapi.papers.singh2015.school import schooled

__all__ = ["cases", "expected", "told"]

Shares = NDArray[np.float64]

DIGITS: Final = 5


def cases(lab: ExperimentContext) -> dict[str, Any]:
    """All boards, as the seven networks see them and as ours does."""
    return told(brains_of(schooled(lab)))


def told(brains: Mapping[str, Path]) -> dict[str, Any]:
    """For results."""
    if not brains:
        return {"skipped": "no network that predicts moves was taught yet"}
    predictors = {name: predictor(str(path)) for name, path in brains.items()}
    return {
        "rows": [
            {"key": case.key, "brain": name, **expected(asked, case)}
            for case in CASES
            for name, asked in predictors.items()
        ]
    }


def expected(asked: Predictor, case: Case) -> dict[str, Any]:
    """Of one board: both heat maps unmasked and masked, the likeliest moves, and what became of the hoped-for one."""
    packed = pack([case.position])
    said = asked.squares(packed)
    origin, target = said.origin[0].astype(np.float64), said.target[0].astype(np.float64)
    legal = {case.position.uci(move): share for move, share in asked.moves(packed)[0]}
    found: dict[str, Any] = {
        "unmasked": _seen(origin, target),
        "masked": _seen(*_masked(case.position, origin, target)),
        "moves": {move: round(share, DIGITS) for move, share in legal.items()},
        "rank": 1 + list(legal).index(case.move),
        "illegal": round(_illegal(case.position, origin, target), DIGITS),
    }
    if case.key == "en_passant":
        found["in_time"] = round(_taking(asked, case.fen, case.move), DIGITS)
        found["too_late"] = round(_taking(asked, case.fen.replace(" d6 ", " - "), case.move), DIGITS)
    if case.key == "sochi":
        found["table"] = {move: round(legal[move], DIGITS) for move in TABLE_3_5}
    return found


def _seen(origin: Shares, target: Shares) -> dict[str, Any]:
    """Where a piece leaves, which piece that is likeliest to be, and where that one goes; nowhere, if none is there."""
    square = int(origin.argmax())
    goes = str(Square.at(int(target[square].argmax()))) if target[square].any() else ""
    return {
        "origin": [round(float(share), DIGITS) for share in origin],
        "piece": str(Square.at(square)),
        "target": [round(float(share), DIGITS) for share in target[square]],
        "goes": goes,
        "together": round(float(origin[square] * target[square].max()), DIGITS),
    }


def _masked(position: Position, origin: Shares, target: Shares) -> tuple[Shares, Shares]:
    """Zero where the rules forbid it, and what is left made one again, first of the pieces, then of their targets."""
    allowed = _allowed(position)
    pieces = origin * allowed.any(axis=1)
    goes = target * allowed
    return _as_one(pieces), _as_one(goes)


def _illegal(position: Position, origin: Shares, target: Shares) -> float:
    """How much of the probability falls on moves that the rules forbid."""
    whole = origin[:, None] * target
    return 1 - float((whole * _allowed(position)).sum() / whole.sum())


def _taking(asked: Predictor, fen: str, move: str) -> float:
    """The unmasked probability of a move."""
    said = asked.squares(pack([Position.from_fen(fen)]))
    origin, target = Square(move[:2]).index, Square(move[2:]).index
    return float(said.origin[0, origin] * said.target[0, origin, target])


def _allowed(position: Position) -> NDArray[np.bool_]:
    """From where to where the rules allow a move; the king castles by two squares."""
    allowed = np.zeros((64, 64), np.bool_)
    allowed[move_squares([move.bits for move in position.legal_moves()])] = True
    return allowed


def _as_one(shares: Shares) -> Shares:
    total = shares.sum(axis=-1, keepdims=True)
    return np.asarray(shares / np.where(total > 0, total, 1))
