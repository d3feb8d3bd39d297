"""The paper's future work: the nets inside a full engine, rated on the ladder."""

from pathlib import Path
from typing import Any, Final

from okapi.arena.ladder import usable
from okapi.arena.time_control import TimeControl
from okapi.errors import NotFound
from okapi.papers.sheehan2016.courses import brain, has_weights, name_of, preferred, splits, taught
from okapi.papers.sheehan2016.reading import YARDSTICK
from okapi.recipes import rated
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size
from okapi.recipes.placed import place
from okapi.recipes.sheehan2016 import BETTER, LETTER, RESIDUAL, variants

__all__ = ["strength"]

GAMES: Final[dict[Size, int]] = {"tiny": 8, "quick": 8, "full": 120}
CLOCK: Final[dict[Size, str]] = {"tiny": "0.1+0.01", "quick": "0.5+0.01", "full": "10+0.1"}

PLAYERS: Final = (("Net A", LETTER), ("Net A", BETTER), ("Net C", BETTER), ("Ours", RESIDUAL))
"""Who is rated: the paper's best, the same with what it needed, without the differential, and our own."""


def strength(lab: Lab) -> dict[str, Any]:
    """A place on the ladder for each, with Okapi's whole search around it."""
    chosen = lab.chosen("strength", {"games": GAMES[lab.size], "tc": CLOCK[lab.size]})
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    control = TimeControl.from_text(chosen["tc"])
    rungs, _ = usable()
    rows = []
    for name, player in {YARDSTICK: YARDSTICK, **_players(lab)}.items():
        told = place(lab, "strength", name, f"alphabeta:{player}", games=chosen["games"], control=control, rungs=rungs)
        rows.append({"name": name, **told})
    return {
        "rows": rows,
        "conditions": f"{control}; {lab.executor.workers} games at a time",
        "rungs": [rung.name for rung in rungs],
    }


def _players(lab: Lab) -> dict[str, Path]:
    course, split = taught(lab), preferred(splits(lab))
    lessons = {
        f"{variant.net}, {variant.how}": name_of(variant, split)
        for variant in variants(lab.size, own=True)
        if (variant.net, variant.how) in PLAYERS
    }
    found = {name: brain(lab, course, lesson) for name, lesson in lessons.items() if has_weights(course, lesson)}
    if not found:
        raise NotFound("no net was taught yet", hint="--only networks")
    return found
