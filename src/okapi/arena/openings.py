"""Where games begin: EPD, PGN and Polyglot files, the built-in set, Chess960 and random starts."""

import io
import random
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

import chess
import chess.pgn
import chess.polyglot
import numpy as np

from okapi.core import Position
from okapi.core.packed import POSITION, unpack
from okapi.core.samples import Rows
from okapi.data.shuffle import Shuffle, hashed
from okapi.data.sources import STORE_SUFFIX, StoreSource, read_positions
from okapi.data.store import Store
from okapi.errors import InvalidEpd, InvalidFen, InvalidPgn, InvalidText, NotFound, UsageError, did_you_mean
from okapi.formats.epd import chess960_start
from okapi.formats.pgn import GameBuilder
from okapi.formats.samples import SkippedSamples
from okapi.formats.streams import read_packed

BUILT_IN: Final = Path(__file__).with_name("openings.epd")
"""Balanced positions after eight plies, made by scripts/make_openings.py."""

BOOK_LINES = 500
"""Openings drawn from a Polyglot book if no number is given."""

MAX_REPEATS = 1_000
"""Walks through a book in a row that end at known positions; after that the book has nothing new."""


def load_openings(
    source: str | None = None,
    *,
    plies: int = 16,
    seed: int | None = 1,
    chess960: bool = False,
    count: int | None = None,
) -> list[Position]:
    """Distinct start positions, without the moves that led there, shuffled by `seed` or in the order of the file.

    `source` is an EPD, PGN or Polyglot (.bin) file, which may be compressed; None: the built-in set or the 960 starts.
    Games of a PGN file and lines of a book are followed for `plies` plies. `count` is the maximum number.
    """
    if plies < 1:
        raise UsageError(f"an opening of {plies} plies has no moves", hint="--plies 16")
    rng = None if seed is None else random.Random(seed)
    if source is None and chess960:
        found: Iterator[Position] = map(chess960_start, _shuffled(960, rng))
        name = "the 960 starts"
    else:
        name, data = _read(BUILT_IN if source is None else Path(source))
        read = FORMATS.get(Path(name).suffix.lower())
        if read is None:
            hint = f"{', '.join(FORMATS)} are, also as .zip, .gz, .bz2, .xz or .zst"
            raise UsageError(f"`{name}` is no known format of opening files", hint=hint)
        found = read(data, name, plies, rng)
        if count is None and read is _polyglot:
            count = BOOK_LINES
    openings = list(islice(_playable(found), count))
    if not openings:
        raise InvalidText(f"there is no opening in {name}", hint="a start position needs a legal move")
    return openings


def _playable(positions: Iterable[Position]) -> Iterator[Position]:
    """Each position once, without those where the game is over."""
    seen: set[int] = set()
    for position in positions:
        if position.key not in seen and position.ending() is None:
            seen.add(position.key)
            yield position


def _shuffled(count: int, rng: random.Random | None) -> list[int]:
    """The numbers from 0 to `count`."""
    order = list(range(count))
    if rng is not None:
        rng.shuffle(order)
    return order


def _epd(data: bytes, name: str, plies: int, rng: random.Random | None) -> Iterator[Position]:
    """One position a line, as EPD or FEN; operations of the EPD are ignored."""
    lines = data.decode("utf-8-sig", errors="replace").splitlines()
    for index in _shuffled(len(lines), rng):
        fields = lines[index].split()
        if not fields or fields[0].startswith("#"):
            continue
        counters = 6 if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit() else 4
        try:
            yield Position.from_fen(" ".join(fields[:counters]))
        except InvalidFen as error:
            raise InvalidEpd(f"{name}, line {index + 1}: {error}", hint=error.hint) from None


def _pgn(data: bytes, name: str, plies: int, rng: random.Random | None) -> Iterator[Position]:
    """The position of each game after `plies` plies, or at its end if the game is shorter."""
    text = data.decode("utf-8-sig", errors="replace")
    games = [game for game in re.split(r'(?m)^(?=\[Event ")', text) if game.strip()]
    for index in _shuffled(len(games), rng):
        game = chess.pgn.read_game(io.StringIO(games[index]), Visitor=GameBuilder)
        if game is None:
            continue
        board = game.board()
        if game.errors:
            raise InvalidPgn(f"game {index + 1} of {name}: {game.errors[0]}", hint="correct the move and try again")
        for move in islice(game.mainline_moves(), plies):
            board.push(move)
        yield Position.from_fen(board.shredder_fen() if board.chess960 else board.fen())


def _polyglot(data: bytes, name: str, plies: int, rng: random.Random | None) -> Iterator[Position]:
    """Random walks through the book from the start position, with moves in proportion to their weights."""
    rng = rng or random.Random(0)
    with tempfile.TemporaryDirectory() as folder:  # python-chess maps a file
        path = Path(folder) / "book.bin"
        path.write_bytes(data)
        with chess.polyglot.open_reader(path) as book:
            seen = {chess.STARTING_FEN}
            repeats = 0
            while repeats < MAX_REPEATS:
                board = chess.Board()
                for _ in range(plies):
                    entries = [entry for entry in book.find_all(board) if entry.weight > 0]
                    if entries:
                        board.push(rng.choices(entries, [entry.weight for entry in entries])[0].move)
                repeats = repeats + 1 if board.fen() in seen else 0
                if not repeats:
                    seen.add(board.fen())
                    yield Position.from_fen(board.fen())


FORMATS: Final = {".epd": _epd, ".fen": _epd, ".pgn": _pgn, ".bin": _polyglot, ".txt": _epd}
"""Readers by suffix; in an archive, the first suffix that occurs is read."""


def _read(path: Path) -> tuple[str, bytes]:
    """The name and the bytes of a file of openings, or of the one inside an archive."""
    try:
        return read_packed(path, FORMATS)
    except NotFound as error:
        nearby = [file.name for file in path.parent.glob("*")] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, nearby) if len(nearby) < 30 else ""
        raise NotFound(str(error), hint=hint) from None


ATTEMPTS: Final = 1_000
"""Positions tried for one game."""

STRIDE: Final = 1_000_003
"""Distance to the next position tried. A prime, so that all positions are reached."""


class GameStarts(Protocol):
    """The start positions of games 0, 1, 2, …; the same number gives the same position, where the game is not over."""

    @property
    def different(self) -> int | None:
        """The number of different positions; None if it is large and not known."""

    def __getitem__(self, number: int) -> Position: ...


@dataclass(frozen=True, slots=True)
class RandomStarts:
    """Positions after `plies` random moves from the start position."""

    plies: int
    seed: int

    @property
    def different(self) -> int | None:
        return {0: 1, 1: 20, 2: 400}.get(self.plies)

    def __getitem__(self, number: int) -> Position:
        rng = random.Random(f"{self.seed}/{number}")
        while True:
            position = Position.start()
            for _ in range(self.plies):
                if moves := position.legal_moves():
                    position.play_unchecked(rng.choice(moves))
            if position.ending() is None:
                return Position.from_fen(position.fen())  # without the moves that led there


@dataclass(frozen=True, slots=True)
class BookStarts:
    """The openings of a file in order, repeated."""

    openings: Sequence[Position]

    @property
    def different(self) -> int | None:
        return len(self.openings)

    def __getitem__(self, number: int) -> Position:
        return self.openings[number % len(self.openings)]


class StoredStarts:
    """Stored positions in random order, each after one random move: lai2015, section 4.3."""

    def __init__(self, paths: Sequence[Path], seed: int) -> None:
        """`paths` are game stores, or files of positions in any format."""
        self._seed, self._sources = seed, [_positions_of(path) for path in paths]
        self._ends = np.array([len(source) for source in self._sources]).cumsum()
        if not self._ends[-1]:
            raise InvalidText(f"there is no position in {', '.join(path.name for path in paths)}")
        self._order = Shuffle(int(self._ends[-1]), seed)

    @property
    def different(self) -> int | None:
        return len(self._order)

    def __getitem__(self, number: int) -> Position:
        for attempt in range(ATTEMPTS):
            place = (number + attempt * STRIDE) % len(self._order)
            row = int(self._order[place : place + 1][0])
            index = int(np.searchsorted(self._ends, row, side="right"))
            source, first = self._sources[index], row - (int(self._ends[index - 1]) if index else 0)
            rows = source[first : first + 1]
            position = unpack((rows["position"] if isinstance(source, StoreSource) else rows)[0])
            moves = position.legal_moves()
            draw = int(hashed(np.array([number + attempt * STRIDE]), self._seed)[0])
            after = position.after(moves[draw % len(moves)]) if moves else position
            if after.ending() is None:
                return Position.from_fen(after.fen())
        raise InvalidText("no position of the files has a move that does not end the game")


def _positions_of(path: Path) -> Rows | StoreSource:
    """The positions of a file by number: a game store reads them on demand, other files are read into memory."""
    if path.suffix == STORE_SUFFIX:
        return StoreSource(Store.open(path))
    chunks = [chunk.rows["position"] for chunk in read_positions([path], SkippedSamples())]
    return np.concatenate([np.zeros(0, POSITION), *chunks])


def read_starts(openings: str, *, plies: int = 16, seed: int = 1) -> GameStarts:
    """The start positions named by a text: random:8, or a file of openings."""
    kind, _, number = openings.partition(":")
    if kind == "random":
        if not number.isdigit():
            raise UsageError(f"`{openings}` has no number of random moves", hint="random:8")
        return RandomStarts(int(number), seed)
    return BookStarts(load_openings(openings, plies=plies, seed=seed))
