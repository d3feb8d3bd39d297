"""Positions with the best move of each, made into what a move network reads, once, where it will learn."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from okapi.errors import InvalidSamples
from okapi.models.lai2015_moves import LETTER, Design
from okapi.models.legal import boards, legal_moves
from okapi.models.move_features import columns, plain_features
from okapi.models.torch_encodings import encode

__all__ = ["Batch", "MoveLessons"]

AT_ONCE: Final = {"cuda": 1 << 15, "cpu": 1 << 10}
"""Positions: their moves take 20 kB each while they are found."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some positions, and all their moves one after the other."""

    features: Tensor
    """n x 363."""
    moves: Tensor
    """k x 15 columns, or k x 14 numbers."""
    rows: Tensor
    """The position of each move: k."""
    counts: Tensor
    """How many moves each position has: n."""
    best: Tensor
    """Which of all moves is the best of each position: n."""
    quiet: Tensor
    """Is it something else than a winning capture? n."""


@dataclass(frozen=True, slots=True, eq=False)
class MoveLessons:
    """Everything that a network reads of positions, ready on a device: 1.5 kB a position and 1 kB for its moves."""

    features: Tensor
    moves: Tensor
    starts: Tensor
    """Where the moves of each position begin."""
    counts: Tensor
    best: Tensor
    """Which of its moves is the best."""
    quiet: Tensor

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def made(
        cls, packed: NDArray[np.uint8], best: NDArray[Any], quiet: NDArray[Any], design: Design, device: torch.device
    ) -> "MoveLessons":
        """Of packed positions, n x 32, their best moves as Move.bits, and whether those are quiet.

        A position whose best move is not among its legal ones is left out: castling in Chess960.
        """
        if not len(packed) == len(best) == len(quiet):
            raise InvalidSamples(f"{len(packed)} positions have {len(best)} best moves")
        parts = []
        at_once = AT_ONCE.get(device.type, AT_ONCE["cpu"])
        for begin in range(0, len(packed), at_once):
            here = slice(begin, begin + at_once)
            rows = torch.from_numpy(np.ascontiguousarray(packed[here])).to(device)
            right = torch.from_numpy(best[here].astype(np.int64)).to(device)
            parts.append(_made(rows, right, design))
        features, moves, counts, first, found = (torch.cat(column) for column in zip(*parts, strict=True))
        told = torch.from_numpy(quiet.astype(np.bool_)).to(device)
        starts = counts.cumsum(0) - counts
        return cls(features[found], moves, starts[found], counts[found], first[found], told[found])

    def take(self, which: Tensor) -> Batch:
        """Some of them."""
        counts = self.counts[which]
        begins = counts.cumsum(0) - counts
        rows = torch.repeat_interleave(torch.arange(len(which), device=which.device), counts)
        places = torch.arange(len(rows), device=which.device) + (self.starts[which] - begins)[rows]
        return Batch(
            features=self.features[which],
            moves=self.moves[places],
            rows=rows,
            counts=counts,
            best=begins + self.best[which],
            quiet=self.quiet[which],
        )


def _made(packed: Tensor, best: Tensor, design: Design) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Features, moves, how many moves, which is the best, and whether it is there at all."""
    on = boards(packed)
    moves = legal_moves(on)
    told = plain_features(moves, on.black) if design.moves == LETTER else columns(on, moves)
    counts = torch.bincount(moves.rows, minlength=len(packed))
    right = moves.bits(on.black) == best[moves.rows]
    found = torch.zeros(len(packed), dtype=torch.bool, device=packed.device)
    found[moves.rows[right]] = True
    first = torch.zeros_like(counts)
    starts = counts.cumsum(0) - counts
    first[moves.rows[right]] = right.nonzero()[:, 0] - starts[moves.rows[right]]
    return encode(packed, design.encoding), told, counts, first, found
