"""Games as PGN."""

import io
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

import chess.pgn

from okapi.core import Game, Move, Position
from okapi.errors import InvalidPgn, NotFound, OkapiError

__all__ = ["movetext", "read_pgn", "write_pgn"]

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The seven tags that every PGN begins with, less the result."""


def read_pgn(path: Path) -> Iterator[Game]:
    """Yield the games of a file. InvalidPgn says which game is wrong and why.

    A file without any game is wrong, too: nobody asks for nothing.
    """
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            yield from _games(file, path.name)
    except FileNotFoundError:
        raise NotFound(f"no file at `{path}`", hint="give a FEN in quotes, or the path of a PGN file") from None
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {error.strerror}") from None


def _games(file: TextIO, name: str) -> Iterator[Game]:
    number = 0
    while (parsed := chess.pgn.read_game(file)) is not None:
        if not parsed.errors and _is_empty(parsed):
            continue
        number += 1
        if parsed.errors:
            raise InvalidPgn(f"game {number} of {name}: {parsed.errors[0]}", hint="correct the move and try again")
        yield _game(parsed, f"game {number} of {name}")
    if number == 0:
        raise InvalidPgn(f"there is no game in {name}", hint="a PGN game looks like: 1. e4 e5 2. Nf3 Nc6 *")


def _is_empty(parsed: chess.pgn.Game) -> bool:
    """Nothing but what python-chess makes of any text at all?"""
    return not parsed.variations and dict(parsed.headers) == {**ROSTER, "Result": "*"}


def _game(parsed: chess.pgn.Game, name: str) -> Game:
    try:
        board = parsed.board()
        start = Position.from_fen(board.shredder_fen() if board.chess960 else board.fen())
        position = start.copy()
        moves = tuple(position.play(move.uci()) for move in parsed.mainline_moves())
    except (OkapiError, ValueError) as error:
        raise InvalidPgn(f"{name}: {error}") from None
    tags = {tag: value.replace('\\"', '"').replace("\\\\", "\\") for tag, value in parsed.headers.items()}
    return Game(start, moves, tags.get("Result", "*"), tags=tags)


def write_pgn(game: Game, comments: Mapping[int, str] | None = None) -> str:
    """The game as PGN, ending with an empty line. A comment stands behind the move of its ply (0 is the first).

    >>> print(write_pgn(Game.of(["e4", "e5"]), {0: "best by test"}))
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "?"]
    [Black "?"]
    [Result "*"]
    <BLANKLINE>
    1. e4 { best by test } 1... e5 *
    <BLANKLINE>
    """
    tags = {**ROSTER, **game.tags, "Result": game.result}
    if game.start != Position.start():
        tags |= {"SetUp": "1", "FEN": game.start.fen()}
        if game.start.is_chess960():
            tags["Variant"] = "Chess960"
    out = io.StringIO()
    for tag, value in tags.items():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        out.write(f'[{tag} "{escaped}"]\n')
    words = f"{movetext(game, comments)} {game.result}".strip()
    out.write("\n" + "\n".join(textwrap.wrap(words, 100, break_long_words=False, break_on_hyphens=False)) + "\n")
    return out.getvalue()


def movetext(game: Game, comments: Mapping[int, str] | None = None) -> str:
    """The moves in SAN with their numbers.

    >>> movetext(Game.of("d4 d5 c4".split()))
    '1. d4 d5 2. c4'
    """
    words: list[str] = []
    interrupted = True
    for ply, (position, move) in enumerate(game.positions()):
        if position.turn.name == "WHITE":
            words.append(f"{position.fullmove_number}.")
        elif interrupted:
            words.append(f"{position.fullmove_number}...")
        words.append("--" if move == Move.none() else position.san(move))
        comment = (comments or {}).get(ply)
        interrupted = comment is not None
        if comment is not None:
            words.append(comment if comment.startswith(("$", "{")) else f"{{ {comment} }}")
    return " ".join(words)
