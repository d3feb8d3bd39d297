"""The networks in games: one move ahead as the paper played, then its future work, quiescence and a full search."""

from typing import Any, Final

from okapi.arena.ladder import usable
from okapi.arena.time_control import Control
from okapi.papers.sabatelli2018.kaufman import WAYS
from okapi.papers.sabatelli2018.names import PLAYING
from okapi.papers.sabatelli2018.pupils import pupils
from okapi.recipes import rated
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size
from okapi.recipes.placed import place

__all__ = ["strength"]

GAMES: Final[dict[Size, int]] = {"tiny": 8, "quick": 8, "full": 120}
CLOCK: Final[dict[Size, str]] = {"tiny": "0.1+0.01", "quick": "1+0.02", "full": "10+0.1"}

ONLY: Final[dict[Size, str]] = {"tiny": PLAYING["mlp-bitmap-4"], "quick": "player-score", "full": ""}
"""Who plays; everybody, where nobody is named."""


def strength(lab: Lab) -> dict[str, Any]:
    """A place on the ladder for each network in each way of playing. `ways` and `only` choose some of them."""
    usual = {"games": GAMES[lab.size], "tc": CLOCK[lab.size], "brains": "", "ways": "", "only": ONLY[lab.size]}
    chosen = lab.chosen("strength", usual)
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    if not (players := pupils(lab, chosen["brains"])):
        return {"skipped": "no network was taught yet, and none was named: --change strength.brains=NAME=PATH"}
    control = Control.from_text(chosen["tc"])
    rungs, _ = usable()
    rows = [
        {
            "name": name,
            "way": way.name,
            **place(
                lab,
                "strength",
                f"{name}, {way.name}",
                way.player.format(brain=brain),
                games=chosen["games"],
                control=control,
                rungs=rungs,
            ),
        }
        for name, brain in players.items()
        for way in WAYS
        if _wanted(chosen["only"], name) and _wanted(chosen["ways"], way.name)
    ]
    return {
        "rows": rows,
        "conditions": f"{control}, at most {lab.executor.workers} games at a time",
        "rungs": len(rungs),
    }


def _wanted(chosen: str, name: str) -> bool:
    """Is a name among those that were chosen, with commas between? All are where nothing was.

    >>> _wanted("", "depth 1"), _wanted("with search,depth 1", "depth 1"), _wanted("with search", "depth 1")
    (True, True, False)
    """
    return not chosen or name in chosen.split(",")
