"""What came of training: the report, the curves, and the network as it was learned."""

import csv
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidText
from okapi.files import replace_file
from okapi.models.express import Expressed

__all__ = ["LEARNED", "METRICS", "REPORT", "Report", "lightened", "read_learned", "write_learned", "write_metrics"]

REPORT: Final = "report.json"
LEARNED: Final = "learned.npz"
METRICS: Final = "metrics.csv"
LAYERS: Final = "layers"
"""The array of learned.npz that holds the list of layers, as the bytes of its JSON."""

SCALE: Final = ".scale"
"""Behind the name of a tensor of bytes: what a row of them is to be multiplied by."""

LARGE: Final = 1 << 22
"""Weights of a dense layer that may travel as bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The end of training. Each part tells count and loss; accuracy, near and confusion; or mse and mae."""

    epochs: int
    best_epoch: int
    """The one whose weights were kept: it had the best loss on the validation samples."""
    seconds: float
    samples_per_second: float
    device: str
    busy: float | None
    """The share of time in which the GPU worked."""
    train: Mapping[str, Any]
    """Of some training samples."""
    validation: Mapping[str, Any]
    test: Mapping[str, Any]
    curve: Sequence[Mapping[str, Any]]
    """An entry for each epoch: what metrics.csv says."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """The plan, and the fingerprints of what was taught and of what it started from."""

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """The one in a folder, if training has come to its end there."""
        path = folder / REPORT
        if not path.exists():
            return None
        try:
            return cls(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError) as error:
            raise InvalidText(f"`{path}` is no report: {error}", hint="delete the folder") from None

    def write(self, folder: Path) -> None:
        """All at once."""
        replace_file(folder / REPORT, json.dumps(asdict(self), indent=1).encode())


def write_metrics(folder: Path, curve: Sequence[Mapping[str, Any]]) -> None:
    """metrics.csv: a line for each epoch, if there was one."""
    if not curve:
        return
    text = io.StringIO()
    writer = csv.DictWriter(text, list(curve[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(curve)
    replace_file(folder / METRICS, text.getvalue().encode())


def write_learned(place: Path, expressed: Expressed) -> None:
    """learned.npz in a folder, or a file like it: tensors and layers. The same network gives the same bytes."""
    buffer = io.BytesIO()
    layers = np.frombuffer(json.dumps(expressed.layers).encode(), np.uint8)
    arrays: dict[str, Any] = {**expressed.tensors, LAYERS: layers}
    np.savez(buffer, **arrays)
    replace_file(_file(place), buffer.getvalue())


def lightened(content: bytes) -> bytes:
    """A learned.npz that is smaller: numbers of half the size, in the largest dense layers bytes with a scale a row."""
    buffer = io.BytesIO()
    light: dict[str, NDArray[Any]] = {}
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        for name in arrays.files:
            array = arrays[name]
            if array.ndim == 2 and array.size >= LARGE:
                scale = np.maximum(np.abs(array).max(axis=1), 1e-12) / 127
                light |= {name: np.rint(array / scale[:, None]).astype(np.int8), name + SCALE: scale}
            else:
                light[name] = array.astype(np.float16) if array.dtype == np.float32 else array
    np.savez(buffer, **light)  # type: ignore[arg-type]
    return buffer.getvalue()


def read_learned(place: Path) -> Expressed:
    """The network that was learned in a folder, or the one in such a file: InvalidText."""
    path = _file(place)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            scales = {name: arrays[name][:, None] for name in arrays.files if name.endswith(SCALE)}
            tensors = {
                name: arrays[name].astype(np.float32) * scales.get(name + SCALE, 1)
                for name in arrays.files
                if name != LAYERS and name not in scales
            }
            return Expressed(json.loads(arrays[LAYERS].tobytes()), tensors)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InvalidText(f"`{path}` cannot be read: {error}", hint="train it again in an empty folder") from None


def _file(place: Path) -> Path:
    return place / LEARNED if place.is_dir() else place
