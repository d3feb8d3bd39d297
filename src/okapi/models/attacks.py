"""Who attacks what on many boards at once, in torch: the twin of okapi.encodings.attacks.

Codes of squares are those of okapi.models.sight: twice the kind, plus one for Black; EMPTY where nothing stands. A
board has a 65th square, OFF, on which nothing ever stands: what lies beyond the edge.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from okapi.models.tables import nested_table, table

__all__ = ["EMPTY", "JUMPS", "OFF", "RAYS", "REACH", "WORTH", "Attackers", "Views", "attackers", "first_true", "views"]

EMPTY: Final = 12
OFF: Final = 64

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)

WORTH: Final = (100, 325, 325, 500, 975, 1500)
"""Giraffe's own values."""

STEPS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Ranks up, files to the right: east, west, north, south, north-east, north-west, south-east, south-west."""
STRAIGHT, DIAGONAL = slice(0, 4), slice(4, 8)
BELOW: Final = (slice(6, 8), slice(4, 6))
"""Where a pawn of each colour stands, seen from a square that it attacks."""

LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _beside(square: int, up: int, right: int) -> int:
    rank, file = (square >> 3) + up, (square & 7) + right
    return 8 * rank + file if 0 <= rank < 8 and 0 <= file < 8 else OFF


RAYS: Final = tuple(
    tuple(_beside(square, n * up, n * right) for up, right in STEPS for n in range(1, 8)) for square in range(65)
)
"""Of each square and OFF: seven squares in each of eight directions."""

JUMPS: Final = tuple(tuple(_beside(square, *leap) for leap in LEAPS) for square in range(65))
"""Of each square and OFF: where a knight would go. From OFF nobody goes anywhere, as `_beside` finds no square."""

REACH: Final = tuple(
    tuple(sum(there != OFF for there in ray[7 * n : 7 * n + 7]) for n in range(8)) for ray in RAYS[:64]
)
"""Of each square: how many squares lie in each direction."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """What each square sees around it."""

    next: Tensor
    """The neighbour in each direction: n x 64 x 8 codes."""
    first: Tensor
    """The first piece in each direction, likewise."""
    reach: Tensor
    """How far that is, or the edge: n x 64 x 8."""
    leaps: Tensor
    """What stands where a knight would go, likewise."""


def views(codes: Tensor) -> Views:
    """Of boards, n x 64 codes."""
    board = torch.nn.functional.pad(codes.to(torch.uint8), (0, 1), value=EMPTY)  # bytes: rays are 56 times as large
    rays = board.index_select(1, nested_table(RAYS[:64], codes.device).flatten()).view(-1, 64, 8, 7)
    stops = rays != EMPTY
    first = first_true(stops)
    far = table(sum(REACH, ()), codes.device, torch.int64).view(64, 8)
    return Views(
        next=rays[..., 0],
        first=rays.gather(3, first[..., None])[..., 0],
        reach=torch.where(stops.any(dim=3), first + 1, far),
        leaps=board.index_select(1, nested_table(JUMPS[:64], codes.device).flatten()).view(-1, 64, 8),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Attackers:
    """One side's attackers of each square: those that could take there if the rules let them."""

    kinds: Tensor
    """How many of each kind: n x 6 x 64."""
    count: Tensor
    """How many: n x 64."""
    least: Tensor
    """The kind of the least valuable; 6 where there is none."""


def attackers(seen: Views, color: int) -> Attackers:
    """Those behind another piece do not count."""

    def are(codes: Tensor, kind: int) -> Tensor:
        return (codes == 2 * kind + color).sum(dim=2, dtype=torch.int32)

    kinds = torch.stack(
        [
            are(seen.next[..., BELOW[color]], PAWN),
            are(seen.leaps, KNIGHT),
            are(seen.first[..., DIAGONAL], BISHOP),
            are(seen.first[..., STRAIGHT], ROOK),
            are(seen.first, QUEEN),
            are(seen.next, KING),
        ],
        dim=1,
    )
    count = kinds.sum(dim=1)
    return Attackers(kinds, count, first_true(kinds > 0, dim=1).masked_fill(count == 0, 6))


def first_true(mask: Tensor, dim: int = -1) -> Tensor:
    """Where the first one is; 0 if there is none."""
    return mask.to(torch.uint8).argmax(dim=dim)
