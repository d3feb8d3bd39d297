"""Section 5.4: probability-limited against depth-limited search, naive and at their best, at equal nodes and time."""

from typing import Any, Final

from okapi.arena.time_control import Control
from okapi.papers.lai2015.cast import CAST, Cast, cast
from okapi.papers.lai2015.matches import Meeting, play
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size

__all__ = ["shapes"]

GAMES: Final[dict[Size, int]] = {"tiny": 4, "quick": 40, "full": 3_000}
NODES: Final[dict[Size, int]] = {"tiny": 200, "quick": 2_000, "full": 10_000}
CLOCK: Final[dict[Size, str]] = {"tiny": "0.1+0.01", "quick": "1+0.01", "full": "5+0.05"}

NAIVE: Final = "all"
"""Heuristics that a naive search is without."""


def shapes(lab: Lab) -> dict[str, Any]:
    """Every match, from the side of probability. `only` names some of them, with commas between."""
    usual = {
        **CAST,
        "games": GAMES[lab.size],
        "timed_games": 0,
        "nodes": NODES[lab.size],
        "tc": CLOCK[lab.size],
        "naive": NAIVE,
        "only": "",
    }
    chosen = lab.chosen("shapes", usual)
    who = cast(lab, chosen)
    if isinstance(who, str):
        return {"skipped": who}
    wanted = [key for key in chosen["only"].split(",") if key]
    meetings = [meeting for meeting in _meetings(who, chosen) if not wanted or meeting.key in wanted]
    return {"brain": who.brain, "rows": [play(lab, "shapes", meeting) for meeting in meetings]}


def _meetings(who: Cast, chosen: dict[str, Any]) -> list[Meeting]:
    nodes, clock = Control(nodes=chosen["nodes"]), Control.from_text(chosen["tc"])
    timed = chosen["timed_games"] or chosen["games"]
    found = []
    for way, without in (("naive", chosen["naive"]), ("best", "")):
        for shape, called in (("even", "even probabilities"), ("shares", "Giraffe's shares")):
            for limit, control, games in (("nodes", nodes, chosen["games"]), ("time", clock, timed)):
                found.append(
                    Meeting(
                        key=f"{way}_{shape}_{limit}",
                        name=f"{way}: {called} against depth, equal {limit}",
                        first=who.player(shape, without),
                        second=who.player("depth", without),
                        control=control,
                        games=games,
                        openings=chosen["openings"] or None,
                    )
                )
    return found
