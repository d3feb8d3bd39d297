"""The network of Stockfish 15 in plain numpy: what the core and torch are compared with."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from nnue_twin import towards_zero
from numpy.typing import NDArray

from okapi.brains.halfka import DIRECT, OUTPUT, PAWN, PIECES
from okapi.brains.output import MAX_EVALUATION
from okapi.encodings import PIECE_SQUARES
from okapi.encodings.encoding import Positions
from okapi.formats.nnue_file import NnueFile

SQUARES_OF: Final = "piece-square-mirrored"
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


def values(network: NnueFile, positions: Positions) -> NDArray[np.int64]:
    """Centipawns for the side to move."""
    return np.clip(towards_zero(parts(network, positions).scaled * 100, PAWN), -MAX_EVALUATION, MAX_EVALUATION)


def parts(network: NnueFile, positions: Positions) -> Parts:
    indices = PIECE_SQUARES[SQUARES_OF].indices_in_numpy(positions)
    there = indices < 768
    kind, theirs = indices // 64 % 6, indices // 384
    king = (indices[(kind == 5) & (theirs == 0) & there] % 64).reshape(-1, 2, 1)
    place = (28 - 4 * (king >> 3) + (king & 7)) * 704 + np.minimum(2 * kind + theirs, 10) * 64 + (indices % 64 ^ 7)
    inputs = np.where(there, place, len(network.weight))
    done = [_layers(network, inputs[at : at + AT_ONCE]) for at in range(0, len(inputs), AT_ONCE)]
    material, layers = (np.concatenate(part) for part in zip(*done, strict=True))
    stack = (there[:, 0].sum(axis=1) - 1) // 4
    left = (PIECES[kind[:, 0]] * there[:, 0]).sum(axis=1)
    rows = np.arange(len(stack))
    scaled = _scaled(material[rows, stack], layers[rows, stack], left)
    return Parts(material, layers, stack, scaled)


def _layers(network: NnueFile, inputs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Material and layers of all stacks, from inputs padded with their number: positions x 2 x 32."""
    none = len(network.weight)
    known = np.where(inputs < none, inputs, 0)
    there = (inputs < none)[..., np.newaxis]
    sums = (network.weight[known].astype(np.int32) * there).sum(axis=2) + network.bias
    material = (network.material[known].astype(np.int64) * there).sum(axis=2)
    clipped = np.clip(sums, 0, 127)
    pairs = (clipped[..., :512] * clipped[..., 512:] // 128).reshape(len(inputs), -1)
    first = np.einsum("ni,soi->nso", pairs, network.first_weight.astype(np.int32), optimize=True) + network.first_bias
    direct = first[..., 15].astype(np.int64)
    squared = np.minimum(first[..., :15].astype(np.int64) ** 2 >> 19, 127)
    linear = np.clip(first[..., :15] >> 6, 0, 127)
    both = np.concatenate([squared, linear], axis=2)
    second = np.einsum("nsi,soi->nso", both, network.second_weight[..., :30].astype(np.int64)) + network.second_bias
    last = (np.clip(second >> 6, 0, 127) * network.last_weight).sum(axis=2) + network.last_bias
    return towards_zero(material[:, 0] - material[:, 1], 2), last + towards_zero(direct * DIRECT[0], DIRECT[1])


def _scaled(material: NDArray[Any], layers: NDArray[Any], left: NDArray[Any]) -> NDArray[np.int64]:
    """Stockfish's weights of both by the material left, and its factor where the fifty-move clock stands at 0."""
    more = 24 - left // 9560
    value = towards_zero((1024 - more) * material + (1024 + more) * layers, 1024 * OUTPUT)
    value = towards_zero(value * (1064 + 106 * left // 5120), 1024)
    return towards_zero(value * 195, 211)
