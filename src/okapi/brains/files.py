"""Brain files: a model card and tensors written as safetensors, and tensors read."""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from okapi.brains.card import SCALE
from okapi.core import RawBrain
from okapi.errors import InvalidBrain
from okapi.files import replace_file as replace_file

Tensors: TypeAlias = Mapping[str, npt.NDArray[Any]]

FLOATS: Final = {"F32": "<f4", "F16": "<f2"}
WHOLE: Final = {"I8": "|i1", "I16": "<i2", "I32": "<i4"}
DTYPES: Final = FLOATS | WHOLE
"""The types of numbers in brains. Floats are read as float32."""

NEEDED: Final = ("name", "kind", "encoding")
"""The keys that every card has; the core refuses a brain without them."""


def brain_file(card: Mapping[str, str], tensors: Tensors, *, bits: Literal[8, 16, 32] = 32) -> bytes:
    """The bytes of a brain's file, a function of card and tensors alone.

    With `bits`, floats are rounded to 16-bit floats, or matrices to bytes with a scale for each row.
    """
    _check(card, tensors)
    if bits == 8:
        tensors = _as_bytes(tensors)
    header: dict[str, Any] = {"__metadata__": {"okapi": "1", **card}}
    data = b""
    for name, values in sorted(tensors.items()):
        dtype = f"I{8 * values.itemsize}"
        if values.dtype == np.float32:
            dtype = "F16" if bits < 32 and not name.endswith(SCALE) else "F32"
        raw = _raw(name, values, dtype)
        header[name] = {"dtype": dtype, "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    return _joined(header, data)


def with_card(content: bytes, entries: Mapping[str, str]) -> bytes:
    """The same brain with these entries in its card, beside those that it has."""
    header, data = _parts(content)
    header["__metadata__"] |= entries
    return _joined(header, data)


def _joined(header: Mapping[str, Any], data: bytes) -> bytes:
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def _parts(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and data of a brain's file: InvalidBrain if it is damaged."""
    RawBrain.from_bytes(content)
    start = 8 + struct.unpack_from("<Q", content)[0]
    return json.loads(content[8:start]), content[start:]


def write_brain(path: Path, card: Mapping[str, str], tensors: Tensors, *, bits: Literal[8, 16, 32] = 32) -> None:
    replace_file(path, brain_file(card, tensors, bits=bits))


def read_tensors(path: Path) -> dict[str, npt.NDArray[Any]]:
    RawBrain.open(str(path))  # raises InvalidBrain for a damaged file
    return tensors_of(path.read_bytes())


def tensors_of(content: bytes) -> dict[str, npt.NDArray[Any]]:
    """The tensors of the content of a brain's file, by name."""
    header, data = _parts(content)
    header.pop("__metadata__", None)
    found = {name: _tensor(name, entry, data) for name, entry in header.items()}
    for name in [name for name in found if f"{name}{SCALE}" in found and found[name].dtype == np.int8]:
        with np.errstate(all="ignore"):  # a damaged scale
            found[name] = found[name] * _column(found.pop(f"{name}{SCALE}"), found[name])
    return found


def _as_bytes(tensors: Tensors) -> dict[str, npt.NDArray[Any]]:
    """Matrices as bytes with a scale for each row: the largest number of a row becomes 127 or -127."""
    found = dict(tensors)
    for name, values in tensors.items():
        if values.dtype == np.float32 and values.ndim > 1 and values.size:
            largest = np.abs(values).reshape(len(values), -1).max(axis=1)
            scale = np.where(largest > 0, largest / 127, 1).astype(np.float32)
            found[name] = np.rint(values / _column(scale, values)).astype(np.int8)
            found[f"{name}{SCALE}"] = scale
    return found


def _column(scale: npt.NDArray[Any], values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """One number for each row, in the shape that rows are multiplied by."""
    return scale.reshape(-1, *[1] * (values.ndim - 1))


def _raw(name: str, values: npt.NDArray[Any], dtype: str) -> bytes:
    with np.errstate(over="ignore"):
        stored = np.ascontiguousarray(values, DTYPES[dtype])
    if not np.isfinite(stored).all():
        raise InvalidBrain(f"tensor `{name}` has numbers too large for {dtype}", hint="save it as float32: bits=32")
    return stored.tobytes()


def _tensor(name: str, entry: Mapping[str, Any], data: bytes) -> npt.NDArray[Any]:
    if entry["dtype"] not in DTYPES:
        what = f"tensor `{name}` is {entry['dtype']} where {', '.join(DTYPES)} are known"
        raise InvalidBrain(what, hint="save it as float32")
    begin, end = entry["data_offsets"]
    numbers = np.frombuffer(data[begin:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return numbers.astype(np.float32) if entry["dtype"] in FLOATS else numbers.copy()


def _check(card: Mapping[str, str], tensors: Tensors) -> None:
    missing = [key for key in NEEDED if not card.get(key)]
    if missing:
        raise InvalidBrain(f"a brain's card has no {', '.join(missing)}", hint="give it to brain_file")
    for name, values in tensors.items():
        if name == "__metadata__" or values.dtype not in (np.float32, np.int8, np.int16, np.int32):
            hint = "brains hold float32, int8, int16 and int32, and no `__metadata__`"
            raise InvalidBrain(f"tensor `{name}` is {values.dtype}", hint=hint)
        if not np.isfinite(values).all():
            raise InvalidBrain(f"tensor `{name}` holds a number that is not finite", hint="training diverged")
