"""What a sentence claims about a line, as facts that can be checked.

The detectors find them with the core; here python-chess replays the line and says whether they are true. A sentence
with one fact that does not hold is never told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import chess

from okapi.analysis.report.mates import forces_mate, mates_within
from okapi.core import Kind, Move, Position, Square
from okapi.core.interop import to_chess_move

__all__ = [
    "Attacks",
    "Ends",
    "Fact",
    "Forces",
    "Leads",
    "Pinned",
    "Promotes",
    "Repeats",
    "Takes",
    "Trapped",
    "Unanswered",
    "Uncovers",
    "all_hold",
    "has_way_out",
]

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


class Fact(Protocol):
    """Something that is true of a line, or not."""

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Is it true? `boards` has the position before each move, and the last."""


@dataclass(frozen=True, slots=True)
class Takes:
    """The move at `ply` takes a piece of this kind on this square."""

    ply: int
    kind: Kind
    square: Square

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Does it?"""
        board, move = boards[self.ply], moves[self.ply]
        passing = board.is_en_passant(move)
        target = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        taken = target if passing else move.to_square
        return board.is_capture(move) and taken == self.square.index and board.piece_type_at(taken) == _type(self.kind)


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Nothing can take back what moved at `ply`."""

    ply: int

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Is it so?"""
        after, square = boards[self.ply + 1], moves[self.ply].to_square
        return not any(reply.to_square == square and after.is_capture(reply) for reply in after.legal_moves)


@dataclass(frozen=True, slots=True)
class Attacks:
    """What moved at `ply` attacks an enemy piece on each of these squares."""

    ply: int
    squares: tuple[Square, ...]

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Does it?"""
        after, here = boards[self.ply + 1], moves[self.ply].to_square
        reach, enemies = after.attacks(here), after.occupied_co[after.turn]
        return all(square.index in reach and enemies >> square.index & 1 for square in self.squares)


@dataclass(frozen=True, slots=True)
class Pinned:
    """Before the move at `ply`, the piece on this square is pinned to its king."""

    ply: int
    square: Square

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Is it?"""
        piece = boards[self.ply].piece_at(self.square.index)
        return piece is not None and boards[self.ply].is_pinned(piece.color, self.square.index)


@dataclass(frozen=True, slots=True)
class Uncovers:
    """The move at `ply` leaves the line between a piece and its target, which it attacks from then on only."""

    ply: int
    piece: Square
    target: Square

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Does it?"""
        before, after = boards[self.ply], boards[self.ply + 1]
        line = chess.SquareSet.between(self.piece.index, self.target.index)
        is_enemy = after.color_at(self.target.index) == after.turn
        was = self.target.index in before.attacks(self.piece.index)
        return (
            is_enemy
            and moves[self.ply].from_square in line
            and not was
            and self.target.index in after.attacks(self.piece.index)
        )


@dataclass(frozen=True, slots=True)
class Trapped:
    """Before the move at `ply`, the piece on this square can go nowhere without being lost."""

    ply: int
    square: Square

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Is it?"""
        return not boards[self.ply].is_check() and not has_way_out(boards[self.ply], self.square)


@dataclass(frozen=True, slots=True)
class Promotes:
    """The pawn that moves at `ply` promotes, and lives through the next move of the line."""

    ply: int

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Does it?"""
        move, reply = moves[self.ply], moves[self.ply + 1 : self.ply + 2]
        return move.promotion is not None and all(answer.to_square != move.to_square for answer in reply)


@dataclass(frozen=True, slots=True)
class Leads:
    """After `plies` moves, the side that began has won at least so many pawns' worth."""

    plies: int
    least: int

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Has it?"""
        side = boards[0].turn
        return _balance(boards[self.plies], side) - _balance(boards[0], side) >= self.least


@dataclass(frozen=True, slots=True)
class Ends:
    """After the line the game is over, for this reason: as Position.ending says it."""

    ending: str

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Is it?"""
        board = boards[-1]
        return {
            "checkmate": board.is_checkmate,
            "stalemate": board.is_stalemate,
            "insufficient material": board.is_insufficient_material,
            "fifty moves": board.is_fifty_moves,
            "threefold repetition": board.is_repetition,
        }[self.ending]()


@dataclass(frozen=True, slots=True)
class Repeats:
    """From the start to `plies` moves later the side that began gave nothing but checks, and a position came back."""

    plies: int

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Is it so?"""
        checks = (boards[ply].is_check() for ply in range(1, self.plies + 1, 2))
        return all(checks) and boards[self.plies].epd() in {board.epd() for board in boards[: self.plies]}


@dataclass(frozen=True, slots=True)
class Forces:
    """The first move forces mate in so many moves, and no fewer, whatever the other side does."""

    moves: int

    def holds(self, boards: Sequence[chess.Board], moves: Sequence[chess.Move]) -> bool:
        """Does it? Every defence is tried, by the core: python-chess would take minutes."""
        position = Position.from_chess(boards[0])
        first = next(move for move in position.legal_moves() if to_chess_move(move) == moves[0])
        return forces_mate(position, first, self.moves) and not mates_within(position, self.moves - 1)


def all_hold(facts: Sequence[Fact], start: Position, line: Sequence[Move]) -> bool:
    """Play the line with python-chess and check every fact."""
    board = start.to_chess()
    boards, moves = [board.copy()], []
    for move in line:
        moves.append(to_chess_move(move))
        board.push(moves[-1])
        boards.append(board.copy())
    return all(fact.holds(boards, moves) for fact in facts)


def has_way_out(board: chess.Board, square: Square) -> bool:
    """Can the piece there, whose move it is, go anywhere without being lost?

    Lost is what can be taken by something cheaper, or for nothing, unless it took as much itself.
    """
    return any(move.from_square == square.index and not _is_lost(board, move) for move in board.legal_moves)


def _is_lost(board: chess.Board, move: chess.Move) -> bool:
    value = WORTH[board.piece_type_at(move.from_square) or chess.PAWN]
    won = WORTH[board.piece_type_at(move.to_square) or chess.KING] if board.is_capture(move) else 0
    after = board.copy(stack=False)
    after.push(move)
    takers = [reply for reply in after.legal_moves if reply.to_square == move.to_square]
    guarded = after.is_attacked_by(board.turn, move.to_square)
    cheapest = min((WORTH[after.piece_type_at(reply.from_square) or chess.KING] for reply in takers), default=99)
    return bool(takers) and won < value and (not guarded or cheapest < value)


def _balance(board: chess.Board, side: chess.Color) -> int:
    return sum(WORTH[piece.piece_type] * (1 if piece.color == side else -1) for piece in board.piece_map().values())


def _type(kind: Kind) -> chess.PieceType:
    return kind.value + 1
