"""Files of samples, whatever their format: read as rows, written from rows, turned into each other."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.core.samples import Columns, Rows
from okapi.data.samples import Samples, SampleWriter
from okapi.data.sources import StoreSource
from okapi.data.store import Store
from okapi.errors import NotFound, UsageError
from okapi.formats.samples import FORMATS, Options, Skipped, format_by_name, format_of, format_to_write
from okapi.formats.streams import create_stream, open_stream

__all__ = ["NAMES", "Conversion", "read_samples", "write_samples"]

OWN: Final = "samples"
STORE: Final = "store"
OWN_SUFFIXES: Final = {".samples": OWN, ".okapi": STORE}
"""How names of our own files end: sample files, and game stores, which are only read here."""

STANDARD: Final = "-"
"""In place of a name: the standard output."""

NAMES: Final = (OWN, STORE, *FORMATS)

ROWS_IN_A_BLOCK: Final = 1 << 16
"""Rows that are committed together: a few megabytes."""


Heard = Callable[[float], None]
"""Is told how much of a file was read, 0 to 1."""


def read_samples(
    path: Path | str,
    *,
    kind: str | None = None,
    options: Options | None = None,
    skipped: Skipped | None = None,
    skip_damaged: bool = False,
    heard: Heard = lambda _: None,
) -> Iterator[Rows]:
    """Yield the samples of a file, some thousand at a time. Its format is `kind`, or what its name and bytes say."""
    path = Path(path)
    if (own := kind or OWN_SUFFIXES.get(path.suffix)) in OWN_SUFFIXES.values():
        count, piece = _own(path, skip_damaged=skip_damaged) if own == OWN else _store(path)
        for start in range(0, count, ROWS_IN_A_BLOCK):
            yield piece(start, min(start + ROWS_IN_A_BLOCK, count))
            heard(start / count)
        return
    with open_stream(path) as stream:
        reader = format_of(path, stream.start()) if kind is None else format_by_name(kind)
        for rows in reader.read(stream, path.name, options or Options(), skipped or Skipped()):
            yield rows
            heard(stream.fraction)


def write_samples(
    path: Path | str,
    rows: Iterable[Rows],
    *,
    kind: str | None = None,
    card: dict[str, Any] | None = None,
    options: Options | None = None,
    skipped: Skipped | None = None,
) -> None:
    """Write samples to a new file. It gets its name when it is whole, and not before."""
    path = Path(path)
    with _when_whole(path) as part:
        if (kind or OWN_SUFFIXES.get(path.suffix)) == OWN:
            if str(path) == STANDARD:
                raise UsageError("a sample file cannot go to the standard output", hint="give a file name")
            _write_own(part, rows, card or {})
        else:
            writer = format_to_write(path) if kind is None else format_by_name(kind)
            with create_stream(part) as file:
                writer.write(file, rows, options or Options(), skipped or Skipped())


@dataclass(slots=True)
class Conversion:
    """Files that become one. `options` say how the sources tell values; the target gets its format's own way."""

    sources: Sequence[Path]
    target: Path
    source_kind: str | None = None
    target_kind: str | None = None
    options: Options = field(default_factory=Options)
    target_scale: float = 1.0
    """Centipawns that one unit of the target is worth."""
    skip_damaged: bool = False
    skipped: Skipped = field(default_factory=Skipped)
    positions: int = 0
    part: float = 0.0
    """How much was read so far, 0 to 1."""

    def run(self, heard: Callable[[], None] = lambda: None) -> None:
        """Do it; `heard` is called now and then."""
        if self.target in self.sources:
            raise UsageError(f"{self.target} would be read and written at once", hint="give another name")
        if self.target_kind is None and OWN_SUFFIXES.get(self.target.suffix) != OWN:
            format_to_write(self.target)  # complain before work begins
        unread = Skipped(tell=self.skipped.tell)
        write_samples(
            self.target,
            self._rows(heard),
            kind=self.target_kind,
            card={
                "source": [path.name for path in self.sources],
                "view": self.options.view and str(self.options.view),
                "scale": self.options.scale,
            },
            options=replace(self.options, view=None, scale=self.target_scale),
            skipped=unread,
        )
        self.positions -= unread.count
        self.skipped.count += unread.count
        self.skipped.told.extend(unread.told)

    def _rows(self, heard: Callable[[], None]) -> Iterator[Rows]:
        for number, path in enumerate(self.sources):

            def tell(part: float, number: int = number) -> None:
                self.part = (number + part) / len(self.sources)
                heard()

            for rows in read_samples(
                path,
                kind=self.source_kind,
                options=self.options,
                skipped=self.skipped,
                skip_damaged=self.skip_damaged,
                heard=tell,
            ):
                self.positions += len(rows)
                yield rows


Piece = Callable[[int, int], Rows]
"""The rows from one number up to another."""


def _own(path: Path, *, skip_damaged: bool) -> tuple[int, Piece]:
    samples = Samples.open(path, skip_damaged=skip_damaged)
    return len(samples), lambda start, stop: samples[start:stop]


def _store(path: Path) -> tuple[int, Piece]:
    source = StoreSource(Store.open(path))
    return len(source), lambda start, stop: source.take(np.arange(start, stop))


def _write_own(path: Path, rows: Iterable[Rows], card: dict[str, Any]) -> None:
    """The first rows say which columns there are."""
    writer: SampleWriter | None = None
    waiting = 0
    try:
        for some in rows:
            if writer is None:
                writer = SampleWriter.open(path, card=card, columns=Columns.of(some.dtype))
            writer.append(some)
            waiting += len(some)
            if waiting >= ROWS_IN_A_BLOCK:
                writer.commit()
                waiting = 0
        if writer is None:
            writer = SampleWriter.open(path, card=card)
        writer.commit()
    finally:
        if writer is not None:
            writer.close()


@contextmanager
def _when_whole(path: Path) -> Iterator[Path]:
    """A name to write under, which becomes `path` at the end; the compression is told by the same last letters."""
    if str(path) == STANDARD:
        yield path
        return
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    part.unlink(missing_ok=True)
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise NotFound(f"`{path}` cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
