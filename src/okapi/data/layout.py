"""Sample files, byte by byte: docs/samples.md in code. Everything is little-endian."""

import json
import struct
import zlib
from dataclasses import dataclass
from typing import Any, Final, Self

from okapi.core.samples import Columns
from okapi.errors import InvalidSamples

__all__ = ["BLOCK_MAGIC", "MAGIC", "Block", "Header", "json_bytes"]

MAGIC: Final = b"OKSAMPLE"
VERSION: Final = 1
HEADER: Final = struct.Struct("<8sIIII")
"""Magic, version, bytes of a row, bytes of JSON, and the checksum of the JSON."""

BLOCK_MAGIC: Final = b"OKSB"
BLOCK: Final = struct.Struct("<4sIIIQII")
"""Magic, rows, bytes of the cursor, checksum of the rows, rows before, 0, and the checksum of all of that."""

LONGEST_JSON: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Header:
    """How a file begins."""

    columns: Columns
    card: dict[str, Any]

    @property
    def row(self) -> int:
        """Bytes of a row. Everything in the file begins at a multiple of it."""
        return self.columns.dtype.itemsize

    def to_bytes(self) -> bytes:
        """Padded to whole rows, so that the file is an array of them."""
        text = json_bytes({"columns": self.columns.as_json(), "card": self.card})
        return _padded(HEADER.pack(MAGIC, VERSION, self.row, len(text), zlib.crc32(text)) + text, self.row)

    @classmethod
    def read(cls, data: memoryview, name: str) -> tuple[Self, int]:
        """The header at the beginning of a file, and its bytes."""
        if len(data) < HEADER.size or bytes(data[:8]) != MAGIC:
            raise InvalidSamples(f"{name} is no sample file", hint="`okapi samples convert` makes one of other formats")
        _, version, row, length, checksum = HEADER.unpack(data[: HEADER.size])
        if version != VERSION:
            raise InvalidSamples(f"{name} is of version {version}, this okapi reads {VERSION}", hint="update okapi")
        text = bytes(data[HEADER.size : HEADER.size + min(length, LONGEST_JSON)])
        if len(text) != length or zlib.crc32(text) != checksum:
            raise InvalidSamples(f"the header of {name} is damaged")
        try:
            told = json.loads(text)
            header = cls(Columns.from_json(told["columns"]), dict(told["card"] if "card" in told else told["passport"]))
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidSamples(f"the header of {name} says nothing sensible: {error}") from None
        if header.row != row:
            raise InvalidSamples(f"the header of {name} contradicts itself: rows of {row} and {header.row} bytes")
        end = -(-(HEADER.size + length) // row) * row
        if end > len(data):
            raise InvalidSamples(
                f"{name} ends inside its header", hint="its maker was stopped: remove it and begin again"
            )
        return header, end


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that were committed together, and how far their maker was."""

    offset: int
    """Of its head, in bytes."""
    head: int
    """Bytes before its rows."""
    rows: int
    before: int
    """Rows of the file before these."""
    checksum: int
    cursor: bytes

    def end(self, row: int) -> int:
        """Where the next block begins."""
        return self.offset + self.head + self.rows * row

    @staticmethod
    def head_bytes(rows: bytes, count: int, before: int, cursor: bytes, row: int) -> bytes:
        """What stands before the rows, padded to whole rows."""
        fixed = BLOCK.pack(BLOCK_MAGIC, count, len(cursor), zlib.crc32(rows), before, 0, 0)[:-4]
        checksum = zlib.crc32(cursor, zlib.crc32(fixed))
        return _padded(fixed + struct.pack("<I", checksum) + cursor, row)

    @classmethod
    def read(cls, data: memoryview, offset: int, row: int) -> "Block | None":
        """The block whose head stands at `offset`; nothing where there is no whole head."""
        fixed = data[offset : offset + BLOCK.size]
        if len(fixed) < BLOCK.size or bytes(fixed[:4]) != BLOCK_MAGIC:
            return None
        _, rows, length, checksum, before, _, own = BLOCK.unpack(fixed)
        cursor = bytes(data[offset + BLOCK.size : offset + BLOCK.size + min(length, LONGEST_JSON)])
        if len(cursor) != length or zlib.crc32(cursor, zlib.crc32(fixed[:-4])) != own:
            return None
        return cls(offset, -(-(BLOCK.size + length) // row) * row, rows, before, checksum, cursor)

    def is_whole(self, data: memoryview, row: int) -> bool:
        """Are the rows there, and as they were written?"""
        end = self.end(row)
        return end <= len(data) and zlib.crc32(data[self.offset + self.head : end]) == self.checksum


def json_bytes(value: object) -> bytes:
    """As JSON, the same for the same value."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    if len(text) > LONGEST_JSON:
        raise ValueError(f"{len(text)} bytes of JSON: at most {LONGEST_JSON}")
    return text


def _padded(data: bytes, row: int) -> bytes:
    return data + bytes(-len(data) % row)
