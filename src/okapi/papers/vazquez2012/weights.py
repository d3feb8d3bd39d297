"""Chapters 5 and 6: five weights (Table 13), 28 weights by exploration and exploitation (Tables 16 to 18)."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult, estimate_elo
from okapi.brains import find
from okapi.brains.library import BRAIN
from okapi.optimize.population import FloatArray
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext, write_file
from okapi.papers.games import exercises_of
from okapi.papers.rating import MatchTerms, outcomes, play_brains
from okapi.papers.stored import evolve, make_runs, run_row
from okapi.papers.vazquez2012.headlines import PUBLISHED
from okapi.recipes import usual_settings
from okapi.recipes.evolution import CHAMPIONS, read_generations, run_evolution
from okapi.recipes.exercises import PLAIN, Exercises, solved
from okapi.recipes.vazquez2012 import five, twenty_eight


def five_weights(context: ExperimentContext) -> dict[str, Any]:
    """Tables 12 and 13, figures 38 and 39, and the games of section 5.4.2; the last run has a far start."""
    chosen = context.read_settings("vazquez2012", "five")
    count = chosen["runs"] + 1
    runs = []
    for number in range(1, count + 1):
        context.tell(f"five weights: run {number} of {count}")
        seed, folder = _seed(context, number), context.folder / "five" / f"{number:02}"
        recipe = five.recipe(context.recipe_config(seed, far_start=number == count))
        run_evolution(recipe, folder)
        generations = read_generations(folder)
        history = [{"generation": now["generation"], **_named(now["weights"])} for now in generations]
        first, last = generations[0], generations[-1]
        about = {"seconds": last["seconds"], "matched": last["mean"]}
        runs.append({"seed": seed, "weights": _spread(history[-1]), **about})
    averages = (five.express(np.array(now["weights"]["mean"]), {"name": "average"}) for now in (last, first))
    best = ((folder / CHAMPIONS / f"{now['generation']:04}.safetensors").read_bytes() for now in (last, first))
    tallies = {"average": _play(context, chosen, *averages), "best": _play(context, chosen, *best)}
    return {
        "runs": runs,
        "history": history,
        "games": {name: list(outcomes(tally).values()) for name, tally in tallies.items()},
        "start": _spread(history[0]),
        "masters": recipe.settings["masters"],
        "conditions": f"{chosen['games']} games each, {chosen['depth']} plies without shortcuts, both colours",
    }


def _named(weights: Mapping[str, Any]) -> dict[str, Any]:
    return {what: dict(zip(five.NAMES, weights[what], strict=True)) for what in ("mean", "deviation")}


def _spread(now: Mapping[str, Any]) -> dict[str, list[float]]:
    """Mean and deviation of each weight in a generation."""
    return {name: [mean, now["deviation"][name]] for name, mean in now["mean"].items()}


def _play(context: ExperimentContext, chosen: dict[str, Any], last: bytes, first: bytes) -> MatchResult:
    terms = MatchTerms(games=chosen["games"], depth=chosen["depth"], seed=context.seed, without=PLAIN)
    return play_brains(last, first, terms, context.executor)


PERSON: Final = 1600  # the rating of the person in Table 14


def five_rating(context: ExperimentContext) -> dict[str, Any]:
    """Table 14, with Stockfish at that rating in the place of the person."""
    rated.need_stockfish()
    average = context.result("five")["history"][-1]["mean"]
    path = context.folder / "five_rating" / BRAIN
    write_file(path, five.express(np.array([average[name] for name in five.NAMES]), {"name": AVERAGE}))
    terms = context.read_settings("vazquez2012", "five_rating")
    return rated.table(rated.meet(context, "five_rating", {AVERAGE: path}, (PERSON,), **terms), **terms)


SCALE: Final = "softened"
"""Of the factors: the thesis does not say which. docs/explanation/vazquez2012.md has the games that chose this one."""

LEVEL: Final = 2500  # of Stockfish, in the place of Chessmaster

YARDSTICKS: Final = ("material", "vazquez-exploitation", "okapi-28")
"""Brains that ship and are tested on the same positions: material, the thesis' weights, and weights by gradient."""

AVERAGE: Final = "average of the last generation"
START, EXPLORER, EXPLOITER = "VP0 exploration", "VP200 exploration", "VP exploitation"


def exploration(context: ExperimentContext) -> dict[str, Any]:
    """Figure 41 and the first column of Table 16: the best of many runs."""
    count = context.read_settings("vazquez2012", "exploration")["runs"]
    runs = [partial(_explored, context, number, count) for number in range(1, count + 1)]
    return make_runs(context, runs, _best_of)


def _best_of(runs: list[dict[str, Any]]) -> dict[str, Any]:
    number, best = max(enumerate(runs, start=1), key=lambda run: run[1]["solved"])
    start, brain = (f"exploration/{number:02}/{name}" for name in best["brains"])
    history = zip(best["best"], best["mean"], strict=True)
    return {
        "runs": [{key: run[key] for key in ("seed", "solved", "total")} for run in runs],
        "best_run": number,
        "history": [{"generation": t, "best": top, "mean": mean} for t, (top, mean) in enumerate(history)],
        **{key: best[key] for key in ("weights", "nobody_solved", "seconds", "masters")},
        "start_brain": start,
        "brain": brain,
        "scale": SCALE,
    }


def _explored(context: ExperimentContext, number: int, count: int) -> dict[str, Any]:
    """A run with its curves, and the positions that none of its players solved."""
    context.tell(f"exploration: run {number} of {count}")
    recipe = twenty_eight.recipe(context.recipe_config(_seed(context, number), scale=SCALE))
    name = f"exploration/{number:02}"

    def measure(folder: Path) -> dict[str, Any]:
        populations: list[FloatArray] = []
        last = evolve(context, name, recipe, lambda now: populations.append(now.population))
        generations, found = read_generations(folder), sorted((folder / CHAMPIONS).glob("*.safetensors"))
        all_players = np.unique(np.concatenate(populations), axis=0)
        library, wanted, seed = exercises_of(context), recipe.settings["positions"], _seed(context, number)
        exercises, express = twenty_eight.training(library, wanted, seed), twenty_eight.Expression(SCALE)
        return {
            **{key: [now[key] for now in generations] for key in ("best", "mean")},
            "seed": seed,
            "solved": int(last.best_score),
            "total": min(wanted, len(library.training)),
            "weights": dict(zip(recipe.genes.names, generations[-1]["weights"]["best"], strict=True)),
            "nobody_solved": twenty_eight.unsolved_by(all_players, exercises, express, context.executor),
            "seconds": generations[-1]["seconds"],
            "masters": recipe.settings["masters"],
            "brains": [found[place].relative_to(folder).as_posix() for place in (0, -1)],
        }

    return run_row(context, name, recipe.settings, measure)


def exploitation(context: ExperimentContext) -> dict[str, Any]:
    """The second column of Table 16, and the solved positions of section 6.3.1, for three readings of the objective.

    Of those that moved, that one goes on to the games which solves most positions of training games that none used.
    """
    explored = context.result("exploration")
    seed = _seed(context, explored["best_run"])
    settings = usual_settings("vazquez-exploitation", context.size)
    positions = _positions(context, seed, settings)
    asked = context.read_settings("vazquez2012", "exploitation")["readings"]
    objectives = asked.split("+") if asked else twenty_eight.OBJECTIVES
    readings = {objective: _exploited(context, explored, seed, objective, positions) for objective in objectives}
    moved = [name for name, reading in readings.items() if reading["moved"]]
    chosen = max(moved or readings, key=lambda name: readings[name]["checked"]["after"])
    known = [find(name).read_bytes() for name in YARDSTICKS]
    shares = solved(known, positions["fresh"], context.executor).mean(axis=1).round(4).tolist()
    about = {"yardsticks": dict(zip(YARDSTICKS, shares, strict=True)), "notes": list(_notes(readings, chosen))}
    return {**readings[chosen], "reading": chosen, "readings": readings, **about}


def _exploited(
    context: ExperimentContext, explored: Mapping[str, Any], seed: int, objective: str, tested: Mapping[str, Exercises]
) -> dict[str, Any]:
    """Hooke-Jeeves from the best of the exploration, by one reading; solved positions before it and after it."""
    context.tell(f"exploitation: Hooke-Jeeves by the reading {objective}")
    before, folder = context.folder / explored["brain"], context.folder / "exploitation" / objective
    start = {"start": str(before), "nobody_solved": explored["nobody_solved"], "scale": SCALE}
    recipe = twenty_eight.exploitation(context.recipe_config(seed, objective=objective, **start))
    steps: list[FloatArray] = []
    last = run_evolution(recipe, folder, lambda now: steps.append(now.population))
    brains = [before.read_bytes(), (folder / BRAIN).read_bytes()]
    counts = {}
    for name, some in tested.items():
        first, then = solved(brains, some, context.executor).sum(axis=1).tolist()
        counts[name] = {"before": first, "after": then, "total": len(some)}
    weights, moved = dict(zip(recipe.genes.names, last.best.tolist(), strict=True)), (last.population != steps[0]).any()
    about = {"evaluations": last.evaluations, "moved": bool(moved), "brain": context.inside(folder / BRAIN)}
    return {**counts, "weights": weights, **about}


def _positions(context: ExperimentContext, seed: int, settings: dict[str, Any]) -> dict[str, Exercises]:
    """Positions to be tested on: those of the exploration, others of the same games, those of other games."""
    library = exercises_of(context)
    trained = twenty_eight.training(library, settings["positions"], seed)
    shown = twenty_eight.training(library, max(settings["positions"], settings["more"]), seed)
    rng = np.random.default_rng([context.seed, 3])
    tested = context.read_settings("vazquez2012", "exploitation")["tested"]
    return {
        "trained": trained,
        "checked": library.training.unlike(shown).some(tested, rng),
        "fresh": library.fresh.unlike(shown).some(tested, rng),
        "strict": library.fresh.unlike(library.training).some(tested, rng),
    }


def _notes(readings: dict[str, dict[str, Any]], chosen: str) -> Iterator[str]:
    counted = {
        "unsolved": "20 positions that no player had solved, as the text says",
        "all": "all positions of the exploration",
        "more": "these and many more of the same games",
    }
    for name, reading in readings.items():
        trained, fresh = (
            " → ".join(f"{100 * reading[part][when] / reading[part]['total']:.1f}" for when in ("before", "after"))
            for part in ("trained", "fresh")
        )
        yield f"Counting {counted[name]}: trained on {trained} %, fresh {fresh} %."
    yield (
        f"The table and the games have the reading `{chosen}`: of those that improved anything it solved most "
        "positions of training games that no reading used."
    )


def exploitation_games(context: ExperimentContext) -> dict[str, Any]:
    """Table 17: exploitation against exploration, which has the thesis' rating; what is measured is the difference."""
    chosen = context.read_settings("vazquez2012", "exploitation_games")
    brains = (context.folder / context.result(name)["brain"] for name in ("exploitation", "exploration"))
    tally = _play(context, chosen, *(brain.read_bytes() for brain in brains))
    found = estimate_elo(tally)
    base = PUBLISHED.table_17[1].elo
    low, high = (round(base + max(-2000.0, min(2000.0, bound)), 1) for bound in (found.low, found.high))
    elo, same = round(base + found.elo, 1), {"games": tally.games, "draws": tally.draw_rate}
    first = {"elo": elo, "low": low, "high": high, "score": tally.score, "opposition": base}
    second = {"elo": base, "low": base, "high": base, "score": 1 - tally.score, "opposition": elo}
    rows = [{"name": EXPLOITER, **first, **same}, {"name": EXPLORER, **second, **same}]
    return {**outcomes(tally), "rows": rows, "conditions": f"{chosen['depth']} plies without shortcuts, both colours"}


def exploration_rating(context: ExperimentContext) -> dict[str, Any]:
    """Table 18 and Figure 42: the three players against a rated opponent, all at six plies."""
    rated.need_stockfish()
    explored, exploited = context.result("exploration"), context.result("exploitation")
    brains = {START: explored["start_brain"], EXPLORER: explored["brain"], EXPLOITER: exploited["brain"]}
    terms = context.read_settings("vazquez2012", "exploration_rating")
    paths = {name: context.folder / path for name, path in brains.items()}
    standings = rated.meet(context, "exploration_rating", paths, (LEVEL,), **terms)
    (opponent,) = standings.anchors
    pairs = {"exploration": (START, EXPLORER), "exploitation": (EXPLORER, EXPLOITER)}
    gains = {search: rated.gain(standings, *pair) for search, pair in pairs.items()}
    games = {name: met[opponent] for name, met in rated.tallies(standings).items()}
    table = rated.table(standings, **terms)
    return {**table, "players": list(brains), "gains": gains, "games": games, "opponent": opponent}


def _seed(context: ExperimentContext, number: int) -> int:
    return 1000 * context.seed + number
