"""Files as bytes, plain or compressed; what a file is, its first bytes say, and not its name."""

import bz2
import gzip
import io
import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

import zstandard

from okapi.errors import InvalidPgn, InvalidText, NotFound
from okapi.files import file_errors

CHUNK: Final = 1 << 20  # bytes asked for at a time: enough that the calls cost nothing
AT_LEAST: Final = 4096  # bytes that a read brings unless the file ends, even in a pipe: enough to see what it is
LONGEST_WINDOW: Final = 1 << 31  # bytes that a zst file may look back, as `zstd --ultra --long=31` writes


class _Pieces:
    """Bytes that come piece by piece, to be read like a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._data = pieces, memoryview(b"")

    def read1(self, count: int) -> bytes:
        while not self._data and (following := next(self._pieces, None)) is not None:
            self._data = memoryview(following)
        piece, self._data = bytes(self._data[:count]), self._data[count:]
        return piece


def _frames(file: BinaryIO) -> Iterator[bytes]:
    """A zst file, frame after frame. zstandard's own reader takes a frame that is cut off for the end of the file."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=LONGEST_WINDOW)
    frame = decompressor.decompressobj()
    while compressed := (frame.unused_data if frame.eof else b"") or file.read(CHUNK // 8):
        if frame.eof:
            frame = decompressor.decompressobj()
        yield frame.decompress(compressed)
    if not frame.eof:
        raise EOFError("the last frame has no end")


def _members(file: BinaryIO) -> Iterator[bytes]:
    """The PGN files of a zip archive, one after the other; all files, where none is called so."""
    archive = zipfile.ZipFile(file)
    names = [name for name in archive.namelist() if not name.endswith("/")]
    for number, name in enumerate([name for name in names if name.lower().endswith(".pgn")] or names):
        if number:
            yield b"\n\n"  # a file may end without an end of its last line
        with archive.open(name) as member:
            yield from iter(partial(member.read, CHUNK), b"")


Opener = Callable[[BinaryIO], Any]  # what it returns has read1(), as files have

COMPRESSIONS: Final[dict[bytes, tuple[str, Opener]]] = {
    b"\x1f\x8b": (".gz", lambda file: gzip.GzipFile(fileobj=file)),
    b"BZh": (".bz2", bz2.BZ2File),
    b"\xfd7zXZ\0": (".xz", lzma.LZMAFile),
    b"\x28\xb5\x2f\xfd": (".zst", lambda file: _Pieces(_frames(file))),
    b"PK\x03\x04": (".zip", lambda file: _Pieces(_members(file))),
}
"""First bytes → the usual end of the name, and what reads it."""

SUFFIXES: Final = {suffix for suffix, _ in COMPRESSIONS.values()}

WRITERS: Final[dict[str, Callable[[BinaryIO], Any]]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0),  # always the same bytes
    ".bz2": partial(bz2.BZ2File, mode="wb"),
    ".xz": partial(lzma.LZMAFile, mode="wb"),
    ".zst": lambda file: zstandard.ZstdCompressor(level=9).stream_writer(file, closefd=False),
}

BROKEN: Final = (EOFError, OSError, RuntimeError, lzma.LZMAError, zipfile.BadZipFile, zlib.error, zstandard.ZstdError)
"""Errors of decompressors; RuntimeError for a zip archive with a password or an unknown compression."""


class Stream(io.BufferedReader):
    """A decompressed file: bytes to read, lines to iterate over."""

    def __init__(self, raw: "_Guarded", file: BinaryIO, size: int, path: Path, compression: str) -> None:
        super().__init__(raw, CHUNK)
        self._path, self._file, self._size = path, file, size
        self.compression = compression  # the usual end of the name of files so compressed; empty for a plain file

    def start(self) -> bytes:
        """The next few thousand bytes, without consuming them."""
        return self.peek(AT_LEAST)[:AT_LEAST]

    def check_that_it_is_pgn(self) -> None:
        """Raise InvalidPgn for a file that does not begin like text, such as a game store or an image."""
        if b"\0" in self.start():
            hint = "PGN may be compressed (gz, bz2, xz, zst, zip); `okapi games export` makes PGN of a game store"
            raise InvalidPgn(f"{self._path.name} is not a PGN file: it is not text", hint=hint)

    @property
    def fraction(self) -> float:
        """The share of the file that was read, 0 to 1; 0 for a pipe."""
        return self._file.tell() / self._size if self._size else 0.0


class _Guarded(io.RawIOBase):
    """Turns errors of decompressors into one that names the file, after all bytes before the damage."""

    def __init__(self, source: Any, name: str) -> None:
        self._source, self._name = source, name
        self._error: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        filled = 0
        try:
            while filled < AT_LEAST and self._error is None and (more := self._source.read1(len(view) - filled)):
                view[filled : filled + len(more)] = more
                filled += len(more)
        except BROKEN as error:
            self._error = error
        if self._error is not None and not filled:
            text = f"{self._name} is damaged or cut off: {self._error}"
            raise InvalidText(text, hint="what stands before that was read") from None
        return filled


@contextmanager
def open_stream(path: Path | str) -> Iterator[Stream]:
    """The bytes of a file, decompressed if its first bytes say gz, bz2, xz, zst or zip; `-` is the standard input."""
    path = Path(path)
    with file_errors(path, "read"):
        if str(path) != "-" and not path.exists():
            raise NotFound(f"no file at `{path}`", hint="check the spelling of the path")
        opened: Any = nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb")
    with opened as file:
        size = os.fstat(file.fileno()).st_size if file.seekable() else 0
        buffered: Any = file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)
        source, compression = buffered, ""
        for magic, (suffix, opener) in COMPRESSIONS.items():
            if buffered.peek(8).startswith(magic):
                source, compression = opener(buffered), suffix
        with Stream(_Guarded(source, path.name), buffered, size, path, compression) as stream:
            yield stream


def read_packed(path: Path | str, suffixes: Iterable[str]) -> tuple[str, bytes]:
    """The name and the bytes of a file, decompressed; of a zip archive, the first file with one of these suffixes."""
    path = Path(path)
    suffix = path.suffix.lower()
    with open_stream(path) as stream:
        if suffix in SUFFIXES and suffix != stream.compression:
            raise InvalidText(f"`{path}` is damaged: it is no {path.suffix} file", hint="download it again")
        if suffix != ".zip":
            return path.stem if suffix in SUFFIXES else path.name, stream.read()
    try:
        with zipfile.ZipFile(path) as archive:
            members = ((suffix, name) for suffix in suffixes for name in archive.namelist())
            for suffix, name in members:
                if Path(name).suffix.lower() == suffix:
                    return Path(name).name, archive.read(name)
    except BROKEN as error:
        raise InvalidText(f"`{path}` is damaged: {error}", hint="download it again") from None
    raise InvalidText(f"`{path}` has no file that ends with {', '.join(suffixes)}")


@contextmanager
def create_stream(path: Path | str, suffix: str | None = None) -> Iterator[BinaryIO]:
    """A file to write bytes to, compressed if its name ends with .gz, .bz2, .xz or .zst; `-` is the standard output.

    A name that ends otherwise, such as that of a temporary file, needs the suffix.
    """
    path = Path(path)
    if str(path) == "-":
        yield sys.stdout.buffer
        return
    with file_errors(path, "written"):
        file = path.open("wb")
    with file, WRITERS.get(path.suffix if suffix is None else suffix, nullcontext)(file) as compressed:
        yield compressed


def plain_suffix(path: Path | str) -> str:
    """The end of a file's name without that of its compression, in small letters.

    >>> plain_suffix("games.PGN.zst"), plain_suffix(Path("a.epd"))
    ('.pgn', '.epd')
    """
    path = Path(path)
    bare = path.with_suffix("") if path.suffix.lower() in SUFFIXES else path
    return bare.suffix.lower()
