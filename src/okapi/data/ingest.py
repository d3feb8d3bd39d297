"""PGN files into a game store. The store is its own journal: kill it at any moment, and the same command goes on."""

import hashlib
import itertools
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from okapi.core._core import RawImportCounts, RawImporter
from okapi.data.bytes_ahead import read_ahead
from okapi.data.game_filter import EVERY_GAME, GameFilter
from okapi.errors import InvalidPgn, InvalidStore, InvalidText, NotFound, UsageError

__all__ = ["Complaint", "GameImport", "Imported", "Progress", "import_games"]

GAMES_IN_BLOCK: Final = 16384
FIRST_FEW: Final = 10
"""Complaints that are kept for the summary; --report has them all."""
HEAD: Final = 1 << 16
"""Bytes of a file that tell it from another one of the same name and size."""
COUNTS: Final = ("games", "skipped", "duplicates", "filtered", "plies")


@dataclass(frozen=True, slots=True)
class Complaint:
    """A game that was left out: where, and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        """As compilers write it: `games.pgn:12: 5. Ke3 is not legal`."""
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is."""

    fraction: float
    """Of all files together, 0 to 1; 0 where nobody knows how much will come."""
    games: int
    """Looked at so far: added, duplicates, not wanted and unreadable."""
    size: int
    """Bytes of all files as they lie on the disk."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of the games."""

    store: str
    total: int
    """Games in the store now."""
    games: int
    """Added."""
    skipped: int
    """Could not be read."""
    duplicates: int
    """Were in the store already, or came twice."""
    filtered: int
    """Not wanted."""
    plies: int
    """Half-moves of the games that were added."""
    bytes: int
    """Of PGN, decompressed."""
    seconds: float
    resumed: bool
    """Did it go on with what an earlier run had begun?"""
    complaints: tuple[Complaint, ...]
    """The first few."""


@dataclass(slots=True)
class _State:
    """How far it is: what each block of the store carries as its cursor. The same run writes the same bytes."""

    command: str
    """Which files and which filter, as a hash."""
    file: int = 0
    offset: int = 0
    line: int = 1
    bytes: int = 0
    """Of the files before this one."""
    counts: dict[str, int] = field(default_factory=dict)
    complaints: int = 0
    first: list[list[Any]] = field(default_factory=list)
    told: bool = False
    """All is done, and whoever asked knows the figures."""

    def cursor(self) -> str:
        return json.dumps({"import": asdict(self)}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def of(cls, cursor: str) -> Self | None:
        """What a cursor says, if an import left it."""
        try:
            return cls(**json.loads(cursor)["import"])
        except (ValueError, KeyError, TypeError):
            return None


@dataclass(frozen=True, slots=True)
class _Source:
    """A file, or the standard input, that was opened already to see how it begins."""

    name: str
    size: int
    head: int
    """The checksum of its first bytes."""
    opened: Iterator[tuple[bytes, float]] | None = None

    @classmethod
    def of(cls, file: Path) -> Self:
        if str(file) == "-":
            pieces = read_ahead(file)
            first = next(pieces, (b"", 0.0))
            return cls("-", 0, zlib.crc32(first[0]), itertools.chain([first], pieces))
        try:
            with file.open("rb") as opened:
                return cls(str(file), os.fstat(opened.fileno()).st_size, zlib.crc32(opened.read(HEAD)))
        except OSError as error:
            raise NotFound(
                f"`{file}` cannot be read: {error.strerror}", hint="check the spelling of the path"
            ) from None

    def pieces(self) -> Iterator[tuple[bytes, float]]:
        return read_ahead(Path(self.name)) if self.opened is None else self.opened


class GameImport:
    """PGN files into a store, as a context manager: whoever tells the figures does so inside.

    Only when the block ends well does the store learn that this import is over; until then, the same one goes on or
    gives the same figures again.
    """

    def __init__(
        self,
        files: Sequence[Path],
        store: Path,
        wanted: GameFilter = EVERY_GAME,
        *,
        report: Path | None = None,
        games_in_block: int = GAMES_IN_BLOCK,
    ) -> None:
        self._sources = [_Source.of(file) for file in _checked(files)]
        self._size = sum(source.size for source in self._sources)
        self._store = store
        self._created = not store.exists()
        self._state = _State(_fingerprint(self._sources, wanted))
        self._raw = _open(store, wanted, games_in_block)
        self._report_path = report
        self._report: BinaryIO | None = None
        self._result: Imported | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._report is not None:
            self._report.close()
        if kind is None and self._result is not None and self._result.games:
            self._state.told = True
            self._flush(self._state.cursor())
        del self._raw
        if self._created and kind is not None and self._state.counts.get("games", 0) == 0:
            self._store.unlink(missing_ok=True)

    def run(self, watch: Callable[[Progress], None] | None = None) -> Imported:
        """Read everything. InvalidPgn if there is no game in it."""
        begun = time.monotonic()
        resumed = self._resume()
        self._open_report()
        while self._state.file < len(self._sources):
            self._read(self._sources[self._state.file], watch)
        counts = self._raw.counts
        if not (counts.games or counts.duplicates or counts.filtered):
            names = ", ".join(source.name for source in self._sources)
            raise InvalidPgn(
                f"no game could be read from {names}" + (f": {self._first()[0]}" if self._state.first else ""),
                hint="a PGN game looks like: 1. e4 e5 2. Nf3 Nc6 *",
            )
        if counts.games and self._cursor() != self._raw.cursor:
            self._flush(self._cursor())
        self._result = Imported(
            store=str(self._store),
            total=self._raw.size,
            games=counts.games,
            skipped=counts.skipped,
            duplicates=counts.duplicates,
            filtered=counts.filtered,
            plies=counts.plies,
            bytes=self._state.bytes,
            seconds=round(time.monotonic() - begun, 3),
            resumed=resumed,
            complaints=self._first(),
        )
        return self._result

    # --- One file after the other -----------------------------------------------------------------------------------

    def _read(self, source: "_Source", watch: Callable[[Progress], None] | None) -> None:
        state, raw = self._state, self._raw
        read, skip = 0, state.offset
        damage: InvalidText | None = None
        raw.begin(state.offset, state.line)
        try:
            for data, fraction in source.pieces():
                read += len(data)
                if read > skip:
                    raw.feed(data[max(0, len(data) - (read - skip)) :])
                    self._work()
                if watch is not None:
                    done = sum(earlier.size for earlier in self._sources[: state.file]) + fraction * source.size
                    watch(Progress(done / self._size if self._size else 0.0, self._seen(), self._size))
        except InvalidText as error:  # an archive that is cut off: what it had was read
            damage = error
        raw.finish()
        self._work()
        if damage is not None:
            self._complain(source.name, raw.line, str(damage))
        state.file += 1
        state.bytes += read
        state.offset, state.line = 0, 1

    def _work(self) -> None:
        while self._raw.run():
            self._save_complaints()
            self._flush(self._cursor(self._raw.offset, self._raw.line))
        self._save_complaints()

    def _flush(self, cursor: str) -> None:
        try:
            self._raw.flush(cursor)
        except OSError as error:
            raise InvalidStore(
                f"`{self._store}` cannot be written: {error.strerror}", hint="make room; the same command goes on"
            ) from None

    def _cursor(self, offset: int = 0, line: int = 1) -> str:
        counts = self._raw.counts
        self._state.offset, self._state.line = offset, line
        self._state.counts = {name: getattr(counts, name) for name in COUNTS}
        return self._state.cursor()

    def _seen(self) -> int:
        counts = self._raw.counts
        return counts.games + counts.skipped + counts.duplicates + counts.filtered

    # --- Complaints ---------------------------------------------------------------------------------------------------

    def _save_complaints(self) -> None:
        """Before the cursor that counts them: what it counts is there."""
        for line, _, reason in self._raw.take_complaints():
            self._complain(self._sources[self._state.file].name, line, reason)
        if self._report is not None:
            self._report.flush()

    def _complain(self, file: str, line: int, reason: str) -> None:
        self._state.complaints += 1
        if len(self._state.first) < FIRST_FEW:
            self._state.first.append([file, line, reason])
        if self._report is not None:
            self._report.write(f"{Complaint(file, line, reason)}\n".encode())

    def _first(self) -> tuple[Complaint, ...]:
        return tuple(Complaint(*entry) for entry in self._state.first)

    def _open_report(self) -> None:
        """As many lines as are accounted for stay."""
        if self._report_path is None:
            return
        kept: list[bytes] = []
        if self._state.complaints and self._report_path.exists():
            with self._report_path.open("rb") as file:
                kept = file.readlines()[: self._state.complaints]
        try:
            self._report = self._report_path.open("wb")
        except OSError as error:
            raise NotFound(f"`{self._report_path}` cannot be written: {error.strerror}") from None
        self._report.writelines(kept)

    # --- Going on -----------------------------------------------------------------------------------------------------

    def _resume(self) -> bool:
        """Go on where an interrupted run of the same import was."""
        earlier = _State.of(self._raw.cursor)
        if earlier is None or earlier.told or earlier.command != self._state.command:
            return False
        self._state = earlier
        counts = RawImportCounts()
        for name, count in earlier.counts.items():
            setattr(counts, name, count)
        self._raw.counts = counts
        return True


def import_games(
    files: Sequence[Path],
    store: Path,
    wanted: GameFilter = EVERY_GAME,
    *,
    report: Path | None = None,
    watch: Callable[[Progress], None] | None = None,
) -> Imported:
    """Add the games of PGN files to a store, which begins here if there is none. docs/games.md has the rules."""
    with GameImport(files, store, wanted, report=report) as job:
        return job.run(watch)


def _checked(files: Sequence[Path]) -> Sequence[Path]:
    if not files:
        raise UsageError("there is nothing to import", hint="okapi games import games.pgn --to games.okapi")
    if len(files) > 1 and Path("-") in files:
        raise UsageError("- is the standard input, and goes with no other file")
    return files


def _open(store: Path, wanted: GameFilter, games_in_block: int) -> RawImporter:
    try:
        return RawImporter(str(store), wanted.raw(), games_in_block=games_in_block)
    except OSError as error:
        raise NotFound(f"`{store}` cannot be written: {error.strerror}") from None


def _fingerprint(sources: Sequence[_Source], wanted: GameFilter) -> str:
    """The same for the same files and filter."""
    what = [[[source.name, source.size, source.head] for source in sources], asdict(wanted)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]
