"""Which way of tuning gives the most Elo a minute? The same weights, bounds, budget and opponent for each learner."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.brains.library import BRAIN
from okapi.formats.numbers import counted
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext
from okapi.papers.games import exercises_of
from okapi.papers.rating import MatchTerms, elo_of, outcomes, play_brains
from okapi.papers.stored import evolve, run_row
from okapi.papers.vazquez2012.pieces import trained_on_results
from okapi.papers.vazquez2012.weights import LEVEL
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution, read_generations, run_evolution
from okapi.recipes.exercises import solved
from okapi.recipes.vazquez2012 import twenty_eight

DEPTH: Final = 4
CMA_ES: Final = "CMA-ES"

HOOKE_JEEVES: Final = "chapter 6, exploitation"
RESULTS: Final = "28 weights, evolved on results"
PIECES: Final = "piece networks, CMA-ES on results"
GRADIENT: Final = "28 weights, gradient on results"


LEARNERS: Final[dict[str, tuple[str, Callable[[RecipeConfig], Evolution]]]] = {
    "evolution": ("28 weights, masters' moves", twenty_eight.evolution),
    "differential evolution": ("28 weights, masters' moves", twenty_eight.differential),
    CMA_ES: ("28 weights, masters' moves", twenty_eight.cma),
    "Hooke-Jeeves": ("28 weights, masters' moves", twenty_eight.hooke),
    "evolution on results": ("28 weights, results of masters' games", twenty_eight.results),
    "gradient": ("28 weights, results of masters' games", twenty_eight.texel),
    "evolution, six features more": ("35 weights, masters' moves", twenty_eight.evolution_35),
    "gradient, six features more": ("35 weights, results of masters' games", twenty_eight.texel_35),
}


def beyond(context: ExperimentContext) -> dict[str, Any]:
    chosen = context.read_settings("vazquez2012", "beyond")
    rows: list[dict[str, Any]] = []
    absent = {CMA_ES} & set(LEARNERS) if find_spec("cma") is None else set()
    missing = dict.fromkeys(absent, "pycma is not installed: pip install 'okapi-chess[learn]'")
    games = f"{chosen['games']} games each against the pieces' values in theory, {DEPTH} plies, in one process"
    about = {"conditions": f"{counted(chosen['runs'], 'run')}, {games}", "games": exercises_of(context).name}
    data = {**about, "rows": rows, "missing": missing}
    for learner, (what, maker) in LEARNERS.items():
        if learner not in missing:
            context.tell(f"{learner}: {what}")
            made = [maker(context.recipe_config(context.seed + run)) for run in range(chosen["runs"])]
            rows.append({"learner": learner, "what": what, **_together([_row(context, each) for each in made])})
            context.keep(data, len(made) * len(rows), len(made) * (len(LEARNERS) - len(missing)))
    return data


def beyond_rating(context: ExperimentContext) -> dict[str, Any]:
    """The strongest evolved players, of the thesis and beyond it, and the gradient, against a rated opponent."""
    rated.need_stockfish()
    evolved = {
        HOOKE_JEEVES: context.folder / context.result("exploitation")["brain"],
        RESULTS: _tuned(context, twenty_eight.results),
    }
    if find_spec("cma") is not None:
        evolved[PIECES] = trained_on_results(context, 0)
    brains = {**evolved, GRADIENT: _tuned(context, twenty_eight.texel)}
    terms = context.read_settings("vazquez2012", "beyond_rating")
    table = rated.table(rated.meet(context, "beyond_rating", brains, (LEVEL,), **terms), **terms)
    notes = [f"{GRADIENT} is tuned, not evolved. The 28 weights that learn from results have softened scales."]
    return {**table, "players": list(evolved), "chosen": RESULTS, "notes": notes}  # chosen before the games


def _tuned(context: ExperimentContext, maker: Callable[[RecipeConfig], Evolution]) -> Path:
    """A brain with the scales that play best; the table above has those of the thesis."""
    recipe = maker(context.recipe_config(scale="softened"))
    folder = context.folder / "beyond_rating" / recipe.name
    run_evolution(recipe, folder)
    return folder / BRAIN


def _together(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The means of runs with several seeds, and the Elo of all their games."""
    means = {key: float(np.mean([run[key] for run in runs])) for key in ("evaluations", "seconds", "trained", "fresh")}
    tally = sum((MatchResult(*run["tally"]) for run in runs), MatchResult())
    elo = elo_of(tally)
    minutes = means["seconds"] / 60
    rate = round(elo["elo"] / minutes, 1) if minutes and elo["elo"] is not None else None
    return {**means, **elo, "games": tally.games, "elo_per_minute": rate, "runs": runs}


def _row(context: ExperimentContext, recipe: Evolution) -> dict[str, Any]:
    """Tune, count solved positions, play."""
    name, chosen = f"beyond/{recipe.name}-{recipe.settings['seed']}", context.read_settings("vazquez2012", "beyond")

    def measure(folder: Path) -> dict[str, Any]:
        last, library = evolve(context, name, recipe), exercises_of(context)
        trained = twenty_eight.training(library, int(recipe.settings["positions"]), int(recipe.settings["seed"]))
        fresh = library.fresh.unlike(trained).some(chosen["fresh"], np.random.default_rng([context.seed, 2]))
        parts, brain = {"trained": trained, "fresh": fresh}, (folder / BRAIN).read_bytes()
        opponent = recipe.express(twenty_eight.theory(recipe.genes), {"name": "theory"})
        terms = MatchTerms(games=chosen["games"], depth=DEPTH, seed=context.seed)
        return {
            "evaluations": last.evaluations,
            "seconds": round(float(read_generations(folder)[-1]["seconds"]), 2),
            **{what: float(solved([brain], part, context.executor).mean()) for what, part in parts.items()},
            "tally": list(outcomes(play_brains(brain, opponent, terms, context.executor)).values()),
            "brains": [BRAIN],
        }

    row = run_row(context, name, {**recipe.settings, "games": chosen["games"], "fresh": chosen["fresh"]}, measure)
    return {**row, "brain": f"{name}/{BRAIN}"}
