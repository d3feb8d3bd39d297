"""Sentences about mistakes are true, and the same for Black as for White.

mistakes.json comes from scripts/make_mistakes.py; handmade.json has a position for each thing that can be said. What
a sentence says is read from its words alone and checked with python-chess, which knows nothing of how it was found.
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest

from okapi.analysis.report.moves import JudgedMove
from okapi.analysis.report.sentences import mistake_sentence
from okapi.core import Move, Position, Value

HERE = Path(__file__).parent
FILES = [HERE / "handmade.json", HERE / "mistakes.json", *map(Path, filter(None, [os.environ.get("OKAPI_MISTAKES")]))]
"""OKAPI_MISTAKES names one more file that make_mistakes.py wrote."""

RECORDS = [record for file in FILES for record in json.loads(file.read_text(encoding="utf-8"))]
NAMES = [f"{record['fen'].split()[0]} {record['move']}" for record in RECORDS]

PIECES = {name: kind for kind, name in enumerate(chess.PIECE_NAMES) if name}
WORTH = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9, "king": 0}
NUMBERS = {"a": 1, "the": 1, "two": 2, "three": 3, "four": 4}
SAN = r"((?:[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](?:=[NBRQ])?|O-O(?:-O)?)[+#]?)"
PIECE = r"(pawn|knight|bishop|rook|queen|king)"
SQUARE = r"([a-h][1-8])"


def as_judged(record: dict[str, Any]) -> JudgedMove:
    position = Position.from_fen(record["fen"])
    move = position.move(record["move"])
    before, value = (Value(number, position.turn, mate) for number, mate in (record["before"], record["value"]))
    best_line, reply_line = line(position, record["best_line"]), line(position.after(move), record["reply_line"])
    return JudgedMove(0, position, move, before, value, best_line, reply_line)


def line(position: Position, moves: str | list[str]) -> tuple[Move, ...]:
    ahead = position.copy()
    return tuple(ahead.play(move) for move in (moves.split() if isinstance(moves, str) else moves))


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_the_sentence_is_the_one_we_know(record: dict[str, Any]) -> None:
    assert record["sentence"] == mistake_sentence(as_judged(record))


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_the_other_side_hears_the_same(record: dict[str, Any]) -> None:
    move = as_judged(record)
    twin = {
        **record,
        "fen": chess.Board(record["fen"]).mirror().fen(en_passant="fen"),
        "move": mirrored(str(move.move)),
        "best_line": [mirrored(str(each)) for each in move.best_line],
        "reply_line": [mirrored(str(each)) for each in move.reply_line],
    }

    assert mirrored(record["sentence"]) == mistake_sentence(as_judged(twin))


def mirrored(text: str) -> str:
    """The text with every square, and every rank that tells two pieces apart, on the other side of the board."""
    ranks = re.sub(r"([a-h])([1-8])", lambda match: f"{match[1]}{9 - int(match[2])}", text)
    return re.sub(r"([NBRQK])([1-8])(?=x?[a-h][1-8])", lambda match: f"{match[1]}{9 - int(match[2])}", ranks)


def test_enough_of_every_kind_is_tested() -> None:
    sentences = [said_of(record)[0] for record in RECORDS]
    said = {pattern for pattern in TRUTHS if any(re.fullmatch(pattern, words) for words in sentences)}

    assert 60 <= len(RECORDS)
    assert set(TRUTHS) == said


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_the_sentence_is_true(record: dict[str, Any]) -> None:
    words, board, moves = said_of(record)
    matches = [(match, truth) for pattern, truth in TRUTHS.items() if (match := re.fullmatch(pattern, words))]

    assert 1 == len(matches), words
    match, truth = matches[0]
    assert truth(board, moves, *match.groups()), words


def said_of(record: dict[str, Any]) -> tuple[str, chess.Board, list[chess.Move]]:
    """What is said, the position it is said of, and the line that proves it."""
    move = as_judged(record)
    position = move.position
    words = record["sentence"]
    board = chess.Board(record["fen"])
    if any(re.fullmatch(pattern, words) for pattern in COMPARED):
        lines = [move.best_line, (move.move, *move.reply_line)]
        best, own = ([chess.Move.from_uci(position.uci(each)) for each in line] for line in lines)
        return words, board, best if words.startswith("misses") or "; better was " in words else own
    if words.startswith(("misses", "gives away")):
        return words, board, [chess.Move.from_uci(position.uci(each)) for each in move.best_line]
    board.push_uci(position.uci(move.move))
    if words.startswith(("gives up", "trades")):
        board.pop()
        return words, board, [chess.Move.from_uci(position.uci(each)) for each in (move.move, *move.reply_line)]
    return words, board, [chess.Move.from_uci(position.uci(each)) for each in move.reply_line]


# --- What the sentences say, in python-chess ------------------------------------------------------------------------

Truth = Callable[..., bool]


def after(board: chess.Board, san: str) -> tuple[chess.Board, chess.Move]:
    ahead = board.copy()
    return ahead, ahead.push_san(san)


def mates(board: chess.Board, moves: list[chess.Move], san: str) -> bool:
    return after(board, san)[0].is_checkmate()


def mates_in(board: chess.Board, moves: list[chess.Move], number: str, san: str) -> bool:
    """Short mates against every defence; of longer ones, that the line is one."""
    ahead, _ = after(board, san)
    if int(number) == 2:
        return all(has_mate(replied(ahead, reply)) for reply in ahead.legal_moves) and not has_mate(board)
    return 2 * int(number) - 1 == len(moves) and board.san(moves[0]) == san and played(board, moves).is_checkmate()


def has_mate(board: chess.Board) -> bool:
    return any(replied(board, move).is_checkmate() for move in board.legal_moves)


def replied(board: chess.Board, move: chess.Move) -> chess.Board:
    ahead = board.copy(stack=False)
    ahead.push(move)
    return ahead


def played(board: chess.Board, moves: list[chess.Move]) -> chess.Board:
    ahead = board.copy()
    for move in moves:
        ahead.push(move)
    return ahead


def takes(board: chess.Board, san: str, piece: str, square: str | None = None) -> bool:
    """Does the move take such a piece, there?"""
    move = board.parse_san(san)
    taken = move.to_square
    if board.is_en_passant(move):
        taken = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return board.piece_type_at(taken) == PIECES[piece] and square in (None, chess.square_name(taken))


def takes_for_nothing(board: chess.Board, san: str, piece: str, square: str | None = None) -> bool:
    ahead, move = after(board, san)
    answers = [reply for reply in ahead.legal_moves if reply.to_square == move.to_square and ahead.is_capture(reply)]
    return takes(board, san, piece, square) and not answers


def hangs(board: chess.Board, moves: list[chess.Move], piece: str, san: str) -> bool:
    return takes_for_nothing(board, san, piece, chess.square_name(board.peek().to_square))


def is_paid(board: chess.Board, moves: list[chess.Move], piece: str, paid: str, san: str) -> bool:
    before = board.copy()
    took = before.pop()
    return before.piece_type_at(took.to_square) == PIECES[paid] and hangs(board, moves, piece, san)


def loses(board: chess.Board, moves: list[chess.Move], piece: str, square: str, san: str) -> bool:
    return takes_for_nothing(board, san, piece, square)


def wins(board: chess.Board, moves: list[chess.Move], san: str, piece: str) -> bool:
    return takes_for_nothing(board, san, piece)


def takes_dearer(board: chess.Board, moves: list[chess.Move], piece: str, taker: str, san: str) -> bool:
    return takes(board, san, piece) and board.piece_type_at(board.parse_san(san).from_square) == PIECES[taker]


def wins_dearer(board: chess.Board, moves: list[chess.Move], san: str, piece: str, taker: str) -> bool:
    return takes_dearer(board, moves, piece, taker, san)


def falls(board: chess.Board, moves: list[chess.Move], piece: str, square: str, attacked: str, defended: str) -> bool:
    at = chess.parse_square(square)
    counts = [attackers(board, side, at) for side in (board.turn, not board.turn)]
    return board.piece_type_at(at) == PIECES[piece] and [often(attacked), often(defended)] == counts


def attackers(board: chess.Board, side: chess.Color, at: int) -> int:
    """Pieces that attack a square, or would if those of their own side that do were not in the way."""
    direct, empty = board.attackers(side, at), chess.Board(None)
    others = chess.SquareSet(board.occupied_co[side]) - direct
    for square in sorted(others, key=lambda square: chess.square_distance(square, at)):
        empty.set_piece_map({square: board.piece_map()[square]})
        between = chess.SquareSet.between(square, at) & chess.SquareSet(board.occupied)
        kings = board.pieces(chess.KING, side)
        if between and at in empty.attacks(square) and all(each in direct - kings for each in between):
            direct.add(square)
    return len(direct)


def falls_to(board: chess.Board, moves: list[chess.Move], san: str, *rest: str) -> bool:
    return board.parse_san(san).to_square == chess.parse_square(rest[1]) and falls(board, moves, *rest)


def often(words: str) -> int:
    return {"once": 1, "twice": 2}.get(words) or int(words.split()[0])


def attacked_by(board: chess.Board, square: int) -> list[chess.Piece]:
    """The enemies that the piece there attacks."""
    piece = board.piece_at(square)
    assert piece is not None
    found = (board.piece_at(at) for at in board.attacks(square))
    return [enemy for enemy in found if enemy is not None and enemy.color != piece.color]


def forks(board: chess.Board, moves: list[chess.Move], san: str, listed: str) -> bool:
    ahead, move = after(board, san)
    left = [enemy.piece_type for enemy in attacked_by(ahead, move.to_square)]
    for name in re.split(r", | and ", listed):
        if PIECES[name] not in left:
            return False
        left.remove(PIECES[name])
    return board.is_capture(moves[0]) or moves[2].from_square == move.to_square


def skewers(board: chess.Board, moves: list[chess.Move], san: str, front: str, behind: str) -> bool:
    ahead, move = after(board, san)
    for square in ahead.attacks(move.to_square):
        if ahead.piece_type_at(square) == PIECES[front] and ahead.color_at(square) == ahead.turn:
            cleared = ahead.copy()
            cleared.remove_piece_at(square)
            beyond = cleared.attacks(move.to_square) - ahead.attacks(move.to_square)
            if any(ahead.piece_type_at(at) == PIECES[behind] and ahead.color_at(at) == ahead.turn for at in beyond):
                return True
    return False


def wins_behind(board: chess.Board, moves: list[chess.Move], san: str, behind: str, front: str) -> bool:
    return skewers(board, moves, san, front, behind)


def uncovers(board: chess.Board, moves: list[chess.Move], san: str, piece: str, target: str) -> bool:
    ahead, move = after(board, san)
    for square in ahead.pieces(PIECES[piece], board.turn):
        fresh = ahead.attacks(square) - board.attacks(square)
        new = [at for at in fresh if ahead.piece_type_at(at) == PIECES[target] and ahead.color_at(at) == ahead.turn]
        if square != move.to_square and new:
            return True
    return False


def attacks_pinned(board: chess.Board, moves: list[chess.Move], san: str, piece: str, square: str) -> bool:
    ahead, move = after(board, san)
    at = chess.parse_square(square)
    is_attacked = at in ahead.attacks(move.to_square) and ahead.piece_type_at(at) == PIECES[piece]
    return is_attacked and ahead.is_pinned(ahead.turn, at)


def loses_pinned(board: chess.Board, moves: list[chess.Move], piece: str, square: str, san: str) -> bool:
    return attacks_pinned(board, moves, san, piece, square)


def traps(board: chess.Board, moves: list[chess.Move], san: str, piece: str, square: str) -> bool:
    """It cannot move, or wherever it goes it can be taken; and the line takes it."""
    ahead, _ = after(board, san)
    at = chess.parse_square(square)
    ways = [move for move in ahead.legal_moves if move.from_square == at]
    exits = [replied(ahead, move) for move in ways]
    is_stuck = all(
        any(reply.to_square == way.to_square for reply in there.legal_moves)
        for way, there in zip(ways, exits, strict=True)
    )
    taken = [played(board, moves[:ply]).piece_type_at(moves[ply].to_square) for ply in range(2, len(moves), 2)]
    return ahead.piece_type_at(at) == PIECES[piece] and is_stuck and PIECES[piece] in taken


def gets_trapped(board: chess.Board, moves: list[chess.Move], piece: str, square: str, san: str) -> bool:
    return traps(board, moves, san, piece, square)


def promotes(board: chess.Board, moves: list[chess.Move], san: str, when: str) -> bool:
    ply = 0 if when == "at once" else 2 * (int(when.split()[1]) - 1)
    before = played(board, moves[:ply])
    return before.san(moves[ply]) == san and moves[ply].promotion is not None


def loses_by(board: chess.Board, moves: list[chess.Move], haul: str, sans: str) -> bool:
    """What is named is what the line wins, and the line is the one that was found."""
    ahead = board.copy()
    played_moves = [ahead.push_san(san) for san in sans.split()]
    change = balance(ahead, board.turn) - balance(board, board.turn)
    return moves[: len(played_moves)] == played_moves and change == points(haul) > 0


def wins_by(board: chess.Board, moves: list[chess.Move], san: str, haul: str, sans: str) -> bool:
    return sans.split()[0] == san and loses_by(board, moves, haul, sans)


def balance(board: chess.Board, side: chess.Color) -> int:
    pieces = board.piece_map().values()
    return sum(WORTH[chess.piece_name(each.piece_type)] * (1 if each.color == side else -1) for each in pieces)


def points(haul: str) -> int:
    if haul == "the exchange":
        return 2
    won, _, lost = haul.partition(" for ")
    return sum(
        sign * NUMBERS[number] * WORTH[name]
        for sign, part in ((1, won), (-1, lost))
        for number, name in re.findall(rf"(a|the|two|three|four) {PIECE}s?", part)
    )


def is_drawn(board: chess.Board, moves: list[chess.Move], reply: str | None, ending: str) -> bool:
    over = played(board, moves[:1])
    if reply is not None:
        over.push_san(reply)
    return {
        "it is stalemate": over.is_stalemate,
        "nobody can mate any more": over.is_insufficient_material,
        "fifty moves are over": over.is_fifty_moves,
    }[ending]()


def repeats(board: chess.Board, moves: list[chess.Move], san: str) -> bool:
    """Checks, and nothing but checks, until a position stands for the second time."""
    ahead = board.copy(stack=False)
    for move in moves:
        checker = ahead.turn == board.turn
        ahead.push(move)
        if checker and not ahead.is_check():
            return False
        if ahead.is_repetition(2):
            return board.san(moves[0]) == san
    return False


def trades_down(board: chess.Board, moves: list[chess.Move], sans: str) -> bool:
    ahead = board.copy()
    for san in sans.split():
        ahead.push_san(san)
    return {chess.PAWN, chess.KING} == {piece.piece_type for piece in ahead.piece_map().values()}


def is_best(board: chess.Board, moves: list[chess.Move], number: str, san: str) -> bool:
    return board.san(moves[0]) == san


# --- What sentences say that compare two lines ------------------------------------------------------------------------


def changes_material(board: chess.Board, moves: list[chess.Move], verb: str, much: str, sans: str) -> bool:
    """At the end of the moves that are told, the mover has lost at least as much, or won it."""
    ahead = told(board, moves, sans)
    change = balance(ahead, board.turn) - balance(board, board.turn)
    least = {"a pawn": 1, "two pawns": 2}.get(much) or int(much.split()[-2])
    return change <= -least if verb == "loses" else change >= least


def attacks_by_reply(board: chess.Board, moves: list[chess.Move], san: str, piece: str, square: str) -> bool:
    """The reply attacks a piece that is dearer than its attacker or has no guard."""
    return hits(played(board, moves[:1]), san, piece, square)


def attacks_at_once(board: chess.Board, moves: list[chess.Move], san: str, piece: str, square: str) -> bool:
    return board.san(moves[0]) == san and hits(board, san, piece, square)


def hits(board: chess.Board, san: str, piece: str, square: str) -> bool:
    ahead, move = after(board, san)
    at = chess.parse_square(square)
    name = chess.piece_name(ahead.piece_type_at(move.to_square) or chess.KING)
    is_there = ahead.piece_at(at) == chess.Piece(PIECES[piece], ahead.turn)
    is_weak = WORTH[piece] > WORTH[name] or not ahead.attackers(ahead.turn, at)
    return is_there and move.to_square in ahead.attackers(board.turn, at) and is_weak


def is_not_stopped(board: chess.Board, moves: list[chess.Move], reply: str, best: str) -> bool:
    threat = played(board, moves[:1]).parse_san(reply)
    return threat not in after(board, best)[0].legal_moves


def is_passive(board: chess.Board, moves: list[chess.Move], line: str, few: str, better: str, many: str) -> bool:
    return (reached(board, line), reached(board, better)) == (int(few), int(many)) and 4 * int(few) < 3 * int(many)


def reached(board: chess.Board, sans: str) -> int:
    """Squares that the mover's pieces attack at the end of a line, without those of its own men."""
    ahead = board.copy()
    for san in sans.split():
        ahead.push_san(san)
    pieces = {at: piece for at, piece in ahead.piece_map().items() if piece.color == board.turn}
    pieces_alone = [at for at, piece in pieces.items() if piece.piece_type not in (chess.PAWN, chess.KING)]
    return sum(target not in pieces for at in pieces_alone for target in ahead.attacks(at))


def told(board: chess.Board, moves: list[chess.Move], sans: str) -> chess.Board:
    """The position at the end of the moves that a sentence tells: they begin one of the two lines."""
    ahead = board.copy()
    assert moves[: len(sans.split())] == [ahead.push_san(san) for san in sans.split()]
    return ahead


def appears(has: Callable[[chess.Board, chess.Color, str], bool], whose: int, wanted: bool = True) -> Truth:
    """At the end of the moves that are told a side has something, or has it no more, other than before them."""

    def truth(board: chess.Board, moves: list[chess.Move], *groups: str) -> bool:
        *place, sans = groups
        side = board.turn if whose else not board.turn
        where = place[-1] if place else ""
        return (has(board, side, where), has(told(board, moves, sans), side, where)) == (not wanted, wanted)

    return truth


def pawn_squares(board: chess.Board, side: chess.Color) -> list[str]:
    return [chess.square_name(at) for at in board.pieces(chess.PAWN, side)]


def is_passed(board: chess.Board, side: chess.Color, pawn: str) -> bool:
    """No pawn of the other side is in front of it, on its file or beside it, and none of its own on its file."""
    front = (lambda other: other[1] > pawn[1]) if side else (lambda other: other[1] < pawn[1])
    beside = [other for other in pawn_squares(board, not side) if abs(ord(other[0]) - ord(pawn[0])) <= 1]
    own = [other for other in pawn_squares(board, side) if other[0] == pawn[0]]
    return pawn in own and not any(map(front, beside + own))


def has_passed(board: chess.Board, side: chess.Color, file: str) -> bool:
    return any(is_passed(board, side, pawn) for pawn in pawn_squares(board, side) if pawn[0] == file)


def has_far_pawn(board: chess.Board, side: chess.Color, pawn: str) -> bool:
    return is_passed(board, side, pawn) and pawn[1] in ("67" if side else "32")


def has_doubled(board: chess.Board, side: chess.Color, file: str) -> bool:
    return "".join(pawn_squares(board, side)).count(file) > 1


def has_isolated(board: chess.Board, side: chess.Color, file: str) -> bool:
    files = {pawn[0] for pawn in pawn_squares(board, side)}
    return file in files and not files & {chr(ord(file) - 1), chr(ord(file) + 1)}


def has_open_king(board: chess.Board, side: chess.Color, file: str) -> bool:
    king = chess.square_name(board.pieces(chess.KING, side).pop())
    heavy = board.pieces(chess.QUEEN, not side) and board.pieces(chess.ROOK, not side)
    return bool(heavy) and abs(ord(king[0]) - ord(file)) <= 1 and file not in "".join(pawn_squares(board, side))


def has_attackers(board: chess.Board, side: chess.Color, place: str) -> bool:
    king = board.pieces(chess.KING, side).pop()
    near = [at for at in chess.SQUARES if chess.square_distance(at, king) == 1]
    men = [at for at, piece in board.piece_map().items() if piece.color != side and piece.piece_type not in (1, 6)]
    return sum(any(at in board.attackers(not side, target) for target in near) for at in men) >= 3


def has_lost_castling(board: chess.Board, side: chess.Color, place: str) -> bool:
    file = chess.square_name(board.pieces(chess.KING, side).pop())[0]
    rights = board.fen().split()[2]
    return file in "def" and not any(right.isupper() == side for right in rights if right != "-")


def has_rook_in(board: chess.Board, side: chess.Color, square: str) -> bool:
    return board.piece_at(chess.parse_square(square)) == chess.Piece(chess.ROOK, side) and square[1] == "27"[side]


def has_pin(board: chess.Board, side: chess.Color, square: str) -> bool:
    """Without the piece its king would be attacked by one more."""
    at, king = chess.parse_square(square), board.pieces(chess.KING, side).pop()
    if board.color_at(at) is not side:
        return False
    bare = board.copy()
    bare.remove_piece_at(at)
    return len(bare.attackers(not side, king)) > len(board.attackers(not side, king))


def has_bishops(board: chess.Board, side: chess.Color, place: str) -> bool:
    def both(color: chess.Color) -> bool:
        squares = [chess.square_file(at) + chess.square_rank(at) for at in board.pieces(chess.BISHOP, color)]
        return len({square % 2 for square in squares}) == 2

    return both(side) and not both(not side)


def has_shut_in(board: chess.Board, side: chess.Color, square: str) -> bool:
    at = chess.parse_square(square)
    steps = [to for to in board.attacks(at) if board.color_at(to) is not side]
    return board.piece_at(at) == chess.Piece(chess.BISHOP, side) and len(steps) <= 1 and square[1] != "81"[side]


def has_open_file(board: chess.Board, side: chess.Color, file: str) -> bool:
    on_file = [
        str(board.piece_at(at)) for at in chess.SQUARES if chess.square_name(at)[0] == file and board.piece_at(at)
    ]
    mine, theirs = ("R", "r") if side else ("r", "R")
    return mine in on_file and not {theirs, "p", "P"} & set(on_file)


def has_outpost(board: chess.Board, side: chess.Color, square: str) -> bool:
    chasers = [other for other in pawn_squares(board, not side) if abs(ord(other[0]) - ord(square[0])) == 1]
    ahead = [other for other in chasers if (other[1] > square[1]) is side and other[1] != square[1]]
    knight = board.piece_at(chess.parse_square(square)) == chess.Piece(chess.KNIGHT, side)
    return knight and not ahead and square[1] in ("56" if side else "43")


def has_central_king(board: chess.Board, side: chess.Color, place: str) -> bool:
    king = chess.square_name(board.pieces(chess.KING, side).pop())
    return king[0] in "cdef" and king[1] in "3456" and not board.queens


def has_no_queens(board: chess.Board, side: chess.Color, place: str) -> bool:
    return "q" not in board.board_fen().lower()


def has_centre_pawn(board: chess.Board, side: chess.Color, square: str) -> bool:
    return square in pawn_squares(board, side) and square in ("d4", "e4", "d5", "e5")


def has_at_home(board: chess.Board, side: chess.Color, square: str) -> bool:
    piece = board.piece_at(chess.parse_square(square))
    return piece is not None and piece.color is side and square[1] == "81"[side]


HAUL = r"((?:the exchange|(?:a|two|three|four) [a-z]+.*?))"
OFTEN = r"(once|twice|\d+ times)"
LINE = rf"({SAN[1:-1]}(?: {SAN[1:-1]})*)"

PLACE = r"(?:knight|bishop|rook|queen) on ([a-h][1-8])"

COMPARED: dict[str, Truth] = {
    rf"(loses|misses) (a pawn|two pawns|material worth \d+ pawns) in the end: {LINE}": changes_material,
    rf"lets {SAN} attack the {PIECE} on {SQUARE}": attacks_by_reply,
    rf"misses {SAN}, which attacks the {PIECE} on {SQUARE}": attacks_at_once,
    rf"does not stop {SAN}, as {SAN} does": is_not_stopped,
    rf"leaves the pieces passive: after {LINE} they reach (\d+) squares, after {LINE} (\d+)": is_passive,
    rf"lets a passed pawn reach {SQUARE}: {LINE}": appears(has_far_pawn, 0),
    rf"misses the way of the passed pawn to {SQUARE}: {LINE}": appears(has_far_pawn, 1),
    rf"gives up the passed pawn on {SQUARE}: {LINE}": appears(has_far_pawn, 1, False),
    rf"gives the opponent a passed pawn on the ([a-h])-file: {LINE}": appears(has_passed, 0),
    rf"misses a passed pawn on the ([a-h])-file: {LINE}": appears(has_passed, 1),
    rf"gives up the passed pawn on the ([a-h])-file: {LINE}": appears(has_passed, 1, False),
    rf"opens the ([a-h])-file beside its own king: {LINE}": appears(has_open_king, 1),
    rf"misses opening the ([a-h])-file beside the king: {LINE}": appears(has_open_king, 0),
    rf"lets three pieces attack its king: {LINE}": appears(has_attackers, 1),
    rf"misses an attack of three pieces on the king: {LINE}": appears(has_attackers, 0),
    rf"leaves three pieces attacking its king; better was {LINE}": appears(has_attackers, 1, False),
    rf"leaves its king in the middle without castling: {LINE}": appears(has_lost_castling, 1),
    rf"misses keeping the king in the middle: {LINE}": appears(has_lost_castling, 0),
    rf"lets a rook in on {SQUARE}: {LINE}": appears(has_rook_in, 0),
    rf"misses the way of the rook to {SQUARE}: {LINE}": appears(has_rook_in, 1),
    rf"gets the {PLACE} pinned: {LINE}": appears(has_pin, 1),
    rf"misses the pin of the {PLACE}: {LINE}": appears(has_pin, 0),
    rf"leaves the {PLACE} pinned; better was {LINE}": appears(has_pin, 1, False),
    rf"leaves the opponent the pair of bishops: {LINE}": appears(has_bishops, 0),
    rf"misses getting the pair of bishops: {LINE}": appears(has_bishops, 1),
    rf"gives up the pair of bishops: {LINE}": appears(has_bishops, 1, False),
    rf"shuts in the {PLACE}: {LINE}": appears(has_shut_in, 1),
    rf"misses shutting in the {PLACE}: {LINE}": appears(has_shut_in, 0),
    rf"leaves the {PLACE} shut in; better was {LINE}": appears(has_shut_in, 1, False),
    rf"leaves the opponent the open ([a-h])-file: {LINE}": appears(has_open_file, 0),
    rf"misses the open ([a-h])-file: {LINE}": appears(has_open_file, 1),
    rf"gives up the open ([a-h])-file: {LINE}": appears(has_open_file, 1, False),
    rf"lets a knight settle on {SQUARE}: {LINE}": appears(has_outpost, 0),
    rf"misses a safe square of the knight on {SQUARE}: {LINE}": appears(has_outpost, 1),
    rf"lets the opponent's king into the centre: {LINE}": appears(has_central_king, 0),
    rf"misses bringing the king to the centre: {LINE}": appears(has_central_king, 1),
    rf"takes the king away from the centre: {LINE}": appears(has_central_king, 1, False),
    rf"exchanges the queens: {LINE}": appears(has_no_queens, 1),
    rf"misses the exchange of queens: {LINE}": appears(has_no_queens, 1),
    rf"gets doubled pawns on the ([a-h])-file: {LINE}": appears(has_doubled, 1),
    rf"misses doubling the pawns on the ([a-h])-file: {LINE}": appears(has_doubled, 0),
    rf"isolates its pawn on the ([a-h])-file: {LINE}": appears(has_isolated, 1),
    rf"misses isolating the pawn on the ([a-h])-file: {LINE}": appears(has_isolated, 0),
    rf"lets a pawn take the centre on {SQUARE}: {LINE}": appears(has_centre_pawn, 0),
    rf"misses a pawn in the centre on {SQUARE}: {LINE}": appears(has_centre_pawn, 1),
    rf"gives up the pawn in the centre on {SQUARE}: {LINE}": appears(has_centre_pawn, 1, False),
    rf"leaves the {PLACE} undeveloped; better was {LINE}": appears(has_at_home, 1, False),
}
"""What is said of a difference between two lines, and what makes it true."""

TRUTHS: dict[str, Truth] = {
    rf"(?:allows|misses) mate: {SAN}": mates,
    rf"leaves the back rank: {SAN} mates": mates,
    rf"(?:allows|misses) mate in (\d+) beginning with {SAN}": mates_in,
    rf"hangs the {PIECE}: {SAN} takes it and nothing takes back": hangs,
    rf"gives the {PIECE} for a {PIECE}: {SAN} takes it and nothing takes back": is_paid,
    rf"loses the {PIECE} on {SQUARE}: (?:after )?{SAN} (?:takes it and )?nothing takes back": loses,
    rf"misses {SAN}, which wins (?:a|the) {PIECE}": wins,
    rf"loses the {PIECE} for a {PIECE}: {SAN}": takes_dearer,
    rf"misses {SAN}, which wins the {PIECE} for a {PIECE}": wins_dearer,
    rf"the {PIECE} on {SQUARE} falls: it is attacked {OFTEN} and defended {OFTEN}": falls,
    rf"misses {SAN}: the {PIECE} on {SQUARE} is attacked {OFTEN} and defended {OFTEN}": falls_to,
    rf"(?:walks into a fork:|misses the fork) {SAN},? (?:which )?attacks (.*)": forks,
    rf"walks into a skewer: {SAN} drives the {PIECE} away from the {PIECE}": skewers,
    rf"misses the skewer {SAN}, which wins (?:a|the) {PIECE} behind the {PIECE}": wins_behind,
    rf"(?:allows|misses) {SAN}, which uncovers the {PIECE}'s attack on the {PIECE}": uncovers,
    rf"misses {SAN}, which attacks the pinned {PIECE} on {SQUARE}": attacks_pinned,
    rf"loses the pinned {PIECE} on {SQUARE}: {SAN} attacks it": loses_pinned,
    rf"misses {SAN}, which traps the {PIECE} on {SQUARE}": traps,
    rf"gets the {PIECE} on {SQUARE} trapped: after {SAN} it has no way out": gets_trapped,
    rf"(?:lets a pawn through|misses a pawn that gets through): {SAN} comes (at once|in \d+ moves)": promotes,
    rf"loses (?!.* in the end){HAUL}: {LINE}": loses_by,
    rf"misses {SAN}, which wins {HAUL}: {LINE}": wins_by,
    rf"gives up the win: (?:after {SAN} )?(it is stalemate|nobody can mate any more|fifty moves are over)": is_drawn,
    rf"allows perpetual check beginning with {SAN}": repeats,
    rf"trades into a lost pawn ending: {LINE}": trades_down,
    rf"gives away (\d+) %: best was {SAN}(?:,.*| .*)?": is_best,
    **COMPARED,
}
"""What can be said, and what makes it true: of the position after the move, or before it if something is missed."""
