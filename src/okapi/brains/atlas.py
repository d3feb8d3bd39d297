"""A map of a brain's mind: positions that it sees alike lie side by side, and others find their place among them.

The map is made once, by t-SNE (okapi.recipes.atlas), and lies as NAME.atlas beside the brain it belongs to. It is a
safetensors file of five arrays, in half precision:

points       [m, 2]      where each position of the map lies
values       [m]         how much the brain likes it for the mover: the share of all others that it likes less, 0 to 1
mean         [w]         of what the brain's last hidden layer says about all of them
directions   [w, d]      along which they differ most
features     [m, d]      how far each lies along these

Not imported by `okapi.brains` itself, which works without numpy.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find
from okapi.brains.card import ModelCard
from okapi.brains.features import Features
from okapi.brains.writing import brain_file, read_tensors
from okapi.errors import InvalidBrain, WrongBrain
from okapi.files import replace_file

__all__ = ["Atlas"]

Floats = NDArray[np.float32]

ATLAS: Final = "atlas"
"""What the card of a map says under `kind`."""

NEIGHBOURS: Final = 8
"""Among so many of the nearest points a new one finds its place."""

AGAIN: Final = "make it again with scripts/make_atlas.py"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Atlas:
    """Points on a map, and what is needed to find the place of others. Arrays as the module says."""

    brain: Path
    """The file of the brain whose mind it shows."""
    points: Floats
    values: Floats
    mean: Floats
    directions: Floats
    features: Floats
    _eyes: list[Features] = field(default_factory=list, init=False, repr=False)
    """The brain's network, once somebody asked for a place."""

    @classmethod
    def open(cls, path: Path, brain: Path | None = None) -> Self:
        """Read a map, of the brain that lies beside it, or of another file: InvalidBrain says what is wrong."""
        brain = find(str(brain or path.with_suffix(".safetensors")))
        card = ModelCard.read(path)
        if card.kind != ATLAS:
            raise WrongBrain(f"`{path.name}` is no atlas: its kind is {card.kind}", hint=AGAIN)
        if card.metadata.get("brain_hash") != _hash(brain):
            raise WrongBrain(f"`{path.name}` is a map of another brain than `{brain.name}`", hint=AGAIN)
        arrays = read_tensors(path)
        try:
            atlas = cls(brain=brain, **arrays)
        except TypeError:
            raise InvalidBrain(f"`{path.name}` is damaged: it has the arrays {', '.join(arrays)}", hint=AGAIN) from None
        atlas._check(path.name)
        return atlas

    def write(self, path: Path) -> None:
        """Write it, all at once."""
        about = ModelCard.read(self.brain)
        card = {
            "name": f"map of {about.name}",
            "kind": ATLAS,
            "encoding": about.encoding,
            "brain_hash": _hash(self.brain),
        }
        arrays = {name: np.asarray(getattr(self, name), np.float32) for name in ARRAYS}
        replace_file(path, brain_file(card, arrays, half=True))

    def place(self, positions: NDArray[np.void]) -> Floats:
        """Where packed positions lie on the map: among their nearest neighbours, the nearer the more."""
        if not len(positions):
            return np.zeros((0, 2), np.float32)
        if not self._eyes:
            self._eyes.append(Features(self.brain))
        seen = (self._eyes[0].of(positions) - self.mean) @ self.directions
        squares = (seen**2).sum(axis=1)[:, None] + (self.features**2).sum(axis=1) - 2 * seen @ self.features.T
        count = min(NEIGHBOURS, len(self.points))
        nearest = np.argpartition(squares, count - 1, axis=1)[:, :count]
        away = np.maximum(np.take_along_axis(squares, nearest, axis=1), 0)
        # The nearest decides the scale, so that a position far from all still lies near the least far.
        weights = 1 / (away + 0.1 * away.min(axis=1, keepdims=True) + 1e-6)
        placed = (self.points[nearest] * weights[:, :, None]).sum(axis=1) / weights.sum(axis=1, keepdims=True)
        return np.asarray(placed, np.float32)

    def _check(self, name: str) -> None:
        count, across = self.features.shape if self.features.ndim == 2 else (0, 0)
        wanted = {
            "points": (count, 2),
            "values": (count,),
            "mean": (len(self.mean),),
            "directions": (len(self.mean), across),
            "features": (count, across),
        }
        for array, shape in wanted.items():
            if not count or getattr(self, array).shape != shape:
                raise InvalidBrain(f"`{name}` is damaged: its {array} do not fit the others", hint=AGAIN)


ARRAYS: Final = ("points", "values", "mean", "directions", "features")


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
