"""One generation on the disk: where everything of it is, and what became of it."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from okapi.errors import InvalidText
from okapi.files import replace_file
from okapi.recipes.evolution import BRAIN

__all__ = ["Outcome", "Round"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a generation."""

    generation: int
    accepted: bool
    """Was it proved stronger than the champion, whose place it then has?"""
    positions: int
    """Its own, that were played."""
    learned_from: int
    """Different positions, those of the generations before and of the teacher among them."""
    validation_loss: float
    value_mae: float
    """The mean mistake in expected score on positions that it was not taught, against the values there."""
    games: int
    """Of the test."""
    elo: float
    low: float | None
    high: float | None
    verdict: str
    """Of the SPRT; `undecided` if all games were played without one."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """That the steps took."""

    @classmethod
    def read(cls, path: Path) -> "Outcome | None":
        """What a file says, if there is one."""
        if not path.exists():
            return None
        try:
            return cls(**json.loads(path.read_bytes()))
        except (ValueError, TypeError):
            raise InvalidText(f"`{path}` is damaged", hint="delete it: the test will be read again") from None


@dataclass(frozen=True, slots=True)
class Round:
    """Where everything of a generation is."""

    number: int
    folder: Path

    @classmethod
    def of(cls, campaign_folder: Path, number: int) -> "Round":
        """The folder is made, if it is not there."""
        folder = campaign_folder / f"{number:02}"
        folder.mkdir(parents=True, exist_ok=True)
        return cls(number, folder)

    @property
    def games(self) -> Path:
        """The champion's games, as samples."""
        return self.folder / "own.samples"

    @property
    def parts(self) -> Path:
        """The same, packed."""
        return self.folder / "own"

    @property
    def packed(self) -> Path:
        """What packing came to; there when it is done."""
        return self.folder / "packed.json"

    @property
    def training(self) -> Path:
        """Where the network is trained: here, or elsewhere and brought back."""
        return self.folder / "training"

    @property
    def order(self) -> Path:
        """The command that trains it, for another machine; its paths begin at the campaign's folder."""
        return self.folder / "train.sh"

    @property
    def brain(self) -> Path:
        """What was learned."""
        return self.folder / BRAIN

    @property
    def outcome(self) -> Path:
        """What became of it; there when that is proved."""
        return self.folder / "outcome.json"

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add up what a step takes, however often it is taken up again; a kill loses what it took this time."""
        begun, path = time.monotonic(), self.folder / "seconds.json"
        try:
            yield
        finally:
            seconds = self.seconds()
            seconds[step] = round(seconds.get(step, 0.0) + time.monotonic() - begun, 2)
            replace_file(path, json.dumps(seconds).encode())

    def seconds(self) -> dict[str, float]:
        """That steps took."""
        path = self.folder / "seconds.json"
        taken: dict[str, float] = json.loads(path.read_bytes()) if path.exists() else {}
        return taken
