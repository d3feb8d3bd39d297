"""The legal moves of many packed positions at once, in torch: for machines that learn and cannot play chess.

Boards are turned so that the mover is White. Moves are in the order of their positions, and in no order that matters
within one. The twin of okapi.core.packed, except for castling in Chess960, which is not known here.
"""

from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from okapi.models.torch_boards import (
    BELOW,
    BISHOP,
    CASTLING_ROOK,
    DIAGONAL,
    EMPTY,
    JUMPS,
    KING,
    KNIGHT,
    OFF,
    PAWN,
    QUEEN,
    RAYS,
    ROOK,
    STRAIGHT,
    Views,
    attackers,
    first_true,
    nested_table,
    plain_codes,
    raw_codes_of_mover,
    table,
    views,
)

__all__ = ["Boards", "Moves", "after", "attacked", "boards", "legal_moves"]

NORTH: Final = 2
FORWARD: Final = slice(4, 6)
"""The directions in which White's pawns take."""

NORMAL, PROMOTION, EN_PASSANT, CASTLING = range(4)
"""Types of moves, in the two highest bits of Move.bits."""

E1: Final = 4
OTHERS: Final = 6
"""What is not the mover's, among kinds."""


@dataclass(frozen=True, slots=True)
class Castle:
    """One wing's castling."""

    empty: list[int]
    """Squares that have to be empty,"""
    quiet: list[int]
    """and those that nobody may look at."""
    king: int
    beside: int
    """Where king and rook go."""


CASTLES: Final = {7: Castle([5, 6], [4, 5, 6], 6, 5), 0: Castle([1, 2, 3], [4, 3, 2], 2, 3)}
"""By the rook's square."""


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """Positions as their movers see them, and what stands where."""

    codes: Tensor
    """n x 64; the mover's pieces are the even ones."""
    castling_rooks: Tensor
    """n x 64: rooks that the mover may castle with."""
    en_passant: Tensor
    """n: where a pawn may be taken in passing, or OFF."""
    black: Tensor
    """n: was it turned?"""
    seen: Views


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Moves of boards, on the boards as they were turned."""

    rows: Tensor
    """The number of each move's board; in order."""
    origin: Tensor
    target: Tensor
    """Where the piece goes; of castling, where the king does."""
    types: Tensor
    promotion: Tensor
    """The kind that a pawn becomes; 0 where none does."""
    kinds: Tensor
    """What moves."""
    rook: Tensor
    """Where the rook of castling stands, else OFF."""
    checks: Tensor
    """Does the move give check?"""

    def take(self, which: Tensor) -> "Moves":
        """Some of them."""
        return Moves(*(getattr(self, name)[which] for name in self.__slots__))

    def bits(self, black: Tensor) -> Tensor:
        """Move.bits on the real board; `black` is that of Boards."""
        turn = torch.where(black[self.rows], 56, 0)
        to = torch.where(self.types == CASTLING, self.rook, self.target)
        into = (self.promotion - 1).clamp(min=0)
        return (self.origin ^ turn) | (to ^ turn) << 6 | into << 12 | self.types << 14


def boards(packed: Tensor) -> Boards:
    """Of packed positions: uint8, n x 32."""
    raw = raw_codes_of_mover(packed)
    codes = plain_codes(raw)
    black = packed[:, 24] == 1
    square = packed[:, 25].long()
    passing = torch.where((square < OFF) & black, square ^ 56, square)
    return Boards(codes, raw == CASTLING_ROOK, passing, black, views(codes))


def legal_moves(on: Boards) -> Moves:
    """All of them; how many there are is known only afterwards."""
    moves = _possible(on)
    behind = after(on, moves)
    own = torch.where(moves.kinds == KING, moves.target, first_true(on.codes == 2 * KING)[moves.rows])
    safe = ~attacked(behind, own, 1)
    moves, behind = moves.take(safe), behind[safe]
    checks = attacked(behind, first_true(on.codes == 2 * KING + 1)[moves.rows], 0)
    return replace(moves, checks=checks)


def _possible(on: Boards) -> Moves:
    """Moves as if kings could be taken."""
    kinds = torch.where(on.codes & 1 == 1, OTHERS, on.codes >> 1)  # OTHERS: nothing, too
    ways = (_lengths(on, kinds)[..., None] > torch.arange(7, device=kinds.device)).flatten(start_dim=1)
    free = ((on.seen.leaps & 1 == 1) | (on.seen.leaps == EMPTY)) & (kinds == KNIGHT)[..., None]
    to = torch.zeros(len(kinds), 64 * 65, dtype=torch.bool, device=kinds.device)
    to[:, _pairs(kinds.device)] = torch.cat([ways, free.flatten(start_dim=1)], dim=1)
    rows, origin, target = to.view(-1, 64, 65)[:, :, :OFF].nonzero(as_tuple=True)
    kind = kinds[rows, origin]
    last = (kind == PAWN) & (target >= 56)
    types = torch.where((kind == PAWN) & (target == on.en_passant[rows]), EN_PASSANT, NORMAL)
    steps = Moves(
        rows=rows,
        origin=origin,
        target=target,
        types=torch.where(last, PROMOTION, types),
        promotion=torch.where(last, QUEEN, 0),
        kinds=kind,
        rook=torch.full_like(rows, OFF),
        checks=torch.zeros_like(last),
    )
    under = [replace(steps.take(last), promotion=torch.full_like(rows[last], kind)) for kind in (KNIGHT, BISHOP, ROOK)]
    every = [steps, *under, *_castling(on)]
    joined = Moves(*(torch.cat([getattr(moves, name) for moves in every]) for name in Moves.__slots__))
    return joined.take(joined.rows.argsort(stable=True))


def _lengths(on: Boards, kinds: Tensor) -> Tensor:
    """How many steps each piece can take in each direction: n x 64 x 8."""
    seen, kinds = on.seen, kinds[..., None]
    free = seen.reach - ((seen.first & 1 == 0) & (seen.first != EMPTY)).long()
    straight = torch.arange(8, device=kinds.device) < DIAGONAL.start
    slides = (kinds == QUEEN) | ((kinds == ROOK) & straight) | ((kinds == BISHOP) & ~straight)
    lengths = torch.where(slides, free, torch.where(kinds == KING, free.clamp(max=1), 0))
    # Pawns: one step to where nothing stands, two from where they began; aside only to take.
    pawns = kinds[..., 0] == PAWN
    one = seen.next[..., NORTH] == EMPTY
    second = table((*(square >> 3 == 1 for square in range(64)),), kinds.device, torch.bool)
    ahead = one.long() + (one & second & (seen.reach[..., NORTH] > 2))
    beside = nested_table(RAYS[:64], kinds.device).view(64, 8, 7)[:, FORWARD, 0]
    passing = (beside == on.en_passant[:, None, None]) & (beside != OFF)
    takes = (seen.next[..., FORWARD] & 1 == 1) | passing
    lengths[..., NORTH] = torch.where(pawns, ahead, lengths[..., NORTH])
    lengths[..., FORWARD] = torch.where(pawns[..., None], takes.long(), lengths[..., FORWARD])
    return lengths


def _pairs(device: torch.device) -> Tensor:
    """Where 65 · from + to stands for each step along a ray, and for each leap of a knight."""
    origins = torch.arange(64, device=device)[:, None] * 65
    return torch.cat([(origins + nested_table(squares[:64], device)).flatten() for squares in (RAYS, JUMPS)])


def _castling(on: Boards) -> list[Moves]:
    """Nothing in the king's way, and nobody who looks at it."""
    enemies = attackers(on.seen, 1).count
    found: list[Moves] = []
    for rook, castle in CASTLES.items():
        may = on.castling_rooks[:, rook] & (on.codes[:, E1] == 2 * KING)
        may &= (on.codes[:, castle.empty] == EMPTY).all(dim=1) & (enemies[:, castle.quiet] == 0).all(dim=1)
        rows = may.nonzero()[:, 0]
        numbers = (E1, castle.king, CASTLING, 0, KING, rook)  # origin, target, type, promotion, kind, rook
        columns = [rows, *(torch.full_like(rows, number) for number in numbers), torch.zeros_like(rows) > 0]
        found.append(Moves(*columns))
    return found


def after(on: Boards, moves: Moves) -> Tensor:
    """The boards behind the moves, as who moved sees them: k x 65 bytes."""
    board = torch.nn.functional.pad(on.codes.to(torch.uint8), (0, 1), value=EMPTY)[moves.rows]
    piece = torch.where(moves.types == PROMOTION, moves.promotion, moves.kinds) * 2

    def put(squares: Tensor, codes: Tensor | int) -> None:
        values = codes.to(torch.uint8) if isinstance(codes, Tensor) else torch.full_like(board[:, 0], codes)
        board.scatter_(1, squares[:, None], values[:, None])

    castling = moves.types == CASTLING
    beside = torch.where(moves.rook > E1, CASTLES[7].beside, CASTLES[0].beside)
    put(moves.origin, EMPTY)
    put(torch.where(castling, moves.rook, OFF), EMPTY)
    put(torch.where(moves.types == EN_PASSANT, moves.target - 8, OFF), EMPTY)
    put(torch.where(castling, beside, OFF), 2 * ROOK)
    put(moves.target, piece)
    board[:, OFF] = EMPTY
    return board


def attacked(board: Tensor, square: Tensor, color: int) -> Tensor:
    """Does that side attack one square of each board? n x 65 bytes, the last of them EMPTY."""
    rays = board.gather(1, nested_table(RAYS, board.device)[square]).view(-1, 8, 7)
    first = rays.gather(2, first_true(rays != EMPTY)[..., None])[..., 0]
    leaps = board.gather(1, nested_table(JUMPS, board.device)[square])

    def any_of(codes: Tensor, *kinds: int) -> Tensor:
        return torch.stack([(codes == 2 * kind + color).any(dim=1) for kind in kinds]).any(dim=0)

    return (
        any_of(first[:, STRAIGHT], ROOK, QUEEN)
        | any_of(first[:, DIAGONAL], BISHOP, QUEEN)
        | any_of(leaps, KNIGHT)
        | any_of(rays[:, :, 0], KING)
        | any_of(rays[:, BELOW[color], 0], PAWN)
    )
