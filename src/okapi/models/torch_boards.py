"""Many boards at once in torch, as okapi.encodings.boards has them in numpy: codes of squares, and who attacks what.

A code is twice the kind, plus one for Black; EMPTY without a piece. A board may have a 65th square, OFF, which is
always empty and stands for all squares beyond the edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import torch
from torch import Tensor

from okapi.core import Kind
from okapi.encodings.boards import CASTLING_ROOK, EMPTY, SLIDING
from okapi.encodings.boards import JUMPS as LEAPS
from okapi.encodings.lai2015 import WORTH

OFF: Final = 64

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
NOTHING: Final = 255  # the raw code of an empty square: 12 is a rook there
GIRAFFE_VALUES: Final = tuple(WORTH.values())  # centipawns of the six kinds
STEPS: Final = SLIDING[Kind.QUEEN]  # ranks up, files to the right: E, W, N, S, NE, NW, SE, SW
STRAIGHT, DIAGONAL = slice(0, 4), slice(4, 8)
BELOW: Final = (slice(6, 8), slice(4, 6))  # where a pawn of each colour stands, seen from a square that it attacks


def _beside(square: int, up: int, right: int) -> int:
    rank, file = (square >> 3) + up, (square & 7) + right
    return 8 * rank + file if 0 <= rank < 8 and 0 <= file < 8 else OFF


RAYS: Final = tuple(
    tuple(_beside(square, n * up, n * right) for up, right in STEPS for n in range(1, 8)) for square in range(64)
)
"""Of each square: seven squares in each of eight directions."""

JUMPS: Final = tuple(tuple(_beside(square, *leap) for leap in LEAPS) for square in range(64))
"""Of each square: the targets of a knight."""

REACH: Final = tuple(tuple(sum(there != OFF for there in ray[7 * n : 7 * n + 7]) for n in range(8)) for ray in RAYS)
"""Of each square: how many squares lie in each direction."""


@lru_cache
def table(numbers: tuple[float, ...], device: torch.device, dtype: torch.dtype) -> Tensor:
    """A constant, kept on the device: a CUDA graph may not copy from the host."""
    return torch.tensor(numbers, device=device, dtype=dtype)


def nested_table(rows: Sequence[tuple[int, ...]], device: torch.device) -> Tensor:
    return table(sum(rows, ()), device, torch.int64).view(len(rows), -1)


def raw_codes(packed: Tensor) -> Tensor:
    """The four bits of each square as they are packed, or NOTHING: uint8, n x 64."""
    eight = table(tuple(range(8)), packed.device, torch.uint8)
    occupied = (packed[:, :8, None] >> eight & 1).flatten(start_dim=1)  # n 64
    pieces = packed[:, 8:24]
    halves = torch.stack([pieces & 15, pieces >> 4], dim=2).flatten(start_dim=1)  # n 32
    place = (occupied.cumsum(dim=1) - 1).clamp(min=0)
    return halves.gather(1, place).masked_fill(occupied == 0, NOTHING)


def raw_codes_of_mover(packed: Tensor) -> Tensor:
    """Raw codes from the mover's side: where Black is to move, ranks are flipped and colours exchanged."""
    raw = raw_codes(packed)
    turned = torch.where(raw == NOTHING, NOTHING, raw ^ 1).view(-1, 8, 8).flip(1).view(-1, 64)
    return torch.where(packed[:, 24:25] == 0, raw, turned)


def codes_of(packed: Tensor) -> Tensor:
    return plain_codes(raw_codes(packed))


def plain_codes(raw: Tensor) -> Tensor:
    """Raw codes without castling rooks: int64."""
    return table((*range(12), 2 * ROOK, 2 * ROOK + 1, EMPTY, EMPTY, EMPTY), raw.device, torch.int64)[
        raw.clamp(max=16).long()
    ]


MOVED: Final = 34  # the byte with the square of the piece that moves, where positions have 36


def may_mirror(packed: Tensor) -> Tensor:
    """Whether no side may castle any more: n x 1."""
    raw = raw_codes(packed)
    return ~((raw >= CASTLING_ROOK) & (raw < NOTHING)).any(dim=1, keepdim=True)


def mirrored(packed: Tensor) -> Tensor:
    """Files a to h mirrored, with the square of the piece that moves; but not where a side may still castle."""
    raw = raw_codes(packed)
    en_passant = packed[:, 25:26]
    new = packed.clone()
    new[:, :24] = packed_codes(raw.view(-1, 8, 8).flip(2).view(-1, 64))
    new[:, 25:26] = torch.where(en_passant < 64, en_passant ^ 7, en_passant)
    new[:, MOVED : MOVED + 1] ^= 7
    return torch.where(may_mirror(packed), new, packed)


def packed_codes(raw: Tensor) -> Tensor:
    """The first 24 bytes of packed positions, from raw codes."""
    occupied = raw != NOTHING
    place = (occupied.cumsum(dim=1) - 1).clamp(min=0)
    halves = torch.zeros(len(raw), 33, dtype=torch.uint8, device=raw.device)
    halves.scatter_(1, place.masked_fill(~occupied, 32), raw)
    halves = halves[:, :32].view(-1, 16, 2)
    bits = (occupied.view(-1, 8, 8) * table((1, 2, 4, 8, 16, 32, 64, 128), raw.device, torch.uint8)).sum(dim=2)
    return torch.cat([bits.to(torch.uint8), halves[:, :, 0] | halves[:, :, 1] << 4], dim=1)


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    next: Tensor  # the neighbour in each direction: n x 64 x 8 codes
    first: Tensor  # the first piece in each direction, likewise
    reach: Tensor  # how far that is, or the edge: n x 64 x 8
    leaps: Tensor  # what stands where a knight would go, likewise


def views(codes: Tensor) -> Views:
    board = torch.nn.functional.pad(codes.to(torch.uint8), (0, 1), value=EMPTY)  # bytes: rays are 56 times as large
    rays = board.index_select(1, nested_table(RAYS, codes.device).flatten()).view(-1, 64, 8, 7)
    stops = rays != EMPTY
    first = first_true(stops)
    far = table(sum(REACH, ()), codes.device, torch.int64).view(64, 8)
    return Views(
        next=rays[..., 0],
        first=rays.gather(3, first[..., None])[..., 0],
        reach=torch.where(stops.any(dim=3), first + 1, far),
        leaps=board.index_select(1, nested_table(JUMPS, codes.device).flatten()).view(-1, 64, 8),
    )


@dataclass(frozen=True, slots=True, eq=False)
class AttackTensors:
    """One side's attackers of each square: pieces that attack it, pinned or not."""

    kinds: Tensor  # how many of each kind: n x 6 x 64
    count: Tensor  # how many: n x 64
    least: Tensor  # the kind of the least valuable; 6 where there is none


def attackers(seen: Views, color: int) -> AttackTensors:
    """Attackers behind another piece do not count."""

    lines = (seen.first[..., DIAGONAL], seen.first[..., STRAIGHT], seen.first)
    there = (seen.next[..., BELOW[color]], seen.leaps, *lines, seen.next)  # where a piece of each kind would stand
    by_kind = [(codes == 2 * kind + color).sum(dim=2, dtype=torch.int32) for kind, codes in enumerate(there)]
    kinds = torch.stack(by_kind, dim=1)
    count = kinds.sum(dim=1)
    return AttackTensors(kinds, count, first_true(kinds > 0, dim=1).masked_fill(count == 0, 6))


def first_true(mask: Tensor, dim: int = -1) -> Tensor:
    """Where the first one is; 0 if there is none."""
    return mask.to(torch.uint8).argmax(dim=dim)
