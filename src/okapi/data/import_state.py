"""How far an import is: its files, and what each block of the store says about them."""

import hashlib
import itertools
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from okapi.data.bytes_ahead import read_ahead
from okapi.data.game_filter import GameFilter
from okapi.errors import NotFound, UsageError

__all__ = ["Complaint", "ImportState", "Source", "fingerprint", "open_sources"]

HEAD: Final = 1 << 16
"""Bytes of a file that tell it from another one of the same name and size."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A game that was left out: where, and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        """As compilers write it: `games.pgn:12: 5. Ke3 is not legal`."""
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass(slots=True)
class ImportState:
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
        """For the store."""
        return json.dumps({"import": asdict(self)}, separators=(",", ":"))

    @classmethod
    def of(cls, cursor: str) -> Self | None:
        """What a cursor says, if an import left it."""
        try:
            return cls(**json.loads(cursor)["import"])
        except (ValueError, KeyError, TypeError):
            return None


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or the standard input, that was opened already to see how it begins."""

    name: str
    size: int
    head: int
    """The checksum of its first bytes."""
    opened: Iterator[tuple[bytes, float]] | None = None

    @classmethod
    def of(cls, file: Path | str) -> Self:
        """Look at a file. NotFound if there is none."""
        file = Path(file)
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
        """What it says, decompressed, and the share of it that was read so far."""
        return read_ahead(Path(self.name)) if self.opened is None else self.opened


def open_sources(files: Sequence[Path | str]) -> list[Source]:
    """The files of one import. UsageError where there are none, NotFound where one is missing."""
    if not files:
        raise UsageError("there is nothing to import", hint="okapi games import games.pgn --to games.okapi")
    if len(files) > 1 and "-" in map(str, files):
        raise UsageError("- is the standard input, and goes with no other file")
    return [Source.of(file) for file in files]


def fingerprint(sources: Sequence[Source], wanted: GameFilter) -> str:
    """The same for the same files and filter."""
    what = [[[source.name, source.size, source.head] for source in sources], asdict(wanted)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]
