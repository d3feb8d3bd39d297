"""Brains against Stockfish at known strengths: what they are worth on its scale, and how much one gained on another."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.arena.match import local_workers
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Pair, Tournament, TournamentFormat, play_tournament
from okapi.optimize.executor import ThreadExecutor
from okapi.players.process import find_program
from okapi.recipes.lab import Lab

__all__ = ["conditions", "gain", "is_installed", "meet", "rows", "tallies"]

DIGITS: Final = {"elo": 1, "low": 1, "high": 1, "opposition": 1, "score": 4, "draws": 4}


def is_installed() -> bool:
    """Is there somebody to be rated by?"""
    return find_program("stockfish") is not None


def meet(
    lab: Lab, name: str, brains: Mapping[str, Path], levels: Sequence[int], *, games: int, depth: int
) -> Standings:
    """Let each brain play so many games against Stockfish at each level, everybody looking `depth` plies ahead.

    The brains' search takes no shortcuts: so many plies are then what they are in papers. Games are kept in the lab's
    folder under `name`, and not played again.
    """
    pairs = [(brain, len(brains) + level) for level in range(len(levels)) for brain in range(len(brains))]
    strengths = {f"stockfish-{level}": float(level) for level in levels}
    return play_tournament(
        Tournament(
            players=(
                *(f"alphabeta:{path},without=shortcuts" for path in brains.values()),
                *(f"uci:stockfish{{UCI_LimitStrength=true,UCI_Elo={level}}}" for level in levels),
            ),
            format=name,
            control=TimeControl(depth=depth),
            seed=lab.seed,
        ),
        games // 2,
        rules=TournamentFormat(pairs=partial(_every_round, pairs)),
        names=[*brains, *strengths],
        anchors=strengths,
        store=lab.folder / f"{name}.sqlite",
        make_workers=partial(
            local_workers, count=lab.executor.workers if isinstance(lab.executor, ThreadExecutor) else None
        ),
        on_game=lambda now, _: lab.tell(f"{name}: game {now.games} of {games // 2 * 2 * len(pairs)}"),
    )


def conditions(depth: int, games: int) -> str:
    """In words."""
    return (
        f"{depth} plies for everybody, ours without shortcuts; Stockfish limited by UCI_Elo; {games} games against "
        "each level, each opening with both colours; the levels are right on average"
    )


def rows(standings: Standings) -> list[dict[str, Any]]:
    """The table, strongest first."""
    rated = sorted(standings.ratings().values(), key=lambda rating: -rating.elo)
    return [
        {key: round(value, DIGITS[key]) if key in DIGITS else value for key, value in asdict(rating).items()}
        for rating in rated
    ]


def gain(standings: Standings, before: str, after: str) -> dict[str, float]:
    """How much stronger one is than the other: elo, low and high."""
    found = replace(standings, anchors={before: 0.0}).ratings()[after]
    return {"elo": round(found.elo, 1), "low": round(found.low, 1), "high": round(found.high, 1)}


def tallies(standings: Standings) -> dict[str, dict[str, list[int]]]:
    """Games that each brain won, drew and lost against Stockfish at each level."""

    def tally(brain: str, opponent: str) -> list[int]:
        met = standings.head_to_head(standings.names.index(brain), standings.names.index(opponent))
        return [met.wins, met.draws, met.losses]

    brains = [name for name in standings.names if name not in standings.anchors]
    return {brain: {opponent: tally(brain, opponent) for opponent in standings.anchors} for brain in brains}


def _every_round(pairs: list[Pair], standings: Standings, number: int) -> list[Pair]:
    """Everybody meets the same opponents in each of them."""
    return pairs
