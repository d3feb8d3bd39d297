"""What a training leaves in its folder: report.json, the curves in metrics.csv, and the network in learned.npz."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidText, UsageError
from okapi.files import replace_file
from okapi.models import current_name
from okapi.models.express import Expressed

REPORT_FILE: Final = "report.json"
NETWORK_FILE: Final = "learned.npz"
METRICS_FILE: Final = "metrics.csv"
LAYERS: Final = "layers"  # the array of learned.npz that holds the list of layers
SCALE: Final = ".scale"  # suffix of the factors, one a row, of a tensor that is stored as bytes
LARGE: Final = 1 << 22  # a dense layer with so many weights is stored as bytes in a compact file


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The result of a training. Each set has count and loss; accuracy, near and confusion; or mse and mae."""

    epochs: int
    best_epoch: int  # the epoch with the lowest validation loss, whose weights were kept
    seconds: float
    samples_per_second: float
    device: str
    busy: float | None  # the share of time in which the GPU worked, if it is known
    train: Mapping[str, Any]  # of a sample of the training set
    validation: Mapping[str, Any]
    test: Mapping[str, Any]
    curve: Sequence[Mapping[str, Any]]  # the lines of metrics.csv, one an evaluation
    about: Mapping[str, Any] = field(default_factory=dict)  # settings, hashes of the data and of the first weights

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """The one in a folder, if a training is finished there: InvalidText."""
        path = folder / REPORT_FILE
        if not path.exists():
            return None
        try:
            found = json.loads(path.read_bytes())
            return cls(**{**found, "about": current_identity(found.get("about", {}))})
        except (OSError, ValueError, TypeError) as error:
            raise InvalidText(f"`{path}` is no report: {error}", hint="delete the folder") from None

    def write(self, folder: Path) -> None:
        replace_file(folder / REPORT_FILE, json.dumps(asdict(self), indent=1).encode())


def current_identity(about: Mapping[str, Any]) -> dict[str, Any]:
    """The identity of a training as okapi 0.9 and before wrote it, with the names of today."""
    names = {"plan": "config", "start": "warm_start"}
    found = {names.get(name, name): value for name, value in about.items()}
    return {**found, "config": current_settings(found["config"])} if "config" in found else found


def current_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as okapi 0.9 and before wrote them, with the names of today: `start=lesson:a` is `warm_start=job:a`."""
    found = {"warm_start" if name == "start" else name: value for name, value in config.items()}
    if isinstance(found.get("warm_start"), str):
        found["warm_start"] = re.sub("^lesson:", "job:", found["warm_start"])
    if "model" in found:
        found["model"] = current_name(found["model"])
    return found


def refuse_settings(
    folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any], free: Collection[str] = ()
) -> None:
    """UsageError if a folder was begun with other settings than those wanted; those that are `free` may differ."""
    for name in sorted({*found, *wanted} - set(free)):
        if found.get(name) != wanted.get(name):
            differ = f"{name} {found.get(name)}, not {wanted.get(name)}"
            hint = "choose another folder, or repeat the command with the same settings"
            raise UsageError(f"`{folder}` was begun with other settings: {differ}", hint=hint)


def write_metrics(folder: Path, curve: Sequence[Mapping[str, Any]]) -> None:
    if not curve:
        return
    text = io.StringIO()
    writer = csv.DictWriter(text, list(curve[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(curve)
    replace_file(folder / METRICS_FILE, text.getvalue().encode())


def write_network(place: Path, expressed: Expressed) -> None:
    """Write learned.npz in a folder, or a file like it: tensors and layers. The same network gives the same bytes."""
    write_arrays(_file(place), expressed.tensors, layers=expressed.layers)


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], **described: Any) -> None:
    """Write an .npz: arrays, and what describes them as the bytes of its JSON."""
    texts = {name: np.frombuffer(json.dumps(what).encode(), np.uint8) for name, what in described.items()}
    replace_file(path, _npz({**arrays, **texts}))


@contextmanager
def open_arrays(place: Path) -> Iterator[Mapping[str, NDArray[Any]]]:
    """The arrays of a learned.npz, in a training's folder or in a file: InvalidText if they cannot be read or used."""
    path = _file(place)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            yield arrays
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile) as error:
        raise InvalidText(f"`{path}` cannot be read: {error}", hint="train it again in an empty folder") from None


def compact_network(content: bytes) -> bytes:
    """The content of a learned.npz in float16, and the largest dense layers in bytes with a scale a row."""
    compact: dict[str, NDArray[Any]] = {}
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        for name in arrays.files:
            array = arrays[name]
            if array.ndim == 2 and array.size >= LARGE:
                scale = np.maximum(np.abs(array).max(axis=1), 1e-12) / 127
                compact |= {name: np.rint(array / scale[:, None]).astype(np.int8), name + SCALE: scale}
            else:
                compact[name] = array.astype(np.float16) if array.dtype == np.float32 else array
    return _npz(compact)


def read_network(place: Path) -> Expressed:
    """The network in a training's folder or in a file: InvalidText."""
    with open_arrays(place) as arrays:
        scales = {name: arrays[name][:, None] for name in arrays if name.endswith(SCALE)}
        names = [name for name in arrays if name != LAYERS and name not in scales]
        tensors = {name: arrays[name].astype(np.float32) * scales.get(name + SCALE, 1) for name in names}
        return Expressed(json.loads(arrays[LAYERS].tobytes()), tensors)


def _npz(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _file(place: Path) -> Path:
    return place / NETWORK_FILE if place.is_dir() else place
