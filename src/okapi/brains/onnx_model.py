"""ONNX models as bytes: as much of the format as networks of ours need, without the onnx package.

ONNX is protobuf: a message is a row of fields, each a tag (its number and how it is written) and its content.
The numbers are those of onnx.proto.
"""

import struct
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Attribute", "model", "node", "tensor"]

Attribute = int | float | Sequence[int]

IR_VERSION: Final = 8
OPSET: Final = 17
"""Understood by every ONNX Runtime since 1.12."""

FLOAT: Final = 1
"""TensorProto.DataType and AttributeProto.AttributeType both call it so; then INT and INTS of the latter."""
INT: Final = 2
INTS: Final = 7
INT64: Final = 7
"""TensorProto.DataType again."""


def model(nodes: Sequence[bytes], tensors: Sequence[bytes], inputs: Sequence[int], outputs: int) -> bytes:
    """The model that makes `outputs` numbers out of an `inputs` array, for as many rows as are put in.

    What goes in is called "input", what comes out "output".
    """
    graph = b"".join(
        [
            *(_field(1, a_node) for a_node in nodes),
            _field(2, b"okapi"),
            *(_field(5, a_tensor) for a_tensor in tensors),
            _field(11, _value("input", inputs)),
            _field(12, _value("output", (outputs,))),
        ]
    )
    opset = _field(2, OPSET)
    return _field(1, IR_VERSION) + _field(7, graph) + _field(8, opset)


def node(kind: str, inputs: Sequence[str], output: str, **attributes: Attribute) -> bytes:
    """One operation: what it is called in ONNX, the arrays it takes, and the one it makes."""
    return b"".join(
        [
            *(_field(1, name.encode()) for name in inputs),
            _field(2, output.encode()),
            _field(4, kind.encode()),
            *(_field(5, _attribute(name, value)) for name, value in attributes.items()),
        ]
    )


def tensor(name: str, values: NDArray[np.float32] | NDArray[np.int64]) -> bytes:
    """Numbers that are part of the model."""
    dims = b"".join(_field(1, side) for side in values.shape)
    kind, layout = (INT64, "<i8") if values.dtype == np.int64 else (FLOAT, "<f4")
    raw = np.ascontiguousarray(values, layout).tobytes()
    return dims + _field(2, kind) + _field(8, name.encode()) + _field(9, raw)


def _attribute(name: str, value: Attribute) -> bytes:
    match value:
        case int():
            content = _field(3, value) + _field(20, INT)
        case float():
            content = _tag(2, 5) + struct.pack("<f", value) + _field(20, FLOAT)
        case _:
            content = b"".join(_field(8, number) for number in value) + _field(20, INTS)
    return _field(1, name.encode()) + content


def _value(name: str, shape: Sequence[int]) -> bytes:
    """An array of so many rows as there are, each of this shape."""
    rows = _field(1, _field(2, b"rows"))
    dims = rows + b"".join(_field(1, _field(1, side)) for side in shape)
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, FLOAT) + _field(2, dims)))


def _field(number: int, content: int | bytes) -> bytes:
    if isinstance(content, int):
        return _tag(number, 0) + _varint(content)
    return _tag(number, 2) + _varint(len(content)) + content


def _tag(number: int, how: int) -> bytes:
    return _varint(number << 3 | how)


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)
