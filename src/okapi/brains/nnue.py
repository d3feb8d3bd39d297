"""The quantised NNUE: the integers in its brain, and its evaluation in plain numpy.

Every piece on its square adds a row to two accumulators, one from the side of the mover and one from the side of the
opponent. Both are clamped, squared and weighed by one of several outputs, chosen by the number of pieces. The core
computes the same incrementally.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.files import brain_file, read_tensors
from okapi.encodings import PIECE_SQUARES, PieceSquare
from okapi.encodings.encoding import Positions
from okapi.encodings.piece_square import PLAIN
from okapi.errors import WrongBrain

KIND: Final = "nnue"
ENCODING: Final = "piece-square-mirrored"
"""With several king buckets, their number follows."""

FULL: Final = 255
"""The integer for an activation of 1."""

UNIT: Final = 64
"""The integer for an output weight of 1."""

MOST: Final = 20_000
"""Centipawns; the bound of evaluations."""


@dataclass(frozen=True)
class QuantisedNnue:
    weight: NDArray[np.int16]
    """[768 · king buckets, neurons]: a row for each piece on each square."""
    bias: NDArray[np.int16]
    """[neurons]"""
    output_weight: NDArray[np.int8]
    """[outputs, 2 · neurons]: the neurons of the side to move, then its opponent's."""
    output_bias: NDArray[np.int32]
    """[outputs]"""
    scale: int
    """Centipawns for an output of 1."""

    @classmethod
    def random(cls, neurons: int = 64, *, outputs: int = 8, king_buckets: int = 1, seed: int = 1) -> "QuantisedNnue":
        """A network of random weights, whose values spread over some pawns.

        >>> network = QuantisedNnue.random(32)
        >>> len(network.file({"name": "made"})) > 2 * 768 * 32
        True
        """
        rng = np.random.default_rng(seed)
        return cls(
            rng.integers(-60, 60, (768 * king_buckets, neurons), np.int16, endpoint=True),
            rng.integers(0, 200, neurons, np.int16, endpoint=True),
            rng.integers(-40, 40, (outputs, 2 * neurons), np.int8, endpoint=True),
            rng.integers(-FULL * UNIT // 4, FULL * UNIT // 4, outputs, np.int32, endpoint=True),
            100,
        )

    @classmethod
    def counting(cls, neurons: int = 32, *, outputs: int = 8) -> "QuantisedNnue":
        """A network that counts material, 1 3 3 5 9, as a start for training.

        Every neuron is at its midpoint for equal material. The side with more material is as far above it as the other
        is below, and the difference of their squares grows with the material.

        >>> from okapi.core.packed import pack_fens
        >>> QuantisedNnue.counting().values(pack_fens(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]))
        array([100])
        """
        pawn, middle = 3, FULL // 2
        worth = pawn * np.repeat(np.array([1, 3, 3, 5, 9, 0], np.int16), 64)
        own_less_theirs = np.concatenate([worth, -worth])
        weight = max(1, 1024 // neurons)
        a_pawn = 4 * middle * pawn * weight * neurons // FULL
        return cls(
            np.repeat(own_less_theirs[:, np.newaxis], neurons, axis=1),
            np.full(neurons, middle, np.int16),
            np.tile(np.repeat(np.array([weight, -weight], np.int8), neurons), (outputs, 1)),
            np.zeros(outputs, np.int32),
            -(-100 * FULL * UNIT // a_pawn),
        )

    @classmethod
    def open(cls, path: Path) -> "QuantisedNnue":
        """Read a brain's file; raises WrongBrain for another kind."""
        card = ModelCard.read(path)
        if card.kind != KIND:
            raise WrongBrain(f"brain `{card.name}` is of the kind `{card.kind}`, not `{KIND}`")
        tensors = read_tensors(path)
        return cls(
            tensors["accumulator.weight"],
            tensors["accumulator.bias"],
            tensors["output.weight"],
            tensors["output.bias"],
            int(card.metadata["scale"]),
        )

    @property
    def neurons(self) -> int:
        return len(self.bias)

    @property
    def inputs(self) -> PieceSquare:
        """How pieces and squares select rows."""
        king_buckets = len(self.weight) // PLAIN
        return PIECE_SQUARES[ENCODING + f"-{king_buckets}" * (king_buckets > 1)]

    def tensors(self) -> dict[str, NDArray[Any]]:
        return {
            "accumulator.weight": self.weight,
            "accumulator.bias": self.bias,
            "output.weight": self.output_weight,
            "output.bias": self.output_bias,
        }

    def file(self, card: Mapping[str, str]) -> bytes:
        """The bytes of a brain with this network; `card` has at least a `name`."""
        whole = {"kind": KIND, "encoding": self.inputs.name, "quantisation": f"{FULL} {UNIT}", "scale": str(self.scale)}
        return brain_file({**card, **whole}, self.tensors())

    def accumulators(self, positions: Positions) -> NDArray[np.int64]:
        """The accumulators before clamping: positions × (mover, opponent) × neurons."""
        padded = np.vstack([self.weight, np.zeros((1, self.neurons), np.int16)]).astype(np.int64)
        indices = self.inputs.indices_in_numpy(positions)
        sums: NDArray[np.int64] = padded[indices].sum(axis=2) + self.bias
        return sums

    def buckets(self, positions: Positions) -> NDArray[np.int64]:
        """The index of the output for the number of pieces."""
        indices = self.inputs.indices_in_numpy(positions)
        men: NDArray[np.int64] = (indices[:, 0] < len(self.weight)).sum(axis=1)
        return (men - 2) * len(self.output_bias) // 32

    def values(self, positions: Positions) -> NDArray[np.int64]:
        """Centipawns for the side to move: the definition for the core."""
        squared = np.clip(self.accumulators(positions), 0, FULL).reshape(len(positions), -1) ** 2
        buckets = self.buckets(positions)
        sums = (squared * self.output_weight[buckets]).sum(axis=1)
        whole = towards_zero(sums, FULL) + self.output_bias[buckets]
        return np.clip(towards_zero(whole * self.scale, FULL * UNIT), -MOST, MOST)


def towards_zero(numbers: NDArray[np.int64], divisor: int) -> NDArray[np.int64]:
    """Integer division as in C++."""
    quotients: NDArray[np.int64] = np.sign(numbers) * (np.abs(numbers) // divisor)
    return quotients
