"""What a move does, in words that the board shows: for a better move of which nothing more can be proven."""

from collections.abc import Callable
from typing import Final

import chess

from okapi.analysis.report.lines import WORTH
from okapi.analysis.report.positional import (
    OPENING_MOVES,
    attacked_by,
    far_passed_pawns,
    foremost,
    named,
    passed_pawns,
    relative_rank,
)
from okapi.core import Move, Position
from okapi.core.interop import to_chess_move

SPACE: Final = 4
"""Ranks, as a side counts them from 0: a pawn there has crossed the middle."""


def purpose(position: Position, move: Move) -> str:
    """What a move does, as it follows `which`; nothing if it is none of these.

    >>> start = Position.start()
    >>> purpose(start, start.move("Nf3")), purpose(start, start.move("e4"))
    ('develops the knight', 'takes the centre')
    """
    board, played = position.to_chess(), to_chess_move(move)
    after = board.copy(stack=False)
    after.push(played)
    found = (words(board, after, played) for words in PURPOSES)
    return next(filter(None, found), "")


def _promotes(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    return "promotes" if move.promotion else ""


def _takes(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    if not board.is_capture(move):
        return ""
    return f"takes the {chess.piece_name(board.piece_type_at(move.to_square) or chess.PAWN)} on {_square(move)}"


def _checks(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    return "gives check" if after.is_check() else ""


def _attacks(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    attacked = attacked_by(board, move)
    return f"attacks the {foremost(attacked)}" if attacked else ""


def _saves(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    """The piece was attacked by a cheaper one, or unguarded, and is attacked no more."""
    kind, enemy = _kind(board, move), not board.turn
    attackers = board.attackers(enemy, move.from_square)
    cheapest = min((WORTH[board.piece_type_at(square) or chess.PAWN] for square in attackers), default=99)
    guarded = board.is_attacked_by(board.turn, move.from_square)
    is_attacked = bool(attackers) and (cheapest < WORTH[kind] or not guarded)
    saved = is_attacked and kind not in (chess.KING, chess.PAWN) and not after.is_attacked_by(enemy, move.to_square)
    return f"saves the {named(board, move.from_square)}" if saved else ""


def _guards(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    """A piece that was attacked and unguarded is guarded."""
    found = frozenset(
        named(after, square)
        for square in after.attacks(move.to_square)
        if after.color_at(square) == board.turn
        and after.is_attacked_by(not board.turn, square)
        and not board.is_attacked_by(board.turn, square)
        and after.piece_type_at(square) != chess.KING
    )
    return f"guards the {foremost(found)}" if found else ""


def _offers(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    """It attacks, guarded, a piece of its own kind."""
    kind = _kind(board, move)
    same = after.pieces(kind, not board.turn) & after.attacks(move.to_square)
    offered = same and kind != chess.PAWN and after.is_attacked_by(board.turn, move.to_square)
    return f"offers the exchange of {chess.piece_name(kind)}s" if offered else ""


def _pushes(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    if _kind(board, move) != chess.PAWN:
        return ""
    side, file = board.turn, chess.FILE_NAMES[chess.square_file(move.to_square)]
    if file in passed_pawns(after, side) or _square(move) in far_passed_pawns(after, side):
        return f"pushes the passed pawn to {_square(move)}"
    struck = after.attacks(move.to_square) & after.pieces(chess.PAWN, not side)
    if struck:
        return f"attacks the {foremost(frozenset(named(after, square) for square in struck))}"
    if move.to_square in (chess.D4, chess.E4, chess.D5, chess.E5):
        return "takes the centre"
    return "takes space" if relative_rank(move.to_square, side) >= SPACE else ""


def _develops(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    kind, side = _kind(board, move), board.turn
    if board.fullmove_number > OPENING_MOVES:
        return ""
    home = relative_rank(move.from_square, side) == 0 < relative_rank(move.to_square, side)
    return f"develops the {chess.piece_name(kind)}" if home and kind in (chess.KNIGHT, chess.BISHOP) else ""


def _opens(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    """A rook on a file without pawns of its side."""
    file = chess.square_file(move.to_square)
    free = not after.pieces_mask(chess.PAWN, board.turn) & chess.BB_FILES[file]
    other = chess.square_file(move.from_square) != file
    is_rook = _kind(board, move) == chess.ROOK
    return f"puts a rook on the {chess.FILE_NAMES[file]}-file" if is_rook and free and other else ""


def _centres(board: chess.Board, after: chess.Board, move: chess.Move) -> str:
    """Nearer to the centre; of a king only without queens."""
    kind = _kind(board, move)
    nearer = _distance(move.to_square) < _distance(move.from_square)
    wanted = kind in (chess.KNIGHT, chess.BISHOP, chess.QUEEN) or (kind == chess.KING and not board.queens)
    return f"brings the {chess.piece_name(kind)} nearer to the centre" if nearer and wanted else ""


Words = Callable[[chess.Board, chess.Board, chess.Move], str]

PURPOSES: Final[tuple[Words, ...]] = (
    _promotes,
    _takes,
    _checks,
    _attacks,
    _saves,
    _guards,
    _offers,
    _pushes,
    _develops,
    _opens,
    _centres,
)
"""The first that applies is said."""


def _kind(board: chess.Board, move: chess.Move) -> chess.PieceType:
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    return kind


def _square(move: chess.Move) -> str:
    return chess.square_name(move.to_square)


def _distance(square: chess.Square) -> float:
    return max(abs(chess.square_file(square) - 3.5), abs(chess.square_rank(square) - 3.5))
