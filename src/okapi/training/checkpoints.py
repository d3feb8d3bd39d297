"""Where learning stands, in a file: written all at once, and refused if it is damaged."""

import io
import pickle
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import torch

from okapi.errors import InvalidText
from okapi.files import replace_file

__all__ = ["CHECKPOINT", "Kept"]

CHECKPOINT: Final = "checkpoint.pt"


class Kept:
    """What dataclasses are that a folder keeps; their fields are what torch can save."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def write(self, folder: Path) -> None:
        """All at once."""
        buffer = io.BytesIO()
        torch.save({field.name: getattr(self, field.name) for field in fields(self)}, buffer)
        replace_file(folder / CHECKPOINT, buffer.getvalue())

    @classmethod
    def found(cls, folder: Path) -> Self | None:
        """The one in a folder, if there is one; InvalidText if it is damaged."""
        path = folder / CHECKPOINT
        if not path.exists():
            return None
        try:
            return cls(**torch.load(path, map_location="cpu", weights_only=True))
        except (OSError, RuntimeError, ValueError, TypeError, EOFError, KeyError, pickle.UnpicklingError):
            raise InvalidText(f"`{path}` is damaged", hint="delete it; learning then begins anew") from None
