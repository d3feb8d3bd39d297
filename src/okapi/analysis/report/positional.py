"""What a move gives away in the end, or beside material: pawns, kings, files, squares, activity; and what a move does.

A trait is something that python-chess finds on the board. A sentence compares the quiet ends of two lines: of the move
played with the best reply, and of the best move. It names a trait that one of the two ends has.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import chess

from okapi.analysis.report.lines import HORIZON, WORTH, Replay
from okapi.analysis.report.moves import JudgedMove
from okapi.core import Move, Position
from okapi.core.interop import to_chess_move

LONGEST: Final = 12  # plies of a line that are compared
PASSIVE: Final = 0.75  # pieces that reach less than this share of the squares that they would have reached
TEMPO_MOST: Final = 0.2  # an attack that gains time does not explain a larger loss
ATTACKERS: Final = 3  # so many pieces beside a king are an attack
CENTRE: Final = chess.SquareSet([chess.D4, chess.E4, chess.D5, chess.E5])
BROAD_CENTRE: Final = chess.SquareSet(chess.square(file, rank) for file in range(2, 6) for rank in range(2, 6))
OPENING_MOVES: Final = 14  # until then pieces at home are undeveloped
Squares: TypeAlias = Iterable[chess.Square]
Places: TypeAlias = frozenset[str]


# --- Traits -----------------------------------------------------------------------------------------------------------


def passed_pawns(board: chess.Board, side: chess.Color) -> Squares:
    enemies, own = (board.pieces_mask(chess.PAWN, color) for color in (not side, side))
    for pawn in board.pieces(chess.PAWN, side):
        front = _ahead(pawn, side)
        if not enemies & front and not own & front & _file(pawn):
            yield pawn


def far_passed_pawns(board: chess.Board, side: chess.Color) -> Squares:
    """Two steps from promotion or nearer."""
    return (pawn for pawn in passed_pawns(board, side) if relative_rank(pawn, side) >= 5)


def doubled_pawns(board: chess.Board, side: chess.Color) -> Squares:
    pawns = board.pieces(chess.PAWN, side)
    return (pawn for pawn in pawns if len(pawns & _file(pawn)) > 1)


def isolated_pawns(board: chess.Board, side: chess.Color) -> Squares:
    """Pawns that have no neighbours."""
    pawns = board.pieces(chess.PAWN, side)
    files = {chess.square_file(pawn) for pawn in pawns}
    return (pawn for pawn in pawns if not files & {chess.square_file(pawn) - 1, chess.square_file(pawn) + 1})


def open_king_files(board: chess.Board, side: chess.Color) -> Squares:
    """The king and beside it, on files without a pawn of its side, while the other side has a queen and a rook."""
    heavy = board.pieces(chess.QUEEN, not side) and board.pieces(chess.ROOK, not side)
    king, pawns = board.king(side), board.pieces(chess.PAWN, side)
    if king is None or not heavy:
        return ()
    rank = chess.SquareSet(chess.BB_RANKS[chess.square_rank(king)])
    return (at for at in rank if chess.square_distance(at, king) <= 1 and not pawns & _file(at))


def attacked_king(board: chess.Board, side: chess.Color) -> Squares:
    """A king with three pieces or more of the other side that reach a square beside it."""
    king = board.pieces(chess.KING, side)
    near = sum(chess.BB_KING_ATTACKS[square] for square in king)
    attackers = sum(bool(board.attacks_mask(square) & near) for square in _pieces(board, not side))
    return king if attackers >= ATTACKERS else ()


def homeless_king(board: chess.Board, side: chess.Color) -> Squares:
    """A king on the middle files that cannot castle any more, while the other side has its queen and three pieces."""
    if board.has_castling_rights(side) or not board.pieces(chess.QUEEN, not side) or len(_pieces(board, not side)) < 4:
        return ()
    return (king for king in board.pieces(chess.KING, side) if 2 < chess.square_file(king) < 6)


def bishop_pair(board: chess.Board, side: chess.Color) -> Squares:
    """Both bishops, where the other side has not both."""
    mine, theirs = (board.pieces(chess.BISHOP, color) for color in (side, not side))
    both = [bishops & chess.BB_LIGHT_SQUARES and bishops & chess.BB_DARK_SQUARES for bishops in (mine, theirs)]
    return mine if both[0] and not both[1] else ()


def open_files(board: chess.Board, side: chess.Color) -> Squares:
    """Rooks on files without pawns on which the other side has no rook."""
    others = board.pawns | board.pieces_mask(chess.ROOK, not side)
    return (rook for rook in board.pieces(chess.ROOK, side) if not _file(rook) & others)


def rooks_on_seventh(board: chess.Board, side: chess.Color) -> Squares:
    """Rooks on the rank where the other side's pawns began."""
    return (rook for rook in board.pieces(chess.ROOK, side) if relative_rank(rook, side) == 6)


def outposts(board: chess.Board, side: chess.Color) -> Squares:
    """Knights in the other half that a pawn guards and no pawn of the other side can attack."""
    own, enemies = (board.pieces(chess.PAWN, color) for color in (side, not side))
    for knight in board.pieces(chess.KNIGHT, side):
        guarded = board.attackers(side, knight) & own
        if 4 <= relative_rank(knight, side) <= 5 and guarded and not enemies & _ahead(knight, side) & ~_file(knight):
            yield knight


def pinned_pieces(board: chess.Board, side: chess.Color) -> Squares:
    return (square for square in _pieces(board, side) if board.is_pinned(side, square))


def shut_in(board: chess.Board, side: chess.Color) -> Squares:
    """Bishops that reach at most one square, and have left their first."""
    free, home = ~board.occupied_co[side], chess.BB_RANK_1 if side else chess.BB_RANK_8
    bishops = board.pieces(chess.BISHOP, side) & ~home
    return (at for at in bishops if chess.popcount(board.attacks_mask(at) & free) <= 1)


def undeveloped(board: chess.Board, side: chess.Color) -> Squares:
    """Knights and bishops where they began."""
    home = {chess.BB_FILE_B | chess.BB_FILE_G: chess.KNIGHT, chess.BB_FILE_C | chess.BB_FILE_F: chess.BISHOP}
    rank = chess.BB_RANK_1 if side else chess.BB_RANK_8
    return (at for files, kind in home.items() for at in board.pieces(kind, side) & files & rank)


def centre_pawns(board: chess.Board, side: chess.Color) -> Squares:
    return board.pieces(chess.PAWN, side) & CENTRE


def central_king(board: chess.Board, side: chess.Color) -> Squares:
    """A king in the centre when no queens are left and at most two other pieces a side."""
    few = all(len(_pieces(board, color)) <= 2 for color in chess.COLORS)
    return board.pieces(chess.KING, side) & BROAD_CENTRE if few and not board.queens else ()


def no_queens(board: chess.Board, side: chess.Color) -> Squares:
    """The king, where no queens are left."""
    return () if board.queens else board.pieces(chess.KING, side)


def _pieces(board: chess.Board, side: chess.Color) -> chess.SquareSet:
    """Without pawns and the king."""
    return chess.SquareSet(board.occupied_co[side] & ~board.pawns & ~board.kings)


def _file(square: chess.Square) -> int:
    return chess.BB_FILES[chess.square_file(square)]


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
    """What a side can have on some squares, and what is said of a move that gives or misses it. `{}` is the place."""

    find: Callable[[chess.Board, chess.Color], Squares]
    good: bool  # for the side that has it
    most: float  # it does not explain a larger loss of expected score
    allowed: str = ""  # the move gives it: to the other side if it is good, else to its own
    missed: str = ""  # the best move gives it: to its own side if it is good, else to the other
    until: int = 1000  # it is not said of later moves
    kept: str = ""  # good: the move gives up what the best one keeps. Bad: it keeps what the best one gets rid of.
    place: str = ""  # what of a square is named: its file, itself, or its piece; if nothing, all squares are one place

    def places(self, board: chess.Board, side: chess.Color) -> Places:
        return frozenset(PLACES[self.place](board, square) for square in self.find(board, side))


PLACES: Final[dict[str, Callable[[chess.Board, chess.Square], str]]] = {
    "": lambda board, square: "",
    "file": lambda board, square: chess.FILE_NAMES[chess.square_file(square)],
    "square": lambda board, square: chess.square_name(square),
    "piece": named,
}

TABLE: Final = tomllib.loads(Path(__file__).with_name("traits.toml").read_text(encoding="utf-8"))
TRAITS: Final = tuple(PositionalTrait(globals()[finder], **fields) for finder, fields in TABLE.items())
"""Of what appears at the same ply, the first is said."""


# --- Comparing two lines ----------------------------------------------------------------------------------------------


def positional_reason(judged: JudgedMove) -> str:
    """What the move gives away in the end or beside material; nothing if the lines do not differ."""
    whole = (Replay.of(judged.position, line) for line in (judged.line, judged.best_line))
    played, best = (line.first(line.settled_by(LONGEST)) for line in whole)  # to their last quiet positions
    if len(played.moves) < 2 or not best.moves:
        return ""
    if found := _late_material(played, best) or _attack_with_tempo(judged):
        return found
    claims = [claim for trait in TRAITS for claim in compare(trait, played, best, judged.loss)]
    first = min(claims, key=lambda claim: claim[0], default=(0, ""))[1]
    return first or _unstopped(judged) or _passive(played, best)


def _late_material(played: Replay, best: Replay) -> str:
    """The lines end with a pawn or more between them."""
    worse, better = (line.gain_after(len(line.moves)) for line in (played, best))
    if better - worse < 1:
        return ""
    if worse < 0:
        ply = played.since(lambda at: played.gain_after(at) <= worse)
        return f"loses {worth(min(-worse, better - worse))} in the end: {played.text(ply)}"
    ply = best.since(lambda at: best.gain_after(at) >= better)
    return f"misses {worth(better - worse)} in the end: {best.text(ply)}"


def worth(pawns: int) -> str:
    """Material in words."""
    return {1: "a pawn", 2: "two pawns"}.get(pawns, f"material worth {pawns} pawns")


def _attack_with_tempo(judged: JudgedMove) -> str:
    """The reply attacks a piece that must move, and could not after the best move; or the best move attacks one."""
    if judged.loss > TEMPO_MOST or not judged.reply_line:
        return ""
    start, reply = judged.position.to_chess(), to_chess_move(judged.reply_line[0])
    played, best = to_chess_move(judged.move), to_chess_move(judged.best)
    after, instead = _after(start, played), _after(start, best)
    allowed = attacked_by(after, reply)
    if allowed and not (instead.is_legal(reply) and attacked_by(instead, reply) & allowed):
        return f"lets {after.san(reply)} attack the {foremost(allowed)}"
    missed = attacked_by(start, best)
    if missed and not attacked_by(start, played):
        return f"misses {judged.best_san}, which attacks the {foremost(missed)}"
    return ""


def _after(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after


def attacked_by(board: chess.Board, move: chess.Move) -> Places:
    """Pieces that the moved piece attacks from its new square and not from its old: unguarded ones, or dearer ones."""
    kind, before = board.piece_type_at(move.from_square), board.attacks(move.from_square)
    if kind is None or kind == chess.KING or move.promotion or board.is_castling(move):
        return frozenset()
    after = _after(board, move)
    if after.is_attacked_by(after.turn, move.to_square) and not after.is_attacked_by(not after.turn, move.to_square):
        return frozenset()
    targets = _pieces(after, after.turn) & after.attacks(move.to_square) & ~before
    worth = {square: WORTH[after.piece_type_at(square) or chess.PAWN] for square in targets}
    dear = (at for at in targets if worth[at] > WORTH[kind] or not after.is_attacked_by(after.turn, at))
    return frozenset(named(after, square) for square in dear)


def _unstopped(judged: JudgedMove) -> str:
    """The reply was threatened, and the best move makes it impossible."""
    if judged.position.is_check() or not judged.reply_line:
        return ""
    board, reply = judged.position.to_chess(), to_chess_move(judged.reply_line[0])
    moves = (chess.Move.null(), to_chess_move(judged.best), to_chess_move(judged.move))
    threatened, instead, after = (_after(board, move) for move in moves)
    if not threatened.is_legal(reply) or instead.is_legal(reply):
        return ""
    return f"does not stop {after.san(reply)}, as {judged.best_san} does"


def _passive(played: Replay, best: Replay) -> str:
    """The pieces of the line played end where they reach far fewer squares."""
    mover = played.boards[0].turn
    reached, better = (reach(line.boards[-1], mover) for line in (played, best))
    if reached >= PASSIVE * better:
        return ""
    own, other = (" ".join(line.sans) for line in (played, best))
    return f"leaves the pieces passive: after {own} they reach {reached} squares, after {other} {better}"


def reach(board: chess.Board, side: chess.Color) -> int:
    """Squares that the pieces of a side reach, each piece for itself."""
    free = ~board.occupied_co[side]
    return sum(chess.popcount(board.attacks_mask(square) & free) for square in _pieces(board, side))


def compare(trait: PositionalTrait, played: Replay, best: Replay, loss: float) -> Iterator[tuple[int, str]]:
    """Sentences on one trait in which the lines differ, each with the ply at which it appears."""
    start, mover = played.boards[0], played.boards[0].turn
    if loss > trait.most or start.fullmove_number > trait.until:
        return
    cases = (
        (trait.allowed, played, best, mover ^ trait.good, True),
        (trait.missed, best, played, mover ^ (not trait.good), True),
        (trait.kept, played if trait.good else best, best if trait.good else played, mover, False),
    )
    for text, line, other, side, comes in cases:
        had, now, then = (trait.places(board, side) for board in (start, line.boards[-1], other.boards[-1]))
        places = now - then - had if comes else (had & then) - now
        if not text or not places:
            continue
        place = foremost(places)
        ply = line.since([(place in trait.places(board, side)) == comes for board in line.boards].__getitem__)
        if ply <= HORIZON:
            instead = "; better was" if line is best and not comes else ":"
            yield ply, f"{text.format(place)}{instead} {line.text(ply)}"


def foremost(places: Places) -> str:
    """One of several places, the same for White and Black: the dearest piece, then by file and distance to the edge."""

    def order(place: str) -> tuple[int, str, float]:
        name, rank = (place[:-1], int(place[-1])) if place[-1:].isdigit() else (place, 0)
        kind = place.partition(" ")[0]
        return -WORTH[chess.PIECE_NAMES.index(kind)] if kind in chess.PIECE_NAMES else 0, name, abs(rank - 4.5)

    return min(places, key=order)


# --- What a better move does, of which nothing more can be proven -----------------------------------------------------

SPACE: Final = 4  # ranks, as a side counts them from 0: a pawn there has crossed the middle
MINOR: Final = (chess.KNIGHT, chess.BISHOP)


def purpose(position: Position, move: Move) -> str:
    """What a move does, as it follows `which`; nothing if it is none of these."""
    return next(_purposes(position.to_chess(), to_chess_move(move)), "")


def _purposes(board: chess.Board, move: chess.Move) -> Iterator[str]:
    """All that a move does, what matters most first."""
    after, side, kind = _after(board, move), board.turn, board.piece_type_at(move.from_square)
    assert kind is not None
    piece, origin, to = chess.piece_name(kind), move.from_square, move.to_square
    if move.promotion:
        yield "promotes"
    if board.is_capture(move):
        yield f"takes the {chess.piece_name(board.piece_type_at(to) or chess.PAWN)} on {chess.square_name(to)}"
    if after.is_check():
        yield "gives check"
    if attacked := attacked_by(board, move):
        yield f"attacks the {foremost(attacked)}"
    attackers = [WORTH[board.piece_type_at(at) or chess.PAWN] for at in board.attackers(not side, origin)]
    is_loose = min(attackers, default=99) < WORTH[kind] or (attackers and not board.is_attacked_by(side, origin))
    if kind not in (chess.KING, chess.PAWN) and is_loose and not after.is_attacked_by(not side, to):
        yield f"saves the {named(board, origin)}"
    reached = chess.SquareSet(after.occupied_co[side] & ~after.kings) & after.attacks(to)
    loose = (at for at in reached if after.is_attacked_by(not side, at) and not board.is_attacked_by(side, at))
    if guarded := frozenset(named(after, square) for square in loose):
        yield f"guards the {foremost(guarded)}"
    same = after.pieces(kind, not side) & after.attacks(to)
    if same and kind != chess.PAWN and after.is_attacked_by(side, to):
        yield f"offers the exchange of {piece}s"
    if kind == chess.PAWN:
        yield from _pushes(after, to)
    leaves_home = relative_rank(origin, side) == 0 < relative_rank(to, side)
    if leaves_home and kind in MINOR and board.fullmove_number <= OPENING_MOVES:
        yield f"develops the {piece}"
    file = chess.square_file(to)
    is_free = not after.pieces(chess.PAWN, side) & chess.BB_FILES[file]
    if is_free and kind == chess.ROOK and file != chess.square_file(origin):
        yield f"puts a rook on the {chess.FILE_NAMES[file]}-file"
    wants_centre = kind in (*MINOR, chess.QUEEN) or (kind == chess.KING and not board.queens)
    if wants_centre and _distance(to) < _distance(origin):
        yield f"brings the {piece} nearer to the centre"


def _pushes(after: chess.Board, to: chess.Square) -> Iterator[str]:
    """What a pawn does that has just moved."""
    side = not after.turn
    if chess.square_file(to) in map(chess.square_file, passed_pawns(after, side)):
        yield f"pushes the passed pawn to {chess.square_name(to)}"
    if struck := after.attacks(to) & after.pieces(chess.PAWN, not side):
        yield f"attacks the {foremost(frozenset(named(after, square) for square in struck))}"
    if to in CENTRE:
        yield "takes the centre"
    if relative_rank(to, side) >= SPACE:
        yield "takes space"


def _distance(square: chess.Square) -> float:
    return max(abs(chess.square_file(square) - 3.5), abs(chess.square_rank(square) - 3.5))
