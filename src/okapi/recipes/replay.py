"""
Games played through again, all at once, in torch: from transcripts to the rows that networks learn from.

A move of all games is one step, on whatever device: millions of positions a second on a GPU. Nobody checks the moves;
they were legal when the transcripts were made.
"""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import torch
from torch import Tensor

from okapi.models.torch_boards import NOTHING, packed_codes
from okapi.recipes.transcripts import Transcripts

__all__ = ["KINDS", "Replayed", "replay"]

KINDS: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
PAWN, ROOK, KING = 0, 3, 5
"""Codes on the board are twice the kind, plus one for Black; a rook that may castle is 12, plus one for Black."""
CASTLING_ROOK: Final = 12
BACK_RANK: Final = (CASTLING_ROOK, 2, 4, 8, 10, 4, 2, CASTLING_ROOK)

NO_SQUARE: Final = 64
PROMOTED: Final = (4, 3, 2, 1)
"""Kinds, in the order of transcripts."""

NUMBERS: Final = ("origins", "targets", "kinds", "left")

AT_ONCE: Final = {"cuda": 1 << 20, "cpu": 1 << 14}
"""Games: a processor is fastest while their boards stay in its cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """Every position of some games, the last ones included, and what was played there."""

    rows: Tensor
    """Packed positions with rating, moving piece and outcome, for okapi.models.torch_encodings: uint8, n x 36."""
    origins: Tensor
    """The square that the moved piece left, as its mover counts: int64; -1 after the last move."""
    targets: Tensor
    """The square it went to, likewise."""
    kinds: Tensor
    """What moved: the number of KINDS; -1 after the last move."""
    left: Tensor
    """Moves until the end of the game."""
    outcomes: Tensor
    """For the mover: -1 lost, 0 drawn, 1 won; float32."""

    def take(self, rows: Tensor) -> "Replayed":
        """Some of the rows."""
        return Replayed(**{each.name: getattr(self, each.name)[rows] for each in fields(self)})


def replay(games: Transcripts, device: torch.device | str = "cpu") -> Replayed:
    """Play all games through. Rows are in the order of the games and their moves, one more than moves in each game."""
    device = torch.device(device)
    at_once = AT_ONCE.get(device.type, AT_ONCE["cpu"])
    lengths = games.lengths.astype(np.int64)
    positions = int(lengths.sum()) + len(games)
    begins = (lengths + 1).cumsum() - lengths - 1
    found = Replayed(
        rows=torch.empty(positions, 36, dtype=torch.uint8, device=device),
        **{name: torch.empty(positions, dtype=torch.int64, device=device) for name in NUMBERS},
        outcomes=torch.empty(positions, device=device),
    )
    longest_first = np.argsort(-lengths, kind="stable")
    for begin in range(0, len(games), at_once):
        some = longest_first[begin : begin + at_once]
        _replay(games.take(some), torch.from_numpy(begins[some]).to(device), found)
    return found


def _replay(games: Transcripts, rows: Tensor, found: Replayed) -> None:
    """Fill in the rows of these games, which begin there.

    They are in order of their lengths, the longest first: those that still go on are always the first ones.
    """
    device = rows.device
    lengths = games.lengths.astype(np.int64)
    begins = torch.from_numpy(lengths.cumsum() - lengths).to(device)
    moves = torch.from_numpy(games.moves).to(device)
    elos = torch.from_numpy(games.elos.astype(np.int32)).to(device)
    results = torch.from_numpy(games.results).to(device)
    long = torch.from_numpy(lengths).to(device)
    boards = _Boards(len(games), device)
    for ply in range(int(lengths.max(initial=0)) + 1):
        here, going = int((lengths >= ply).sum()), int((lengths > ply).sum())
        side = ply & 1
        boards.first(here)
        squares = torch.full((here, 2), -1, dtype=torch.int64, device=device)
        squares[:going] = moves[begins[:going] + ply].long()
        origin, target = squares[:, 0], torch.where(squares[:, 1] < 0, -1, squares[:, 1] & 63)
        outcome = results[:here] if side == 0 else 2 - results[:here]
        mover = elos[:here, side]
        more = torch.stack([mover & 255, mover >> 8, origin.clamp(min=0).int(), outcome.int()], dim=1)
        there = rows[:here] + ply
        found.rows[there] = torch.cat([boards.packed(side, ply), more.to(torch.uint8)], dim=1)
        found.origins[there] = torch.where(origin < 0, -1, origin ^ 56 * side)
        found.targets[there] = torch.where(target < 0, -1, target ^ 56 * side)
        found.kinds[there] = torch.where(origin < 0, -1, boards.kinds(origin.clamp(min=0)))
        found.left[there] = long[:here] - ply
        found.outcomes[there] = outcome.float() - 1
        boards.first(going)
        boards.play(side, origin[:going], target[:going], squares[:going, 1] >> 6)


class _Boards:
    """The boards of all games that go on: the four bits of each square, as packed positions have them."""

    def __init__(self, count: int, device: torch.device) -> None:
        start = np.full(64, NOTHING, np.uint8)
        start[:8], start[56:] = BACK_RANK, np.array(BACK_RANK) + 1
        start[8:16], start[48:56] = 2 * PAWN, 2 * PAWN + 1
        self._codes = torch.from_numpy(start).to(device).repeat(count, 1)
        self._en_passant = torch.full((count,), NO_SQUARE, dtype=torch.int64, device=device)
        self._clock = torch.zeros(count, dtype=torch.int64, device=device)

    def first(self, count: int) -> None:
        """Go on with so many."""
        self._codes, self._en_passant, self._clock = (
            column[:count] for column in (self._codes, self._en_passant, self._clock)
        )

    def kinds(self, squares: Tensor) -> Tensor:
        """What stands there: a number of KINDS."""
        codes = self._codes.gather(1, squares[:, None])[:, 0].long()
        return torch.where(codes >= CASTLING_ROOK, ROOK, codes >> 1)

    def packed(self, side: int, ply: int) -> Tensor:
        """All boards as packed positions."""
        count, device = len(self._codes), self._codes.device
        number = 1 + ply // 2
        known = torch.tensor([number & 255, number >> 8, 0, 0], dtype=torch.uint8, device=device).expand(count, 4)
        counters = torch.stack([self._clock & 255, self._clock >> 8], dim=1).to(torch.uint8)
        turn = torch.full((count, 1), side, dtype=torch.uint8, device=device)
        passing = self._takeable(side)[:, None].to(torch.uint8)
        return torch.cat([packed_codes(self._codes), turn, passing, counters, known], dim=1)

    def play(self, side: int, origin: Tensor, target: Tensor, promoted: Tensor) -> None:
        """A move on every board."""
        codes, rows = self._codes, torch.arange(len(self._codes), device=self._codes.device)
        kind = self.kinds(origin)
        taken = codes[rows, target] != NOTHING
        pawn, king = kind == PAWN, kind == KING
        file_of, rank_of = target & 7, origin & 56
        # A pawn that leaves its file for an empty square takes the one it passed.
        passing = pawn & ~taken & ((origin & 7) != file_of)
        codes[rows[passing], (rank_of + file_of)[passing]] = NOTHING
        last = pawn & ((target >> 3) == (0 if side else 7))
        becomes = torch.tensor(PROMOTED, device=codes.device)[promoted.clamp(min=0)]
        kind = torch.where(last, becomes, kind)
        codes[rows, target] = (2 * kind + side).to(torch.uint8)
        codes[rows, origin] = NOTHING
        # A king that moves gives up castling; one that moves two squares takes its rook along.
        theirs = (codes == CASTLING_ROOK + side) & king[:, None]
        codes.masked_fill_(theirs, 2 * ROOK + side)
        for step, corner, beside in ((2, 7, 5), (-2, 0, 3)):
            castles = king & (target - origin == step)
            codes[rows[castles], (rank_of + corner)[castles]] = NOTHING
            codes[rows[castles], (rank_of + beside)[castles]] = 2 * ROOK + side
        twice = pawn & ((target - origin).abs() == 16)
        self._en_passant = torch.where(twice, (origin + target) // 2, NO_SQUARE)
        self._clock = torch.where(pawn | taken, 0, self._clock + 1)

    def _takeable(self, side: int) -> Tensor:
        """Where a pawn may be taken in passing: only if one stands beside it. It may be pinned."""
        square = self._en_passant.clamp(max=63)
        below = square + (8 if side else -8)
        own = 2 * PAWN + side
        beside = torch.zeros_like(square, dtype=torch.bool)
        for step, edge in ((-1, 0), (1, 7)):
            neighbour = (below + step).clamp(0, 63)
            beside |= ((square & 7) != edge) & (self._codes.gather(1, neighbour[:, None])[:, 0] == own)
        return torch.where((self._en_passant < NO_SQUARE) & beside, self._en_passant, NO_SQUARE)
