"""What is taught: positions, and the answer to each."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from okapi.errors import InvalidSamples

__all__ = ["Lessons"]

ROWS = (32, 36)
"""Bytes of a packed position; and of one with what else a network may see."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Packed positions, n x 32 bytes or n records of them, and targets: classes as int64, or numbers as float32.

    With the four bytes more of okapi.models.torch_encodings they are n x 36. Where several positions make one sample,
    they are n x so many x 32.
    """

    positions: NDArray[Any]
    targets: NDArray[Any]

    def __post_init__(self) -> None:
        row = ROWS[self.positions.dtype == np.uint8 and self.positions.shape[1:] == ROWS[1:]]
        shape = (-1, *self.positions.shape[1:-1], row)
        object.__setattr__(self, "positions", np.ascontiguousarray(self.positions).view(np.uint8).reshape(shape))
        if self.targets.shape != (len(self.positions),):
            raise InvalidSamples(f"{len(self.positions)} positions have targets of shape {self.targets.shape}")
        if self.targets.dtype not in (np.int64, np.float32):
            raise InvalidSamples(f"targets are {self.targets.dtype}", hint="classes are int64, numbers float32")
        if not np.isfinite(self.targets).all():
            raise InvalidSamples("a target is no finite number")

    def __len__(self) -> int:
        return len(self.positions)

    def fingerprint(self) -> str:
        """A hash of all of it."""
        digest = hashlib.blake2b(self.positions.data, digest_size=16)
        digest.update(np.ascontiguousarray(self.targets).data)
        return digest.hexdigest()

    def on(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """All positions and targets there, to stay."""
        positions = torch.from_numpy(np.array(self.positions))
        return positions.to(device), torch.from_numpy(np.array(self.targets)).to(device)
