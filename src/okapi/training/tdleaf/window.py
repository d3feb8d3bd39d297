"""The newest leaves, to be learned again and again until they are old."""

import numpy as np
import torch
from torch import Tensor

from okapi.core.packed import POSITION
from okapi.training.tdleaf.lessons import Leaves

__all__ = ["Window"]


class Window:
    """A ring: what does not fit any more falls out at the other end."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._leaves = Leaves(np.zeros(0, POSITION), np.zeros(0, np.float32))
        self._next = 0

    def __len__(self) -> int:
        return len(self._leaves)

    def add(self, fresh: Leaves) -> None:
        """Remember these; if there are more than fit, the last of them."""
        if len(self) < self._size:
            room = self._size - len(self)
            self._leaves = Leaves.joined([self._leaves, fresh.take(slice(0, room))])
            fresh = fresh.take(slice(room, None))
        fresh = fresh.take(slice(max(0, len(fresh) - self._size), None))
        places = (self._next + np.arange(len(fresh))) % self._size
        self._leaves.positions[places] = fresh.positions
        self._leaves.targets[places] = fresh.targets
        self._next = (self._next + len(fresh)) % self._size

    def draw(self, count: int, dice: np.random.Generator) -> Leaves:
        """Some of them, by chance."""
        return self._leaves.take(dice.integers(len(self), size=count))

    def state(self) -> dict[str, Tensor | int]:
        """For a checkpoint."""
        rows = self._leaves.positions.view(np.uint8).reshape(-1, POSITION.itemsize)
        return {
            "positions": torch.from_numpy(rows.copy()),
            "targets": torch.from_numpy(self._leaves.targets.copy()),
            "next": self._next,
        }

    def restore(self, state: dict[str, Tensor | int]) -> None:
        """From a checkpoint."""
        positions, targets, place = state["positions"], state["targets"], state["next"]
        assert isinstance(positions, Tensor) and isinstance(targets, Tensor) and isinstance(place, int)
        rows = np.ascontiguousarray(positions.numpy())
        self._leaves = Leaves(rows.view(POSITION).reshape(-1).copy(), targets.numpy().copy())
        self._next = place
