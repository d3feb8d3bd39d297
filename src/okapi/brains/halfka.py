"""The network of Stockfish 15 as a brain, imported from its file and exported again.

Each side sees the pieces relative to its own king, 22,528 inputs, in 1,024 neurons. Those of the first half are
multiplied by those of the second; behind them one of eight stacks of three small layers, by the number of pieces.
Beside it, every input has a value in material for each stack. Stockfish scales the sum by the material left.
"""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.files import brain_file, read_tensors
from okapi.errors import WrongBrain
from okapi.formats.nnue_file import NEURONS, STACKS, NnueFile

KIND: Final = "halfka"
ENCODING: Final = "halfka-v2-mirrored"

OUTPUT: Final = 16
"""What the sum of material and layers is divided by."""
DIRECT: Final = (600 * OUTPUT, 127 * 64)
"""The last node of a stack's first layer counts by this fraction."""
PIECES: Final = np.array([0, 781, 825, 1276, 2538, 0])
"""Stockfish's values of knight, bishop, rook and queen: the material left."""
PAWN: Final = 361
"""Stockfish's units of a value of 100 centipawns."""


def tensors(network: NnueFile) -> dict[str, NDArray[Any]]:
    return {each.name: getattr(network, each.name) for each in fields(network)[1:]}


def network_brain(network: NnueFile, card: Mapping[str, str]) -> bytes:
    """The bytes of a brain with this network; `card` has at least a `name`."""
    about = {"kind": KIND, "encoding": ENCODING, "description": network.description}
    return brain_file({**card, **about}, tensors(network))


def import_network(path: Path, name: str) -> bytes:
    """The brain of a network file of Stockfish 15; its card says where it comes from."""
    network = NnueFile.open(path)
    card = {"name": name, "recipe": "imported", "parent": f"{path.name}: {network.description}"}
    return network_brain(network, card)


def export_network(path: Path) -> bytes:
    """The network file of Stockfish 15 for a brain of this kind, as it was imported; WrongBrain for others."""
    card = ModelCard.read(path)
    if card.kind != KIND:
        raise WrongBrain(
            f"brain `{card.name}` is of the kind `{card.kind}` and reads {card.encoding}: Stockfish reads networks of "
            f"the kind `{KIND}` alone, {ENCODING} with {NEURONS:,} neurons a side and {STACKS} layer stacks",
            hint="brains of `okapi brains import FILE.nnue` can be exported; `--out FILE.onnx` takes layered networks",
        )
    return NnueFile(card.metadata.get("description", ""), **read_tensors(path)).to_bytes()
