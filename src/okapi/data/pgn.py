"""PGN files into a game store, out of one, and as games for Python.

The last block of a store says how far its import was: an import that was killed continues with the same command.
"""

import hashlib
import itertools
import json
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Any, BinaryIO, Final, Self

from okapi.core import Game
from okapi.core.game import RawExporter, RawImportCounts, RawImporter, RawPgnReader
from okapi.core.packed import NO_VALUE
from okapi.data.game_filter import EVERY_GAME, GameFilter
from okapi.data.store import GAMES_IN_BLOCK, NO_CLOCK, from_record
from okapi.errors import InvalidPgn, InvalidStore, InvalidText, NotFound, UsageError
from okapi.files import file_errors, write_whole
from okapi.formats.samples.text import load_pyarrow, write_parquet
from okapi.formats.streams import create_stream, open_stream

CHUNK: Final = 1 << 20
AHEAD: Final = 4  # chunks in the queue at most: enough to keep both threads busy
FIRST: Final = 4096  # bytes of the first piece of a pipe


def read_ahead(path: Path | str) -> Iterator[tuple[bytes, float]]:
    """Yield the decompressed bytes of a file and the share that was read; an error comes after what could be read."""
    pieces: Queue[tuple[bytes, float] | BaseException | None] = Queue(AHEAD)
    over = threading.Event()

    def put(piece: tuple[bytes, float] | BaseException | None) -> bool:
        while not over.is_set():
            with suppress(Full):
                pieces.put(piece, timeout=0.1)
                return True
        return False

    def read() -> None:
        try:
            with open_stream(path) as stream:
                # A pipe returns what it has: only a first piece of fixed size is the same each time.
                data = stream.read(FIRST) if str(path) == "-" else stream.read1(CHUNK)
                while data and put((data, stream.fraction)):
                    data = stream.read1(CHUNK)
            put(None)
        except BaseException as error:  # raised again in the other thread
            put(error)

    threading.Thread(target=read, name="read ahead", daemon=True).start()
    try:
        while True:
            try:
                piece = pieces.get(timeout=0.5)  # with a timeout, so that Ctrl-C works
            except Empty:
                continue
            if piece is None:
                return
            if isinstance(piece, BaseException):
                raise piece
            yield piece
    finally:
        over.set()


# --- The state of an import -------------------------------------------------------------------------------------------

HEAD: Final = 1 << 16  # bytes of a file that identify it, with its name and size


@dataclass(frozen=True, slots=True)
class SkippedGame:
    """A game that could not be read: where, and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        """In the format of compilers: `games.pgn:12: 5. Ke3 is not legal`."""
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass(slots=True)
class ImportState:
    """How far an import is. Every block of the store has one as its cursor; the names of the fields are on disk."""

    command: str  # which files and which filter, as a hash
    file: int = 0
    offset: int = 0
    line: int = 1
    bytes: int = 0  # of the files before this one
    counts: dict[str, int] = field(default_factory=dict)
    complaints: int = 0
    first: list[list[Any]] = field(default_factory=list)
    told: bool = False  # the import is complete, and its figures were printed

    def cursor(self) -> str:
        return json.dumps({"import": asdict(self)}, separators=(",", ":"))

    @classmethod
    def of(cls, cursor: str) -> Self | None:
        """Parse a cursor; None if it is not of an import."""
        try:
            return cls(**json.loads(cursor)["import"])
        except (ValueError, KeyError, TypeError):
            return None


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file or the standard input, with its first bytes read."""

    name: str
    size: int
    head: int  # the checksum of its first bytes
    opened: Iterator[tuple[bytes, float]] | None = None

    @classmethod
    def of(cls, file: Path | str) -> Self:
        """Open a file. NotFound if it does not exist."""
        file = Path(file)
        if str(file) == "-":
            pieces = read_ahead(file)
            first = next(pieces, (b"", 0.0))
            return cls("-", 0, zlib.crc32(first[0]), itertools.chain([first], pieces))
        with file_errors(file, "read", hint="check the spelling of the path"), file.open("rb") as opened:
            return cls(str(file), file.stat().st_size, zlib.crc32(opened.read(HEAD)))


# --- Reading ----------------------------------------------------------------------------------------------------------

PGN_CHUNK = 1 << 18


def read_games(
    path: Path | str,
    on_skipped: Callable[[SkippedGame], None] = lambda _: None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> Iterator[Game]:
    """Yield the games of a PGN file, plain or compressed, in any dialect.

    A game that cannot be read is left out and passed to `on_skipped`. A null
    move is `Move.none()`, which no position plays. `on_progress` is given the share of the file that was read, 0 to 1.
    """
    reader, data = RawPgnReader(), b" "
    with open_stream(Path(path)) as stream:
        while data:
            data = stream.read1(PGN_CHUNK)
            reader.feed(data)
            if not data:
                reader.finish()
            games, skipped = reader.read()
            for line, _, reason in skipped:
                on_skipped(SkippedGame(str(path), line, reason))
            on_progress(stream.fraction)
            yield from map(from_record, games)


# --- Import -----------------------------------------------------------------------------------------------------------

SHOWN_SKIPPED: Final = 10  # skipped games that are kept for the summary; --report has them all
COUNTS: Final = ("games", "skipped", "duplicates", "filtered", "plies")


@dataclass(frozen=True, slots=True)
class ImportProgress:
    fraction: float  # of all files together, 0 to 1; 0 for the standard input
    games: int  # read by this run: added, duplicates, filtered and unreadable
    size: int


@dataclass(frozen=True, slots=True)
class ImportResult:
    store: str
    total: int  # games in the store now
    games: int  # added
    skipped: int  # could not be read
    duplicates: int  # already in the store, or twice in the files
    filtered: int
    plies: int  # half-moves of the games that were added
    bytes: int  # of PGN, decompressed
    seconds: float
    resumed: bool  # did it continue an interrupted run?
    problems: tuple[SkippedGame, ...]  # the first few


class GameImport:
    """Imports PGN files into a store; a context manager.

    The store is marked complete when the block ends without an exception; until then, the same import continues or
    returns the same figures again.
    """

    def __init__(
        self,
        files: Sequence[Path | str],
        store: Path | str,
        wanted: GameFilter = EVERY_GAME,
        *,
        report: Path | str | None = None,
        games_in_block: int = GAMES_IN_BLOCK,
    ) -> None:
        if not files:
            raise UsageError("no files to import", hint="okapi games import games.pgn --out games.okapi")
        if len(files) > 1 and "-" in map(str, files):
            raise UsageError("- is the standard input and cannot be combined with other files")
        self._sources = list(map(InputFile.of, files))
        self._size = sum(source.size for source in self._sources)
        self._store = Path(store)
        self._created = not self._store.exists()
        what = [[[source.name, source.size, source.head] for source in self._sources], asdict(wanted)]
        self._state = ImportState(hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16])
        with file_errors(store, "written"):
            self._raw = RawImporter(str(store), wanted.raw(), games_in_block=games_in_block)
        self._report_path = None if report is None else Path(report)
        self._before = 0
        self._report: BinaryIO | None = None
        self._result: ImportResult | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._report is not None:
            self._report.close()
        if kind is None and self._result is not None and self._result.games:
            self._state.told = True
            self._flush(self._state.cursor())
        del self._raw
        if self._created and kind is not None and self._state.counts.get("games", 0) == 0:
            self._store.unlink(missing_ok=True)

    def run(self, watch: Callable[[ImportProgress], object] = lambda progress: None) -> ImportResult:
        """Import everything. InvalidPgn if no game can be read."""
        begun = time.monotonic()
        resumed = self._resume()
        self._open_report()
        while self._state.file < len(self._sources):
            self._read(self._sources[self._state.file], watch)
        counts, problems = self._counts(), tuple(SkippedGame(*entry) for entry in self._state.first)
        if not (counts["games"] or counts["duplicates"] or counts["filtered"]):
            names = ", ".join(source.name for source in self._sources)
            why = "".join(f": {problem}" for problem in problems[:1])
            hint = "a PGN game looks like: 1. e4 e5 2. Nf3 Nc6 *"
            raise InvalidPgn(f"no game could be read from {names}{why}", hint=hint)
        if counts["games"] and self._cursor() != self._raw.cursor:
            self._flush(self._cursor())
        read, took, store = self._state.bytes, round(time.monotonic() - begun, 3), str(self._store)
        figures = {"total": self._raw.size, **counts, "bytes": read}
        self._result = ImportResult(store, **figures, seconds=took, resumed=resumed, problems=problems)
        return self._result

    def _read(self, source: InputFile, watch: Callable[[ImportProgress], object]) -> None:
        state, raw = self._state, self._raw
        read, skip = 0, state.offset
        earlier = sum(file.size for file in self._sources[: state.file])
        damage: InvalidText | None = None
        raw.begin(state.offset, state.line)
        try:
            for data, fraction in source.opened or read_ahead(source.name):
                read += len(data)
                if read > skip:
                    raw.feed(data[max(0, len(data) - (read - skip)) :])
                    self._work()
                done = (earlier + fraction * source.size) / self._size if self._size else 0.0
                watch(ImportProgress(done, self._seen() - self._before, self._size))
        except InvalidText as error:  # a truncated archive: everything before the end was read
            damage = error
        raw.finish()
        self._work()
        if damage is not None:
            self._skip(source.name, raw.line, str(damage))
        state.file, state.bytes, state.offset, state.line = state.file + 1, state.bytes + read, 0, 1

    def _work(self) -> None:
        while self._raw.run():
            self._save_skipped()
            self._flush(self._cursor(self._raw.offset, self._raw.line))
        self._save_skipped()

    def _flush(self, cursor: str) -> None:
        try:
            self._raw.flush(cursor)
        except OSError as error:
            text, hint = f"`{self._store}` cannot be written: {error.strerror}", "free some space, then run it again"
            raise InvalidStore(text, hint=hint) from None

    def _cursor(self, offset: int = 0, line: int = 1) -> str:
        self._state.offset, self._state.line, self._state.counts = offset, line, self._counts()
        return self._state.cursor()

    def _counts(self) -> dict[str, int]:
        return {name: getattr(self._raw.counts, name) for name in COUNTS}

    def _seen(self) -> int:
        return sum(count for name, count in self._counts().items() if name != "plies")

    def _save_skipped(self) -> None:
        """Before the cursor that counts them is written."""
        for line, _, reason in self._raw.take_complaints():
            self._skip(self._sources[self._state.file].name, line, reason)
        if self._report is not None:
            self._report.flush()

    def _skip(self, file: str, line: int, reason: str) -> None:
        self._state.complaints += 1
        if len(self._state.first) < SHOWN_SKIPPED:
            self._state.first.append([file, line, reason])
        if self._report is not None:
            self._report.write(f"{SkippedGame(file, line, reason)}\n".encode(errors="surrogateescape"))

    def _open_report(self) -> None:
        """Truncate the report to the lines that the cursor counts."""
        if self._report_path is None:
            return
        with file_errors(self._report_path, "written"):
            self._report_path.touch()
            self._report = self._report_path.open("r+b")
        for _ in range(self._state.complaints):
            self._report.readline()
        self._report.seek(self._report.tell())  # from reading to writing
        self._report.truncate()

    def _resume(self) -> bool:
        earlier = ImportState.of(self._raw.cursor)
        if earlier is None or earlier.told or earlier.command != self._state.command:
            return False
        self._state, counts = earlier, RawImportCounts()
        for name, count in earlier.counts.items():
            setattr(counts, name, count)
        self._raw.counts = counts
        self._before = self._seen()
        return True


def import_games(
    files: Sequence[Path | str],
    store: Path | str,
    wanted: GameFilter = EVERY_GAME,
    *,
    report: Path | str | None = None,
    watch: Callable[[ImportProgress], object] = lambda progress: None,
) -> ImportResult:
    """Add the games of PGN files to a store; create it if there is none. docs/howto/games.md has the rules."""
    with GameImport(files, store, wanted, report=report) as job:
        return job.run(watch)


# --- Export -----------------------------------------------------------------------------------------------------------


def export_games(
    store: Path | str,
    to: Path | str,
    wanted: GameFilter = EVERY_GAME,
    *,
    numbers: Iterable[int] | None = None,
    watch: Callable[[int, int], object] = lambda done, total: None,
) -> int:
    """Write games as PGN, or as Parquet, and return how many; the suffix selects the format, `-` is standard output.

    `numbers` are those of the games in the store, from 0. `watch` is called with the games read and the games in all.
    """
    store = Path(store)
    if not store.is_file():
        raise NotFound(f"no store at `{store}`", hint="okapi games import makes one")
    chosen = None if numbers is None else list(numbers)
    raw = RawExporter(str(store), wanted.raw(), chosen)
    known = raw.store_size
    for number in chosen or ():
        if not 0 <= number < known:
            raise UsageError(f"there is no game {number} in {store.name}", hint=f"it has {known}, numbered from 0")

    def pieces() -> Iterator[bytes]:
        while piece := raw.next(CHUNK):
            yield piece
            watch(raw.done, raw.size)

    if Path(to).suffix == ".parquet":
        load_pyarrow()
        with write_whole(Path(to)) as part, part.open("wb") as file:
            return write_parquet(file, COLUMNS, map(_table, pieces()))
    with create_stream(to) as out:
        for piece in pieces():
            out.write(piece)
    return raw.written


GAMES: Final = {"white": "White", "black": "Black", "white_elo": "WhiteElo", "black_elo": "BlackElo", "date": "Date",
                "event": "Event", "eco": "ECO", "time_control": "TimeControl"}  # fmt: skip
"""Columns of Parquet that are tags; beside them the moves and what is known of each."""

COLUMNS: Final = {**dict.fromkeys(GAMES, "string"), "white_elo": "int32", "black_elo": "int32", "result": "string",
                  "start": "string", "plies": "int32", "moves": "string", "values": "int16s",
                  "clocks_ms": "int64s"}  # fmt: skip


def _table(pgn: bytes) -> dict[str, list[Any]]:
    """The columns of whole games: castling is king takes rook, values are for the side to move."""
    reader = RawPgnReader()
    reader.feed(pgn)
    reader.finish()
    rows = []
    for record in reader.read()[0]:
        tags = dict(record.tags)
        texts = {name: tags.get(tag, "") for name, tag in GAMES.items()}
        known = {name: text or None for name, text in texts.items()}
        elos = {name: int(texts[name]) if texts[name].isdecimal() else None for name in ("white_elo", "black_elo")}
        moves = " ".join(record.start.uci(move, chess960=True) for move in record.moves)
        values = [None if value == NO_VALUE else value for value in record.values] or None
        clocks = [None if clock == NO_CLOCK else clock for clock in record.clocks] or None
        game = (record.result, record.start.fen(shredder=True), len(record.moves), moves, values, clocks)
        rows.append([*(known | elos).values(), *game])
    return {name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)}
