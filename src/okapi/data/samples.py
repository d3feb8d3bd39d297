"""Sample files: append-only, checksummed, and read as an array in place. docs/reference/samples.md has every byte."""

import contextlib
import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import NO_VALUE, SAMPLE
from okapi.core.samples import Columns as Columns
from okapi.core.samples import Rows, quiet
from okapi.core.samples import as_samples as as_samples
from okapi.errors import InvalidSamples
from okapi.files import file_errors, lock_file

# --- The layout: everything is little-endian --------------------------------------------------------------------------

MAGIC: Final = b"OKSAMPLE"
VERSION: Final = 1
HEADER: Final = struct.Struct("<8sIIII")  # magic, version, bytes of a row, bytes of JSON, and the checksum of the JSON
BLOCK_MAGIC: Final = b"OKSB"
BLOCK: Final = struct.Struct("<4sIIIQII")
"""Magic, rows, bytes of the cursor, checksum of the rows, rows before, 0, and the checksum of all of that."""

LONGEST_JSON: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Header:
    columns: Columns
    card: dict[str, Any]

    @property
    def row(self) -> int:
        """Bytes of a row. Everything in the file is aligned to it."""
        return self.columns.dtype.itemsize

    def to_bytes(self) -> bytes:
        """Padded to whole rows, so that the file is an array of them."""
        text = json_bytes({"columns": self.columns.as_json(), "card": self.card})
        return padded(HEADER.pack(MAGIC, VERSION, self.row, len(text), zlib.crc32(text)) + text, self.row)

    @classmethod
    def read(cls, data: memoryview, name: str) -> tuple[Self, int]:
        """The header of a file, and its length in bytes."""
        if len(data) < HEADER.size or bytes(data[:8]) != MAGIC:
            raise InvalidSamples(f"{name} is not a sample file", hint="`okapi samples convert` reads other formats")
        _, version, row, length, checksum = HEADER.unpack(data[: HEADER.size])
        if version != VERSION:
            raise InvalidSamples(f"{name} is of version {version}, this okapi reads {VERSION}", hint="update okapi")
        text = bytes(data[HEADER.size : HEADER.size + min(length, LONGEST_JSON)])
        if len(text) != length or zlib.crc32(text) != checksum:
            raise InvalidSamples(f"the header of {name} is damaged")
        try:
            parsed = json.loads(text)
            card = parsed["card"] if "card" in parsed else parsed["passport"]
            header = cls(Columns.from_json(parsed["columns"]), dict(card))
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidSamples(f"the header of {name} is not valid: {error}") from None
        if header.row != row:
            raise InvalidSamples(f"the header of {name} is not consistent: rows of {row} and {header.row} bytes")
        end = padded_length(HEADER.size + length, row)
        if end > len(data):
            hint = "its writer was stopped: delete it and start again"
            raise InvalidSamples(f"{name} ends inside its header", hint=hint)
        return header, end


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that were committed together, with a cursor."""

    offset: int  # of its head, in bytes
    head: int  # bytes before its rows
    rows: int
    checksum: int
    cursor: bytes

    def end(self, row: int) -> int:
        return self.offset + self.head + self.rows * row

    @classmethod
    def read(cls, data: memoryview, offset: int, row: int) -> "Block | None":
        """The block at `offset`; None where there is no complete head."""
        fixed = data[offset : offset + BLOCK.size]
        if len(fixed) < BLOCK.size or bytes(fixed[:4]) != BLOCK_MAGIC:
            return None
        _, rows, length, checksum, _, _, own = BLOCK.unpack(fixed)
        cursor = bytes(data[offset + BLOCK.size : offset + BLOCK.size + min(length, LONGEST_JSON)])
        if len(cursor) != length or zlib.crc32(cursor, zlib.crc32(fixed[:-4])) != own:
            return None
        return cls(offset, padded_length(BLOCK.size + length, row), rows, checksum, cursor)

    def is_whole(self, data: memoryview, row: int) -> bool:
        """Are the rows complete, and is their checksum right?"""
        end = self.end(row)
        return end <= len(data) and zlib.crc32(data[self.offset + self.head : end]) == self.checksum


def json_bytes(value: object) -> bytes:
    """Canonical JSON: the same bytes for the same value."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    if len(text) > LONGEST_JSON:
        raise ValueError(f"{len(text)} bytes of JSON: at most {LONGEST_JSON}")
    return text


def padded(data: bytes, unit: int) -> bytes:
    return data + bytes(-len(data) % unit)


def padded_length(length: int, unit: int) -> int:
    return -(-length // unit) * unit


# --- Reading and writing ----------------------------------------------------------------------------------------------


class Samples:
    """A sample file as an array on the disk.

    `samples[7]` is one row, `samples[10:20]` and `samples[indices]` are arrays of them. A slice inside one block is a
    view of the file; anything else is copied.
    """

    def __init__(self, header: Header, blocks: list[Block], data: mmap.mmap, torn: int, name: str) -> None:
        self.columns, self.card = header.columns, header.card
        self.torn = torn  # bytes after the last complete block, left by a writer that was stopped; they are ignored
        self._name, self._blocks, self._data = name, blocks, data
        dtype = header.columns.dtype
        self._slots: Rows = np.frombuffer(data, dtype=dtype, count=len(data) // dtype.itemsize)
        first = np.array([0, *(block.rows for block in blocks)], dtype=np.int64).cumsum()
        starts = np.array([(block.offset + block.head) // dtype.itemsize for block in blocks], dtype=np.int64)
        self._ends = first[1:]
        self._shifts = starts - first[:-1]

    @classmethod
    def open(cls, path: Path | str, *, skip_damaged: bool = False) -> Self:
        """Open a file. A torn tail is ignored; damage is an error that says where, unless `skip_damaged`."""
        path = Path(path)
        with file_errors(path, "read"), path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise InvalidSamples(f"{path.name} is empty")
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with memoryview(data) as view:
            header, end = Header.read(view, path.name)
        blocks, end = _walk(data, header, end, path.name, skip_damaged=skip_damaged)
        return cls(header, blocks, data, len(data) - end, path.name)

    @property
    def dtype(self) -> np.dtype[np.void]:
        """SAMPLE, then the columns."""
        return self._slots.dtype

    @property
    def cursor(self) -> Any:
        return json.loads(self._blocks[-1].cursor) if self._blocks and self._blocks[-1].cursor else None

    def blocks(self) -> Iterator[Rows]:
        """The rows of each block, as views of the file: the fastest way to read all of it."""
        for end, shift, block in zip(self._ends, self._shifts, self._blocks, strict=True):
            yield self._slots[end - block.rows + shift : end + shift]

    def verify(self) -> None:
        """Compare everything with the checksums; InvalidSamples names the first damaged block."""
        with memoryview(self._data) as view:
            for number, block in enumerate(self._blocks):
                if not block.is_whole(view, self.dtype.itemsize):
                    raise _damaged(self._name, number, block.offset)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            start, stop, step = which.indices(len(self))
            block = int(np.searchsorted(self._ends, start, side="right"))
            if step == 1 and start < stop <= self._ends[block]:
                return self._slots[start + self._shifts[block] : stop + self._shifts[block]]
            which = np.arange(start, stop, step)
        if isinstance(which, (int, np.integer)):
            if not -len(self) <= which < len(self):
                raise IndexError(f"row {which} of {len(self)}")
            return self[np.array([which % len(self)])][0]
        indices = np.asarray(which)
        if indices.dtype == np.bool_:
            indices = np.flatnonzero(indices)
        if indices.size and not (indices.min() >= 0 and indices.max() < len(self)):
            raise IndexError(f"rows {indices.min()} to {indices.max()} of {len(self)}")
        return self._slots.take(indices + self._shifts[np.searchsorted(self._ends, indices, side="right")])

    def take(self, numbers: NDArray[np.int64]) -> Rows:
        """Rows as plain SAMPLE, without columns."""
        return as_samples(self[numbers])


class SampleWriter:
    """Appends to a sample file. Rows are in the file when commit() returns, and not before."""

    def __init__(self, file: BinaryIO, header: Header, rows: int, cursor: Any) -> None:
        self.columns, self.card = header.columns, header.card
        self.cursor = cursor  # the cursor of the last commit, to resume from
        self._file, self._rows = file, rows
        self._pending: list[Rows] = []

    @classmethod
    def open(cls, path: Path | str, *, card: Mapping[str, Any] | None = None, columns: Columns | None = None) -> Self:
        """Create a file, or continue one that has the same card and columns; a torn tail is cut off."""
        path = Path(path)
        wanted = Header(columns or Columns(), json.loads(json_bytes(card or {})))
        with file_errors(path, "written"):
            file = path.open("r+b" if path.exists() else "x+b", buffering=0)
        try:
            if not lock_file(file):
                raise InvalidSamples(f"another program writes to {path.name}", hint="wait for it, or stop it")
            size = os.fstat(file.fileno()).st_size
            header = wanted.to_bytes()
            if size < len(header) and header.startswith(file.read(size)):  # new, or its writer was stopped in here
                file.seek(0)
                _write(file, header)
                return cls(file, wanted, 0, None)
            kept = Samples.open(path)
            if card is not None and kept.card != wanted.card:
                had, given = kept.card, wanted.card
                keys = sorted(key for key in {*had, *given} if had.get(key) != given.get(key))
                differ = ", ".join(f"{key} was {had.get(key)!r} and is {given.get(key)!r}" for key in keys)
                hint = "give another file name, or delete the file to start again"
                raise InvalidSamples(f"{path.name} was made with other settings: {differ}", hint=hint)
            if columns is not None and kept.columns != columns:
                raise InvalidSamples(f"{path.name} has {kept.columns}, not {columns}", hint="give another file name")
            file.truncate(size - kept.torn)
            file.seek(0, os.SEEK_END)
            return cls(file, Header(kept.columns, kept.card), len(kept), kept.cursor)
        except BaseException:
            file.close()
            raise

    def append(self, rows: Rows) -> None:
        """Add rows to the next commit: SAMPLE, or SAMPLE with this file's columns."""
        dtype, fields = self.columns.dtype, rows.dtype.names or ()
        known = dtype.names or ()
        if set(fields) - set(known) or set(SAMPLE.names or ()) - set(fields):
            raise ValueError(f"rows with {', '.join(fields) or rows.dtype}: the file has {', '.join(known)}")
        copied = np.zeros(len(rows), dtype=dtype)
        for field in fields:
            copied[field] = 0 if field == "unused" else rows[field]  # the same rows give the same bytes
        self._pending.append(copied)

    def commit(self, cursor: Any = None) -> None:
        """Write what was appended as one block, with a cursor as JSON to resume from."""
        rows = np.concatenate(self._pending) if self._pending else np.zeros(0, self.columns.dtype)
        data, text = rows.tobytes(), b"" if cursor is None else json_bytes(cursor)
        fixed = BLOCK.pack(BLOCK_MAGIC, len(rows), len(text), zlib.crc32(data), self._rows, 0, 0)[:-4]
        head = fixed + struct.pack("<I", zlib.crc32(text, zlib.crc32(fixed))) + text
        _write(self._file, padded(head, self.columns.dtype.itemsize) + data)
        self._rows, self._pending, self.cursor = self._rows + len(rows), [], cursor

    def close(self) -> None:
        """Close the file; what was not committed is lost."""
        self._file.close()

    def __len__(self) -> int:
        return self._rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Commit what is left, unless there was an exception."""
        with contextlib.closing(self):
            if kind is None and self._pending:
                self.commit(self.cursor)


def begins_with(path: Path | str, magic: bytes) -> bool:
    """False also if the file cannot be read."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read(len(magic)) == magic
    return False


def is_sample_file(path: Path | str) -> bool:
    return begins_with(path, MAGIC)


def _walk(data: mmap.mmap, header: Header, offset: int, name: str, *, skip_damaged: bool) -> tuple[list[Block], int]:
    """The blocks of a file, and where the last whole one ends.

    Only the last block is compared with its checksum here: a writer that was killed can damage nothing else, and
    reading everything takes long. verify() checks all blocks.
    """
    row = header.row
    blocks: list[Block] = []
    with memoryview(data) as view:
        while offset < len(view):
            block = Block.read(view, offset, row)
            is_checked = block is not None and (skip_damaged or block.end(row) >= len(view))
            if block is not None and (not is_checked or block.is_whole(view, row)):
                blocks.append(block)
                offset = block.end(row)
                continue
            following = data.find(BLOCK_MAGIC, offset + 1)
            while following >= 0 and (following % row or Block.read(view, following, row) is None):
                following = data.find(BLOCK_MAGIC, following + 1)
            if following < 0:
                break
            if not skip_damaged:
                raise _damaged(name, len(blocks), offset)
            offset = following
    return blocks, offset


def _damaged(name: str, number: int, offset: int) -> InvalidSamples:
    hint = "`okapi samples convert FILE --out NEW --skip-damaged` saves the others"
    return InvalidSamples(f"block {number} of {name}, at byte {offset}, is damaged", hint=hint)


def _write(file: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
    os.fsync(file.fileno())


RANDOM_MOVE: Final = 1  # the flag of a sample whose position no game reached; kRandomMove in cpp/okapi/samples/packed.h


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFilter:
    """Which samples to take."""

    quiet: bool = False  # not in check, and the best (else the played) move is neither a capture nor a promotion
    plies: tuple[int, int] | None = None  # moves played before, at least and at most
    pieces: tuple[int, int] | None = None  # pieces on the board, kings and pawns too, at least and at most
    largest_value: int | None = None  # centipawns for either side, at most. Samples without a value fail.
    with_value: bool = False
    with_result: bool = False
    with_move: bool = False
    without_random: bool = False  # leave out positions that a random move led to

    def keep(self, rows: Rows) -> NDArray[np.bool_]:
        kept = np.ones(len(rows), np.bool_)
        if self.plies is not None:
            kept &= (rows["ply"] >= self.plies[0]) & (rows["ply"] <= self.plies[1])
        if self.pieces is not None:
            count = np.bitwise_count(rows["position"]["occupied"])
            kept &= (count >= self.pieces[0]) & (count <= self.pieces[1])
        if self.with_value or self.largest_value is not None:
            kept &= rows["value"] != NO_VALUE
        if self.largest_value is not None:
            kept &= np.abs(rows["value"].astype(np.int32)) <= self.largest_value
        if self.with_result:
            kept &= rows["result"] >= 0
        if self.with_move:
            kept &= rows["move"] != 0
        if self.without_random:
            kept &= rows["flags"] & RANDOM_MOVE == 0
        if self.quiet:  # last, because it is the slowest
            left = np.flatnonzero(kept)
            kept[left] = quiet(rows.take(left))
        return kept
