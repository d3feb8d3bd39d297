"""Brains against Stockfish at known strengths: what they are worth on its scale, and how much one gained on another."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.arena.control import Control
from okapi.arena.match import hire_here
from okapi.arena.standings import Standings
from okapi.arena.tournament import Format, Pair, Tournament, play_tournament
from okapi.learn.crew import Threads
from okapi.papers.lab import Lab
from okapi.players.pipe import find_program

__all__ = ["LEVELS", "rated"]

LEVELS: Final = (1700, 1900, 2100, 2300)
"""The ratings at which the thesis had Rybka play."""


def rated(
    lab: Lab, name: str, brains: Mapping[str, Path], *, games: int, depth: int, levels: Sequence[int] = LEVELS
) -> dict[str, Any]:
    """Let each brain play so many games against Stockfish at each level, everybody looking `depth` plies ahead.

    The brains' search takes no shortcuts: so many plies are what they were in the papers. Games are kept in the lab's
    folder under `name`. The gain is that of the last brain over the first.
    """
    if find_program("stockfish") is None:
        return {"skipped": "stockfish is not installed"}
    opponents = {f"stockfish-{level}": level for level in levels}
    tournament = Tournament(
        players=(
            *(f"alphabeta:{path},without=shortcuts" for path in brains.values()),
            *(f"uci:stockfish{{UCI_LimitStrength=true,UCI_Elo={level}}}" for level in levels),
        ),
        format=name,
        control=Control(depth=depth),
        seed=lab.seed,
    )
    pairs = [(brain, len(brains) + level) for level in range(len(levels)) for brain in range(len(brains))]
    standings = play_tournament(
        tournament,
        games // 2,
        rules=Format(pairs=partial(_everybody, pairs)),
        names=[*brains, *opponents],
        anchors=opponents,
        store=lab.folder / f"{name}.sqlite",
        hire=partial(hire_here, count=lab.crew.hands if isinstance(lab.crew, Threads) else None),
        on_game=lambda now, _: lab.tell(f"{name}: game {now.games} of {games * len(pairs)}"),
    )
    ratings = standings.ratings()
    first, *_, last = brains
    gain = replace(standings, anchors={first: 0.0}).ratings()[last]
    return {
        "rows": [_rounded(asdict(ratings[row])) for row in sorted(ratings, key=lambda row: -ratings[row].elo)],
        "tallies": _tallies(standings, list(brains), list(opponents)),
        "gain": round(gain.elo, 1),
        "gain_low": round(gain.low, 1),
        "gain_high": round(gain.high, 1),
        "conditions": f"{depth} plies for everybody, ours without shortcuts; Stockfish by UCI_Elo; "
        f"{games} games against each level from the arena's openings, both colours; anchored at the levels",
    }


def _everybody(pairs: list[Pair], standings: Standings, number: int) -> list[Pair]:
    """Every round is the same."""
    return pairs


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    digits = {"elo": 1, "low": 1, "high": 1, "opposition": 1, "score": 4, "draws": 4}
    return {key: round(value, digits[key]) if key in digits else value for key, value in row.items()}


def _tallies(standings: Standings, brains: list[str], opponents: list[str]) -> dict[str, dict[str, list[int]]]:
    """Games won, drawn and lost by each brain against each opponent."""

    def tally(brain: int, opponent: int) -> list[int]:
        met = standings.met(brain, len(brains) + opponent)
        return [met.wins, met.draws, met.losses]

    return {brain: {other: tally(i, j) for j, other in enumerate(opponents)} for i, brain in enumerate(brains)}
