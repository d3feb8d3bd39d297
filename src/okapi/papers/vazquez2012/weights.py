"""Chapters 5 and 6: five weights (Table 13), 28 weights by exploration and exploitation (Tables 16 to 18)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult, estimate_elo
from okapi.brains import find
from okapi.brains.files import replace_file
from okapi.brains.library import BRAIN
from okapi.optimize.population import FloatArray, Generation
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext
from okapi.papers.rating import MatchTerms, play_brains
from okapi.papers.stored import run_row, take_scores
from okapi.papers.vazquez2012.headlines import PUBLISHED
from okapi.papers.vazquez2012.pieces import brains_of
from okapi.recipes import usual_settings
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import CHAMPIONS, read_generations, run_evolution
from okapi.recipes.exercises import PLAIN, Exercises, MasterGames, master_games, solved
from okapi.recipes.vazquez2012 import five, optimizers, twenty_eight


def five_weights(context: ExperimentContext) -> dict[str, Any]:
    """Tables 12 and 13, figures 38 and 39, and the games of section 5.4.2."""
    chosen = context.read_settings("vazquez2012", "five")
    count = chosen["runs"] + 1
    runs = [_run(context, number, count) for number in range(1, count)]
    far = _run(context, count, count)
    first, last = far["generations"][0], far["generations"][-1]
    history = [
        {
            "generation": now["generation"],
            "mean": _named(now["weights"]["mean"]),
            "deviation": _named(now["weights"]["deviation"]),
        }
        for now in far["generations"]
    ]
    games = {
        "average": _counts(
            _play(
                context,
                chosen,
                *(five.express(np.array(now["weights"]["mean"]), {"name": "average"}) for now in (last, first)),
            )
        ),
        "best": _counts(
            _play(context, chosen, *(_champion(far["folder"], now["generation"]) for now in (last, first)))
        ),
    }
    summaries = [{key: run[key] for key in ("seed", "weights", "seconds", "matched")} for run in (*runs, far)]
    return {
        "runs": summaries,
        "history": history,
        "games": games,
        "start": {name: [mean, history[0]["deviation"][name]] for name, mean in history[0]["mean"].items()},
        "masters": far["masters"],
        "conditions": f"{chosen['games']} games each, {chosen['depth']} plies without shortcuts, both colours",
    }


def _run(context: ExperimentContext, number: int, count: int) -> dict[str, Any]:
    """One of so many runs; the last has a far start."""
    seed = 1000 * context.seed + number
    context.tell(f"five weights: run {number} of {count}")
    recipe = five.recipe(
        RecipeConfig(context.size, seed, context.executor, context.games, {"far_start": number == count})
    )
    folder = context.folder / "five" / f"{number:02}"
    run_evolution(recipe, folder)
    generations = read_generations(folder)
    last = generations[-1]
    means, deviations = _named(last["weights"]["mean"]), _named(last["weights"]["deviation"])
    return {
        "seed": seed,
        "weights": {name: [means[name], deviations[name]] for name in means},
        "seconds": last["seconds"],
        "matched": last["mean"],
        "generations": generations,
        "folder": folder,
        "masters": recipe.settings["masters"],
    }


def _named(weights: list[float]) -> dict[str, float]:
    return dict(zip(five.GENES.names, weights, strict=True))


def _champion(folder: Path, generation: int) -> bytes:
    return (folder / CHAMPIONS / f"{generation:04}.safetensors").read_bytes()


def _play(context: ExperimentContext, chosen: dict[str, Any], last: bytes, first: bytes) -> MatchResult:
    terms = MatchTerms(games=chosen["games"], depth=chosen["depth"], seed=context.seed, without=PLAIN)
    return play_brains(last, first, terms, context.executor)


def _counts(tally: MatchResult) -> list[int]:
    return [tally.wins, tally.draws, tally.losses]


PERSON: Final = 1600
"""The rating of the person in Table 14."""


def five_rating(context: ExperimentContext) -> dict[str, Any]:
    """Table 14, with Stockfish at that rating in the place of the person."""
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    average = context.result("five")["history"][-1]["mean"]
    path = context.folder / "five_rating" / BRAIN
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, five.express(np.array([average[name] for name in five.NAMES]), {"name": AVERAGE}))
    chosen = context.read_settings("vazquez2012", "five_rating")
    games, depth = chosen["games"], chosen["depth"]
    standings = rated.meet(context, "five_rating", {AVERAGE: path}, (PERSON,), games=games, depth=depth)
    return {"rows": rated.rows(standings), "conditions": rated.conditions(depth, games)}


SCALE: Final = "softened"
"""Of the factors: the thesis does not say which. docs/explanation/vazquez2012.md has the games that chose this one."""

LEVEL: Final = 2500
"""Of Stockfish, in the place of Chessmaster."""

YARDSTICKS: Final = ("material", "vazquez-exploitation", "okapi-28")
"""Brains that ship and are tested on the same positions: material, the thesis' weights, and weights by gradient."""

AVERAGE: Final = "average of the last generation"
START, EXPLORER, EXPLOITER = "VP0 exploration", "VP200 exploration", "VP exploitation"


# --- Exploration ------------------------------------------------------------------------------------------------------


def exploration(context: ExperimentContext) -> dict[str, Any]:
    """Figure 41 and the first column of Table 16: the best of many runs."""
    count = context.read_settings("vazquez2012", "exploration")["runs"]
    runs: list[dict[str, Any]] = []
    for number in range(1, count + 1):
        context.tell(f"exploration: run {number} of {count}")
        runs.append(_explored(context, number))
        context.keep(_best_of(context, runs), number, count)
    return _best_of(context, runs)


def _best_of(context: ExperimentContext, runs: list[dict[str, Any]]) -> dict[str, Any]:
    number, best = max(enumerate(runs, start=1), key=lambda run: run[1]["solved"])
    start, brain = (context.inside(_folder(context, number) / name) for name in best["brains"])
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


def _explored(context: ExperimentContext, number: int) -> dict[str, Any]:
    """A run with its curves, and the positions that none of its players solved."""
    recipe = twenty_eight.recipe(_order(context, number))
    name = context.inside(_folder(context, number))

    def measure(folder: Path) -> dict[str, Any]:
        take_scores(context, name, recipe)
        populations: list[FloatArray] = []
        last = run_evolution(recipe, folder, _collector(populations))
        generations = read_generations(folder)
        all_players = np.unique(np.concatenate(populations), axis=0)
        exercises = twenty_eight.training(_library(context), recipe.settings["positions"], _seed(context, number))
        express = twenty_eight.Expression(SCALE)
        return {
            "seed": _seed(context, number),
            "solved": int(last.best_score),
            "total": _total(context),
            "best": [now["best"] for now in generations],
            "mean": [now["mean"] for now in generations],
            "weights": dict(zip(recipe.genes.names, generations[-1]["weights"]["best"], strict=True)),
            "nobody_solved": optimizers.unsolved_by(all_players, exercises, express, context.executor),
            "seconds": generations[-1]["seconds"],
            "masters": recipe.settings["masters"],
            "brains": brains_of(folder),
        }

    return run_row(context, name, recipe.settings, measure)


def _collector(populations: list[FloatArray]) -> Callable[[Generation], None]:
    def collect(now: Generation) -> None:
        populations.append(now.population)

    return collect


# --- Exploitation -----------------------------------------------------------------------------------------------------


def exploitation(context: ExperimentContext) -> dict[str, Any]:
    """The second column of Table 16, and the solved positions of section 6.3.1, for three readings of the objective.

    Of those that improved anything, the one goes on to the games that solves most positions of training games that none
    of them used.
    """
    explored = context.result("exploration")
    seed = _seed(context, explored["best_run"])
    settings = usual_settings("vazquez-exploitation", context.size)
    before = (context.folder / explored["brain"]).read_bytes()
    positions = _positions(context, seed, settings)
    readings: dict[str, dict[str, Any]] = {}
    asked = context.read_settings("vazquez2012", "exploitation")["readings"]
    for objective in asked.split("+") if asked else optimizers.OBJECTIVES:
        context.tell(f"exploitation: Hooke-Jeeves by the reading {objective}")
        changes = {
            "start": str(context.folder / explored["brain"]),
            "nobody_solved": explored["nobody_solved"],
            "objective": objective,
            "scale": SCALE,
        }
        folder = context.folder / "exploitation" / objective
        recipe = optimizers.exploitation(RecipeConfig(context.size, seed, context.executor, context.games, changes))
        steps: list[FloatArray] = []
        last = run_evolution(recipe, folder, _collector(steps))
        after = (folder / BRAIN).read_bytes()
        readings[objective] = {
            **{name: _before_and_after(before, after, tested, context) for name, tested in positions.items()},
            "evaluations": last.evaluations,
            "moved": bool((last.population != steps[0]).any()),
            "weights": dict(zip(recipe.genes.names, last.best.tolist(), strict=True)),
            "brain": context.inside(folder / BRAIN),
        }
    moved = [name for name, reading in readings.items() if reading["moved"]]
    chosen = max(moved or readings, key=lambda name: readings[name]["checked"]["after"])
    yardsticks = {name: find(name).read_bytes() for name in YARDSTICKS}
    shares = solved(list(yardsticks.values()), positions["fresh"], context.executor).mean(axis=1)
    return {
        **readings[chosen],
        "reading": chosen,
        "readings": readings,
        "yardsticks": dict(zip(yardsticks, shares.round(4).tolist(), strict=True)),
        "notes": _notes(readings, chosen),
    }


def _positions(context: ExperimentContext, seed: int, settings: dict[str, Any]) -> dict[str, Exercises]:
    """Positions to be tested on: those of the exploration, others of the same games, those of other games."""
    library = _library(context)
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


def _before_and_after(before: bytes, after: bytes, tested: Exercises, context: ExperimentContext) -> dict[str, int]:
    first, last = solved([before, after], tested, context.executor).sum(axis=1)
    return {"before": int(first), "after": int(last), "total": len(tested)}


def _notes(readings: dict[str, dict[str, Any]], chosen: str) -> list[str]:
    counted = {
        "unsolved": "20 positions that no player had solved, as the text says",
        "all": "all positions of the exploration",
        "more": "these and many more of the same games",
    }
    return [
        *(
            f"Counting {counted[name]}: trained on {_shares(reading['trained'])}, fresh {_shares(reading['fresh'])}."
            for name, reading in readings.items()
        ),
        f"The table and the games have the reading `{chosen}`: of those that improved anything it solved most "
        "positions of training games that no reading used.",
    ]


def _shares(counts: dict[str, int]) -> str:
    return f"{100 * counts['before'] / counts['total']:.1f} → {100 * counts['after'] / counts['total']:.1f} %"


# --- Games ------------------------------------------------------------------------------------------------------------


def exploitation_games(context: ExperimentContext) -> dict[str, Any]:
    """Table 17: exploitation against exploration, which has the thesis' rating; what is measured is the difference."""
    exploiter, explorer = (
        (context.folder / context.result(name)["brain"]).read_bytes() for name in ("exploitation", "exploration")
    )
    chosen = context.read_settings("vazquez2012", "exploitation_games")
    tally = _play(context, chosen, exploiter, explorer)
    found = estimate_elo(tally)
    base = PUBLISHED.table_17[1].elo
    low, high = (base + max(-2000.0, min(2000.0, bound)) for bound in (found.low, found.high))
    same = {"games": tally.games, "draws": tally.draw_rate}
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "rows": [
            {
                "name": EXPLOITER,
                "elo": round(base + found.elo, 1),
                "low": round(low, 1),
                "high": round(high, 1),
                "score": tally.score,
                "opposition": base,
                **same,
            },
            {
                "name": EXPLORER,
                "elo": base,
                "low": base,
                "high": base,
                "score": 1 - tally.score,
                "opposition": round(base + found.elo, 1),
                **same,
            },
        ],
        "conditions": f"{chosen['depth']} plies without shortcuts, both colours",
    }


def exploration_rating(context: ExperimentContext) -> dict[str, Any]:
    """Table 18 and Figure 42: the three players against a rated opponent, all at six plies."""
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    explored, exploited = context.result("exploration"), context.result("exploitation")
    brains = {START: explored["start_brain"], EXPLORER: explored["brain"], EXPLOITER: exploited["brain"]}
    chosen = context.read_settings("vazquez2012", "exploration_rating")
    games, depth = chosen["games"], chosen["depth"]
    paths = {name: context.folder / path for name, path in brains.items()}
    standings = rated.meet(context, "exploration_rating", paths, (LEVEL,), games=games, depth=depth)
    (opponent,) = standings.anchors
    return {
        "rows": rated.rows(standings),
        "players": list(brains),
        "gains": {
            "exploration": rated.gain(standings, START, EXPLORER),
            "exploitation": rated.gain(standings, EXPLORER, EXPLOITER),
        },
        "games": {name: met[opponent] for name, met in rated.tallies(standings).items()},
        "opponent": opponent,
        "conditions": rated.conditions(depth, games),
    }


# --- Orders and folders -----------------------------------------------------------------------------------------------


def _order(context: ExperimentContext, number: int) -> RecipeConfig:
    return RecipeConfig(context.size, _seed(context, number), context.executor, context.games, {"scale": SCALE})


def _seed(context: ExperimentContext, number: int) -> int:
    return 1000 * context.seed + number


def _folder(context: ExperimentContext, number: int) -> Path:
    return context.folder / "exploration" / f"{number:02}"


def _library(context: ExperimentContext) -> MasterGames:
    return master_games(context.games, context.size, context.executor)


def _total(context: ExperimentContext) -> int:
    return min(int(usual_settings("vazquez-28", context.size)["positions"]), len(_library(context).training))
