"""Stockfish's network files, `.nnue`, of version 15: HalfKAv2_hm, 1,024 neurons a side, eight layer stacks.

The format is described in the public documentation of nnue-pytorch. All numbers are little-endian: a version, a hash
and a description; then of each part a hash and its arrays. Stockfish 15.1 writes its own by `export_net`.
"""

import struct
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidBrain

VERSION: Final = 0x7AF32F20
HASHES: Final = (0x1C102EF2, 0x7F2344B8, 0x63336A4A)
"""Of the whole architecture, of the first layer, and of a stack."""

KINGS: Final = 32
"""Squares of the own king: files are mirrored so that it is on e to h."""
PLANES: Final = 11
"""Own and other pawn, knight, bishop, rook and queen, and one plane for both kings."""
INPUTS: Final = KINGS * PLANES * 64
NEURONS: Final = 1024
STACKS: Final = 8
FIRST, SECOND = 16, 32
"""Nodes of a stack's layers; the first has one more output than the second reads, which goes to the end directly."""

LONGEST: Final = 1 << 16
"""Bytes of a description."""


@dataclass(frozen=True, eq=False)
class NnueFile:
    description: str
    bias: NDArray[np.int16]
    """[1024]"""
    weight: NDArray[np.int16]
    """[22528, 1024]"""
    material: NDArray[np.int32]
    """[22528, 8]: what a piece on its square adds to the value, for each stack."""
    first_bias: NDArray[np.int32]
    """[8, 16]"""
    first_weight: NDArray[np.int8]
    """[8, 16, 1024]"""
    second_bias: NDArray[np.int32]
    """[8, 32]"""
    second_weight: NDArray[np.int8]
    """[8, 32, 32]; it reads 15 squared nodes, 15 clipped ones and two zeros."""
    last_bias: NDArray[np.int32]
    """[8]"""
    last_weight: NDArray[np.int8]
    """[8, 32]"""

    @classmethod
    def open(cls, path: Path) -> "NnueFile":
        """InvalidBrain for another format, and for a file that is cut off."""
        return cls.read(path.read_bytes(), f"`{path.name}`")

    @classmethod
    def read(cls, content: bytes | bytearray, name: str) -> "NnueFile":
        """The same of a file's content; arrays are views of it."""
        if len(content) < 12 or struct.unpack_from("<I", content)[0] != VERSION:
            raise InvalidBrain(f"{name} is no network file of Stockfish", hint="`export_net FILE` writes one")
        _, architecture, length = struct.unpack_from("<III", content)
        if architecture != HASHES[0] or length > LONGEST:
            hint = "HalfKAv2_hm with 1024 neurons a side, for example of Stockfish 15.1"
            raise InvalidBrain(f"{name} has another architecture than the networks of Stockfish 15", hint=hint)
        reader = _NnueReader(content, 12 + length, name)
        reader.hash(HASHES[1])
        bias, weight = reader.take(np.int16, NEURONS), reader.take(np.int16, INPUTS, NEURONS)
        material = reader.take(np.int32, INPUTS, STACKS)
        stacks = [reader.stack() for _ in range(STACKS)]
        reader.end()
        parts = [np.stack(part) for part in zip(*stacks, strict=True)]
        description = content[12 : 12 + length].decode("utf-8", "replace")
        return cls(description, bias, weight, material, *parts)

    def to_bytes(self) -> bytes:
        text = self.description.encode()
        parts = [struct.pack("<III", VERSION, HASHES[0], len(text)), text, struct.pack("<I", HASHES[1])]
        parts += [self.bias.tobytes(), self.weight.tobytes(), self.material.tobytes()]
        for stack in range(STACKS):
            parts.append(struct.pack("<I", HASHES[2]))
            parts += [getattr(self, each.name)[stack].tobytes() for each in fields(self)[4:]]
        return b"".join(parts)


class _NnueReader:
    def __init__(self, content: bytes | bytearray, at: int, name: str) -> None:
        self._content, self._at, self._name = content, at, name

    def hash(self, expected: int) -> None:
        if self.take(np.uint32, 1)[0] != expected:
            raise InvalidBrain(f"{self._name} has a layer of another architecture", hint="copy it again")

    def take(self, kind: type[np.integer[Any]], *shape: int) -> NDArray[Any]:
        dtype = np.dtype(kind).newbyteorder("<")
        count = int(np.prod(shape))
        if self._at + count * dtype.itemsize > len(self._content):
            raise InvalidBrain(f"{self._name} is cut off", hint="copy it again")
        found = np.frombuffer(self._content, dtype, count, self._at).reshape(shape)
        self._at += found.nbytes
        return found

    def stack(self) -> tuple[NDArray[Any], ...]:
        self.hash(HASHES[2])
        first = self.take(np.int32, FIRST), self.take(np.int8, FIRST, NEURONS)
        second = self.take(np.int32, SECOND), self.take(np.int8, SECOND, 32)
        return *first, *second, self.take(np.int32, 1)[0], self.take(np.int8, SECOND)

    def end(self) -> None:
        if self._at != len(self._content):
            raise InvalidBrain(f"{self._name} has {len(self._content) - self._at:,} bytes too many")
