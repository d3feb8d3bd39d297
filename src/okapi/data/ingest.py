"""PGN files into a game store. The store is its own journal: kill it at any moment, and the same command goes on."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from okapi.core._core import RawImportCounts, RawImporter
from okapi.data.game_filter import EVERY_GAME, GameFilter
from okapi.data.import_state import Complaint, ImportState, Source, fingerprint, open_sources
from okapi.errors import InvalidPgn, InvalidStore, InvalidText, NotFound

__all__ = ["Complaint", "GameImport", "Imported", "Progress", "import_games"]

GAMES_IN_BLOCK: Final = 16384
FIRST_FEW: Final = 10
"""Complaints that are kept for the summary; --report has them all."""
COUNTS: Final = ("games", "skipped", "duplicates", "filtered", "plies")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is."""

    fraction: float
    """Of all files together, 0 to 1; 0 where nobody knows how much will come."""
    games: int
    """Looked at by this run: added, duplicates, not wanted and unreadable."""
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


class GameImport:
    """PGN files into a store, as a context manager: whoever tells the figures does so inside.

    Only when the block ends well does the store learn that this import is over; until then, the same one goes on or
    gives the same figures again.
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
        self._sources = open_sources(files)
        self._size = sum(source.size for source in self._sources)
        self._store = Path(store)
        self._created = not self._store.exists()
        self._state = ImportState(fingerprint(self._sources, wanted))
        self._raw = _open(self._store, wanted, games_in_block)
        self._report_path = None if report is None else Path(report)
        self._report: BinaryIO | None = None
        self._result: Imported | None = None
        self._before = 0

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

    def _read(self, source: Source, watch: Callable[[Progress], None] | None) -> None:
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
                    games = self._seen() - self._before
                    watch(Progress(done / self._size if self._size else 0.0, games, self._size))
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
            self._report.write(f"{Complaint(file, line, reason)}\n".encode(errors="surrogateescape"))

    def _first(self) -> tuple[Complaint, ...]:
        return tuple(Complaint(*entry) for entry in self._state.first)

    def _open_report(self) -> None:
        """As many lines as are accounted for stay."""
        if self._report_path is None:
            return
        try:
            self._report_path.touch()
            self._report = self._report_path.open("r+b")
        except OSError as error:
            raise NotFound(f"`{self._report_path}` cannot be written: {error.strerror}") from None
        for _ in range(self._state.complaints):
            self._report.readline()
        self._report.seek(self._report.tell())  # from reading to writing
        self._report.truncate()

    # --- Going on -----------------------------------------------------------------------------------------------------

    def _resume(self) -> bool:
        """Go on where an interrupted run of the same import was."""
        earlier = ImportState.of(self._raw.cursor)
        if earlier is None or earlier.told or earlier.command != self._state.command:
            return False
        self._state = earlier
        counts = RawImportCounts()
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
    watch: Callable[[Progress], None] | None = None,
) -> Imported:
    """Add the games of PGN files to a store, which begins here if there is none. docs/games.md has the rules."""
    with GameImport(files, store, wanted, report=report) as job:
        return job.run(watch)


def _open(store: Path, wanted: GameFilter, games_in_block: int) -> RawImporter:
    try:
        return RawImporter(str(store), wanted.raw(), games_in_block=games_in_block)
    except OSError as error:
        raise NotFound(f"`{store}` cannot be written: {error.strerror}") from None
