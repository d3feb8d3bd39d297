"""Network files of Stockfish with random numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.formats.nnue_file import FIRST, INPUTS, NEURONS, SECOND, STACKS, NnueFile


def random_nnue(seed: int = 1) -> NnueFile:
    """Random integers as large as those of a trained network."""
    rng = np.random.default_rng(seed)

    def some(kind: type[np.signedinteger[Any]], most: int, *shape: int) -> NDArray[Any]:
        return rng.integers(-most, most, shape, kind, endpoint=True)

    return NnueFile(
        "random",
        some(np.int16, 100, NEURONS),
        some(np.int16, 40, INPUTS, NEURONS),
        some(np.int32, 20_000, INPUTS, STACKS),
        some(np.int32, 3000, STACKS, FIRST),
        some(np.int8, 12, STACKS, FIRST, NEURONS),
        some(np.int32, 3000, STACKS, SECOND),
        some(np.int8, 40, STACKS, SECOND, 32),
        some(np.int32, 3000, STACKS),
        some(np.int8, 100, STACKS, SECOND),
    )
