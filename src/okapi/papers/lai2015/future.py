"""Section 7.1: the thesis' own proposals, each against the same player without it, by a sequential test."""

from typing import Any, Final

from okapi.arena.sprt import Sprt
from okapi.arena.time_control import Control
from okapi.papers.lai2015.cast import CAST, Cast, cast
from okapi.papers.lai2015.matches import Meeting, play
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size

__all__ = ["future"]

GAMES: Final[dict[Size, int]] = {"tiny": 2, "quick": 20, "full": 10_000}
"""At most."""
NODES: Final[dict[Size, int]] = {"tiny": 100, "quick": 2_000, "full": 4_000}
CLOCK: Final[dict[Size, str]] = {"tiny": "0.1+0.01", "quick": "0.5+0.01", "full": "5+0.05"}

TEST: Final = Sprt(0, 5)

PROPOSALS: Final = {
    "time": ("a network that allots time", "time={value}", "clock"),
    "bounds": ("bounds instead of values", "bounds={value}", "clock"),
    "distilled": ("a smaller network, distilled", "", "clock"),
    "similarity": ("similarity of moves", "with={value}", "nodes"),
}
"""What each is called, what a player is told, and by what both are limited. A value of their setting tries them."""


def future(lab: Lab) -> dict[str, Any]:
    """Every proposal that has a value: brains by name or path, and for similarity the heuristic's name."""
    usual = {
        **CAST,
        "games": GAMES[lab.size],
        "nodes": NODES[lab.size],
        "tc": CLOCK[lab.size],
        **dict.fromkeys(PROPOSALS, ""),
        "similarity": "similarity",
    }
    chosen = lab.chosen("future", usual)
    who = cast(lab, chosen)
    if isinstance(who, str):
        return {"skipped": who}
    rows = [play(lab, "future", _meeting(who, key, chosen)) for key in PROPOSALS if chosen[key]]
    missing = [f"{PROPOSALS[key][0]} (--change future.{key}=BRAIN)" for key in PROPOSALS if not chosen[key]]
    return {"rows": rows, "missing": missing}


def _meeting(who: Cast, key: str, chosen: dict[str, Any]) -> Meeting:
    name, told, limit = PROPOSALS[key]
    usual = who.player("depth")
    changed = f"{usual},{told.format(value=chosen[key])}" if told else Cast(chosen[key], None).player("depth")
    return Meeting(
        key=key,
        name=name,
        first=changed,
        second=usual,
        control=Control(nodes=chosen["nodes"]) if limit == "nodes" else Control.from_text(chosen["tc"]),
        games=chosen["games"],
        openings=chosen["openings"] or None,
        sprt=TEST,
    )
