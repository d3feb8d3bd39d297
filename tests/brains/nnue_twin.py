"""The quantised NNUE in plain numpy: what the core and torch are compared with; and networks of random weights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains.nnue import FULL, UNIT, QuantisedNnue
from okapi.brains.output import MAX_EVALUATION
from okapi.encodings.encoding import Positions


def random_network(neurons: int = 64, *, outputs: int = 8, king_buckets: int = 1, seed: int = 1) -> QuantisedNnue:
    """A network of random weights, whose values spread over some pawns."""
    rng = np.random.default_rng(seed)
    return QuantisedNnue(
        rng.integers(-60, 60, (768 * king_buckets, neurons), np.int16, endpoint=True),
        rng.integers(0, 200, neurons, np.int16, endpoint=True),
        rng.integers(-40, 40, (outputs, 2 * neurons), np.int8, endpoint=True),
        rng.integers(-FULL * UNIT // 4, FULL * UNIT // 4, outputs, np.int32, endpoint=True),
        100,
    )


def values(network: QuantisedNnue, positions: Positions) -> NDArray[np.int64]:
    """Centipawns for the side to move."""
    squared = np.clip(accumulators(network, positions), 0, FULL).reshape(len(positions), -1) ** 2
    buckets = network.buckets(positions)
    sums = (squared * network.output_weight[buckets]).sum(axis=1)
    whole = towards_zero(sums, FULL) + network.output_bias[buckets]
    return np.clip(towards_zero(whole * network.scale, FULL * UNIT), -MAX_EVALUATION, MAX_EVALUATION)


def accumulators(network: QuantisedNnue, positions: Positions) -> NDArray[np.int64]:
    """Before clamping: positions × (mover, opponent) × neurons."""
    padded = np.vstack([network.weight, np.zeros((1, network.neurons), np.int16)]).astype(np.int64)
    sums: NDArray[np.int64] = padded[network.inputs.indices_in_numpy(positions)].sum(axis=2) + network.bias
    return sums


def towards_zero(numbers: NDArray[Any], divisor: int) -> NDArray[np.int64]:
    """Integer division as in C++."""
    quotients: NDArray[np.int64] = np.sign(numbers) * (np.abs(numbers) // divisor)
    return quotients
