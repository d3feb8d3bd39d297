"""V on boards: what it says of many, and of those that one move leads to."""

from pathlib import Path
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from okapi.brains.convolutional import Convolutional
from okapi.core import Color, Kind, Position
from okapi.core.packed import NO_SQUARE, POSITION, pack
from okapi.encodings.boards import code

__all__ = ["after_each_move", "packed_board", "values"]


def values(brain: Path, positions: NDArray[np.void], *, threads: int = 1) -> NDArray[np.float64]:
    """V of packed positions, for the side to move: what the network itself answers, between -1 and 1."""
    return Convolutional.open(brain, threads=threads).answers(positions)[:, 0].astype(np.float64)


def after_each_move(brain: Path, position: Position) -> list[dict[str, Any]]:
    """Every move with V of the board behind it for whoever moved, best first.

    As in the thesis, moves that leave the king in check are judged as well, and marked.
    """
    board = position.to_chess()
    moves = list(board.pseudo_legal_moves)
    behind = np.concatenate([_behind(position, board, move) for move in moves])
    said = -values(brain, behind)
    rows = [
        {"move": move.uci(), "san": _san(board, move), "value": round(float(v), 6), "legal": board.is_legal(move)}
        for move, v in zip(moves, said, strict=True)
    ]
    return sorted(rows, key=lambda row: -row["value"])


def packed_board(board: chess.Board) -> NDArray[np.void]:
    """A board without castling and en passant as an array of one, also where a king could be taken."""
    pieces = sorted(board.piece_map().items())
    codes = [code(Color.WHITE if piece.color else Color.BLACK, Kind(piece.piece_type - 1)) for _, piece in pieces]
    codes += [0] * (32 - len(codes))
    row = np.zeros(1, POSITION)
    row["occupied"] = sum(1 << square for square, _ in pieces)
    row["pieces"] = [low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True)]
    row["turn"] = (Color.WHITE if board.turn else Color.BLACK).value
    row["en_passant"] = NO_SQUARE
    row["halfmove_clock"], row["fullmove_number"] = board.halfmove_clock, board.fullmove_number
    return row


def _behind(position: Position, board: chess.Board, move: chess.Move) -> NDArray[np.void]:
    """The board after a move, packed: an array of one."""
    if board.is_legal(move):
        return pack([position.after(position.move(move.uci()))])
    after = board.copy(stack=False)
    after.push(move)
    return packed_board(after)


def _san(board: chess.Board, move: chess.Move) -> str:
    """As people write it; an illegal move has no such name, and stands as from where to where."""
    return board.san(move) if board.is_legal(move) else f"{chess.square_name(move.from_square)}–{move.uci()[2:]}"
