"""The engine as a whole: a place on the ladder for Giraffe, and for what it was before it learned."""

from typing import Any, Final

from okapi.arena.ladder import usable
from okapi.arena.time_control import Control
from okapi.papers.lai2015.cast import CAST, Cast, cast
from okapi.recipes import rated
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size
from okapi.recipes.placed import place

__all__ = ["strength"]

GAMES: Final[dict[Size, int]] = {"tiny": 8, "quick": 8, "full": 120}
CLOCK: Final[dict[Size, str]] = {"tiny": "0.1+0.01", "quick": "0.5+0.01", "full": "10+0.1"}

YARDSTICK: Final = "material"
"""What it learned from in the beginning."""


def strength(lab: Lab) -> dict[str, Any]:
    """A place for each; `only` names some, with commas between."""
    chosen = lab.chosen("strength", {**CAST, "games": GAMES[lab.size], "tc": CLOCK[lab.size], "only": ""})
    who = cast(lab, chosen)
    if isinstance(who, str):
        return {"skipped": who}
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    control = Control.from_text(chosen["tc"])
    rungs, _ = usable()
    wanted = [name for name in chosen["only"].split(",") if name]
    rows = [
        {
            "name": name,
            "player": player,
            **place(lab, "strength", name, player, games=chosen["games"], control=control, rungs=rungs),
        }
        for name, player in _players(who).items()
        if not wanted or name in wanted
    ]
    return {
        "rows": rows,
        "conditions": f"{control}; {lab.executor.workers} games at a time",
        "rungs": [rung.name for rung in rungs],
    }


def _players(who: Cast) -> dict[str, str]:
    named = {"giraffe": who.player(), "giraffe by depth": who.player("depth"), YARDSTICK: f"alphabeta:{YARDSTICK}"}
    return {name: player for name, player in named.items() if name != "giraffe by depth" or who.moves is not None}
