"""The quantised NNUE: the integers in its brain.

Every piece on its square adds a row to two accumulators, one from each side's view. In the kind `nnue` both are
clamped, squared and weighed by one of several outputs, chosen by the number of pieces. In the kind `nnue-layers` the
first half of each is multiplied by the second, and one of several stacks of small layers is behind them.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.files import brain_file, read_tensors
from okapi.encodings import PIECE_SQUARES, PieceSquare
from okapi.encodings.encoding import Positions
from okapi.encodings.piece_square import PLAIN

KIND: Final = "nnue"
LAYERED_KIND: Final = "nnue-layers"
ENCODING: Final = "piece-square-mirrored"
"""With several king buckets, their number follows."""

FULL: Final = 255
"""The integer for an activation of 1."""

UNIT: Final = 64
"""The integer for an output weight of 1, and for a weight of 1 behind pairs."""

PAIR: Final = 127
"""The integer for a product of two activations of 1, and for an activation of 1 behind it."""

FIRST, SECOND = 16, 32
"""Nodes of the layers of a stack; the last of the first goes to the end directly."""

TENSORS: Final = {
    "weight": "accumulator.weight",
    "bias": "accumulator.bias",
    "output_weight": "output.weight",
    "output_bias": "output.bias",
}


@dataclass(frozen=True)
class _Quantised:
    """What both kinds of networks have: two accumulators, and a file."""

    kind: ClassVar[str]

    weight: NDArray[np.int16]
    """[768 · king buckets, neurons]: a row for each piece on each square."""
    bias: NDArray[np.int16]
    """[neurons]"""
    _: KW_ONLY
    scale: int
    """Centipawns for an output of 1."""

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a brain's file; raises WrongBrain for another kind."""
        card, tensors = ModelCard.of_kind(path, cls.kind), read_tensors(path)
        arrays = {name: tensors[stored] for name, stored in cls._stored().items()}
        return cls(**arrays, scale=int(card.metadata["scale"]))

    @property
    def neurons(self) -> int:
        return len(self.bias)

    @property
    def inputs(self) -> PieceSquare:
        """How pieces and squares select rows."""
        king_buckets = len(self.weight) // PLAIN
        return PIECE_SQUARES[ENCODING + f"-{king_buckets}" * (king_buckets > 1)]

    def tensors(self) -> dict[str, NDArray[Any]]:
        return {stored: getattr(self, name) for name, stored in self._stored().items()}

    def file(self, card: Mapping[str, str]) -> bytes:
        """The bytes of a brain with this network; `card` has at least a `name`."""
        about = {"encoding": self.inputs.name, "quantisation": f"{FULL} {UNIT}", "scale": str(self.scale)}
        return brain_file({**card, "kind": self.kind, **about}, self.tensors())

    @classmethod
    def _stored(cls) -> dict[str, str]:
        """The names of its arrays, and those in a file."""
        return {each.name: TENSORS.get(each.name, each.name) for each in fields(cls) if each.name != "scale"}


@dataclass(frozen=True)
class QuantisedNnue(_Quantised):
    kind = KIND

    output_weight: NDArray[np.int8]
    """[outputs, 2 · neurons]: the neurons of the side to move, then its opponent's."""
    output_bias: NDArray[np.int32]
    """[outputs]"""

    @classmethod
    def counting(cls, neurons: int = 32, *, outputs: int = 8) -> "QuantisedNnue":
        """A network that counts material, 1 3 3 5 9, as a start for training.

        Every neuron is at its midpoint for equal material; the difference of squares grows with the material.
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
            scale=-(-100 * FULL * UNIT // a_pawn),
        )

    def buckets(self, positions: Positions) -> NDArray[np.int64]:
        """The index of the output for the number of pieces."""
        indices = self.inputs.indices_in_numpy(positions)
        men: NDArray[np.int64] = (indices[:, 0] < len(self.weight)).sum(axis=1)
        return (men - 2) * len(self.output_bias) // 32


@dataclass(frozen=True)
class QuantisedLayeredNnue(_Quantised):
    """Products of neurons are shifted by 9 bits, activations of small layers are 0 to PAIR."""

    kind = LAYERED_KIND

    first_weight: NDArray[np.int8]
    """[stacks, FIRST, neurons]: the products of the side to move, then its opponent's."""
    first_bias: NDArray[np.int32]
    """[stacks, FIRST], in units of PAIR · UNIT, as the other biases"""
    second_weight: NDArray[np.int8]
    """[stacks, SECOND, SECOND]: nodes squared, the same nodes, and two inputs of 0."""
    second_bias: NDArray[np.int32]
    """[stacks, SECOND]"""
    last_weight: NDArray[np.int8]
    """[stacks, SECOND]"""
    last_bias: NDArray[np.int32]
    """[stacks]"""
