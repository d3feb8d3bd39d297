"""The opponents that the board offers by name, weakest first. Their ratings are measured: bench/uci_elo.py."""

import json
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

RATINGS: Final = Path(__file__).with_name("opponents.json")
"""By name: rating, low, high, games and the specification that played them; of those that were measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """A player of one strength on every machine: limited by depth, nodes or a rating, never by time."""

    name: str
    sentence: str
    player: str = "alphabeta"
    """A kind of player, or a brain that predicts moves."""
    brain: str | None = None
    elo: int | None = None
    """The rating of the people whose moves are predicted."""
    depth: int | None = None
    nodes: int | None = None

    @property
    def spec(self) -> str:
        """As in `okapi match`."""
        limits = {name: getattr(self, name) for name in ("elo", "depth", "nodes")}
        kind = f"{self.player}:{self.brain}" if self.brain else f"top-prob:{self.player}"
        return kind + "".join(f",{name}={value}" for name, value in limits.items() if value is not None)

    def as_json(self) -> dict[str, Any]:
        """For the board: all of it, and the measured rating, which is None until it is measured as it is now."""
        rated = ratings().get(self.name, {})
        known = rated if rated.get("spec") == self.spec else {}
        return {**asdict(self), **{key: known.get(key) for key in ("rating", "low", "high", "games")}}


TABLE: Final = tomllib.loads(Path(__file__).with_name("opponents.toml").read_text(encoding="utf-8"))
OPPONENTS: Final = tuple(Opponent(name=name, **fields) for name, fields in TABLE.items())


@cache
def ratings() -> dict[str, dict[str, Any]]:
    return dict(json.loads(RATINGS.read_bytes())) if RATINGS.exists() else {}
