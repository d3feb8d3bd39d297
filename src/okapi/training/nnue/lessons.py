"""Packed positions where they are learned from: the whole set in the device's memory, 68 bytes each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
import torch
from torch import Tensor

from okapi.models.nnue import EMPTY, seen_by_mover
from okapi.training.nnue.parts import Part

__all__ = ["Lessons"]

AT_A_TIME: Final = 1 << 18
"""Positions that are unpacked together."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Boards as their movers see them, and what is known of them."""

    codes: Tensor
    """n x 64 bytes, see okapi.models.nnue."""
    turned: Tensor
    """Whether the other one sees files turned round."""
    values: Tensor
    """Centipawns, int16."""
    results: Tensor
    """0, 1, 2, or -1 where unknown; int8."""

    @classmethod
    def of(cls, part: Part, device: torch.device) -> Self:
        """All of it there, to stay."""
        codes = torch.empty(len(part), 64, dtype=torch.uint8, device=device)
        turned = torch.empty(len(part), dtype=torch.bool, device=device)
        for begin in range(0, len(part), AT_A_TIME):
            these = slice(begin, begin + AT_A_TIME)
            boards = torch.from_numpy(part.boards[these]).to(device)
            black = torch.from_numpy(part.black[these]).to(device) != 0
            codes[these], turned[these] = seen_by_mover(_codes(boards), black)
        values = torch.from_numpy(np.array(part.values)).to(device)
        return cls(codes, turned, values, torch.from_numpy(np.array(part.results)).to(device))

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All of them."""
        return cls(*(torch.cat([getattr(one, each.name) for one in several]) for each in fields(cls)))

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, which: Tensor) -> Self:
        """Those with these numbers, or where it is true."""
        return type(self)(self.codes[which], self.turned[which], self.values[which], self.results[which])

    def pieces(self, count: int) -> Iterator[Self]:
        """All of them, so many at a time."""
        for begin in range(0, len(self), count):
            these = slice(begin, begin + count)
            yield type(self)(self.codes[these], self.turned[these], self.values[these], self.results[these])

    def without(self, others: Self) -> Self:
        """Those whose board is not among the others': what is asked for validation is never taught."""
        return self.take(~torch.isin(self._keys(), others._keys()))

    def distinct(self) -> Self:
        """Each board once; what is known of it is what was known where it came first."""
        keys, order = torch.sort(self._keys(), stable=True)
        first = torch.ones_like(keys, dtype=torch.bool)
        first[1:] = keys[1:] != keys[:-1]
        return self.take(order[first].sort()[0])

    def part(self, about: Mapping[str, Any]) -> Part:
        """The same packed, nothing of it for validation: as if White were always to move."""
        nibbles = torch.where(self.codes == EMPTY, 0, self.codes + 1)
        return Part(
            boards=(nibbles[:, ::2] | nibbles[:, 1::2] << 4).cpu().numpy(),
            black=np.zeros(len(self), np.uint8),
            values=self.values.cpu().numpy(),
            results=self.results.cpu().numpy(),
            validation=0,
            about={**about, "positions": len(self), "with_result": int((self.results >= 0).sum())},
        )

    def _keys(self) -> Tensor:
        """64 bits that tell boards apart."""
        dice = torch.Generator().manual_seed(64)
        factors = torch.randint(-(1 << 62), 1 << 62, (8,), generator=dice).to(self.codes.device) | 1
        keys = torch.zeros(len(self), dtype=torch.int64, device=self.codes.device)
        for rank, factor in zip(self.codes.view(torch.int64).unbind(1), factors, strict=True):
            keys = (keys ^ rank) * factor
            keys ^= keys >> 29
        return keys


def _codes(boards: Tensor) -> Tensor:
    """Four bits a square as a byte a square, empty ones EMPTY."""
    nibbles = torch.stack([boards & 15, boards >> 4], dim=2).view(-1, 64)
    return torch.where(nibbles == 0, EMPTY, nibbles - 1).to(torch.uint8)
