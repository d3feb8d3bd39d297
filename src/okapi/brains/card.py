"""What a brain says about itself: the metadata of its safetensors file."""

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from okapi.errors import InvalidBrain

__all__ = ["ModelCard"]

LONGEST_HEADER = 100_000_000
"""Bytes; the limit that the safetensors library itself has."""


RENAMED = {"incremental": "nnue"}
"""Kinds as files of earlier versions have them, and as they are called now."""

LAYERED_KINDS = ("convolutional", "perceptron")
"""Kinds of brains whose card lists the layers of one network."""

PREDICTING = ("moves", "squares", "priors")
"""The forms of output that predict moves: pairs of squares at once, the piece first and then where it goes, or each
legal move by itself."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Kind, encoding, recipe, data and strength of a brain, as far as its file tells."""

    name: str
    kind: str
    encoding: str
    path: Path
    size: int
    """Bytes of the file."""
    weights: int
    """Numbers in it."""
    tensors: Mapping[str, tuple[int, ...]]
    """The shape of each array."""
    metadata: Mapping[str, str]
    """Everything that the file says, as it says it."""

    @classmethod
    def read(cls, path: Path) -> "ModelCard":
        """Read the header of a safetensors file, and nothing else of it."""
        header = _header(path)
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict) or "okapi" not in metadata or "kind" not in metadata:
            raise InvalidBrain(
                f"`{path.name}` is a safetensors file, but no brain: its metadata has no `okapi` and `kind`",
                hint="brains are made by okapi's learners",
            )
        try:
            shapes = {name: tuple(int(n) for n in tensor["shape"]) for name, tensor in header.items()}
        except (KeyError, TypeError, ValueError):
            raise InvalidBrain(f"the header of `{path.name}` is damaged: a tensor has no shape") from None
        return cls(
            name=str(metadata.get("name", path.stem)),
            kind=RENAMED.get(str(metadata["kind"]), str(metadata["kind"])),
            encoding=str(metadata.get("encoding", "")),
            path=path,
            size=path.stat().st_size,
            weights=sum(math.prod(shape) for shape in shapes.values()),
            tensors=shapes,
            metadata={str(key): str(value) for key, value in metadata.items()},
        )

    @property
    def predicts_moves(self) -> bool:
        """Does it say which move would be played? Others say what a position is worth."""
        output = self.details().get("output")
        return isinstance(output, dict) and output.get("form") in PREDICTING

    def details(self) -> dict[str, Any]:
        """The metadata, with JSON inside it parsed, and the kind by its present name."""
        return {key: _unfolded(text) for key, text in self.metadata.items()} | {"kind": self.kind}


def _header(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            length = struct.unpack("<Q", file.read(8))[0]
            if length > min(LONGEST_HEADER, path.stat().st_size):
                raise InvalidBrain(f"`{path.name}` is not a safetensors file", hint="brains end in .safetensors")
            header = json.loads(file.read(length))
    except OSError as error:
        raise InvalidBrain(f"`{path}` cannot be read: {error.strerror}") from None
    except (struct.error, ValueError, RecursionError):
        raise InvalidBrain(f"`{path.name}` is not a safetensors file", hint="brains end in .safetensors") from None
    if not isinstance(header, dict):
        raise InvalidBrain(f"`{path.name}` is not a safetensors file", hint="brains end in .safetensors")
    return header


def _unfolded(text: str) -> Any:
    try:
        return json.loads(text) if text[:1] in "[{" else text
    except (ValueError, RecursionError):
        return text
