"""Matches of the thesis: two of our own searches, at equal nodes or at equal time."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from okapi.arena.match import Match, Report, hire_here, play_match
from okapi.arena.sprt import Sprt
from okapi.arena.time_control import Control
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes.lab import Lab

__all__ = ["Meeting", "play"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Two players, and what they play for."""

    key: str
    name: str
    """What is compared, in words."""
    first: str
    second: str
    control: Control
    games: int
    openings: str | None = None
    """A file; without one, our own set, from which long matches repeat themselves where no clock decides."""
    sprt: Sprt | None = None
    """A test that may end the match before all games are played."""


def play(lab: Lab, experiment: str, meeting: Meeting) -> dict[str, Any]:
    """What the first player got, for results. Games are kept in the lab's folder, and not played again."""
    folder = lab.folder / experiment
    folder.mkdir(parents=True, exist_ok=True)
    report = play_match(
        Match(
            first=meeting.first,
            second=meeting.second,
            control=meeting.control,
            openings=meeting.openings,
            seed=lab.seed,
        ),
        meeting.games,
        names=("first", "second"),
        sprt=meeting.sprt,
        store=folder / f"{meeting.key}.sqlite",
        hire=partial(hire_here, count=lab.executor.workers if isinstance(lab.executor, ThreadExecutor) else None),
        on_game=lambda now, _: lab.tell(
            f"{experiment}: {meeting.name}, game {now.games} of {meeting.games}: {now.wins}–{now.draws}–{now.losses}"
        ),
    )
    return {
        "key": meeting.key,
        "name": meeting.name,
        "first": meeting.first,
        "second": meeting.second,
        "control": str(meeting.control),
        **_told(report),
    }


def _told(report: Report) -> dict[str, Any]:
    about = report.as_json()
    efforts = [
        {
            "nodes": round(effort.nodes / max(effort.moves, 1)),
            "seconds": round(effort.seconds / max(effort.moves, 1), 4),
            "depth": round(effort.depth / max(effort.moves, 1), 1),
        }
        for effort in report.efforts
    ]
    return {
        **{key: about[key] for key in ("games", "wins", "draws", "losses", "score", "elo", "low", "high")},
        "verdict": about.get("sprt", {}).get("verdict"),
        "faults": sum(sum(each.values()) for each in about["faults"].values()),
        "efforts": efforts,
    }
