"""TensorBoard's event files, as far as curves need them: records of scalars, each with its checksums."""

import os
import socket
import struct
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["Events", "crc32c"]

POLYNOMIAL: Final = 0x82F63B78
"""Castagnoli's, with its bits reversed."""
MASK: Final = 0xA282EAD8
"""Records mask their checksums, so that a file of records can be a record itself."""

DOUBLE, VARINT, BYTES, FLOAT = 1, 0, 2, 5
"""How protocol buffers write a field."""


class Events:
    """Appends scalars to a file of its own; several files in one folder are one run to TensorBoard."""

    def __init__(self, folder: Path) -> None:
        name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}.{os.getpid()}"
        self._file = (folder / name).open("ab")
        self._append(_field(3, BYTES, b"brain.Event:2"))

    def log(self, step: int, scalars: Mapping[str, float]) -> None:
        """Curves at one step."""
        values = b"".join(
            _field(1, BYTES, _field(1, BYTES, tag.encode()) + _field(2, FLOAT, struct.pack("<f", value)))
            for tag, value in scalars.items()
        )
        self._append(_field(2, VARINT, _varint(step)) + _field(5, BYTES, values))

    def close(self) -> None:
        """Nothing more will be written."""
        self._file.close()

    def _append(self, content: bytes) -> None:
        event = _field(1, DOUBLE, struct.pack("<d", time.time())) + content
        length = struct.pack("<Q", len(event))
        self._file.write(length + _checksum(length) + event + _checksum(event))
        self._file.flush()


def crc32c(data: bytes) -> int:
    """Castagnoli's checksum.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _table()[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


@cache
def _table() -> tuple[int, ...]:
    def entry(byte: int) -> int:
        for _ in range(8):
            byte = byte >> 1 ^ (POLYNOMIAL if byte & 1 else 0)
        return byte

    return tuple(map(entry, range(256)))


def _checksum(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + MASK) & 0xFFFFFFFF)


def _field(number: int, kind: int, content: bytes) -> bytes:
    length = _varint(len(content)) if kind == BYTES else b""
    return _varint(number << 3 | kind) + length + content


def _varint(number: int) -> bytes:
    written = b""
    while number > 0x7F:
        written += bytes([number & 0x7F | 0x80])
        number >>= 7
    return written + bytes([number])
