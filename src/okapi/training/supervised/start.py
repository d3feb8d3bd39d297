"""What training begins with, where that is a network that learned before."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from torch import nn

from okapi.errors import NotFound
from okapi.models.express import Expressed
from okapi.training.supervised.report import LEARNED, read_learned

__all__ = ["Start", "hold_norms", "lesson_of"]

LESSON: Final = "lesson:"


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A network, and the hash of its file."""

    network: Expressed
    fingerprint: str

    @classmethod
    def find(cls, name: str, folder: Path) -> Self:
        """What a plan in that folder means by its start: NotFound, InvalidText."""
        lesson = lesson_of(name)
        path = folder / name if lesson is None else folder.parent / lesson / LEARNED
        if not path.is_file():
            hint = "give a learned.npz" if lesson is None else f"have the lesson `{lesson}` first"
            raise NotFound(f"there is no network to start from at `{path}`", hint=hint)
        return cls(read_learned(path), hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest())


def lesson_of(start: str | None) -> str | None:
    """The lesson that a plan starts from, if it is one of the same course.

    >>> lesson_of("lesson:first"), lesson_of("first/learned.npz")
    ('first', None)
    """
    return start.removeprefix(LESSON) if start is not None and start.startswith(LESSON) else None


def hold_norms(model: nn.Module) -> None:
    """Let batch normalisation keep the statistics that it has, while everything else learns.

    What was folded away has none of its own any more, and those of a few samples would upset a network that works.
    """
    for module in model.modules():
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            module.eval()
