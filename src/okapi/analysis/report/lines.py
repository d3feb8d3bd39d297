"""Lines of moves: played out, what is taken on the way, mates proven, and facts about a line.

The detectors find facts with the core; python-chess plays the same line and checks them. A sentence with one fact that
does not hold is not used.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import chess

from okapi.core import Color, Kind, Move, Position, Square
from okapi.core.interop import to_chess_move
from okapi.core.search import mate_in_one

LONGEST_PROOF = 3  # Moves. Longer mates have too many defences to try.


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
    is_mate = moves >= 1 and mate_in_one(position) is not None
    if is_mate or moves <= 1:
        return is_mate
    tries = sorted(position.legal_moves(), key=lambda move: not position.gives_check(move))
    return any(forces_mate(position, move, moves) for move in tries)


PAWNS: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}
WORTH: Final = {kind.value + 1: pawns for kind, pawns in PAWNS.items()}  # the same by python-chess's kinds
HORIZON: Final = 8  # Plies. What is won later is not attributed to the first move.


@dataclass(frozen=True)
class Replay:
    """A line, and its positions. `attacker` is the side that moves first."""

    moves: tuple[Move, ...]
    positions: tuple[Position, ...]  # one more than moves: before each, and after the last
    cause: tuple[Position, Move] | None = None  # the move that allowed the line, and the position before it

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

    def first(self, plies: int) -> "Replay":
        """Its first plies alone."""
        return Replay(self.moves[:plies], self.positions[: plies + 1], self.cause)

    @property
    def attacker(self) -> Color:
        return self.positions[0].turn

    @cached_property
    def sans(self) -> list[str]:
        return [position.san(move) for position, move in zip(self.positions, self.moves, strict=False)]

    @cached_property
    def played(self) -> list[chess.Move]:
        """The moves as python-chess has them."""
        return [to_chess_move(move) for move in self.moves]

    @cached_property
    def boards(self) -> list[chess.Board]:
        """The positions as python-chess plays them."""
        boards = [self.positions[0].to_chess()]
        for move in self.played:
            boards.append(boards[-1].copy())
            boards[-1].push(move)
        return boards

    def text(self, plies: int) -> str:
        return " ".join(self.sans[:plies])

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

    def taken_on(self, ply: int) -> Square:
        """Where the taken piece stands: behind the target square if en passant."""
        move = self.moves[ply]
        if not move.takes_en_passant:
            return move.to_square
        return Square.at(move.from_square.rank * 8 + move.to_square.file)

    @cached_property
    def settled(self) -> int:
        """Plies to the last quiet position within the horizon; 0 if there is none."""
        return self.settled_by(HORIZON)

    def settled_by(self, most: int) -> int:
        """Plies to the last quiet position after at most so many; 0 if there is none."""
        plies = range(min(len(self.moves), most), 0, -1)
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
        kinds = (self.taken(ply) for ply in range(self.settled) if self.positions[ply].turn is side)
        return Counter(kind for kind in kinds if kind is not None)

    def since(self, holds: Callable[[int], bool]) -> int:
        """The ply from which something holds to the end."""
        ply = len(self.moves)
        while ply > 1 and holds(ply - 1):
            ply -= 1
        return ply


def pawns(position: Position, side: Color) -> int:
    return sum(PAWNS[piece.kind] * (1 if piece.color is side else -1) for _, piece in position.pieces())


def is_settled(position: Position) -> bool:
    """Is the side to move not in check, and without a winning capture?"""
    if position.is_check():
        return position.is_checkmate()
    return not any(position.is_capture(move) and position.see(move) > 0 for move in position.legal_moves())


# --- Facts that python-chess checks -----------------------------------------------------------------------------------


def wins(line: Replay, ply: int, least: int) -> bool:
    """The move at `ply` takes what the core sees it take, and the line wins so many pawns."""
    kind, taken = line.taken(ply), line.taken_on(ply).index
    is_seen = kind is not None and line.boards[ply].piece_type_at(taken) == kind.value + 1
    return is_seen and line.boards[ply].is_capture(line.played[ply]) and leads(line, least)


def unanswered(line: Replay, ply: int) -> bool:
    """Nothing can take back what moved at `ply`."""
    after, square = line.boards[ply + 1], line.played[ply].to_square
    return not any(reply.to_square == square and after.is_capture(reply) for reply in after.legal_moves)


def attacks(line: Replay, ply: int, *squares: Square) -> bool:
    """What moved at `ply` attacks an enemy piece on each of these squares."""
    after = line.boards[ply + 1]
    reach, enemies = after.attacks(line.played[ply].to_square), after.occupied_co[after.turn]
    return all(square.index in reach and enemies >> square.index & 1 for square in squares)


def uncovers(line: Replay, ply: int, piece: Square, target: Square) -> bool:
    """The move at `ply` opens the line between a piece and its target, which was not attacked before."""
    before, after = line.boards[ply : ply + 2]
    return (
        after.color_at(target.index) == after.turn
        and line.played[ply].from_square in chess.SquareSet.between(piece.index, target.index)
        and target.index not in before.attacks(piece.index)
        and target.index in after.attacks(piece.index)
    )


def promotes(line: Replay, ply: int) -> bool:
    """The pawn that moves at `ply` promotes, and is not taken by the next move of the line."""
    move, *later = line.played[ply : ply + 2]
    return move.promotion is not None and all(answer.to_square != move.to_square for answer in later)


def leads(line: Replay, least: int) -> bool:
    """At its last quiet position, the side that began has won at least so many pawns."""
    start, end = line.boards[0], line.boards[line.settled]
    return balance(end, start.turn) - balance(start, start.turn) >= least


ENDINGS: Final = {
    "checkmate": chess.Board.is_checkmate,
    "stalemate": chess.Board.is_stalemate,
    "insufficient material": chess.Board.is_insufficient_material,
    "fifty moves": chess.Board.is_fifty_moves,
    "threefold repetition": chess.Board.is_repetition,
}


def ends(line: Replay, ending: str) -> bool:
    """After the line the game is over, for the reason in Position.ending."""
    return ENDINGS[ending](line.boards[-1])


def repeats(line: Replay, plies: int) -> bool:
    """From the start to `plies` moves later the side that began gave only checks, and a position was repeated."""
    *before, last = line.boards[: plies + 1]
    checks = (line.boards[ply].is_check() for ply in range(1, plies + 1, 2))
    return all(checks) and last.epd() in {board.epd() for board in before}


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
