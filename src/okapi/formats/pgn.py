"""Games as PGN."""

import io
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TextIO

import chess.pgn

from okapi.core import Game, Move, Position
from okapi.errors import InvalidPgn, OkapiError
from okapi.formats.streams import open_stream

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The seven tags that every PGN begins with, less the result."""

OF_ANY_TEXT = {**ROSTER, "Result": "*"}  # the tags of the game that python-chess makes of any text
LOOKS_LIKE = "a PGN game looks like: 1. e4 e5 2. Nf3 Nc6 *"


def read_pgn(path: Path | str) -> Iterator[Game]:
    """Yield the games of a file, plain or compressed. InvalidPgn says which one is wrong, or that there is none."""
    path, number = Path(path), 0
    with open_stream(path) as stream:
        stream.check_that_it_is_pgn()
        file = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace")
        while (parsed := _parsed(file, f"game {number + 1} of {path.name}")) is not None:
            if parsed.errors or parsed.variations or dict(parsed.headers) != OF_ANY_TEXT:
                number += 1
                yield _game(parsed, f"game {number} of {path.name}")
    if number == 0:
        raise InvalidPgn(f"there is no game in {path.name}", hint=LOOKS_LIKE)


class GameBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """For python-chess: reads any text without an IndexError, and keeps errors in the game without logging them."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)

    def end_variation(self) -> None:
        """Back to the line before, if there is one: an illegal move and `)` would end the main line, too."""
        if len(self.variation_stack) > 1:
            super().end_variation()


def _parsed(file: TextIO, name: str) -> chess.pgn.Game | None:
    try:
        return chess.pgn.read_game(file, Visitor=GameBuilder)
    except ValueError as error:  # a $ with thousands of digits
        raise InvalidPgn(f"{name}: {error}", hint=LOOKS_LIKE) from None


def _game(parsed: chess.pgn.Game, name: str) -> Game:
    if parsed.errors:
        raise InvalidPgn(f"{name}: {parsed.errors[0]}", hint="correct the move and try again")
    if chess.Move.null() in parsed.mainline_moves():
        raise InvalidPgn(f"{name} has a null move (--), which is not legal", hint="remove it and what follows it")
    try:
        board = parsed.board()
        start = Position.from_fen(board.shredder_fen() if board.chess960 else board.fen())
        position = start.copy()
        moves = tuple(position.play(move.uci()) for move in parsed.mainline_moves())
    except (OkapiError, ValueError) as error:
        raise InvalidPgn(f"{name}: {error}", hint=getattr(error, "hint", "")) from None
    tags = {tag: value.replace('\\"', '"').replace("\\\\", "\\") for tag, value in parsed.headers.items()}
    return Game(start, moves, tags.get("Result", "*"), tags=tags)


def write_pgn(game: Game, comments: Mapping[int, str] | None = None) -> str:
    """The game as PGN, ending with an empty line. A comment follows the move of its ply (0 is the first).

    >>> write_pgn(Game.of(["e4", "e5"]), {0: "best by test"}).splitlines()[-1]
    '1. e4 { best by test } 1... e5 *'
    """
    tags = {**ROSTER, **game.tags, "Result": game.result}
    if game.start != Position.start():
        tags |= {"SetUp": "1", "FEN": game.start.fen()}
        if game.start.is_chess960():
            tags["Variant"] = "Chess960"
    escaped = {tag: value.replace("\\", "\\\\").replace('"', '\\"') for tag, value in tags.items()}
    words = f"{movetext(game, comments)} {game.result}".strip()
    wrapped = textwrap.wrap(words, 100, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*(f'[{tag} "{value}"]' for tag, value in escaped.items()), "", *wrapped, ""])


def movetext(game: Game, comments: Mapping[int, str] | None = None) -> str:
    """The moves in SAN with their numbers."""
    words: list[str] = []
    comment: str | None = ""
    for ply, (position, move) in enumerate(game.positions()):
        white = position.turn.name == "WHITE"
        if white or comment is not None:
            words.append(f"{position.fullmove_number}{'.' if white else '...'}")
        words.append("--" if move == Move.none() else position.san(move))
        if (comment := (comments or {}).get(ply)) is not None:
            words.append(comment if comment.startswith(("$", "{")) else f"{{ {comment} }}")
    return " ".join(words)


BOM = b"\xef\xbb\xbf"
ANY_TAG = re.compile(rb'(?:\xef\xbb\xbf)?\[\w+\s+"')  # and not a comment such as [%clk 0:01:00]
TAG = re.compile(rb'\[(White|Black|Result)\s+"((?:[^"\\]|\\.)*)"\s*\]')
ENDING = re.compile(rb"(?:^|\s)(1-0|0-1|1/2-1/2|\*)\s*$")
POINTS = {b"1-0": 1.0, b"0-1": 0.0, b"1/2-1/2": 0.5}


@dataclass(frozen=True, slots=True)
class PgnResult:
    white: str
    black: str
    points: float  # White's: 0, ½ or 1


def read_results(path: Path | str) -> Iterator[PgnResult | None]:
    """Yield the result of every game of a PGN file, plain or compressed; None where two names or a result are missing.

    Where the Result tag is missing, the result after the moves is used.
    """
    with open_stream(path) as stream:
        stream.check_that_it_is_pgn()
        yield from _results(stream)


def _results(file: IO[bytes]) -> Iterator[PgnResult | None]:
    """A game begins with a tag after moves, or with a tag that the current game already has."""
    tags: dict[bytes, bytes] = {}
    last = b""  # line of moves
    for line in file:
        if not line.startswith((b"[", BOM)) or not ANY_TAG.match(line):
            last = line if line.strip() else last
            continue
        if last:
            yield _result(tags, last)
            tags, last = {}, b""
        for name, value in TAG.findall(line):
            if name in tags:
                yield _result(tags, last)
                tags = {}
            tags[name] = value
    if tags or last:
        yield _result(tags, last)


def _result(tags: dict[bytes, bytes], last: bytes) -> PgnResult | None:
    ending = tags.get(b"Result", b"").strip()
    if ending not in POINTS:
        found = ENDING.search(last)
        ending = found[1] if found else b""
    white, black = _name(tags.get(b"White")), _name(tags.get(b"Black"))
    if ending not in POINTS or not white or not black:
        return None
    return PgnResult(white, black, POINTS[ending])


def _name(value: bytes | None) -> str:
    """The name as text; empty for an unknown player."""
    text = re.sub(rb"\\(.)", rb"\1", value or b"").decode("utf-8", errors="replace").strip()
    return "" if text == "?" else text
