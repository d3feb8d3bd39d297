"""What came of training a move network: its weights in a file that needs numpy alone."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from okapi.errors import InvalidText
from okapi.files import replace_file
from okapi.models.lai2015_moves import Design, MoveNetwork

__all__ = ["LEARNED", "read_network", "write_network"]

LEARNED: Final = "learned.npz"
DESIGN: Final = "design"
"""The array that holds the design, as the bytes of its JSON."""


def write_network(folder: Path, network: MoveNetwork) -> None:
    """Write learned.npz: the same network gives the same bytes."""
    arrays: dict[str, Any] = {name: tensor.cpu().numpy() for name, tensor in network.state_dict().items()}
    arrays[DESIGN] = np.frombuffer(json.dumps(network.design.as_json()).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    replace_file(folder / LEARNED, buffer.getvalue())


def read_network(place: Path) -> MoveNetwork:
    """The network that was learned in a folder, or the one in such a file: InvalidText."""
    path = place / LEARNED if place.is_dir() else place
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            network = MoveNetwork(Design.from_json(json.loads(arrays[DESIGN].tobytes())))
            tensors = {
                name: torch.from_numpy(arrays[name].astype(np.float32)) for name in arrays.files if name != DESIGN
            }
        network.load_state_dict(tensors)
        return network
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile) as error:
        raise InvalidText(f"`{path}` cannot be read: {error}", hint="train it again in an empty folder") from None
