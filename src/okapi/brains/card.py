"""The model card of a brain: the metadata of its safetensors file."""

import json
import math
import struct
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from okapi.errors import InvalidBrain, WrongBrain

LONGEST_HEADER = 100_000_000
"""Bytes; the limit of the safetensors library."""

SCALE = ".scale"
"""Behind the name of a tensor of bytes: the factors of its rows. Such a tensor is read as float32."""

RENAMED = {"incremental": "nnue"}
"""Kinds in files of earlier versions, and their names today."""

LAYERED_KINDS = ("convolutional", "perceptron")
"""Kinds of brains whose card lists the layers of one network."""

PREDICTING = ("moves", "squares", "priors")
"""The forms of output that predict moves: pairs of squares, first the piece and then its target, or legal moves."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Kind, encoding, recipe, data and strength of a brain."""

    name: str
    kind: str
    encoding: str
    path: Path
    size: int
    """In bytes."""
    weights: int
    tensors: Mapping[str, tuple[int, ...]]
    metadata: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> "ModelCard":
        """Read the header of a safetensors file, not the tensors."""
        header = _header(path)
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict) or "okapi" not in metadata or "kind" not in metadata:
            what = f"`{path.name}` is a safetensors file, but no brain: its metadata has no `okapi` and `kind`"
            raise InvalidBrain(what, hint="`okapi train` makes brains")
        try:
            shapes = {name: tuple(int(n) for n in tensor["shape"]) for name, tensor in header.items()}
        except (KeyError, TypeError, ValueError, OverflowError):
            raise InvalidBrain(f"the header of `{path.name}` is damaged: a tensor has no shape") from None
        return cls(
            name=str(metadata.get("name", path.stem)),
            kind=RENAMED.get(str(metadata["kind"]), str(metadata["kind"])),
            encoding=str(metadata.get("encoding", "")),
            path=path,
            size=path.stat().st_size,
            weights=sum(math.prod(shape) for name, shape in shapes.items() if not name.endswith(SCALE)),
            tensors=shapes,
            metadata={str(key): str(value) for key, value in metadata.items()},
        )

    @classmethod
    def of_kind(cls, path: Path, kind: str) -> "ModelCard":
        """The same; WrongBrain for a brain of another kind."""
        card = cls.read(path)
        if card.kind != kind:
            raise WrongBrain(f"brain `{card.name}` is of the kind `{card.kind}`, not `{kind}`")
        return card

    @property
    def predicts_moves(self) -> bool:
        """Whether it predicts moves; other brains evaluate positions."""
        output = self.details().get("output")
        return isinstance(output, dict) and output.get("form") in PREDICTING

    @property
    def evaluates(self) -> bool:
        """Whether it has a value for a position; others predict moves, or the time that a move needs."""
        return self.kind != "time" and not self.predicts_moves

    def details(self) -> dict[str, Any]:
        """The metadata, with JSON inside it parsed, and the kind by its present name."""
        return {key: _unfolded(text) for key, text in self.metadata.items()} | {"kind": self.kind}


def _header(path: Path) -> dict[str, Any]:
    wrong = InvalidBrain(f"`{path.name}` is not a safetensors file", hint="brains end in .safetensors")
    try:
        with path.open("rb") as file:
            length = struct.unpack("<Q", file.read(8))[0]
            if length > min(LONGEST_HEADER, path.stat().st_size):
                raise wrong
            header = json.loads(file.read(length))
    except OSError as error:
        raise InvalidBrain(f"`{path}` cannot be read: {error.strerror}") from None
    except (struct.error, ValueError, RecursionError):
        raise wrong from None
    if not isinstance(header, dict):
        raise wrong
    return header


def _unfolded(text: str) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(text) if text[:1] in "[{" else text
    return text
