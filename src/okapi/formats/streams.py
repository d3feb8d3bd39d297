"""Files as bytes, plain or compressed; what a file is, its first bytes say, and not its name."""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final, Protocol, cast

import zstandard

from okapi.errors import InvalidPgn, InvalidText, NotFound

CHUNK: Final = 1 << 20
"""Bytes asked for at a time: enough that the calls cost nothing."""

AT_LEAST: Final = 4096
"""Bytes that a read brings unless the file ends: who looks at the start of a file sees enough of it, even in a pipe."""

LONGEST_WINDOW: Final = 1 << 31
"""Bytes that a zst file may look back; `zstd --ultra --long=31` writes such files, and Lichess did."""


class _Frames:
    """A zst file, frame after frame. zstandard's own reader takes a frame that is cut off for the end of the file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=LONGEST_WINDOW)
        self._frame = self._decompressor.decompressobj()
        self._data = b""
        self._given = 0

    def read1(self, count: int) -> bytes:
        while self._given == len(self._data):
            compressed = self._frame.unused_data if self._frame.eof else b""
            compressed = compressed or self._file.read(CHUNK // 8)
            if self._frame.eof and compressed:
                self._frame = self._decompressor.decompressobj()
            if not compressed:
                if not self._frame.eof:
                    raise EOFError("the last frame has no end")
                return b""
            self._data, self._given = self._frame.decompress(compressed), 0
        piece = self._data[self._given : self._given + count]
        self._given += len(piece)
        return piece


class _ZipMembers:
    """The PGN files of a zip archive, one after the other; all files, where none is called so."""

    def __init__(self, file: BinaryIO) -> None:
        self._members = _open_members(file)
        self._member: IO[bytes] = io.BytesIO()

    def read1(self, count: int) -> bytes:
        while not (data := self._member.read(count)):
            following = next(self._members, None)
            if following is None:
                return b""
            self._member = following
        return data


def _open_members(file: BinaryIO) -> Iterator[IO[bytes]]:
    archive = zipfile.ZipFile(file)
    names = [name for name in archive.namelist() if not name.endswith("/")]
    for number, name in enumerate([name for name in names if name.lower().endswith(".pgn")] or names):
        if number:
            yield io.BytesIO(b"\n\n")  # a file may end without an end of its last line
        yield archive.open(name)


class Source(Protocol):
    def read1(self, count: int, /) -> bytes: ...


Opener = Callable[[BinaryIO], Source]

COMPRESSIONS: Final[dict[bytes, tuple[str, Opener]]] = {
    b"\x1f\x8b": (".gz", lambda file: gzip.GzipFile(fileobj=file)),
    b"BZh": (".bz2", bz2.BZ2File),
    b"\xfd7zXZ\0": (".xz", lzma.LZMAFile),
    b"\x28\xb5\x2f\xfd": (".zst", _Frames),
    b"PK\x03\x04": (".zip", _ZipMembers),
}
"""First bytes → the usual end of the name, and what reads it."""


BROKEN: Final = (EOFError, OSError, RuntimeError, lzma.LZMAError, zipfile.BadZipFile, zlib.error, zstandard.ZstdError)
"""Errors of decompressors; RuntimeError for a zip archive with a password or an unknown compression."""


class Stream(io.BufferedReader):
    """A decompressed file: bytes to read, lines to iterate over."""

    def __init__(self, raw: "_Guarded", file: BinaryIO, size: int, path: Path) -> None:
        super().__init__(raw, CHUNK)
        self._path = path
        self._file = file
        self._size = size

    def start(self) -> bytes:
        """The next few thousand bytes, without consuming them."""
        return self.peek(AT_LEAST)[:AT_LEAST]

    def check_that_it_is_pgn(self) -> None:
        """Raise InvalidPgn for a file that does not begin like text, such as a game store or an image."""
        if b"\0" in self.start():
            raise InvalidPgn(
                f"{self._path.name} is not a PGN file: it is not text",
                hint="PGN may be compressed (gz, bz2, xz, zst, zip); `okapi games export` makes PGN of a game store",
            )

    @property
    def fraction(self) -> float:
        """The share of the file that was read, 0 to 1; 0 for a pipe."""
        return self._file.tell() / self._size if self._size else 0.0


class _Guarded(io.RawIOBase):
    """Turns errors of decompressors into one that names the file, after all bytes before the damage."""

    def __init__(self, source: Source, name: str) -> None:
        self._source = source
        self._name = name
        self._error: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        data = bytearray()
        try:
            while len(data) < AT_LEAST and self._error is None and (more := self._source.read1(len(view) - len(data))):
                data += more
        except BROKEN as error:
            self._error = error
        if self._error is not None and not data:
            raise InvalidText(
                f"{self._name} is damaged or cut off: {self._error}", hint="what stands before that was read"
            ) from None
        view[: len(data)] = data
        return len(data)


@contextmanager
def open_stream(path: Path | str) -> Iterator[Stream]:
    """The bytes of a file, decompressed if its first bytes say gz, bz2, xz, zst or zip; `-` is the standard input."""
    path = Path(path)
    try:
        file = cast(BinaryIO, sys.stdin.buffer) if str(path) == "-" else path.open("rb")
    except FileNotFoundError:
        raise NotFound(f"no file at `{path}`", hint="check the spelling of the path") from None
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {error.strerror}") from None
    with contextlib.ExitStack() as stack:
        if str(path) != "-":
            stack.enter_context(file)
        size = os.fstat(file.fileno()).st_size if file.seekable() else 0
        buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, file))
        first = buffered.peek(8)
        reader = next((opener for magic, (_, opener) in COMPRESSIONS.items() if first.startswith(magic)), None)
        source: Source = buffered if reader is None else reader(cast(BinaryIO, buffered))
        with Stream(_Guarded(source, path.name), cast(BinaryIO, buffered), size, path) as stream:
            yield stream


def read_packed(path: Path | str, suffixes: Iterable[str]) -> tuple[str, bytes]:
    """The name and the bytes of a file, decompressed; of a zip archive, the first file with one of these suffixes."""
    path = Path(path)
    usual = {suffix: magic for magic, (suffix, _) in COMPRESSIONS.items()}
    with open_stream(path) as stream:
        magic = usual.get(path.suffix.lower())
        if magic is None:
            return path.name, stream.read()
        with path.open("rb") as file:
            if file.read(len(magic)) != magic:
                raise InvalidText(f"`{path}` is damaged: it is no {path.suffix} file", hint="download it again")
        if path.suffix.lower() != ".zip":
            return path.stem, stream.read()
    try:
        with zipfile.ZipFile(path) as archive:
            for suffix in suffixes:
                for name in archive.namelist():
                    if Path(name).suffix.lower() == suffix:
                        return Path(name).name, archive.read(name)
    except BROKEN as error:
        raise InvalidText(f"`{path}` is damaged: {error}", hint="download it again") from None
    raise InvalidText(f"`{path}` has no file that ends with {', '.join(suffixes)}")


@contextmanager
def create_stream(path: Path | str) -> Iterator[BinaryIO]:
    """A file to write bytes to, compressed if its name ends with .gz, .bz2, .xz or .zst; `-` is the standard output."""
    path = Path(path)
    if str(path) == "-":
        yield sys.stdout.buffer
        return
    try:
        file = path.open("wb")
    except OSError as error:
        raise NotFound(f"`{path}` cannot be written: {error.strerror}") from None
    with contextlib.ExitStack() as stack:
        stack.enter_context(file)
        match path.suffix:
            case ".gz":  # no name and no time inside: the same content gives the same bytes
                yield cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0)))
            case ".bz2":
                yield cast(BinaryIO, stack.enter_context(bz2.BZ2File(file, "wb")))
            case ".xz":
                yield cast(BinaryIO, stack.enter_context(lzma.LZMAFile(file, "wb")))
            case ".zst":
                writer = zstandard.ZstdCompressor(level=9).stream_writer(file, closefd=False)
                yield cast(BinaryIO, stack.enter_context(writer))
            case _:
                yield file


def plain_suffix(path: Path | str) -> str:
    """The end of a file's name without that of its compression, in small letters.

    >>> plain_suffix("games.PGN.zst"), plain_suffix(Path("a.epd"))
    ('.pgn', '.epd')
    """
    path = Path(path)
    endings = {ending for ending, _ in COMPRESSIONS.values()}
    bare = path.with_suffix("") if path.suffix.lower() in endings else path
    return bare.suffix.lower()
