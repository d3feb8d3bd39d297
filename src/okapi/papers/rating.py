"""Strength of brains, for results: games between two brains, ratings against Stockfish and on the ladder."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import MatchResult, estimate_elo
from okapi.arena.ladder import LadderRating, Rung, climb
from okapi.arena.match import Match, local_workers, play_match
from okapi.arena.openings import load_openings
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Pair, Tournament, TournamentFormat, play_tournament
from okapi.core import Evaluator, InProcessMatch, Limits, MatchPlayer, RawBrain, both_colors
from okapi.optimize.executor import Executor, ThreadExecutor
from okapi.papers.experiment import ExperimentContext
from okapi.players.process import find_program
from okapi.recipes.exercises import PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTerms:
    games: int
    """An even number: every opening is played twice, with colours changed."""
    depth: int = 4
    seed: int = 1
    """Chooses the openings."""
    without: tuple[str, ...] = ()
    """Heuristics that neither side has."""


def play_brains(first: bytes, second: bytes, terms: MatchTerms, executor: Executor) -> MatchResult:
    """The result of the first brain against the second; both are the contents of brain files."""
    pairs = (terms.games + 1) // 2
    parts = min(pairs, 4 * executor.workers)
    bounds = [pairs * part // parts for part in range(parts + 1)]
    tasks = [(first, second, terms, begin, end) for begin, end in pairwise(bounds)]
    return MatchResult.of([pair for part in executor.map(_fight, tasks) for pair in part])


def elo_of(tally: MatchResult) -> dict[str, float | None]:
    """For results: elo, low and high; an end that the games leave open is None."""
    found = estimate_elo(tally)
    numbers = {"elo": found.elo, "low": found.low, "high": found.high}
    return {name: round(number, 1) if math.isfinite(number) else None for name, number in numbers.items()}


def play_two(
    context: ExperimentContext, first: str, second: str, *, games: int, control: TimeControl, store: Path
) -> dict[str, Any]:
    """Games of two players, kept in a store: wins, draws, losses and Elo of the first."""
    store.parent.mkdir(parents=True, exist_ok=True)
    match = Match(first=first, second=second, control=control, seed=context.seed)
    count = context.executor.workers if isinstance(context.executor, ThreadExecutor) else None
    tally = play_match(match, games, store=store, make_workers=partial(local_workers, count=count)).result
    return {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses, **elo_of(tally)}


def _fight(task: tuple[bytes, bytes, MatchTerms, int, int]) -> list[tuple[float, float]]:
    """The points of the first player in each pair of games."""
    first, second, terms, begin, end = task
    starts = load_openings(count=(terms.games + 1) // 2, seed=terms.seed)[begin:end]
    points = [
        match_game.score
        for match_game in InProcessMatch(_fighter(first, terms), _fighter(second, terms), both_colors(starts))
    ]
    return list(zip(points[::2], points[1::2], strict=True))


def _fighter(brain: bytes, terms: MatchTerms) -> MatchPlayer:
    return MatchPlayer(
        Evaluator.from_brain(RawBrain.from_bytes(brain)), Limits(depth=terms.depth), without=terms.without
    )


# --- A table with Stockfish at several levels -------------------------------------------------------------------------

DIGITS: Final = {"elo": 1, "low": 1, "high": 1, "opposition": 1, "score": 4, "draws": 4}


def is_installed() -> bool:
    return find_program("stockfish") is not None


def meet(
    context: ExperimentContext,
    name: str,
    brains: Mapping[str, Path],
    levels: Sequence[int],
    *,
    games: int,
    depth: int,
) -> Standings:
    """Play so many games of each brain against Stockfish at each level, all at `depth` plies.

    The brains' search has no shortcuts, so that plies mean what they mean in papers. Games are kept in the lab's
    folder under `name`, and not played again.
    """
    pairs = [(brain, len(brains) + level) for level in range(len(levels)) for brain in range(len(brains))]
    strengths = {f"stockfish-{level}": float(level) for level in levels}
    return play_tournament(
        Tournament(
            players=(
                *(f"alphabeta:{path},without={'+'.join(PLAIN)}" for path in brains.values()),
                *(f"uci:stockfish{{UCI_LimitStrength=true,UCI_Elo={level}}}" for level in levels),
            ),
            format=name,
            control=TimeControl(depth=depth),
            seed=context.seed,
        ),
        games // 2,
        rules=TournamentFormat(pairs=partial(_every_round, pairs)),
        names=[*brains, *strengths],
        anchors=strengths,
        store=context.folder / f"{name}.sqlite",
        make_workers=partial(
            local_workers, count=context.executor.workers if isinstance(context.executor, ThreadExecutor) else None
        ),
        on_game=lambda now, _: context.tell(f"{name}: game {now.games} of {games // 2 * 2 * len(pairs)}"),
    )


def conditions(depth: int, games: int) -> str:
    return (
        f"{depth} plies for all, ours without shortcuts; Stockfish limited by UCI_Elo; {games} games against "
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
    """All brains play the same opponents in each of them."""
    return pairs


# --- A place on the ladder (okapi.arena.ladder) -----------------------------------------------------------------------


def place_on_ladder(
    context: ExperimentContext,
    experiment: str,
    name: str,
    player: str,
    *,
    games: int,
    control: TimeControl,
    rungs: Sequence[Rung],
) -> dict[str, Any]:
    """The rating of a player on the ladder, for a result: elo, low, high, games, score, and its opponents.

    Games are kept in the context's folder under the experiment's name, and not played again.
    """
    folder = context.folder / experiment
    folder.mkdir(parents=True, exist_ok=True)
    stem = "".join(letter if letter.isalnum() else "-" for letter in name)
    placing = climb(
        player,
        games,
        control,
        name=name,
        rungs=rungs,
        seed=context.seed,
        store=folder / f"{stem}.sqlite",
        make_workers=partial(
            local_workers, count=context.executor.workers if isinstance(context.executor, ThreadExecutor) else None
        ),
        on_game=lambda now, _: context.tell(f"{experiment}: {name}, game {now.games} of about {games}"),
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
