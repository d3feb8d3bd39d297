"""The network of Stockfish 15 as a brain: its integers, and its evaluation in plain numpy.

Each side sees the pieces on their squares relative to its own king, 22,528 inputs, in 1,024 neurons. Those of the first
half are multiplied by those of the second; behind them one of eight stacks of three small layers, chosen by the number
of pieces. Beside it, every input has a value in material for each stack. Stockfish scales the sum by the material left.
The core computes the same incrementally.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.files import brain_file, read_tensors
from okapi.brains.nnue import towards_zero
from okapi.encodings import PIECE_SQUARES
from okapi.encodings.encoding import Positions
from okapi.errors import WrongBrain
from okapi.formats.nnue_file import NEURONS, STACKS, NnueFile

KIND: Final = "halfka"
ENCODING: Final = "halfka-v2-mirrored"
SQUARES_OF: Final = "piece-square-mirrored"

OUTPUT: Final = 16
"""What the sum of material and layers is divided by."""
DIRECT: Final = (600 * OUTPUT, 127 * 64)
"""The last node of a stack's first layer counts by this fraction."""
PIECES: Final = np.array([0, 781, 825, 1276, 2538, 0])
"""Stockfish's values of knight, bishop, rook and queen: the material left."""
PAWN: Final = 361
"""Stockfish's units of a value of 100 centipawns."""
MOST: Final = 20_000

AT_ONCE: Final = 128


@dataclass(frozen=True)
class Parts:
    """What Stockfish's `eval` prints, in its units."""

    material: NDArray[np.int64]
    """Positions x stacks, for the side to move, in 16ths."""
    layers: NDArray[np.int64]
    stack: NDArray[np.int64]
    """The one that is used."""
    scaled: NDArray[np.int64]
    """As a search of Stockfish uses it when no move of the fifty-move rule is played."""


@dataclass(frozen=True)
class HalfKa:
    network: NnueFile

    @classmethod
    def open(cls, path: Path) -> "HalfKa":
        """Read a brain's file; raises WrongBrain for another kind."""
        card = ModelCard.read(path)
        if card.kind != KIND:
            raise WrongBrain(f"brain `{card.name}` is of the kind `{card.kind}`, not `{KIND}`")
        return cls(NnueFile(card.metadata.get("description", ""), **read_tensors(path)))

    def tensors(self) -> dict[str, NDArray[Any]]:
        return {each.name: getattr(self.network, each.name) for each in fields(self.network)[1:]}

    def file(self, card: Mapping[str, str]) -> bytes:
        """The bytes of a brain with this network; `card` has at least a `name`."""
        about = {"kind": KIND, "encoding": ENCODING, "description": self.network.description}
        return brain_file({**card, **about}, self.tensors())

    def values(self, positions: Positions) -> NDArray[np.int64]:
        """Centipawns for the side to move: the definition for the core."""
        return np.clip(towards_zero(self.parts(positions).scaled * 100, PAWN), -MOST, MOST)

    def parts(self, positions: Positions) -> Parts:
        indices = PIECE_SQUARES[SQUARES_OF].indices_in_numpy(positions)
        there = indices < 768
        kind, theirs = indices // 64 % 6, indices // 384
        king = (indices[(kind == 5) & (theirs == 0) & there] % 64).reshape(-1, 2, 1)
        place = (28 - 4 * (king >> 3) + (king & 7)) * 704 + np.minimum(2 * kind + theirs, 10) * 64 + (indices % 64 ^ 7)
        inputs = np.where(there, place, len(self.network.weight))
        done = [self._layers(inputs[at : at + AT_ONCE]) for at in range(0, len(inputs), AT_ONCE)]
        material, layers = (np.concatenate(part) for part in zip(*done, strict=True))
        stack = (there[:, 0].sum(axis=1) - 1) // 4
        left = (PIECES[kind[:, 0]] * there[:, 0]).sum(axis=1)
        rows = np.arange(len(stack))
        scaled = _scaled(material[rows, stack], layers[rows, stack], left)
        return Parts(material, layers, stack, scaled)

    def _layers(self, inputs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Material and layers of all stacks, from inputs padded with their number: positions x 2 x 32."""
        net, none = self.network, len(self.network.weight)
        known = np.where(inputs < none, inputs, 0)
        there = (inputs < none)[..., np.newaxis]
        sums = (net.weight[known].astype(np.int32) * there).sum(axis=2) + net.bias
        material = (net.material[known].astype(np.int64) * there).sum(axis=2)
        clipped = np.clip(sums, 0, 127)
        pairs = (clipped[..., :512] * clipped[..., 512:] // 128).reshape(len(inputs), -1)
        first = np.einsum("ni,soi->nso", pairs, net.first_weight.astype(np.int32), optimize=True) + net.first_bias
        direct = first[..., 15].astype(np.int64)
        squared = np.minimum(first[..., :15].astype(np.int64) ** 2 >> 19, 127)
        linear = np.clip(first[..., :15] >> 6, 0, 127)
        both = np.concatenate([squared, linear], axis=2)
        second = np.einsum("nsi,soi->nso", both, net.second_weight[..., :30].astype(np.int64)) + net.second_bias
        last = (np.clip(second >> 6, 0, 127) * net.last_weight).sum(axis=2) + net.last_bias
        return towards_zero(material[:, 0] - material[:, 1], 2), last + towards_zero(direct * DIRECT[0], DIRECT[1])


def import_network(path: Path, name: str) -> bytes:
    """The brain of a network file of Stockfish 15; its card says where it comes from."""
    network = NnueFile.open(path)
    card = {"name": name, "recipe": "imported", "parent": f"{path.name}: {network.description}"}
    return HalfKa(network).file(card)


def export_network(path: Path) -> bytes:
    """The network file of Stockfish 15 for a brain of this kind, as it was imported; WrongBrain for others."""
    card = ModelCard.read(path)
    if card.kind != KIND:
        raise WrongBrain(
            f"brain `{card.name}` is of the kind `{card.kind}` and reads {card.encoding}: Stockfish reads networks of "
            f"the kind `{KIND}` alone, {ENCODING} with {NEURONS:,} neurons a side and {STACKS} layer stacks",
            hint="brains of `okapi brains import FILE.nnue` can be exported; `--out FILE.onnx` takes layered networks",
        )
    return HalfKa.open(path).network.to_bytes()


def _scaled(material: NDArray[Any], layers: NDArray[Any], left: NDArray[Any]) -> NDArray[np.int64]:
    """Stockfish's weights of both by the material left, and its factor where the fifty-move clock stands at 0."""
    more = 24 - left // 9560
    value = towards_zero((1024 - more) * material + (1024 + more) * layers, 1024 * OUTPUT)
    value = towards_zero(value * (1064 + 106 * left // 5120), 1024)
    return towards_zero(value * 195, 211)
