"""Learned weights as a file, float32: what travels between the machine that trains and the one that plays."""

import io
import zipfile
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor

from okapi.errors import InvalidText
from okapi.files import replace_file
from okapi.models.nnue import Nnue

__all__ = ["WEIGHTS", "read_weights", "write_weights"]

WEIGHTS: Final = "weights.npz"


def write_weights(path: Path, model: Nnue) -> None:
    """All at once; the same network gives the same bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{name: tensor.cpu().numpy() for name, tensor in model.state_dict().items()})
    replace_file(path, buffer.getvalue())


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of such a file, as a network takes them: InvalidText."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InvalidText(f"`{path}` holds no weights: {error}", hint="train again in an empty folder") from None
