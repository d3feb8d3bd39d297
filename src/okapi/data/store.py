"""The game store: one file that only grows; games, positions and columns are read from it by number.

docs/reference/store.md describes every byte of the file.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Final, Self, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Color, InProcessMatch, Move, Position
from okapi.core.game import Decision, Game, RawGame, RawStore, RawStoreWriter, Value
from okapi.core.packed import NO_VALUE, POSITION, SAMPLE
from okapi.data.samples import begins_with, json_bytes
from okapi.errors import InvalidStore
from okapi.files import file_errors

MATE: Final = 32000  # mate in n moves is MATE - n centipawns, being mated n - MATE
MATE_BOUND: Final = 31000
MOST: Final = 30000  # the highest centipawns that are not a mate
NO_CLOCK: Final = 0xFFFFFFFF
NO_MOVE: Final = Move.none()
IN_THE_RECORD: Final = frozenset({"Result", "FEN", "SetUp"})  # tags that a record stores as fields of its own


def centipawns_from_value(value: Value, side: Color) -> int:
    """The stored form of a value: centipawns for the side to move."""
    value = value.for_side(side)
    if value.mate is None:
        return max(-MOST, min(MOST, value.centipawns))
    return MATE - value.mate if value.mate > 0 else -MATE - value.mate


def value_from_centipawns(centipawns: int, side: Color) -> Value:
    """The inverse of centipawns_from_value."""
    if abs(centipawns) < MATE_BOUND:
        return Value.from_centipawns(centipawns, side)
    return Value.from_mate(MATE - centipawns if centipawns > 0 else -MATE - centipawns, side)


def to_record(game: Game) -> RawGame:
    """The stored form of a game. Nodes and depth of decisions are not stored."""
    decisions = [*game.decisions, None] if any(game.decisions) else []
    sides = cycle((game.start.turn, game.start.turn.other))
    values = [
        NO_VALUE if decision is None else centipawns_from_value(decision.value, side)
        for decision, side in zip(decisions, sides, strict=False)
    ]
    best = [NO_MOVE if decision is None else decision.move for decision in decisions]
    lines = [() if decision is None else decision.line for decision in decisions]
    # Best moves that only repeat the moves played are not stored.
    repeats = all(move in (NO_MOVE, played) for move, played in zip(best, (*game.moves, NO_MOVE), strict=False))
    return RawGame(
        tags=[(name, text) for name, text in game.tags.items() if name not in IN_THE_RECORD],
        start=game.start,
        moves=game.moves,
        result=game.result,
        values=values,
        best=[] if repeats else best,
        lines=lines if any(lines) else [],
        clocks=[NO_CLOCK if clock is None else clock for clock in game.clocks],
    )


def from_record(record: RawGame) -> Game:
    """A game from its stored form. A stored value becomes a decision of the player."""
    moves, best, lines = record.moves, record.best, record.lines
    decisions: list[Decision | None] = []
    sides = cycle((record.start.turn, record.start.turn.other))
    for ply, (played, centipawns, side) in enumerate(zip(moves, record.values, sides, strict=False)):
        move = best[ply] if best and best[ply] != NO_MOVE else played
        value, line = value_from_centipawns(centipawns, side), tuple(lines[ply]) if lines else ()
        decisions.append(None if centipawns == NO_VALUE else Decision(move, value, line, nodes=0))
    return Game(
        start=record.start,
        moves=tuple(moves),
        result=record.result,
        decisions=tuple(decisions),
        tags=dict(record.tags),
        clocks=tuple(None if clock == NO_CLOCK else clock for clock in record.clocks),
    )


MAGIC: Final = b"\x8fOKAPI\r\n"


@dataclass(frozen=True, slots=True)
class Texts:
    """A tag of every game: `values[index]`, or none where the index is -1."""

    index: NDArray[np.int32]
    values: list[str]  # distinct, in the order of their first games

    def __getitem__(self, game: int) -> str | None:
        index = int(self.index[game])
        return self.values[index] if index >= 0 else None

    def spread(self, of_values: Iterable[Any], missing: Any) -> NDArray[Any]:
        """What belongs to the value of each game; `missing` where it has none."""
        return np.array([*of_values, missing])[self.index]  # an index of -1 finds the last


@dataclass(frozen=True, slots=True)
class GameColumns:
    """What is known about every game without reading its moves: arrays as long as the store."""

    hash: NDArray[np.uint64]  # the same for the same moves from the same start; used by splits and to find duplicates
    plies: NDArray[np.uint16]
    result: NDArray[np.int8]  # 0 Black won, 1 drawn, 2 White won, -1 unknown
    date: NDArray[np.int32]  # as 20260131, with 00 for what is unknown; -1: no date
    white_elo: NDArray[np.int32]  # -1: unknown
    black_elo: NDArray[np.int32]
    has_values: NDArray[np.bool_]
    has_clocks: NDArray[np.bool_]
    has_best: NDArray[np.bool_]

    @property
    def year(self) -> NDArray[np.int32]:
        """-1: unknown."""
        return np.where(self.date < 0, np.int32(-1), self.date // 10000)


class Store:
    """A store to read: a sequence of games. Thread-safe."""

    def __init__(self, raw: RawStore, path: Path) -> None:
        self._raw, self.path = raw, path

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """A tail that was not written completely is ignored; `tail` is its length."""
        try:
            with file_errors(path, "read"):
                return cls(RawStore(os.fspath(path)), Path(path))
        except InvalidStore as error:
            if not is_store(path):
                error.hint = "make a store of PGN files: okapi games import GAMES.pgn --out STORE"
            raise

    @property
    def tail(self) -> int:
        """Bytes after the last complete block, left by a writer that was stopped; they are ignored."""
        return self._raw.tail

    @property
    def cursor(self) -> Any:
        return json.loads(self._raw.cursor() or b"null")

    def __len__(self) -> int:
        return len(self._raw)

    @overload
    def __getitem__(self, which: SupportsIndex) -> Game: ...
    @overload
    def __getitem__(self, which: slice) -> list[Game]: ...
    def __getitem__(self, which: SupportsIndex | slice) -> Game | list[Game]:
        if isinstance(which, slice):
            return [self[number] for number in range(*which.indices(len(self)))]
        return from_record(self.record(which))

    def __iter__(self) -> Iterator[Game]:
        return map(self.__getitem__, range(len(self)))

    def record(self, which: SupportsIndex) -> RawGame:
        """A game in its stored form, without the cost of making a Game."""
        number = which.__index__()
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no game {number}: the store has {len(self)}")
        return self._raw.game(number % len(self))

    def positions(self, games: ArrayLike, plies: ArrayLike) -> NDArray[np.void]:
        """The position after so many plies of each game, as an array of POSITION; large arrays are faster."""
        return self._filled(self._raw.positions, games, plies, POSITION)

    def samples(self, games: ArrayLike, plies: ArrayLike) -> NDArray[np.void]:
        """The same as an array of SAMPLE: with value, best (else played) move, result, ply and game."""
        return self._filled(self._raw.samples, games, plies, SAMPLE)

    def played(self, games: ArrayLike) -> NDArray[np.void]:
        """A SAMPLE of each position of some games in which a move was played, with that move, not a teacher's."""
        numbers = np.asarray(games, np.int64)
        plies = self.plies()[numbers].astype(np.int64)
        rows = self.samples(
            np.repeat(numbers, plies), np.arange(plies.sum()) - np.repeat(plies.cumsum() - plies, plies)
        )
        if self.columns().has_best[numbers].any():
            rows["move"] = [move.bits for number in numbers.tolist() for move in self.record(number).moves]
        return rows

    def columns(self) -> GameColumns:
        raw = self._raw
        numbers = (raw.dates("Date"), raw.numbers("WhiteElo"), raw.numbers("BlackElo"))
        flags = ((raw.remarks() & bit) != 0 for bit in (1, 2, 4))
        return GameColumns(raw.hashes(), raw.plies(), raw.results(), *numbers, *flags)

    def hashes(self) -> NDArray[np.uint64]:
        return self._raw.hashes()

    def plies(self) -> NDArray[np.uint16]:
        return self._raw.plies()

    def texts(self, name: str) -> Texts:
        """A tag of every game, such as White, Event or ECO."""
        return Texts(*self._raw.texts(name))

    def verify(self) -> list[str]:
        """Read everything and return a sentence for each damaged place."""
        return self._raw.verify()

    def _filled(self, fill: Any, games: ArrayLike, plies: ArrayLike, dtype: np.dtype[np.void]) -> NDArray[np.void]:
        which, when = np.broadcast_arrays(np.atleast_1d(games), np.atleast_1d(plies))
        # Numbers that are too large must not wrap around.
        if which.size and not (which.min() >= 0 and which.max() < len(self) and when.min() >= 0):
            raise IndexError(f"games are numbered from 0 to {len(self) - 1}, and plies from 0 on")
        array = np.empty(which.size, dtype)
        rows = array[:, np.newaxis].view(np.uint8)
        fill(np.ascontiguousarray(which, np.uint32), np.ascontiguousarray(np.minimum(when, 0xFFFF), np.uint16), rows)
        return array


GAMES_IN_BLOCK: Final = 16384


class StoreWriter:
    """Appends to a store. Games are in the file when flush() returns, and not before."""

    def __init__(self, raw: RawStoreWriter) -> None:
        self._raw: RawStoreWriter | None = raw

    @classmethod
    def open(cls, path: Path | str, *, games_in_block: int = GAMES_IN_BLOCK) -> Self:
        """Create a file, or continue one; a tail that was not written completely is dropped."""
        with file_errors(path, "written"):
            return cls(RawStoreWriter(os.fspath(path), games_in_block=games_in_block))

    @property
    def cursor(self) -> Any:
        return json.loads(self._open.cursor or b"null")

    @property
    def full(self) -> bool:
        """Time to flush. A writer that flushes only here makes the same file after any interruption."""
        return self._open.full

    def __len__(self) -> int:
        return len(self._open)

    def add(self, game: Game | RawGame) -> None:
        """Add a game to the next flush. A block that is full is written first, without a cursor."""
        self._open.add(to_record(game) if isinstance(game, Game) else game)

    def flush(self, cursor: Any = None) -> None:
        """Write what was added as one block, with a cursor as JSON to resume from."""
        self._open.flush(b"" if cursor is None else json_bytes(cursor))

    def close(self) -> None:
        """Close the file; what was not flushed is lost."""
        self._raw = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write what is left, unless there was an exception; the cursor is kept."""
        with contextlib.closing(self):
            if kind is None:
                self._open.flush(self._open.cursor)

    @property
    def _open(self) -> RawStoreWriter:
        if self._raw is None:
            raise ValueError("the store writer is closed")
        return self._raw


def store_match(match: InProcessMatch, starts: Sequence[Position], path: Path) -> Store:
    """Play a match, and store its games; the game of number n begins from starts[n]."""
    with StoreWriter.open(path) as writer:
        for played in match.raw():
            writer.add(played.record(starts[played.number], []))
    return Store.open(path)


def is_store(path: Path | str) -> bool:
    return begins_with(path, MAGIC)
