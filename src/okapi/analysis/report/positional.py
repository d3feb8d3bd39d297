"""What a move gives away in the end, or beside material: pawns, kings, files, squares, activity.

A trait is something that python-chess finds on the board. A sentence compares the quiet ends of two lines: of the move
played with the best reply, and of the best move. It names a trait that one of the two ends has.
"""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import chess

from okapi.analysis.report.lines import HORIZON, WORTH, balance, is_settled
from okapi.analysis.report.moves import JudgedMove
from okapi.core import Move, Position
from okapi.core.interop import to_chess_move

LONGEST: Final = 12
"""Plies of a line that are compared."""

PASSIVE: Final = 0.75
"""Pieces are passive if they reach less than this share of the squares that they would have reached."""

TEMPO_MOST: Final = 0.2
"""An attack that gains time does not explain a larger loss."""

ATTACKERS: Final = 3
"""So many pieces beside a king are an attack."""

CENTRE: Final = chess.SquareSet([chess.D4, chess.E4, chess.D5, chess.E5])
BROAD_CENTRE: Final = chess.SquareSet(chess.BB_RANKS[2] | chess.BB_RANKS[3] | chess.BB_RANKS[4] | chess.BB_RANKS[5]) & (
    chess.BB_FILE_C | chess.BB_FILE_D | chess.BB_FILE_E | chess.BB_FILE_F
)

OPENING_MOVES: Final = 14
"""Until then pieces at home are undeveloped."""

Places: TypeAlias = frozenset[str]


# --- Traits -----------------------------------------------------------------------------------------------------------


def passed_pawns(board: chess.Board, side: chess.Color) -> Places:
    """Files with a passed pawn."""
    return frozenset(chess.FILE_NAMES[chess.square_file(pawn)] for pawn in _passed(board, side))


def far_passed_pawns(board: chess.Board, side: chess.Color) -> Places:
    """Squares of passed pawns two steps from promotion or nearer."""
    return frozenset(chess.square_name(pawn) for pawn in _passed(board, side) if relative_rank(pawn, side) >= 5)


def doubled_pawns(board: chess.Board, side: chess.Color) -> Places:
    pawns = board.pieces(chess.PAWN, side)
    return frozenset(chess.FILE_NAMES[file] for file in range(8) if len(pawns & chess.BB_FILES[file]) > 1)


def isolated_pawns(board: chess.Board, side: chess.Color) -> Places:
    """Files with a pawn that has no neighbours."""
    files = {chess.square_file(pawn) for pawn in board.pieces(chess.PAWN, side)}
    return frozenset(chess.FILE_NAMES[file] for file in files if not files & {file - 1, file + 1})


def open_king_files(board: chess.Board, side: chess.Color) -> Places:
    """Files of the king and beside it without a pawn of its side, while the other side has a queen and a rook."""
    heavy = board.pieces(chess.QUEEN, not side) and board.pieces(chess.ROOK, not side)
    king = board.king(side)
    if king is None or not heavy:
        return frozenset()
    files = range(max(0, chess.square_file(king) - 1), min(7, chess.square_file(king) + 1) + 1)
    pawns = board.pieces(chess.PAWN, side)
    return frozenset(chess.FILE_NAMES[file] for file in files if not pawns & chess.BB_FILES[file])


def attacked_king(board: chess.Board, side: chess.Color) -> Places:
    """A king with three pieces or more of the other side that reach a square beside it."""
    king = board.king(side)
    near = chess.BB_KING_ATTACKS[king] if king is not None else 0
    pieces = board.occupied_co[not side] & ~board.pawns & ~board.kings
    attackers = sum(bool(board.attacks_mask(square) & near) for square in chess.SquareSet(pieces))
    return frozenset([""]) if attackers >= ATTACKERS else frozenset()


def homeless_king(board: chess.Board, side: chess.Color) -> Places:
    """A king on the middle files that cannot castle any more, while the other side has its queen and three pieces."""
    king = board.king(side)
    central = king is not None and 2 < chess.square_file(king) < 6
    pieces = chess.popcount(board.occupied_co[not side] & ~board.pawns & ~board.kings)
    lost = central and not board.has_castling_rights(side) and board.pieces(chess.QUEEN, not side) and pieces >= 4
    return frozenset([""]) if lost else frozenset()


def bishop_pair(board: chess.Board, side: chess.Color) -> Places:
    """Both bishops, where the other side has not both."""
    mine, theirs = (board.pieces(chess.BISHOP, color) for color in (side, not side))
    both = [len(bishops & chess.BB_LIGHT_SQUARES) * len(bishops & chess.BB_DARK_SQUARES) for bishops in (mine, theirs)]
    return frozenset([""]) if both[0] and not both[1] else frozenset()


def open_files(board: chess.Board, side: chess.Color) -> Places:
    """Files without pawns on which a side has a rook and the other side has none."""
    pawns = board.pieces_mask(chess.PAWN, chess.WHITE) | board.pieces_mask(chess.PAWN, chess.BLACK)
    rooks, others = (board.pieces_mask(chess.ROOK, color) for color in (side, not side))
    held = [file for file, mask in enumerate(chess.BB_FILES) if rooks & mask and not (pawns | others) & mask]
    return frozenset(chess.FILE_NAMES[file] for file in held)


def rooks_on_seventh(board: chess.Board, side: chess.Color) -> Places:
    """Squares of rooks on the rank where the other side's pawns began."""
    return frozenset(
        chess.square_name(rook) for rook in board.pieces(chess.ROOK, side) if relative_rank(rook, side) == 6
    )


def outposts(board: chess.Board, side: chess.Color) -> Places:
    """Squares of knights in the other half that a pawn guards and no pawn of the other side can attack."""
    enemies = board.pieces(chess.PAWN, not side)
    found = []
    for knight in board.pieces(chess.KNIGHT, side):
        guarded = board.attackers(side, knight) & board.pieces(chess.PAWN, side)
        ahead = _ahead(knight, side) & ~chess.BB_FILES[chess.square_file(knight)]
        if 4 <= relative_rank(knight, side) <= 5 and guarded and not int(enemies) & ahead:
            found.append(chess.square_name(knight))
    return frozenset(found)


def pinned_pieces(board: chess.Board, side: chess.Color) -> Places:
    pieces = board.occupied_co[side] & ~board.pieces_mask(chess.PAWN, side) & ~board.kings
    return frozenset(named(board, square) for square in chess.SquareSet(pieces) if board.is_pinned(side, square))


def shut_in(board: chess.Board, side: chess.Color) -> Places:
    """Bishops that reach at most one square, and have left their first."""
    free, home = ~board.occupied_co[side], chess.BB_RANK_1 if side else chess.BB_RANK_8
    bishops = board.pieces(chess.BISHOP, side) & ~home
    return frozenset(named(board, at) for at in bishops if chess.popcount(board.attacks_mask(at) & free) <= 1)


def undeveloped(board: chess.Board, side: chess.Color) -> Places:
    rank = 0 if side else 7
    home = ((1, chess.KNIGHT), (2, chess.BISHOP), (5, chess.BISHOP), (6, chess.KNIGHT))
    squares = [(chess.square(file, rank), kind) for file, kind in home]
    return frozenset(named(board, at) for at, kind in squares if board.piece_at(at) == chess.Piece(kind, side))


def centre_pawns(board: chess.Board, side: chess.Color) -> Places:
    return frozenset(chess.square_name(pawn) for pawn in board.pieces(chess.PAWN, side) & CENTRE)


def central_king(board: chess.Board, side: chess.Color) -> Places:
    """A king in the centre when no queens are left and at most two other pieces a side."""
    king = board.king(side)
    few = all(chess.popcount(board.occupied_co[color] & ~board.pawns) <= 3 for color in chess.COLORS)
    central = king is not None and king in BROAD_CENTRE and not board.queens and few
    return frozenset([""]) if central else frozenset()


def no_queens(board: chess.Board, side: chess.Color) -> Places:
    return frozenset() if board.queens else frozenset([""])


def _passed(board: chess.Board, side: chess.Color) -> Iterator[chess.Square]:
    enemies = board.pieces_mask(chess.PAWN, not side)
    own = board.pieces_mask(chess.PAWN, side)
    for pawn in board.pieces(chess.PAWN, side):
        front = _ahead(pawn, side)
        if not enemies & front and not own & front & chess.BB_FILES[chess.square_file(pawn)]:
            yield pawn


def _ahead(square: chess.Square, side: chess.Color) -> int:
    """The squares in front on its file and the files beside it."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    ranks = range(rank + 1, 8) if side else range(rank)
    files = range(max(0, file - 1), min(7, file + 1) + 1)
    return sum(chess.BB_SQUARES[chess.square(each, at)] for each in files for at in ranks)


def relative_rank(square: chess.Square, side: chess.Color) -> int:
    """As the side counts, from 0."""
    return chess.square_rank(square) if side else 7 - chess.square_rank(square)


def named(board: chess.Board, square: chess.Square) -> str:
    """knight on f6"""
    piece = board.piece_type_at(square)
    assert piece is not None
    return f"{chess.piece_name(piece)} on {chess.square_name(square)}"


@dataclass(frozen=True, slots=True)
class PositionalTrait:
    """What a side can have, and what is said of a move that gives or misses it. `{}` is the place."""

    find: Callable[[chess.Board, chess.Color], Places]
    good: bool
    """For the side that has it."""
    most: float
    """It does not explain a larger loss of expected score."""
    allowed: str = ""
    """The move gives it: to the other side if it is good, else to its own."""
    missed: str = ""
    """The best move gives it: to its own side if it is good, else to the other."""
    until: int = 1000
    """It is not said of later moves."""
    kept: str = ""
    """Good: the move gives up what the best one keeps. Bad: it keeps what the best one gets rid of."""


TABLE: Final = tomllib.loads(Path(__file__).with_name("traits.toml").read_text(encoding="utf-8"))
TRAITS: Final = tuple(PositionalTrait(globals()[finder], **fields) for finder, fields in TABLE.items())
"""Of what appears at the same ply, the first is said."""


# --- Comparing two lines ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Course:
    """A line as python-chess plays it, to its last quiet position."""

    boards: tuple[chess.Board, ...]
    sans: tuple[str, ...]

    @classmethod
    def of(cls, start: Position, moves: Sequence[Move]) -> "Course":
        position, board = start.copy(), start.to_chess()
        boards, sans, quiet = [board.copy(stack=False)], [], 0
        for ply, move in enumerate(moves[:LONGEST], start=1):
            if not position.try_play(move):
                break
            played = to_chess_move(move)
            sans.append(board.san(played))
            board.push(played)
            boards.append(board.copy(stack=False))
            if is_settled(position):
                quiet = ply
        return cls(tuple(boards[: quiet + 1]), tuple(sans[:quiet]))

    def since(self, holds: Callable[[chess.Board], bool]) -> int:
        """The ply from which something holds to the end."""
        ply = len(self.boards) - 1
        while ply > 1 and holds(self.boards[ply - 1]):
            ply -= 1
        return ply

    def text(self, plies: int) -> str:
        return " ".join(self.sans[:plies])

    def won(self, board: chess.Board) -> int:
        """Pawns that the side that moves first has won on a board of the line."""
        side = self.boards[0].turn
        return balance(board, side) - balance(self.boards[0], side)


def positional_reason(position: Position, judged: JudgedMove) -> str:
    """What the move gives away in the end or beside material; nothing if the lines do not differ."""
    played = Course.of(position, (judged.move, *judged.reply_line))
    best = Course.of(position, judged.best_line)
    if len(played.sans) < 2 or not best.sans:
        return ""
    if found := _late_material(played, best) or _attack_with_tempo(position, judged):
        return found
    claims = [claim for trait in TRAITS for claim in compare(trait, played, best, judged.loss)]
    first = min(claims, key=lambda claim: claim[0], default=(0, ""))[1]
    return first or _unstopped(position, judged) or _passive(played, best)


def _late_material(played: Course, best: Course) -> str:
    """The lines end with a pawn or more between them."""
    worse, better = played.won(played.boards[-1]), best.won(best.boards[-1])
    if better - worse < 1:
        return ""
    if worse < 0:
        ply = played.since(lambda board: played.won(board) <= worse)
        return f"loses {worth(min(-worse, better - worse))} in the end: {played.text(ply)}"
    ply = best.since(lambda board: best.won(board) >= better)
    return f"misses {worth(better - worse)} in the end: {best.text(ply)}"


def worth(pawns: int) -> str:
    """Material in words.

    >>> worth(1), worth(2), worth(3)
    ('a pawn', 'two pawns', 'material worth 3 pawns')
    """
    return {1: "a pawn", 2: "two pawns"}.get(pawns, f"material worth {pawns} pawns")


def _attack_with_tempo(position: Position, judged: JudgedMove) -> str:
    """The reply attacks a piece that must move, and could not after the best move; or the best move attacks one."""
    if judged.loss > TEMPO_MOST or not judged.reply_line:
        return ""
    start = position.to_chess()
    played, best, reply = (to_chess_move(move) for move in (judged.move, judged.best, judged.reply_line[0]))
    after, instead = start.copy(stack=False), start.copy(stack=False)
    after.push(played)
    instead.push(best)
    allowed = attacked_by(after, reply)
    if allowed and not (instead.is_legal(reply) and attacked_by(instead, reply) & allowed):
        return f"lets {after.san(reply)} attack the {foremost(allowed)}"
    missed = attacked_by(start, best)
    if missed and not attacked_by(start, played):
        return f"misses {judged.best_san}, which attacks the {foremost(missed)}"
    return ""


def attacked_by(board: chess.Board, move: chess.Move) -> Places:
    """Pieces that the moved piece attacks from its new square and not from its old: unguarded ones, or dearer ones."""
    kind, before = board.piece_type_at(move.from_square), board.attacks(move.from_square)
    if kind is None or kind == chess.KING or move.promotion or board.is_castling(move):
        return frozenset()
    after = board.copy(stack=False)
    after.push(move)
    if after.is_attacked_by(after.turn, move.to_square) and not after.is_attacked_by(not after.turn, move.to_square):
        return frozenset()
    found = []
    for square in after.attacks(move.to_square) - before:
        target = after.piece_at(square)
        if target is None or target.color != after.turn or target.piece_type in (chess.KING, chess.PAWN):
            continue
        if WORTH[target.piece_type] > WORTH[kind] or not after.is_attacked_by(after.turn, square):
            found.append(named(after, square))
    return frozenset(found)


def _unstopped(position: Position, judged: JudgedMove) -> str:
    """The reply was threatened, and the best move makes it impossible."""
    if position.is_check() or not judged.reply_line:
        return ""
    board, reply = position.to_chess(), to_chess_move(judged.reply_line[0])
    threatened, instead, after = (board.copy(stack=False) for _ in range(3))
    threatened.push(chess.Move.null())
    instead.push(to_chess_move(judged.best))
    after.push(to_chess_move(judged.move))
    if not threatened.is_legal(reply) or instead.is_legal(reply):
        return ""
    return f"does not stop {after.san(reply)}, as {judged.best_san} does"


def _passive(played: Course, best: Course) -> str:
    """The pieces of the line played end where they reach far fewer squares."""
    mover = played.boards[0].turn
    reached, better = (reach(course.boards[-1], mover) for course in (played, best))
    if reached >= PASSIVE * better:
        return ""
    lines = (course.text(len(course.sans)) for course in (played, best))
    return f"leaves the pieces passive: after {next(lines)} they reach {reached} squares, after {next(lines)} {better}"


def reach(board: chess.Board, side: chess.Color) -> int:
    """Squares that the pieces of a side reach, each piece for itself."""
    free, pieces = ~board.occupied_co[side], board.occupied_co[side] & ~board.pawns & ~board.kings
    return sum(chess.popcount(board.attacks_mask(square) & free) for square in chess.SquareSet(pieces))


def compare(trait: PositionalTrait, played: Course, best: Course, loss: float) -> Iterator[tuple[int, str]]:
    """Sentences on one trait in which the lines differ, each with the ply at which it appears."""
    start, mover = played.boards[0], played.boards[0].turn
    if loss > trait.most or start.fullmove_number > trait.until:
        return
    cases = (
        (trait.allowed, played, best, mover ^ trait.good, True),
        (trait.missed, best, played, mover ^ (not trait.good), True),
        (trait.kept, played if trait.good else best, best if trait.good else played, mover, False),
    )
    for text, course, other, side, comes in cases:
        had, now, then = (trait.find(board, side) for board in (start, course.boards[-1], other.boards[-1]))
        places = now - then - had if comes else (had & then) - now
        if not text or not places:
            continue
        place = foremost(places)
        ply = course.since(partial(_has, trait, side, place, comes))
        if ply <= HORIZON:
            instead = "; better was" if course is best and not comes else ":"
            yield ply, f"{text.format(place)}{instead} {course.text(ply)}"


def _has(trait: PositionalTrait, side: chess.Color, place: str, wanted: bool, board: chess.Board) -> bool:
    return (place in trait.find(board, side)) == wanted


def foremost(places: Places) -> str:
    """One of several places, the same for White and Black: the dearest piece, then by file and distance to the edge."""

    def order(place: str) -> tuple[int, str, float]:
        name, rank = (place[:-1], int(place[-1])) if place[-1:].isdigit() else (place, 0)
        kind = place.partition(" ")[0]
        return -WORTH[chess.PIECE_NAMES.index(kind)] if kind in chess.PIECE_NAMES else 0, name, abs(rank - 4.5)

    return min(places, key=order)
