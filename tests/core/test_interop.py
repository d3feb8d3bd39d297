"""To python-chess and back."""

import chess

from okapi import Position


def test_the_moves_come_along() -> None:
    position = Position.start()
    for text in ("e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O"):
        position.play(text)

    board = position.to_chess()

    assert "e1g1" == board.peek().uci()
    assert position.fen() == board.fen()
    assert position.history() == Position.from_chess(board).history()


def test_repetitions_count_on_both_sides() -> None:
    board = chess.Board()
    for text in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        board.push_san(text)

    assert "threefold repetition" == Position.from_chess(board).ending()
    assert Position.from_chess(board).to_chess().is_repetition(3)


def test_chess960() -> None:
    board = chess.Board.from_chess960_pos(1)
    position = Position.from_chess(board)

    assert position.is_chess960()
    assert position.to_chess().chess960
    assert board.fen() == position.fen() == position.to_chess().fen()


def test_castling_in_chess960() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", chess960=True)
    board.push_san("O-O-O")
    position = Position.from_chess(board)

    assert "8/8/8/8/8/8/2KR4 b" in position.fen().replace("4k3/", "")
    assert board == position.to_chess(chess960=True)


def test_null_moves() -> None:
    board = chess.Board()
    board.push(chess.Move.null())

    assert board.fen() == Position.from_chess(board).fen()
    assert board.move_stack == Position.from_chess(board).to_chess().move_stack
