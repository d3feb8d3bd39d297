"""Lines of moves: played out, what is taken on the way, mates proven, and facts about a line.

The detectors find facts with the core; python-chess replays the line here and checks them. A sentence with one fact
that does not hold is not used.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import chess

from okapi.core import Color, Kind, Move, Position, Square
from okapi.core.interop import to_chess_move
from okapi.core.search import mate_in_one

LONGEST_PROOF = 3
"""Moves. Longer mates have too many defences to try."""


def forces_mate(position: Position, move: Move, moves: int) -> bool:
    """Does `move` force mate within so many moves, itself included?

    >>> position = Position.from_fen("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    >>> forces_mate(position, position.move("Kf7"), 2), forces_mate(position, position.move("Rg7"), 2)
    (True, False)
    """
    after = position.after(move)
    replies = after.legal_moves()
    if not replies:
        return after.is_checkmate()
    return moves > 1 and all(mates_within(after.after(reply), moves - 1) for reply in replies)


def mates_within(position: Position, moves: int) -> bool:
    """Can the side to move force mate within so many moves? Checks are tried first."""
    if moves < 1:
        return False
    if mate_in_one(position) is not None:
        return True
    if moves == 1:
        return False
    tries = sorted(position.legal_moves(), key=lambda move: not position.gives_check(move))
    return any(forces_mate(position, move, moves) for move in tries)


PAWNS: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}

HORIZON: Final = 8
"""Plies. What is won later is not attributed to the first move."""


@dataclass(frozen=True)
class Replay:
    """A line, and its positions. `attacker` is the side that moves first."""

    moves: tuple[Move, ...]
    positions: tuple[Position, ...]
    """One more than moves: before each, and after the last."""
    cause: tuple[Position, Move] | None = None
    """The move that allowed the line, and the position before it."""

    @classmethod
    def of(cls, start: Position, moves: Iterable[Move], cause: tuple[Position, Move] | None = None) -> "Replay":
        """Play a line, as far as its moves are legal."""
        position, played, positions = start.copy(), [], [start.copy()]
        for move in moves:
            if not position.try_play(move):
                break
            played.append(move)
            positions.append(position.copy())
        return cls(tuple(played), tuple(positions), cause)

    @property
    def attacker(self) -> Color:
        return self.positions[0].turn

    def moved(self, ply: int) -> Kind:
        """The piece that moves at `ply`, before it promotes."""
        piece = self.positions[ply].at(self.moves[ply].from_square)
        assert piece is not None
        return piece.kind

    def taken(self, ply: int) -> Kind | None:
        """The piece that is taken at `ply`."""
        position, move = self.positions[ply], self.moves[ply]
        if not position.is_capture(move):
            return None
        piece = position.at(move.to_square)
        return Kind.PAWN if piece is None else piece.kind

    @cached_property
    def settled(self) -> int:
        """Plies to the last quiet position within the horizon; 0 if there is none."""
        plies = range(min(len(self.moves), HORIZON), 0, -1)
        return next((ply for ply in plies if is_settled(self.positions[ply])), 0)

    @cached_property
    def gain(self) -> int:
        """Pawns that the attacker has won there, and keeps to the end of the line."""
        later = (ply for ply in range(self.settled + 1, len(self.moves) + 1) if is_settled(self.positions[ply]))
        return min(self.gain_after(ply) for ply in (self.settled, *later))

    def gain_after(self, plies: int) -> int:
        """Pawns that the attacker has won after so many plies."""
        return pawns(self.positions[plies], self.attacker) - pawns(self.positions[0], self.attacker)

    def spoils(self, side: Color) -> Counter[Kind]:
        """What `side` has taken by then."""
        plies = range(self.settled)
        kinds = (self.taken(ply) for ply in plies if self.positions[ply].turn is side)
        return Counter(kind for kind in kinds if kind is not None)

    def san(self, ply: int) -> str:
        return self.positions[ply].san(self.moves[ply])


def pawns(position: Position, side: Color) -> int:
    return sum(PAWNS[piece.kind] * (1 if piece.color is side else -1) for _, piece in position.pieces())


def is_settled(position: Position) -> bool:
    """Is the side to move not in check, and without a winning capture?

    >>> is_settled(Position.start()), is_settled(Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"))
    (True, False)
    """
    if position.is_checkmate():
        return True
    if position.is_check():
        return False
    return not any(position.is_capture(move) and position.see(move) > 0 for move in position.legal_moves())


def sans(start: Position, moves: Iterable[Move]) -> list[str]:
    replay = Replay.of(start, moves)
    return [replay.san(ply) for ply in range(len(replay.moves))]


# --- Facts that python-chess checks -----------------------------------------------------------------------------------


WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


Boards: TypeAlias = Sequence[chess.Board]
"""The position before each move of a line, and the last."""

Moves: TypeAlias = Sequence[chess.Move]
Fact: TypeAlias = Callable[[Boards, Moves], bool]
"""Is a statement about a line true?"""


def takes(ply: int, kind: Kind, square: Square) -> Fact:
    """The move at `ply` takes a piece of this kind on this square."""

    def holds(boards: Boards, moves: Moves) -> bool:
        board, move = boards[ply], moves[ply]
        passing = board.is_en_passant(move)
        target = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        taken = target if passing else move.to_square
        return board.is_capture(move) and taken == square.index and board.piece_type_at(taken) == kind.value + 1

    return holds


def unanswered(ply: int) -> Fact:
    """Nothing can take back what moved at `ply`."""
    return lambda boards, moves: (
        not any(
            reply.to_square == moves[ply].to_square and boards[ply + 1].is_capture(reply)
            for reply in boards[ply + 1].legal_moves
        )
    )


def attacks(ply: int, squares: tuple[Square, ...]) -> Fact:
    """What moved at `ply` attacks an enemy piece on each of these squares."""

    def holds(boards: Boards, moves: Moves) -> bool:
        after = boards[ply + 1]
        reach, enemies = after.attacks(moves[ply].to_square), after.occupied_co[after.turn]
        return all(square.index in reach and enemies >> square.index & 1 for square in squares)

    return holds


def pinned(ply: int, square: Square) -> Fact:
    """Before the move at `ply`, the piece on this square is pinned to its king."""

    def holds(boards: Boards, moves: Moves) -> bool:
        piece = boards[ply].piece_at(square.index)
        return piece is not None and boards[ply].is_pinned(piece.color, square.index)

    return holds


def uncovers(ply: int, piece: Square, target: Square) -> Fact:
    """The move at `ply` opens the line between a piece and its target, which was not attacked before."""

    def holds(boards: Boards, moves: Moves) -> bool:
        before, after = boards[ply], boards[ply + 1]
        return (
            after.color_at(target.index) == after.turn
            and moves[ply].from_square in chess.SquareSet.between(piece.index, target.index)
            and target.index not in before.attacks(piece.index)
            and target.index in after.attacks(piece.index)
        )

    return holds


def trapped(ply: int, square: Square) -> Fact:
    """Before the move at `ply`, the piece on this square cannot move without being lost."""
    return lambda boards, moves: not boards[ply].is_check() and not has_way_out(boards[ply], square)


def promotes(ply: int) -> Fact:
    """The pawn that moves at `ply` promotes, and is not taken by the next move of the line."""
    return lambda boards, moves: (
        moves[ply].promotion is not None
        and all(answer.to_square != moves[ply].to_square for answer in moves[ply + 1 : ply + 2])
    )


def leads(plies: int, least: int) -> Fact:
    """After `plies` moves, the side that began has won at least so many pawns."""
    return lambda boards, moves: balance(boards[plies], boards[0].turn) - balance(boards[0], boards[0].turn) >= least


def ends(ending: str) -> Fact:
    """After the line the game is over, for the reason in Position.ending."""
    test = {
        "checkmate": chess.Board.is_checkmate,
        "stalemate": chess.Board.is_stalemate,
        "insufficient material": chess.Board.is_insufficient_material,
        "fifty moves": chess.Board.is_fifty_moves,
        "threefold repetition": chess.Board.is_repetition,
    }[ending]
    return lambda boards, moves: test(boards[-1])


def repeats(plies: int) -> Fact:
    """From the start to `plies` moves later the side that began gave only checks, and a position was repeated."""

    def holds(boards: Boards, moves: Moves) -> bool:
        checks = (boards[ply].is_check() for ply in range(1, plies + 1, 2))
        return all(checks) and boards[plies].epd() in {board.epd() for board in boards[:plies]}

    return holds


def forces(count: int) -> Fact:
    """The first move forces mate in so many moves, and not in fewer; python-chess would take minutes to see that."""

    def holds(boards: Boards, moves: Moves) -> bool:
        position = Position.from_chess(boards[0])
        first = next(move for move in position.legal_moves() if to_chess_move(move) == moves[0])
        return forces_mate(position, first, count) and not mates_within(position, count - 1)

    return holds


def all_hold(facts: Sequence[Fact], start: Position, line: Sequence[Move]) -> bool:
    board = start.to_chess()
    boards, moves = [board.copy()], []
    for move in line:
        moves.append(to_chess_move(move))
        board.push(moves[-1])
        boards.append(board.copy())
    return all(fact(boards, moves) for fact in facts)


def has_way_out(board: chess.Board, square: Square) -> bool:
    """Can the piece there, whose side is to move, move without being lost?

    It is lost if a cheaper piece can take it, or any piece for nothing, unless it took as much itself.
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


def balance(board: chess.Board, side: chess.Color) -> int:
    return sum(WORTH[piece.piece_type] * (1 if piece.color == side else -1) for piece in board.piece_map().values())
