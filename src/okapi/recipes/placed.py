"""Players placed on the ladder (okapi.arena.ladder): games with a clock, in which a large network pays for its size."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from okapi.arena.ladder import LadderRating, Rung, climb
from okapi.arena.match import local_workers
from okapi.arena.time_control import TimeControl
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes.lab import Lab

__all__ = ["place"]


def place(
    lab: Lab, experiment: str, name: str, player: str, *, games: int, control: TimeControl, rungs: Sequence[Rung]
) -> dict[str, Any]:
    """Where a player stands, for a result: elo, low, high, games, score, and whom it met.

    Games are kept in the lab's folder under the experiment's name, and not played again.
    """
    folder = lab.folder / experiment
    folder.mkdir(parents=True, exist_ok=True)
    stem = "".join(letter if letter.isalnum() else "-" for letter in name)
    placing = climb(
        player,
        games,
        control,
        name=name,
        rungs=rungs,
        seed=lab.seed,
        store=folder / f"{stem}.sqlite",
        make_workers=partial(
            local_workers, count=lab.executor.workers if isinstance(lab.executor, ThreadExecutor) else None
        ),
        on_game=lambda now, _: lab.tell(f"{experiment}: {name}, game {now.games} of about {games}"),
    )
    return _told(placing)


def _told(placing: LadderRating) -> dict[str, Any]:
    bounds = {"elo": placing.elo, "low": placing.low, "high": placing.high}
    return {
        **{key: round(value, 1) if math.isfinite(value) else None for key, value in bounds.items()},
        "games": placing.games,
        "score": round(placing.score, 4),
        "met": {step.rung.name: [step.games, round(step.score, 4)] for step in placing.steps},
    }
