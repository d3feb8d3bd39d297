"""Where the games of a match begin: openings from EPD, PGN and Polyglot files, from our own set, or Chess960 starts."""

import bz2
import gzip
import io
import lzma
import random
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import chess
import chess.pgn
import chess.polyglot

from okapi.core import Position
from okapi.errors import InvalidEpd, InvalidFen, InvalidPgn, InvalidText, NotFound, UsageError, did_you_mean
from okapi.formats.chess960 import chess960_start
from okapi.formats.pgn import GameBuilder

__all__ = ["BUILT_IN", "load_openings"]

BUILT_IN: Final = Path(__file__).with_name("openings.epd")
"""Balanced positions after eight plies, made by scripts/make_openings.py."""

BOOK_LINES = 500
"""How many openings are drawn from a Polyglot book where nobody says how many are wanted."""

PATIENCE = 1_000
"""Walks through a book that may end where others ended before; then there is nothing new in it."""


def load_openings(
    source: str | None = None,
    *,
    plies: int = 16,
    seed: int | None = 1,
    chess960: bool = False,
    count: int | None = None,
) -> list[Position]:
    """Distinct positions to begin games from, without the moves that led there, shuffled by `seed`.

    `source` is an EPD, PGN or Polyglot (.bin) file, also inside .zip, .gz, .xz or .bz2; without one it is our own set
    or, with `chess960`, the 960 starts. `plies` is how far into PGN games and books to go. Without a seed the order of
    the file stays; with `count` there are at most so many.

    >>> openings = load_openings(count=2)
    >>> len(openings), openings == load_openings(count=2), openings[0].plies
    (2, True, 0)
    >>> len(load_openings(chess960=True))
    960
    """
    if plies < 1:
        raise UsageError(f"an opening of {plies} plies is none", hint="--plies 16")
    dice = None if seed is None else random.Random(seed)
    if source is None and chess960:
        found: Iterator[Position] = (chess960_start(number) for number in _shuffled(range(960), dice))
        name = "the 960 starts"
    else:
        path = BUILT_IN if source is None else Path(source)
        name, data = _unpacked(path)
        read = _format(name)
        found = read(data, name, plies, dice)
        if count is None and read is _polyglot:
            count = BOOK_LINES
    openings = list(islice(_playable(found), count))
    if not openings:
        raise InvalidText(f"there is no opening in {name}", hint="a position needs a legal move to begin a game with")
    return openings


def _playable(positions: Iterable[Position]) -> Iterator[Position]:
    """Each position once, unless the game is over there already."""
    seen: set[int] = set()
    for position in positions:
        if position.key not in seen and position.ending() is None:
            seen.add(position.key)
            yield position


def _shuffled(items: Iterable[int], dice: random.Random | None) -> list[int]:
    order = list(items)
    if dice is not None:
        dice.shuffle(order)
    return order


# --- Formats --------------------------------------------------------------------------------------------------------


def _epd(data: bytes, name: str, plies: int, dice: random.Random | None) -> Iterator[Position]:
    """A position a line, as EPD or FEN; what an EPD says about it does not matter here."""
    lines = data.decode("utf-8-sig", errors="replace").splitlines()
    for index in _shuffled(range(len(lines)), dice):
        fields = lines[index].split()
        if not fields or fields[0].startswith("#"):
            continue
        counters = 6 if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit() else 4
        try:
            yield Position.from_fen(" ".join(fields[:counters]))
        except InvalidFen as error:
            raise InvalidEpd(f"{name}, line {index + 1}: {error}", hint=error.hint) from None


def _pgn(data: bytes, name: str, plies: int, dice: random.Random | None) -> Iterator[Position]:
    """The position that each game reaches after `plies`, or at its end if that comes sooner."""
    text = data.decode("utf-8-sig", errors="replace")
    games = [game for game in re.split(r'(?m)^(?=\[Event ")', text) if game.strip()]
    for index in _shuffled(range(len(games)), dice):
        game = chess.pgn.read_game(io.StringIO(games[index]), Visitor=GameBuilder)
        if game is None:
            continue
        board = game.board()
        if game.errors:
            raise InvalidPgn(f"game {index + 1} of {name}: {game.errors[0]}", hint="correct the move and try again")
        for move in islice(game.mainline_moves(), plies):
            board.push(move)
        yield Position.from_fen(board.shredder_fen() if board.chess960 else board.fen())


def _polyglot(data: bytes, name: str, plies: int, dice: random.Random | None) -> Iterator[Position]:
    """Walks through the book from the start, each move as likely as its weight, until one leaves the book."""
    dice = dice or random.Random(0)
    with tempfile.TemporaryDirectory() as folder:  # python-chess maps a file
        path = Path(folder) / "book.bin"
        path.write_bytes(data)
        with chess.polyglot.open_reader(path) as book:
            seen: set[str] = set()
            repeats = 0
            while repeats < PATIENCE:
                board = _walk(book, plies, dice)
                repeats = repeats + 1 if board.fen() in seen or not board.move_stack else 0
                if not repeats:
                    seen.add(board.fen())
                    yield Position.from_fen(board.fen())


def _walk(book: chess.polyglot.MemoryMappedReader, plies: int, dice: random.Random) -> chess.Board:
    board = chess.Board()
    for _ in range(plies):
        entries = [entry for entry in book.find_all(board) if entry.weight > 0]
        if not entries:
            break
        board.push(dice.choices([entry.move for entry in entries], [entry.weight for entry in entries])[0])
    return board


Reader = Callable[[bytes, str, int, "random.Random | None"], Iterator[Position]]

FORMATS: Final[dict[str, Reader]] = {
    ".epd": _epd,
    ".fen": _epd,
    ".pgn": _pgn,
    ".bin": _polyglot,
    ".txt": _epd,
}
"""How to read a file of openings, by the end of its name; in an archive the first of these that is there counts."""


def _format(name: str) -> Reader:
    suffix = Path(name).suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(
            f"`{name}` is no kind of opening file that okapi knows",
            hint=f"{', '.join(FORMATS)} are, also inside .zip, .gz, .xz or .bz2",
        )
    return FORMATS[suffix]


# --- Packed files ---------------------------------------------------------------------------------------------------


def _unpacked(path: Path) -> tuple[str, bytes]:
    """The name and the bytes of a file, or of the one inside it."""
    try:
        data = path.read_bytes()
        if path.suffix.lower() == ".zip":
            return _unzipped(path, data)
        decompress = DECOMPRESS.get(path.suffix.lower())
        return (path.name, data) if decompress is None else (path.stem, decompress(data))
    except (zipfile.BadZipFile, EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise InvalidText(f"`{path}` is damaged: {error}", hint="fetch it again") from None
    except OSError as error:
        nearby = [file.name for file in path.parent.glob("*")] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, nearby) if len(nearby) < 30 else ""
        raise NotFound(f"`{path}` cannot be read: {error.strerror or error}", hint=hint) from None


def _unzipped(path: Path, data: bytes) -> tuple[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for suffix in FORMATS:
            for name in archive.namelist():
                if Path(name).suffix.lower() == suffix:
                    return Path(name).name, archive.read(name)
    raise InvalidText(f"there is no opening file in `{path}`", hint=f"{', '.join(FORMATS)} would be one")


DECOMPRESS: Final[dict[str, Callable[[bytes], bytes]]] = {
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
    ".bz2": bz2.decompress,
}
