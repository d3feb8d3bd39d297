"""The quantised NNUE in plain numpy: what the core and torch are compared with; and networks of random weights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains.nnue import FIRST, FULL, PAIR, SECOND, UNIT, QuantisedLayeredNnue, QuantisedNnue
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
        scale=100,
    )


def values(network: QuantisedNnue, positions: Positions) -> NDArray[np.int64]:
    """Centipawns for the side to move."""
    squared = np.clip(accumulators(network, positions), 0, FULL).reshape(len(positions), -1) ** 2
    buckets = network.buckets(positions)
    sums = (squared * network.output_weight[buckets]).sum(axis=1)
    whole = towards_zero(sums, FULL) + network.output_bias[buckets]
    return np.clip(towards_zero(whole * network.scale, FULL * UNIT), -MAX_EVALUATION, MAX_EVALUATION)


def random_layers(neurons: int = 64, *, stacks: int = 8, king_buckets: int = 1, seed: int = 1) -> QuantisedLayeredNnue:
    """The same with layers."""
    rng = np.random.default_rng(seed)

    def numbers(least: int, most: int, shape: tuple[int, ...], kind: type[np.integer[Any]]) -> NDArray[Any]:
        return rng.integers(least, most, shape, kind, endpoint=True)

    return QuantisedLayeredNnue(
        weight=numbers(-60, 60, (768 * king_buckets, neurons), np.int16),
        bias=numbers(0, 200, (neurons,), np.int16),
        first_weight=numbers(-40, 40, (stacks, FIRST, neurons), np.int8),
        first_bias=numbers(-3000, 3000, (stacks, FIRST), np.int32),
        second_weight=numbers(-127, 127, (stacks, SECOND, SECOND), np.int8),
        second_bias=numbers(-3000, 3000, (stacks, SECOND), np.int32),
        last_weight=numbers(-127, 127, (stacks, SECOND), np.int8),
        last_bias=numbers(-3000, 3000, (stacks,), np.int32),
        scale=100,
    )


def layered_values(network: QuantisedLayeredNnue, positions: Positions) -> NDArray[np.int64]:
    """Centipawns for the side to move."""
    clipped = np.clip(accumulators(network, positions), 0, FULL)
    half = network.neurons // 2
    pairs = (clipped[..., :half] * clipped[..., half:] >> 9).reshape(len(positions), -1)
    indices = network.inputs.indices_in_numpy(positions)
    men = (indices[:, 0] < len(network.weight)).sum(axis=1)
    sums = []
    for inputs, stack in zip(pairs, (men - 2) * len(network.last_bias) // 32, strict=True):
        nodes = network.first_weight[stack].astype(np.int64) @ inputs + network.first_bias[stack]
        squared, linear = np.minimum(nodes[:-1] ** 2 >> 19, PAIR), np.clip(nodes[:-1] >> 6, 0, PAIR)
        second = network.second_weight[stack].astype(np.int64) @ np.concatenate([squared, linear, [0, 0]])
        active = np.clip(second + network.second_bias[stack] >> 6, 0, PAIR)
        sums.append(active @ network.last_weight[stack].astype(np.int64) + network.last_bias[stack] + nodes[-1])
    return np.clip(towards_zero(np.array(sums) * network.scale, PAIR * UNIT), -MAX_EVALUATION, MAX_EVALUATION)


def accumulators(network: QuantisedNnue | QuantisedLayeredNnue, positions: Positions) -> NDArray[np.int64]:
    """Before clamping: positions × (mover, opponent) × neurons."""
    padded = np.vstack([network.weight, np.zeros((1, network.neurons), np.int16)]).astype(np.int64)
    sums: NDArray[np.int64] = padded[network.inputs.indices_in_numpy(positions)].sum(axis=2) + network.bias
    return sums


def towards_zero(numbers: NDArray[Any], divisor: int) -> NDArray[np.int64]:
    """Integer division as in C++."""
    quotients: NDArray[np.int64] = np.sign(numbers) * (np.abs(numbers) // divisor)
    return quotients
