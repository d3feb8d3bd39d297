"""giraffe-363 in torch: what okapi.encodings.lai2015 says, of boards on any device."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from okapi.models.attacks import (
    BISHOP,
    DIAGONAL,
    JUMPS,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    RAYS,
    ROOK,
    STRAIGHT,
    WORTH,
    Attackers,
    Views,
    attackers,
    first_true,
    views,
)
from okapi.models.tables import nested_table, table

__all__ = ["control", "giraffe_363"]

USUAL: Final = {QUEEN: 1, ROOK: 2, BISHOP: 2, KNIGHT: 2, PAWN: 8}
DIRECTIONS: Final = {QUEEN: slice(0, 8), ROOK: STRAIGHT, BISHOP: DIAGONAL}


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """Places in the list of pieces: n x slots."""

    exists: Tensor
    square: Tensor
    """Meaningless where nothing is."""


def giraffe_363(codes: Tensor, castling: Tensor, turn: Tensor) -> Tensor:
    """n x 64 codes; who may castle, n x 4: White short and long, Black likewise; whose turn, n x 1: n x 363."""
    seen = views(codes)
    sides = [attackers(seen, color) for color in (0, 1)]
    controls = torch.stack([control(side) for side in sides], dim=2)  # n 64 2
    rights = castling.float()
    kings = _joined([_nth(codes, 2 * KING + color, 1) for color in (0, 1)])
    where = torch.stack([(kings.square & 7) / 7, (kings.square >> 3) / 7], dim=2)  # n 2 2
    pieces = {kind: _pairs(codes, kind) for kind in (ROOK, BISHOP, KNIGHT)}
    pieces[QUEEN] = _joined([_nth(codes, 2 * QUEEN + color, 1) for color in (0, 1)])
    found = {kind: _of_slots(seen, sides, controls, slots, kind) for kind, slots in pieces.items()}
    rooks = found[ROOK].view(len(codes), 2, -1)  # each side's two
    return torch.cat(
        [
            *(_share(codes, 2 * kind + color, usual) for color in (0, 1) for kind, usual in USUAL.items()),
            (turn == 0).float(),
            where[:, 0], rights[:, :2], where[:, 1], rights[:, 2:],
            *(_of_slots(seen, sides, controls, _pawns(codes, color), PAWN).flatten(1) for color in (0, 1)),
            found[QUEEN].flatten(1),
            rooks[:, 0], rights[:, :2], rooks[:, 1], rights[:, 2:],
            found[BISHOP].flatten(1),
            found[KNIGHT].flatten(1),
            controls.flatten(1),
        ],
        dim=1,
    )  # fmt: skip


def control(side: Attackers) -> Tensor:
    """The cheaper the least valuable attacker, the better a square is controlled: n x 64."""
    king = WORTH[KING]
    return table((*((1.5 * king - worth) / (2 * king) for worth in WORTH), 0.0), side.least.device, torch.float32)[
        side.least
    ]


def _share(codes: Tensor, code: int, usual: int) -> Tensor:
    return (codes == code).sum(dim=1, keepdim=True) / usual


def _of_slots(seen: Views, sides: list[Attackers], controls: Tensor, slots: Slots, kind: int) -> Tensor:
    """Existence, coordinates, mobility, and who attacks and defends it: n x slots x features, 0 where no piece is."""
    square = slots.square
    columns = [torch.ones_like(square)[..., None], (square & 7)[..., None] / 7, (square >> 3)[..., None] / 7]
    if kind != PAWN:
        columns += _mobility(seen, sides, square, kind)
    columns.append(controls.gather(1, square[..., None].expand(-1, -1, 2)))
    return torch.cat(columns, dim=2) * slots.exists[..., None]


def _mobility(seen: Views, sides: list[Attackers], square: Tensor, kind: int) -> list[Tensor]:
    """How far it reaches in each direction, how many of those squares are safe; White's slots are the first half."""
    count, slots = square.shape
    each = slots // 2
    safe = torch.stack([_safe(sides[color], sides[1 - color], kind) for color in (0, 1)], dim=1)  # n 2 65
    safe = safe.repeat_interleave(each, dim=1)
    if kind == KNIGHT:
        there = nested_table(JUMPS[:64], square.device)[square]
        return [safe.gather(2, there).sum(dim=2, keepdim=True) / 16]
    ways = DIRECTIONS[kind]
    reach = seen.reach.gather(1, square[..., None].expand(-1, -1, 8))[..., ways]
    rays = nested_table(RAYS[:64], square.device)[square].view(count, slots, 8, 7)[:, :, ways]
    near = torch.arange(7, device=square.device) < reach[..., None]
    reached = (safe.gather(2, rays.flatten(start_dim=2)).view_as(near) * near).sum(dim=(2, 3))
    return [reach / 7, reached[..., None] / 16]


def _safe(friends: Attackers, enemies: Attackers, kind: int) -> Tensor:
    """Where a piece of that kind could stay, n x 65.

    Where the enemy does not attack; or only with what is worth as much, while another friend looks on.
    """
    dear = table((*(worth >= WORTH[kind] for worth in WORTH), True), enemies.least.device, torch.bool)[enemies.least]
    safe = (enemies.count == 0) | (dear & (friends.count > 1))
    return torch.cat([safe, torch.zeros_like(safe[:, :1])], dim=1).float()


def _nth(codes: Tensor, code: int, n: int) -> Slots:
    """The nth piece of a kind, from a1 to h8: n x 1."""
    pieces = codes == code
    this = pieces & (pieces.cumsum(dim=1) == n)
    return Slots(this.any(dim=1, keepdim=True), first_true(this)[:, None])


def _joined(slots: list[Slots]) -> Slots:
    return Slots(torch.cat([slot.exists for slot in slots], dim=1), torch.cat([slot.square for slot in slots], dim=1))


def _pairs(codes: Tensor, kind: int) -> Slots:
    """The first two of a kind, the one further left first; a single one takes the slot of its half of the board."""
    found: list[Slots] = []
    for color in (0, 1):
        one, two = (_nth(codes, 2 * kind + color, n) for n in (1, 2))
        swapped = torch.where(two.exists, (one.square & 7) > (two.square & 7), (one.square & 7) >= 4)
        for left, right in ((one, two), (two, one)):
            found.append(
                Slots(torch.where(swapped, right.exists, left.exists), torch.where(swapped, right.square, left.square))
            )
    return _joined(found)


def _pawns(codes: Tensor, color: int) -> Slots:
    """A pawn takes the slot of its file; one that finds it taken, the nearest free one: n x 8."""
    pawns = codes == 2 * PAWN + color
    on_files = pawns.view(-1, 8, 8)
    taken = on_files.any(dim=1)
    files = torch.arange(8, device=codes.device)
    squares = first_true(on_files, dim=1) * 8 + files
    lowest = torch.zeros_like(pawns).scatter_(1, squares, taken)
    spare = pawns & ~lowest
    order = spare.cumsum(dim=1)
    for n in range(1, 8):
        this = spare & (order == n)
        square = first_true(this)[:, None]
        nearest = ((square & 7) - files).abs().masked_fill(taken, 8).argmin(dim=1, keepdim=True)
        goes = (files == nearest) & this.any(dim=1, keepdim=True) & ~taken
        squares, taken = torch.where(goes, square, squares), taken | goes
    return Slots(taken, squares)
