"""Small tables of numbers, kept on the device where networks are trained."""

from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor

__all__ = ["nested_table", "table"]


@lru_cache
def table(numbers: tuple[float, ...], device: torch.device, dtype: torch.dtype) -> Tensor:
    """Kept on the device: a step that is recorded as a CUDA graph may copy nothing from here to there."""
    return torch.tensor(numbers, device=device, dtype=dtype)


def nested_table(rows: Sequence[tuple[int, ...]], device: torch.device) -> Tensor:
    """Rows of whole numbers, likewise."""
    return table(sum(rows, ()), device, torch.int64).view(len(rows), -1)
