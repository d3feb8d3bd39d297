"""Stockfish's network files, `.nnue`, of version 15: HalfKAv2_hm, 1,024 neurons a side, eight layer stacks.

The format is described in the public documentation of nnue-pytorch. All numbers are little-endian: a version, a hash
and a description; then of each part a hash and its arrays. Stockfish 15.1 writes its own by `export_net`.
"""

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidBrain

VERSION: Final = 0x7AF32F20
HASHES: Final = (0x1C102EF2, 0x7F2344B8, 0x63336A4A)  # of the whole architecture, of the first layer, and of a stack
KINGS: Final = 32  # squares of the own king: files are mirrored so that it is on e to h
PLANES: Final = 11  # own and other pawn, knight, bishop, rook and queen, and one plane for both kings
INPUTS: Final = KINGS * PLANES * 64
NEURONS: Final = 1024
STACKS: Final = 8
FIRST, SECOND = 16, 32  # nodes of a stack's layers; the first has one output more than the second reads
LONGEST: Final = 1 << 16  # bytes of a description

INPUT: Final = {
    "bias": ("<i2", (NEURONS,)),
    "weight": ("<i2", (INPUTS, NEURONS)),
    "material": ("<i4", (INPUTS, STACKS)),
}
STACK: Final = {
    "first_bias": ("<i4", (FIRST,)),
    "first_weight": ("<i1", (FIRST, NEURONS)),
    "second_bias": ("<i4", (SECOND,)),
    "second_weight": ("<i1", (SECOND, 32)),  # it reads 15 squared nodes, 15 clipped ones and two zeros
    "last_bias": ("<i4", ()),
    "last_weight": ("<i1", (SECOND,)),
}
"""Type and shape of the arrays of the input layer, and of those of a stack, in the order of the file."""


@dataclass(frozen=True, eq=False)
class NnueFile:
    """Arrays have the shapes above; those of the eight stacks are together, with an axis of eight before them."""

    description: str
    bias: NDArray[np.int16]
    weight: NDArray[np.int16]
    material: NDArray[np.int32]  # what a piece on its square adds to the value, for each stack
    first_bias: NDArray[np.int32]
    first_weight: NDArray[np.int8]
    second_bias: NDArray[np.int32]
    second_weight: NDArray[np.int8]
    last_bias: NDArray[np.int32]
    last_weight: NDArray[np.int8]

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
        at = 12 + length

        def take(expected: int, shapes: dict[str, tuple[str, tuple[int, ...]]]) -> dict[str, NDArray[Any]]:
            """The arrays of a part, behind its hash."""
            nonlocal at
            found = {}
            for part, (dtype, shape) in {"hash": ("<u4", ()), **shapes}.items():
                if at + math.prod(shape) * np.dtype(dtype).itemsize > len(content):
                    raise InvalidBrain(f"{name} is cut off", hint="copy it again")
                found[part] = np.frombuffer(content, dtype, math.prod(shape), at).reshape(shape)
                at += found[part].nbytes
            if found.pop("hash") != expected:
                raise InvalidBrain(f"{name} has a layer of another architecture", hint="copy it again")
            return found

        inputs, stacks = take(HASHES[1], INPUT), [take(HASHES[2], STACK) for _ in range(STACKS)]
        if at != len(content):
            raise InvalidBrain(f"{name} has {len(content) - at:,} bytes too many")
        layers = {part: np.stack([stack[part] for stack in stacks]) for part in STACK}
        return cls(content[12 : 12 + length].decode("utf-8", "replace"), **inputs, **layers)

    def to_bytes(self) -> bytes:
        text = self.description.encode()
        parts = [struct.pack("<III", VERSION, HASHES[0], len(text)), text, struct.pack("<I", HASHES[1])]
        parts += [getattr(self, part).tobytes() for part in INPUT]
        for stack in range(STACKS):
            parts.append(struct.pack("<I", HASHES[2]))
            parts += [getattr(self, part)[stack].tobytes() for part in STACK]
        return b"".join(parts)
