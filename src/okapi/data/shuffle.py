"""A random permutation of 0 to N - 1 that is computed, not stored."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

ROUNDS: Final = 6  # three mix well enough for four billion; more cost little
GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio
Numbers = NDArray[np.uint64]


def hashed(numbers: NDArray[Any], seed: int) -> Numbers:
    """A 64-bit hash of each number, the same for the same seed: Stafford's mixer, as in splitmix64.

    >>> hashed(np.arange(2), seed=1).tolist()
    [16294208416658607535, 7960286522194355700]
    """
    with np.errstate(over="ignore"):
        bits = (numbers.astype(np.uint64) + np.uint64(seed & 0xFFFFFFFFFFFFFFFF)) * GOLDEN
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


class Shuffle:
    """A permutation of 0 to size - 1. Any prefix of it is as random as the whole."""

    def __init__(self, size: int, seed: int) -> None:
        bits = max(2, (size - 1).bit_length())
        self._size = size
        self._low, self._high = np.uint64(bits // 2), np.uint64(bits - bits // 2)
        self._keys = hashed(np.arange(ROUNDS), seed)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, where: slice) -> NDArray[np.int64]:
        start, stop, step = where.indices(self._size)
        found = self._mixed(np.arange(start, stop, step, dtype=np.uint64))
        # The network permutes a power of two. What falls outside is mixed again (cycle walking).
        while (outside := found >= self._size).any():
            found[outside] = self._mixed(found[outside])
        return found.astype(np.int64)

    def _mixed(self, numbers: Numbers) -> Numbers:
        """A Feistel network: a hash of one half of the bits changes the other half, in turns."""
        low, high = self._low, self._high
        one = np.uint64(1)
        for number, key in enumerate(self._keys):
            if number % 2 == 0:
                numbers = numbers ^ (
                    (hashed(numbers & ((one << low) - one), int(key)) >> (np.uint64(64) - high)) << low
                )
            else:
                numbers = numbers ^ (hashed(numbers >> low, int(key)) >> (np.uint64(64) - low))
        return numbers
