"""Positions that nobody labelled: from games as bare moves, found again in torch, quiet ones.

Of a game's positions those are taken in which nobody is in check and the move that was played neither takes nor
promotes. Players avoid what is lost at once, a search does not: so from some of them a legal move by dice is played,
and what it leads to is taken, too, if nobody is in check there and nothing can be taken for less than it is worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from okapi.errors import UsageError
from okapi.models.legal import after, attacked, boards, legal_moves
from okapi.models.nnue import seen_by_mover
from okapi.models.torch_boards import (
    EMPTY,
    GIRAFFE_VALUES,
    KING,
    PAWN,
    attackers,
    first_true,
    plain_codes,
    raw_codes_of_mover,
    table,
    views,
)
from okapi.recipes.replay import Replayed, replay
from okapi.recipes.transcripts import Transcripts
from okapi.training.nnue import NnueDataset
from okapi.training.shards import NO_RESULT

__all__ = ["Asking", "hanging", "unlabelled"]

AT_ONCE: Final = {"cuda": 1 << 20, "cpu": 1 << 14}
"""Positions that are looked at together; …"""
MOVES_AT_ONCE: Final = {"cuda": 1 << 16, "cpu": 1 << 10}
"""… and those of which all moves are found."""

LAST_RANK: Final = 56


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Which positions a ResNet is asked about."""

    first_ply: int = 8
    """Before it, positions are too much alike."""
    random: float = 0.5
    """From this share of them a random move is played, too. About half of what it leads to is quiet."""
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.random <= 1:
            raise UsageError(f"`random` is {self.random}", hint="expected a share from 0 to 1")


def unlabelled(games: Transcripts, asking: Asking, device: torch.device) -> Iterator[NnueDataset]:
    """Positions and results of games, all values 0, in no order that matters; some may be there more than once."""
    played = replay(games, device)
    dice = torch.Generator(device).manual_seed(asking.seed)
    at_once, moves_at_once = (sizes.get(device.type, sizes["cpu"]) for sizes in (AT_ONCE, MOVES_AT_ONCE))
    for begin in range(0, len(played.rows), at_once):
        piece = played.take(torch.arange(begin, min(begin + at_once, len(played.rows)), device=device))
        codes = plain_codes(raw_codes_of_mover(piece.rows[:, :32]))
        quiet = _quiet(piece, codes, asking)
        yield _lessons(codes[quiet], piece.outcomes[quiet] + 1)
        chosen = piece.rows[quiet & (torch.rand(len(piece.rows), generator=dice, device=device) < asking.random)]
        for rows in chosen.split(moves_at_once):
            found = _by_dice(rows, dice)
            yield _lessons(found, torch.full((len(found),), NO_RESULT, device=device))


def hanging(codes: Tensor) -> Tensor:
    """Can the mover take something for less than it is worth, or for nothing? Of boards, n x 64, the mover's even.

    One capture is looked at, without what may come after it.
    """
    seen = views(codes)
    own, theirs = attackers(seen, 0), attackers(seen, 1)
    worth = table((*GIRAFFE_VALUES, 1 << 20), codes.device, torch.int64)
    victim = worth[(codes >> 1).clamp(max=KING)]
    wins = (own.count > 0) & ((theirs.count == 0) | (worth[own.least] < victim))
    return (wins & (codes & 1 == 1)).any(dim=1)


def _quiet(piece: Replayed, codes: Tensor, asking: Asking) -> Tensor:
    """Late enough, not in check, and the move that was played neither takes nor promotes."""
    ply = 2 * (piece.rows[:, 28].long() + 256 * piece.rows[:, 29].long() - 1) + piece.rows[:, 24]
    origin, target = piece.origins.clamp(min=0), piece.targets.clamp(min=0)
    takes = codes.gather(1, target[:, None])[:, 0] != EMPTY
    pawn = piece.kinds == PAWN
    takes |= pawn & ((origin & 7) != (target & 7))  # in passing
    promotes = pawn & (target >= LAST_RANK)
    board = functional.pad(codes.to(torch.uint8), (0, 1), value=EMPTY)
    check = attacked(board, first_true(codes == 2 * KING), 1)
    return (ply >= asking.first_ply) & (piece.origins >= 0) & ~takes & ~promotes & ~check


def _by_dice(rows: Tensor, dice: torch.Generator) -> Tensor:
    """The boards behind one random move of each position, where it gives no check and leaves nothing hanging."""
    on = boards(rows[:, :32])
    moves = legal_moves(on)
    order = (
        moves.rows + torch.rand(len(moves.rows), generator=dice, device=rows.device, dtype=torch.float64)
    ).argsort()
    numbers = moves.rows[order]
    first = torch.ones_like(numbers, dtype=torch.bool)
    first[1:] = numbers[1:] != numbers[:-1]
    moves = moves.take(order[first])
    moves = moves.take(~moves.checks)
    behind = after(on, moves)[:, :64].long()
    turned = torch.where(behind == EMPTY, EMPTY, behind ^ 1).view(-1, 8, 8).flip(1).view(-1, 64)
    return turned[~hanging(turned)]


def _lessons(codes: Tensor, results: Tensor) -> NnueDataset:
    """Of boards as their movers see them, the mover's pieces even."""
    sides = torch.where(codes == EMPTY, EMPTY, (codes >> 1) + 6 * (codes & 1)).to(torch.uint8)
    seen, turned = seen_by_mover(sides, torch.zeros(len(codes), dtype=torch.bool, device=codes.device))
    return NnueDataset(seen, turned, torch.zeros_like(results, dtype=torch.int16), results.to(torch.int8))
