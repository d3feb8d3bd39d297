"""To python-chess and back, with the moves that were played: repetitions count on both sides; boards as pictures."""

import chess

from okapi.core._core import Move, Position


def to_chess(position: Position, chess960: bool | None = None) -> chess.Board:
    """The same game so far, as python-chess has it."""
    origin = position.origin()
    board = chess.Board(origin.fen(), chess960=origin.is_chess960() if chess960 is None else chess960)
    for move in position.history():
        board.push(to_chess_move(move))
    return board


def from_chess(board: chess.Board) -> Position:
    """The game so far of a python-chess board."""
    root = board.root()
    position = Position.from_fen(root.shredder_fen() if board.chess960 else root.fen())
    for move in board.move_stack:
        if move:
            position.play(move.uci())
        else:
            position.pass_turn()
    return position


def to_chess_move(move: Move) -> chess.Move:
    """The same move; castling as the king taking its rook, which python-chess boards understand."""
    if not move.bits:
        return chess.Move.null()
    promotion = None if move.promotion is None else move.promotion.value + 1
    return chess.Move(move.from_square.index, move.to_square.index, promotion)


def to_svg(position: Position) -> str:
    """A picture of the board for notebooks, in pixels; the last move and a check are marked."""
    import chess.svg

    board = position.to_chess()
    last = board.peek() if board.move_stack else None
    check = board.king(board.turn) if position.is_check() else None
    return chess.svg.board(board, lastmove=last, check=check, size=360)
