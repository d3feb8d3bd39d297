"""Strength of brains, for results: games between two brains, ratings against Stockfish and on the ladder."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import MatchResult, estimate_elo
from okapi.arena.ladder import LadderRating, climb, usable
from okapi.arena.match import Match, MatchReport, WorkerFactory, local_workers, play_match
from okapi.arena.openings import load_openings
from okapi.arena.sprt import Sprt
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Tournament, TournamentFormat, play_tournament
from okapi.core import Evaluator, InProcessMatch, Limits, MatchPlayer, RawBrain, both_colors
from okapi.errors import NotFound
from okapi.formats.numbers import finite
from okapi.optimize.executor import Executor, ThreadExecutor
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
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


def elo_of(games: MatchResult | LadderRating) -> dict[str, float | None]:
    """For results: elo, low and high; an end that the games leave open is None."""
    found = estimate_elo(games) if isinstance(games, MatchResult) else games
    return {name: finite(getattr(found, name)) for name in ("elo", "low", "high")}


def outcomes(tally: MatchResult) -> dict[str, int]:
    """For results: the games that were won, drawn and lost."""
    return {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}


def _fight(task: tuple[bytes, bytes, MatchTerms, int, int]) -> list[tuple[float, float]]:
    """The points of the first player in each pair of games."""
    *brains, terms, begin, end = task
    starts = load_openings(count=(terms.games + 1) // 2, seed=terms.seed)[begin:end]
    judges = (Evaluator.from_brain(RawBrain.from_bytes(brain)) for brain in brains)
    first, second = (MatchPlayer(judge, Limits(depth=terms.depth), without=terms.without) for judge in judges)
    points = [match_game.score for match_game in InProcessMatch(first, second, both_colors(starts))]
    return list(zip(points[::2], points[1::2], strict=True))


# --- Matches of players -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMatch:
    key: str
    name: str
    """What is compared, in words."""
    first: str
    second: str
    control: TimeControl
    games: int
    openings: str | None = None
    """A file; without one, our own set of 500, from which long matches at equal nodes repeat games."""
    sprt: Sprt | None = None
    """A test that may end the match before all games are played."""


def play(
    context: ExperimentContext, experiment: str, planned: PlannedMatch, names: tuple[str, str] | None = None
) -> MatchReport:
    """Games are kept in the context's folder under the experiment's name, and not played again."""
    (context.folder / experiment).mkdir(parents=True, exist_ok=True)
    same = {name: getattr(planned, name) for name in ("first", "second", "control", "openings")}
    return play_match(
        Match(**same, seed=context.seed),
        planned.games,
        names=names,
        sprt=planned.sprt,
        store=context.folder / experiment / f"{planned.key}.sqlite",
        make_workers=workers_of(context),
        on_game=lambda now, _: context.tell(
            f"{experiment}: {planned.name}, game {now.games} of {planned.games}: {now.wins}–{now.draws}–{now.losses}"
        ),
    )


def play_for_elo(context: ExperimentContext, experiment: str, planned: PlannedMatch) -> dict[str, Any]:
    """Wins, draws, losses and Elo of the first player."""
    tally = play(context, experiment, planned).result
    return {**outcomes(tally), **elo_of(tally)}


def workers_of(context: ExperimentContext) -> WorkerFactory:
    """On this machine, as many as the context's threads."""
    count = context.executor.workers if isinstance(context.executor, ThreadExecutor) else None
    return partial(local_workers, count=count)


def suite_file(experiment: str, name: str) -> Path:
    path = Path(name).expanduser()
    if not path.is_file():
        raise NotFound(f"no suite at `{name}`", hint=f"--change {experiment}.suite=FILE names an EPD file")
    return path


def file_stem(name: str) -> str:
    """A name for a file: letters and digits stay."""
    return "".join(letter if letter.isalnum() else "-" for letter in name)


# --- A table with Stockfish at several levels -------------------------------------------------------------------------

DIGITS: Final = {"elo": 1, "low": 1, "high": 1, "opposition": 1, "score": 4, "draws": 4}


def is_installed() -> bool:
    return find_program("stockfish") is not None


def need_stockfish() -> None:
    """ExperimentSkipped, where it is not installed."""
    if not is_installed():
        raise ExperimentSkipped("stockfish is not installed")


def meet(
    context: ExperimentContext, name: str, brains: Mapping[str, Path], levels: Sequence[int], *, games: int, depth: int
) -> Standings:
    """Play so many games of each brain against Stockfish at each level, all at `depth` plies; kept under `name`.

    The brains' search has no shortcuts, so that plies mean what they mean in papers.
    """
    pairs = [(brain, len(brains) + level) for level in range(len(levels)) for brain in range(len(brains))]
    strengths = {f"stockfish-{level}": float(level) for level in levels}
    players = [f"alphabeta:{path},without={'+'.join(PLAIN)}" for path in brains.values()]
    players += [f"uci:stockfish{{UCI_LimitStrength=true,UCI_Elo={level}}}" for level in levels]
    return play_tournament(
        Tournament(players=tuple(players), format=name, control=TimeControl(depth=depth), seed=context.seed),
        games // 2,
        rules=TournamentFormat(pairs=lambda standings, number: pairs),
        names=[*brains, *strengths],
        anchors=strengths,
        store=context.folder / f"{name}.sqlite",
        make_workers=workers_of(context),
        on_game=lambda now, _: context.tell(f"{name}: game {now.games} of {games // 2 * 2 * len(pairs)}"),
    )


def table(standings: Standings, *, games: int, depth: int) -> dict[str, Any]:
    """For results: the rows, strongest first, and the conditions of the games."""
    rated = map(asdict, sorted(standings.ratings().values(), key=lambda rating: -rating.elo))
    conditions = (
        f"{depth} plies for all, ours without shortcuts; Stockfish limited by UCI_Elo; {games} games against each "
        "level, each opening with both colours; the levels are right on average"
    )
    return {"rows": list(map(_rounded, rated)), "conditions": conditions}


def _rounded(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: round(value, DIGITS[key]) if key in DIGITS else value for key, value in row.items()}


def gain(standings: Standings, before: str, after: str) -> dict[str, float]:
    """How much stronger one is than the other: elo, low and high."""
    found = _rounded(asdict(replace(standings, anchors={before: 0.0}).ratings()[after]))
    return {key: found[key] for key in ("elo", "low", "high")}


def tallies(standings: Standings) -> dict[str, dict[str, list[int]]]:
    """Games that each brain won, drew and lost against Stockfish at each level."""

    number = {name: place for place, name in enumerate(standings.names)}
    found: dict[str, dict[str, list[int]]] = {name: {} for name in standings.names if name not in standings.anchors}
    for brain, opponent in product(found, standings.anchors):
        found[brain][opponent] = list(outcomes(standings.head_to_head(number[brain], number[opponent])).values())
    return found


# --- A place on the ladder (okapi.arena.ladder) -----------------------------------------------------------------------


def rate_on_ladder(context: ExperimentContext, chosen: Mapping[str, Any], players: Mapping[str, str]) -> dict[str, Any]:
    """For results: a rating of each player by the settings `tc` and `games`; games are kept in `strength`."""
    folder, games, control = context.folder / "strength", chosen["games"], TimeControl.from_text(chosen["tc"])
    folder.mkdir(parents=True, exist_ok=True)
    rungs = usable()[0]

    def rate(name: str, player: str) -> dict[str, Any]:
        rating = climb(
            player,
            games,
            control,
            name=name,
            rungs=rungs,
            seed=context.seed,
            store=folder / f"{file_stem(name)}.sqlite",
            make_workers=workers_of(context),
            on_game=lambda now, _: context.tell(f"strength: {name}, game {now.games} of about {games}"),
        )
        met = {step.rung.name: [step.games, round(step.score, 4)] for step in rating.steps}
        score = {"games": rating.games, "score": round(rating.score, 4), "met": met}
        return {"name": name, **elo_of(rating), **score}

    conditions = f"{control}; {context.executor.workers} games at a time"
    rows = [rate(*named) for named in players.items()]
    return {"rows": rows, "conditions": conditions, "rungs": [rung.name for rung in rungs]}
