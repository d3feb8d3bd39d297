"""Where the thesis can be read in several ways: every reading is tried, and what it printed is computed again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.arena.ratings import BAYESELO_ADVANTAGE, BAYESELO_DRAWELO, RatingPool, rate
from okapi.brains.library import BRAIN
from okapi.papers.experiment import ExperimentContext
from okapi.papers.stored import run_row, take_scores
from okapi.papers.vazquez2012.headlines import PUBLISHED
from okapi.papers.vazquez2012.pieces import (
    best_by_long_tournament,
    champions,
    evolved,
    match_champions,
    run_name,
)
from okapi.recipes import usual_settings
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution, read_generations, run_evolution
from okapi.recipes.exercises import MasterGames, master_games, solved
from okapi.recipes.vazquez2012 import five, twenty_eight
from okapi.recipes.vazquez2012.twenty_eight import NAMES, SCALES, Expression

PIECE_READINGS: Final[dict[str, dict[str, Any]]] = {
    "as in the thesis": {},
    "inputs scaled": {"scaled": True},
    "mutation 0.6": {"sigma": 0.6},
    "mutation 1.5": {"sigma": 1.5},
    "mutation adapts itself": {"free": "sigma"},
    "king's c 0": {"king_c": 0.0},
    "king's c 450": {"king_c": 450.0},
    "n - 1 games": {"games": 19},
    "c as a gene": {"free": "c"},
    **{f"c {c:.1f}": {"c": c} for c in np.linspace(0.1, 1.0, 10).round(1).tolist() if c != 0.5},
}
"""Changed settings of chapter 4."""

RATES: Final = (0.8, 0.85, 0.9, 0.95, 1.0)
"""Of mutation, section 5.3.1."""


# --- What is printed --------------------------------------------------------------------------------------------------


def printed(context: ExperimentContext) -> dict[str, Any]:
    """Ratings from the printed games by Bayeselo's model, and how much the printed weights of Table 16 solve."""
    played = {
        "table_10": [
            game
            for player, games in (("Player0", PUBLISHED.figure_34), ("Player50", PUBLISHED.figure_35))
            for row in games
            for game in _games(player, f"Rybka{row.level}", row)
        ],
        "table_14": _games("Human player", "Chess engine", {"wins": 9, "draws": 0, "losses": 1}),
        "table_17": _games("VP exploitation", "VP200 exploration", PUBLISHED.table_17_games),
        "table_18": [
            game for name, row in PUBLISHED.figure_42.items() for game in _games(name, "Chessmaster2500", row)
        ],
    }
    ratings = [row for table, games in played.items() for row in _recovered(table, games)]
    fresh = _library(context).fresh.some(
        context.read_settings("vazquez2012", "printed")["tested"], np.random.default_rng([context.seed, 3])
    )
    weights = [np.array([PUBLISHED.table_16[name][column] for name in NAMES], np.float64) for column in (0, 1)]
    brains = [Expression(scale)(column, {"name": scale}) for scale in SCALES for column in weights]
    counts = solved(brains, fresh, context.executor).sum(axis=1).reshape(len(SCALES), 2)
    return {
        "ratings": ratings,
        "farthest": {table: max(abs(row["off"]) for row in ratings if row["table"] == table) for table in played},
        "solved": [
            {"scale": scale, "exploration": int(before), "exploitation": int(after), "total": len(fresh)}
            for scale, (before, after) in zip(SCALES, counts, strict=True)
        ],
    }


def _games(first: str, second: str, tally: Mapping[str, int]) -> list[tuple[str, str, float]]:
    """Games of a tally with colours in turn: the thesis does not give them."""
    points = [1.0] * tally["wins"] + [0.5] * tally["draws"] + [0.0] * tally["losses"]
    return [(second, first, 1 - each) if number % 2 else (first, second, each) for number, each in enumerate(points)]


def _recovered(table: str, games: list[tuple[str, str, float]]) -> Iterator[dict[str, Any]]:
    """With Bayeselo's own advantage and drawelo; the printed ratings have the mean that is given."""
    theirs = {row.name: row for row in PUBLISHED[table]}
    mean = sum(row.elo for row in theirs.values()) / len(theirs)
    found = rate(RatingPool.of(games), advantage=BAYESELO_ADVANTAGE, drawelo=BAYESELO_DRAWELO, mean=mean, exact=True)
    for player in found.players:
        row = theirs[player.name]
        ends = {"plus": round(player.high - player.elo), "minus": round(player.elo - player.low)}
        off = round(player.elo - row.elo, 1)
        yield {"table": table, "name": player.name, "thesis": row.elo, "elo": round(player.elo, 1), "off": off, **ends}


# --- Chapter 4 --------------------------------------------------------------------------------------------------------


def piece_readings(context: ExperimentContext) -> dict[str, Any]:
    """Table 9 under every reading, and who is best: by ten games, as in the thesis, or by a long tournament."""
    chosen = context.read_settings("vazquez2012", "piece_readings")
    full = usual_settings("vazquez-pieces", "full")
    usual = {**full, **{name: chosen[name] for name in ("generations", "depth", "players")}}
    names = chosen["readings"].split("+") if chosen["readings"] else PIECE_READINGS
    conditions = (
        f"{chosen['generations']} generations of {chosen['players']}, {chosen['depth']} plies without shortcuts, "
        f"{chosen['match']} games"
    )
    found: dict[str, Any] = {"rows": [], "conditions": conditions, "reduced": usual != full}
    runs = [(name, number) for name in names for number in range(chosen["runs"])]
    for done, (name, number) in enumerate(runs, start=1):
        found["rows"] += _read_so(context, name, number, {**usual, **PIECE_READINGS[name]}, chosen)
        context.keep(found, done, len(runs))
    return found


def _read_so(
    context: ExperimentContext, name: str, number: int, settings: Mapping[str, Any], chosen: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The rows of one run of a reading: two, where the best is found by a long tournament as well."""
    what = f"piece_readings/{name.replace(' ', '-')}"
    long = chosen["long"] if name == "as in the thesis" else 0

    def measure(_: Path) -> dict[str, Any]:
        folder = evolved(context, what, number, **settings)
        rows = [_reading(name, number, match_champions(context, settings, *champions(folder), chosen["match"]))]
        if long:
            best = best_by_long_tournament(context, what, number, long, settings)
            tally = match_champions(context, settings, best, champions(folder)[1], chosen["match"])
            rows.append(_reading("best by a long tournament", number, tally))
        context.tell(f"piece_readings: {name}, run {number + 1}: {rows[0]['score']:.1%}")
        return {"rows": rows}

    about = {**settings, "match": chosen["match"], "long": long, "seed": context.seed + number}
    rows: list[dict[str, Any]] = run_row(context, run_name(what, number), about, measure)["rows"]
    return rows


def _reading(name: str, number: int, tally: MatchResult) -> dict[str, Any]:
    counts = {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
    return {"reading": name, "run": number + 1, **counts, "score": round(tally.score, 4)}


# --- Chapters 5 and 6 -------------------------------------------------------------------------------------------------


def rates(context: ExperimentContext) -> dict[str, Any]:
    """Chapter 5 with the mutation rates that the thesis tried: moves that match, and how far a run converges."""
    count = context.read_settings("vazquez2012", "rates")["runs"]
    return _rows(context, [partial(_rated, context, rate_, number) for number in range(count) for rate_ in RATES])


def _rated(context: ExperimentContext, rate_: float, number: int) -> dict[str, Any]:
    def measure(last: Mapping[str, Any]) -> dict[str, Any]:
        spread = float(np.mean(last["weights"]["deviation"][:4]))
        return {"rate": rate_, "run": number + 1, "matched": round(last["mean"], 2), "deviation": spread}

    made = five.recipe(_config(context, number, rate=rate_))
    return _evolved_row(context, made, f"rates/{rate_:.2f}-{number + 1}", measure)


def readings(context: ExperimentContext) -> dict[str, Any]:
    """The exploration of chapter 6 with every scale of the factors."""
    chosen = context.read_settings("vazquez2012", "readings")

    def read_so(scale: str, number: int) -> dict[str, Any]:
        found = _explored(context, f"readings/{scale}-{number + 1}", number, scale=scale)
        return {"scale": scale, "run": number + 1, **found}

    return _rows(context, [partial(read_so, scale, number) for number in range(chosen["runs"]) for scale in SCALES])


def subsets(context: ExperimentContext) -> dict[str, Any]:
    """Every subset of a rook's and of a knight's features, section 6.1: explored alike, tested on fresh positions."""
    budget = context.read_settings("vazquez2012", "subsets")
    pieces = budget.pop("pieces").split("+")

    def with_these(piece: str, kept: Sequence[str]) -> dict[str, Any]:
        features = _features(piece)
        left_out = [name for feature in features if feature not in kept for name in features[feature]]
        name = "+".join(kept) or "none"
        changes = {"scale": "softened", "without": "+".join(left_out), **budget}
        return {"piece": piece, "features": name, **_explored(context, f"subsets/{piece}-{name}", 0, **changes)}

    every = [
        partial(with_these, piece, kept)
        for piece in pieces
        for count in range(len(_features(piece)) + 1)
        for kept in combinations(_features(piece), count)
    ]
    return _rows(context, every, **budget)


def _features(piece: str) -> dict[str, list[str]]:
    """Features of chapter 4 by the factors of chapter 6 that stand for them."""
    columns = ("open", "half_open", "ahead", "behind")
    squares = ("rim", "outer", "inner", "centre")
    named: dict[str, dict[str, tuple[str, ...]]] = {
        "rook": {"mobility": ("mobility",), "column": columns, "seventh": ("seventh",), "folded": ("seventh_folded",)},
        "knight": {"mobility": ("mobility",), "supported": ("supported",), "base": ("base",), "square": squares},
    }
    return {feature: [f"{piece}_{name}" for name in names] for feature, names in named[piece].items()}


def _explored(context: ExperimentContext, place: str, number: int, **changes: Any) -> dict[str, Any]:
    made = twenty_eight.recipe(_config(context, number, **changes))
    tested = context.read_settings("vazquez2012", "readings")["tested"]

    def measure(last: Mapping[str, Any]) -> dict[str, Any]:
        trained = twenty_eight.training(_library(context), made.settings["positions"], made.settings["seed"])
        fresh = _library(context).fresh.unlike(trained).some(tested, np.random.default_rng([context.seed, 3]))
        brain = (context.folder / place / BRAIN).read_bytes()
        right = int(solved([brain], fresh, context.executor).sum())
        return {"solved": int(last["best"]), "total": len(trained), "fresh": right, "fresh_total": len(fresh)}

    return _evolved_row(context, made, place, measure, tested=tested)


def _evolved_row(
    context: ExperimentContext,
    made: Evolution,
    place: str,
    measure: Callable[[Mapping[str, Any]], dict[str, Any]],
    **asked: Any,
) -> dict[str, Any]:
    """Of a run, what its last generation says."""

    def evolve(folder: Path) -> dict[str, Any]:
        context.tell(place)
        take_scores(context, place, made)
        run_evolution(made, folder)
        return measure(read_generations(folder)[-1])

    return run_row(context, place, {**made.settings, **asked}, evolve)


def _rows(context: ExperimentContext, runs: Sequence[Callable[[], dict[str, Any]]], **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"rows": [], **more}
    for done, run in enumerate(runs, start=1):
        found["rows"].append(run())
        context.keep(found, done, len(runs))
    return found


def _config(context: ExperimentContext, number: int, **changes: Any) -> RecipeConfig:
    return RecipeConfig(context.size, 1000 * context.seed + number + 1, context.executor, context.games, changes)


def _library(context: ExperimentContext) -> MasterGames:
    return master_games(context.games, context.size, context.executor)
