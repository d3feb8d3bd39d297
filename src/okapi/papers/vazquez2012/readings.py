"""Where the thesis can be read in several ways: every reading is tried, and what it printed is computed again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, product, starmap
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.ratings import BAYESELO_ADVANTAGE, BAYESELO_DRAWELO, RatingPool, rate
from okapi.brains.library import BRAIN
from okapi.papers.experiment import ExperimentContext
from okapi.papers.games import exercises_of
from okapi.papers.published import read_toml
from okapi.papers.rating import outcomes
from okapi.papers.stored import evolve, make_runs, run_row
from okapi.papers.vazquez2012.headlines import PUBLISHED
from okapi.papers.vazquez2012.pieces import PieceRun
from okapi.recipes import usual_settings
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution, read_generations
from okapi.recipes.exercises import solved
from okapi.recipes.vazquez2012 import five, twenty_eight
from okapi.recipes.vazquez2012.twenty_eight import NAMES, SCALES, Expression

DECLARED: Final = read_toml("vazquez2012", "paper")
MORE_C: Final = {f"c {tenth / 10:.1f}": {"c": tenth / 10} for tenth in range(1, 11) if tenth != 5}
PIECE_READINGS: Final[dict[str, dict[str, Any]]] = {**DECLARED["piece_readings"], **MORE_C}
"""Changed settings of chapter 4."""

RATES: Final = (0.8, 0.85, 0.9, 0.95, 1.0)  # of mutation, section 5.3.1


def printed(context: ExperimentContext) -> dict[str, Any]:
    """Ratings from the printed games by Bayeselo's model, and how much the printed weights of Table 16 solve."""
    evolved = [("Player0", row) for row in PUBLISHED.figure_34] + [("Player50", row) for row in PUBLISHED.figure_35]
    played = {
        "table_10": [(player, f"Rybka{row.level}", row) for player, row in evolved],
        "table_14": [("Human player", "Chess engine", {"wins": 9, "draws": 0, "losses": 1})],
        "table_17": [("VP exploitation", "VP200 exploration", PUBLISHED.table_17_games)],
        "table_18": [(name, "Chessmaster2500", row) for name, row in PUBLISHED.figure_42.items()],
    }
    ratings = [row for table, tallies in played.items() for row in _recovered(table, tallies)]
    tested = context.read_settings("vazquez2012", "printed")["tested"]
    fresh = exercises_of(context).fresh.some(tested, np.random.default_rng([context.seed, 3]))
    weights = [np.array([PUBLISHED.table_16[name][column] for name in NAMES], np.float64) for column in (0, 1)]
    brains = [Expression(scale)(column, {"name": scale}) for scale in SCALES for column in weights]
    counts = solved(brains, fresh, context.executor).sum(axis=1).reshape(len(SCALES), 2)
    shares = [
        {"scale": scale, "exploration": int(before), "exploitation": int(after), "total": len(fresh)}
        for scale, (before, after) in zip(SCALES, counts, strict=True)
    ]
    farthest = {table: max(abs(row["off"]) for row in ratings if row["table"] == table) for table in played}
    return {"ratings": ratings, "farthest": farthest, "solved": shares}


def _games(first: str, second: str, tally: Mapping[str, int]) -> list[tuple[str, str, float]]:
    """Games of a tally with colours in turn: the thesis does not give them."""
    points = [1.0] * tally["wins"] + [0.5] * tally["draws"] + [0.0] * tally["losses"]
    return [(second, first, 1 - each) if number % 2 else (first, second, each) for number, each in enumerate(points)]


def _recovered(table: str, tallies: Sequence[tuple[str, str, Mapping[str, int]]]) -> Iterator[dict[str, Any]]:
    """With Bayeselo's own advantage and drawelo; the printed ratings have the mean that is given."""
    theirs = {row.name: row for row in PUBLISHED[table]}
    mean, pool = sum(row.elo for row in theirs.values()) / len(theirs), RatingPool.of(chain(*starmap(_games, tallies)))
    found = rate(pool, advantage=BAYESELO_ADVANTAGE, drawelo=BAYESELO_DRAWELO, mean=mean, exact=True)
    for player in found.players:
        row = theirs[player.name]
        found_here = {"elo": round(player.elo, 1), "off": round(player.elo - row.elo, 1)}
        ends = {"plus": round(player.high - player.elo), "minus": round(player.elo - player.low)}
        yield {"table": table, "name": player.name, "thesis": row.elo, **found_here, **ends}


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
    about = {"conditions": conditions, "reduced": usual != full}
    runs = []
    for name, number in product(names, range(chosen["runs"])):
        settings = {**usual, **PIECE_READINGS[name]}
        run = PieceRun(context, f"piece_readings/{name.replace(' ', '-')}", number, settings)
        runs.append(partial(_read_so, run, name, chosen["match"], chosen["long"] if not PIECE_READINGS[name] else 0))
    return make_runs(context, runs, lambda rows: {"rows": list(chain(*rows)), **about})


def _read_so(run: PieceRun, name: str, match: int, long: int) -> list[dict[str, Any]]:
    """The rows of one run of a reading: two, where the best is found by a long tournament as well."""

    def measure(_: Path) -> dict[str, Any]:
        run.evolve()
        champion, start = run.champions()
        tallies = {name: run.play(champion, start, match)}
        if long:
            tallies["best by a long tournament"] = run.play(run.best_by_long_tournament(long), start, match)
        run.context.tell(f"piece_readings: {name}, run {run.number + 1}: {tallies[name].score:.1%}")
        found = {reading: {**outcomes(tally), "score": round(tally.score, 4)} for reading, tally in tallies.items()}
        return {"rows": [{"reading": reading, "run": run.number + 1, **row} for reading, row in found.items()]}

    about = {**run.settings, "match": match, "long": long, "seed": run.seed}
    rows: list[dict[str, Any]] = run_row(run.context, run.name, about, measure)["rows"]
    return rows


def rates(context: ExperimentContext) -> dict[str, Any]:
    """Chapter 5 with the mutation rates that the thesis tried: moves that match, and how far a run converges."""
    count = context.read_settings("vazquez2012", "rates")["runs"]

    def rated(number: int, chosen: float) -> dict[str, Any]:
        def measure(last: Mapping[str, Any]) -> dict[str, Any]:
            spread = float(np.mean(last["weights"]["deviation"][:4]))
            return {"rate": chosen, "run": number + 1, "matched": round(last["mean"], 2), "deviation": spread}

        made = five.recipe(_config(context, number, rate=chosen))
        return _evolved_row(context, made, f"rates/{chosen:.2f}-{number + 1}", measure)

    return make_runs(context, [partial(rated, *run) for run in product(range(count), RATES)])


def readings(context: ExperimentContext) -> dict[str, Any]:
    """The exploration of chapter 6 with every scale of the factors."""
    chosen = context.read_settings("vazquez2012", "readings")

    def read_so(number: int, scale: str) -> dict[str, Any]:
        found = _explored(context, f"readings/{scale}-{number + 1}", number, scale=scale)
        return {"scale": scale, "run": number + 1, **found}

    return make_runs(context, [partial(read_so, *run) for run in product(range(chosen["runs"]), SCALES)])


def subsets(context: ExperimentContext) -> dict[str, Any]:
    """Every subset of a rook's and of a knight's features, section 6.1: explored alike, tested on fresh positions."""
    budget = context.read_settings("vazquez2012", "subsets")
    pieces = budget.pop("pieces").split("+")

    def with_these(piece: str, kept: Sequence[str]) -> dict[str, Any]:
        others = (names for feature, names in DECLARED["features"][piece].items() if feature not in kept)
        name = "+".join(kept) or "none"
        changes = {"scale": "softened", "without": "+".join(chain(*others)), **budget}
        return {"piece": piece, "features": name, **_explored(context, f"subsets/{piece}-{name}", 0, **changes)}

    runs = []
    for piece in pieces:
        features = DECLARED["features"][piece]
        kept = chain(*(combinations(features, count) for count in range(len(features) + 1)))
        runs += [partial(with_these, piece, some) for some in kept]
    return make_runs(context, runs, lambda rows: {"rows": rows, **budget})


def _explored(context: ExperimentContext, place: str, number: int, **changes: Any) -> dict[str, Any]:
    made = twenty_eight.recipe(_config(context, number, **changes))
    tested = context.read_settings("vazquez2012", "readings")["tested"]

    def measure(last: Mapping[str, Any]) -> dict[str, Any]:
        library = exercises_of(context)
        trained = twenty_eight.training(library, made.settings["positions"], made.settings["seed"])
        fresh = library.fresh.unlike(trained).some(tested, np.random.default_rng([context.seed, 3]))
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

    def run(folder: Path) -> dict[str, Any]:
        context.tell(place)
        evolve(context, place, made)
        return measure(read_generations(folder)[-1])

    return run_row(context, place, {**made.settings, **asked}, run)


def _config(context: ExperimentContext, number: int, **changes: Any) -> RecipeConfig:
    return context.recipe_config(1000 * context.seed + number + 1, **changes)
