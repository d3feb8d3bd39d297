"""Under which conditions games are played, whoever plays them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from okapi.arena.adjudication import Adjudication
from okapi.arena.control import Control
from okapi.arena.fingerprint import file_hash, fingerprint
from okapi.arena.openings import BUILT_IN, load_openings
from okapi.arena.worker import Orders
from okapi.core import Position
from okapi.errors import UsageError

__all__ = ["Conditions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Everything that decides how a game goes, except who plays."""

    control: Control
    openings: str | None = None
    """A file; our own set if not given."""
    plies: int = 16
    """How far into the games of an opening file to go."""
    chess960: bool = False
    adjudication: Adjudication = field(default_factory=Adjudication)
    seed: int = 1
    """Shuffles the openings, and throws the dice of players that have some."""

    def starts(self, count: int | None = None) -> list[Position]:
        """Where the games begin, in the order of play; no more than `count`, because some books have millions."""
        found = load_openings(self.openings, plies=self.plies, seed=self.seed, chess960=self.chess960, count=count)
        if not self.chess960 and any(position.is_chess960() for position in found):
            raise UsageError(f"there are Chess960 positions in `{self.openings}`", hint="add --chess960")
        return found

    def settings(self, names: Sequence[str]) -> dict[str, str]:
        """What people want to know about the games, in few words."""
        openings = Path(self.openings).name if self.openings else "960 starts" if self.chess960 else "built in"
        return {"players": ", ".join(names), "limits": str(self.control), "openings": openings, "seed": str(self.seed)}

    def _orders_to(self, players: tuple[str, ...]) -> Orders:
        return Orders(
            players=players,
            control=self.control,
            adjudication=self.adjudication,
            chess960=self.chess960,
            seed=self.seed,
        )

    def _described(self, players: tuple[str, ...]) -> dict[str, Any]:
        book = BUILT_IN if self.openings is None and not self.chess960 else self.openings
        return {
            **asdict(self),
            "openings": "960 starts" if book is None else file_hash(Path(book)),
            "made_of": [fingerprint(player) for player in players],
        }
