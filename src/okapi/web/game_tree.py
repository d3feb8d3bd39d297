"""Games with side lines, as pages keep them: a list of moves, each with the number of the move before it."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

import chess.pgn

from okapi.core import Move, Position
from okapi.errors import InvalidMessage, InvalidPgn, OkapiError
from okapi.formats.pgn import GameBuilder
from okapi.web.messages import Between, Fen, Many, MoveText, Text
from okapi.web.views import played_view, side_name, start_view

FIRST: Final = -1  # the number of the move before a first move
MOST_MOVES: Final = 3000
MARKS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
NAGS: Final = {mark: nag for nag, mark in MARKS.items()}
FEN: Final = re.compile(r"\s*[^\s/]+(/[^\s/]+){7}(\s|$)")  # or what is meant as one: the core says what is wrong
COMMAND: Final = re.compile(r"\[%[^\]]*\]")


@dataclass(frozen=True, slots=True)
class TreeMove:
    """One move, and the number of the move that it follows."""

    before: Annotated[int, Between(FIRST, MOST_MOVES)]
    move: MoveText
    mark: Annotated[str, Text(2)] = ""
    comment: Annotated[str, Text(2000)] = ""


@dataclass(frozen=True, slots=True)
class Tag:
    name: Annotated[str, Text(40)]
    value: Annotated[str, Text(400)]


@dataclass(frozen=True, slots=True)
class Tree:
    """A game as the page stores it. Of the moves that follow one move, the first is the main line."""

    start: Fen
    moves: Annotated[tuple[TreeMove, ...], Many(MOST_MOVES)] = ()
    tags: Annotated[tuple[Tag, ...], Many(60)] = ()


def read_text(text: str) -> dict[str, Any]:
    """The game that a FEN or a PGN stands for, with everything the page shows of it: InvalidFen, InvalidPgn.

    >>> [move["san"] for move in read_text("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *")["moves"]]
    ['e4', 'e5', 'c5', 'Nf3', 'Nc3']
    """
    if FEN.match(text):
        return _view(Position.from_fen(text.strip()), [], {})
    parsed = chess.pgn.read_game(io.StringIO(text.strip().lstrip("\ufeff")), Visitor=_Bounded)
    if parsed is None or (not parsed.errors and not parsed.variations and "FEN" not in parsed.headers):
        raise InvalidPgn("there is neither a game nor a position in this text", hint="a game looks like: 1. e4 e5 *")
    if parsed.errors:
        raise InvalidPgn(f"this game cannot be read: {parsed.errors[0]}", hint="correct the move and try again")
    try:
        board = parsed.board()
        start = Position.from_fen(board.shredder_fen() if board.chess960 else board.fen())
        return _view(start, _moves(parsed, start), dict(parsed.headers))
    except ValueError as error:
        raise InvalidPgn(f"this game cannot be read: {error}") from None


def main_line(view: Mapping[str, Any]) -> dict[str, Any]:
    """A game that was read, without its side lines.

    >>> [move["san"] for move in main_line(read_text("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *"))["moves"]]
    ['e4', 'e5', 'Nc3']
    """
    moves, at = [], FIRST
    for number, move in enumerate(view["moves"]):
        if move["before"] == at:
            moves.append(move)
            at = number
    return {**view, "moves": moves}


def move_view(before: int, position: Position, move: Move, mark: str = "", comment: str = "") -> dict[str, Any]:
    number, turn = position.fullmove_number, side_name(position.turn)
    about = {"before": before, "number": number, "turn": turn, "mark": mark, "comment": comment}
    return {**played_view(position.copy(), move), **about}


def write_tree(tree: Tree) -> str:
    """The tree as PGN. Every move is checked: InvalidMessage, IllegalMove.

    >>> tree = Tree(Position.start().fen(), (TreeMove(-1, "e2e4", "?!"), TreeMove(-1, "d2d4")))
    >>> write_tree(tree).splitlines()[-1]
    '1. e4 $6 ( 1. d4 ) *'
    """
    start = Position.from_fen(tree.start)
    tags = {tag.name: tag.value for tag in tree.tags if tag.name not in ("FEN", "SetUp", "Variant")}
    try:
        game = chess.pgn.Game(tags)
    except ValueError as error:  # a name that PGN does not know, or a line that breaks
        raise InvalidMessage(str(error)) from None
    game.setup(start.to_chess())
    nodes: list[tuple[chess.pgn.GameNode, Position]] = []
    for number, step in enumerate(tree.moves):
        if step.before >= number:
            raise InvalidMessage(f"move {number} follows move {step.before}, which comes later")
        node, position = (game, start) if step.before == FIRST else nodes[step.before]
        move = position.move(step.move)
        uci = position.uci(move, chess960=start.is_chess960())
        nags = [NAGS[step.mark]] if step.mark in NAGS else []
        played = node.add_variation(chess.Move.from_uci(uci), comment=step.comment, nags=nags)
        # Without its history: a thousand of them would fill the memory.
        nodes.append((played, Position.from_fen(position.after(move).fen(shredder=start.is_chess960()))))
    return f"{game.accept(chess.pgn.StringExporter(columns=100))}\n"


def _moves(parsed: chess.pgn.Game, start: Position) -> list[dict[str, Any]]:
    """Every move of every line, those that follow the same move in their order."""
    found: list[dict[str, Any]] = []
    waiting: list[tuple[chess.pgn.GameNode, int, Position]] = [(parsed, FIRST, start)]
    while waiting:
        node, before, position = waiting.pop()
        for rank, child in enumerate(node.variations):
            try:
                move = position.move(child.move.uci())
            except OkapiError as error:
                if rank == 0:
                    raise InvalidPgn(f"this game cannot be read: {error}") from None
                continue  # a side line with a move that is none, such as the null move
            mark = next((MARKS[nag] for nag in sorted(child.nags) if nag in MARKS), "")
            comment = COMMAND.sub("", child.comment).strip()[:2000]
            waiting.append((child, len(found), position.after(move)))
            found.append(move_view(before, position, move, mark, comment))
    return found


class _Bounded(GameBuilder):
    """Stops reading where a game gets too long."""

    def __init__(self) -> None:
        super().__init__()
        self._moves = 0

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._moves += 1
        if self._moves > MOST_MOVES:
            raise InvalidPgn(f"the game has more than {MOST_MOVES} moves with its side lines")
        super().visit_move(board, move)


def _view(start: Position, moves: list[dict[str, Any]], tags: Mapping[str, str]) -> dict[str, Any]:
    fen = start.fen(shredder=start.is_chess960())
    return {**start_view(start), "start": fen, "start_check": start.is_check(), "tags": dict(tags), "moves": moves}
