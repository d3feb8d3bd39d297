"""
The lessons of section 4.1: networks that learn a teacher's opinion, alike but for how they see the board.

The thesis does not say how large its networks were, nor how they learned. Those of one class here have about as many
weights, see the same positions as often, and learn in the same way.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from okapi.recipes.course import Lesson
from okapi.recipes.order import Size
from okapi.recipes.targets import Target, View
from okapi.training.supervised import Plan

__all__ = ["ENTRANTS", "Entrant", "entrants", "lessons"]

Weight = Literal["light", "heavy"]
"""As many weights as Giraffe of November 2015, or some seven times as many."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A way to see the board, and a network of a class that looks in this way."""

    name: str
    what: str
    encoding: str
    view: View
    """Whose value it tells."""
    model: str
    arguments: dict[str, Any]
    weight: Weight = "light"

    def lesson(self, size: Size, seed: int, parts: str) -> Lesson:
        """How it learns, on which split."""
        plan = Plan(
            model=f"okapi.models.modalities:{self.model}",
            arguments=self.arguments,
            encoding=self.encoding,
            loss="squared",
            optimiser={"name": "adam", "lr": 0.002},
            schedule={"name": "cosine", "warmup": 100},
            seed=seed,
            **LEARNING[size],
        )
        return Lesson(plan, Target.score(self.view), parts)


LEARNING: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {"batch": 128, "epochs": 1},
    "quick": {"batch": 256, "epochs": 4},
    "full": {"batch": 2048, "epochs": 30},
}

ENTRANTS: Final = (
    Entrant(
        "giraffe",
        "giraffe-363, modalities apart",
        "giraffe-363",
        "white",
        "apart",
        {"neurons": [19, 44, 26], "hidden": 64},
    ),
    Entrant(
        "giraffe-mover",
        "the same, the board turned for the mover",
        "giraffe-363-mover",
        "mover",
        "apart",
        {"neurons": [19, 44, 26], "hidden": 64},
    ),
    Entrant(
        "giraffe-mixed",
        "turned, modalities mixed from the start",
        "giraffe-363-mover",
        "mover",
        "together",
        {"inputs": 363, "hidden": [44, 64]},
    ),
    Entrant(
        "bitmap",
        "bitmap-768, the mover's pieces 1, the others −1",
        "bitmap-768",
        "mover",
        "together",
        {"inputs": 768, "hidden": [23, 64]},
    ),
    Entrant(
        "bitmap-mover",
        "a bitmap of the board turned for the mover",
        "planes-12",
        "mover",
        "together",
        {"inputs": 768, "hidden": [23, 64]},
    ),
    Entrant(
        "giraffe-heavy",
        "giraffe-363, turned, modalities apart",
        "giraffe-363-mover",
        "mover",
        "apart",
        {"neurons": [64, 256, 128], "hidden": 128},
        "heavy",
    ),
    Entrant(
        "bitmap-heavy",
        "a bitmap of the board turned for the mover",
        "planes-12",
        "mover",
        "together",
        {"inputs": 768, "hidden": [160, 64]},
        "heavy",
    ),
)
"""Who is compared."""


COMPARED: Final[dict[Size, tuple[str, ...]]] = {
    "tiny": ("giraffe", "bitmap"),
    "quick": tuple(entrant.name for entrant in ENTRANTS if entrant.weight == "light"),
    "full": tuple(entrant.name for entrant in ENTRANTS),
}


def entrants(size: Size) -> list[Entrant]:
    """Those of a size."""
    return [entrant for entrant in ENTRANTS if entrant.name in COMPARED[size]]


def lessons(size: Size, seed: int, parts: str) -> dict[str, Lesson]:
    """By name."""
    return {entrant.name: entrant.lesson(size, seed, parts) for entrant in entrants(size)}
