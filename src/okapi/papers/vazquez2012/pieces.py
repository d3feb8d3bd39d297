"""Chapter 4: evolution of the piece networks against its start (Table 9), ratings (Table 10), and other networks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.brains.files import read_tensors, replace_file
from okapi.brains.library import BRAIN
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext
from okapi.papers.rating import MatchTerms, elo_of, play_brains
from okapi.papers.stored import run_row, take_scores
from okapi.recipes import usual_settings
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import CHAMPIONS, read_generations, run_evolution
from okapi.recipes.vazquez2012.pieces import as_board, by_results, recipe, tournament, without

LEVELS: Final = (1700, 1900, 2100, 2300)
"""Of Rybka in the thesis."""

VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "c as a gene of each piece": {"free": "c"},
    "1 to 15 hidden nodes, their number a gene of each piece": {"free": "nodes", "hidden": 15},
    "mutations that adapt themselves": {"free": "sigma"},
}
ON_RESULTS: Final = "CMA-ES on the results of masters' games"


def pieces(context: ExperimentContext) -> dict[str, Any]:
    """Experiment A: Tables 9 and 11."""
    usual = usual_settings("vazquez-pieces", context.size)
    chosen = context.read_settings("vazquez2012", "pieces", **usual)
    settings = {name: chosen[name] for name in usual}
    runs: list[dict[str, Any]] = []
    for number in range(chosen["runs"]):
        runs.append(_measured_run(context, number, settings, chosen["match"]))
        context.keep(_found(context, runs, settings), len(runs), chosen["runs"])
    return _found(context, runs, settings)


def _found(context: ExperimentContext, runs: list[dict[str, Any]], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of the runs so far."""
    best = int(np.argmax([run["score"] for run in runs]))
    champion, start = champions(_folder(context, "pieces", best))
    return {
        "runs": runs,
        "seconds": sum(run["seconds"] for run in runs),
        "best_run": best + 1,
        "champion": context.inside(champion),
        "start": context.inside(start),
        "table11": as_board(read_tensors(champion)["bishop_pawns"][0]),
        "settings": dict(settings),
        "notes": [_against_all_text([MatchResult(*run["everybody"]) for run in runs])],
    }


def _measured_run(context: ExperimentContext, number: int, settings: Mapping[str, Any], match: int) -> dict[str, Any]:
    """A row of Table 9, and games against all of generation 0."""

    def measure(folder: Path) -> dict[str, Any]:
        evolved(context, "pieces", number, **settings)
        games = match_champions(context, settings, *champions(folder), match)
        against_all = _match_all(context, settings, number, champions(folder)[0], match)
        context.tell(f"pieces: run {number + 1} scores {games.score:.1%}, {against_all.score:.1%} against all")
        return {
            "seed": context.seed + number,
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
            "score": round(games.score, 4),
            "everybody": [against_all.wins, against_all.draws, against_all.losses],
            "seconds": read_generations(folder)[-1]["seconds"],
            "brains": brains_of(folder),
        }

    about = {**settings, "match": match, "seed": context.seed + number}
    return run_row(context, run_name("pieces", number), about, measure)


def pieces_rating(context: ExperimentContext) -> dict[str, Any]:
    """Experiment B: Table 10, with Stockfish in the place of Rybka."""
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    found = context.result("pieces")
    last = f"generation {found['settings']['generations']}"
    brains = {"generation 0": context.folder / found["start"], last: context.folder / found["champion"]}
    chosen = context.read_settings("vazquez2012", "pieces_rating")
    games, depth = chosen["games"], chosen["depth"]
    with_results = find_spec("cma") is not None
    if with_results:
        brains[ON_RESULTS] = trained_on_results(context, 0)
    standings = rated.meet(context, "pieces_rating", brains, LEVELS, games=games, depth=depth)
    gain = rated.gain(standings, *list(brains)[:2])
    return {
        "notes": [_gained(rated.gain(standings, "generation 0", ON_RESULTS))] if with_results else [],
        "rows": rated.rows(standings),
        "tallies": rated.tallies(standings),
        "gain": gain["elo"],
        "gain_low": gain["low"],
        "gain_high": gain["high"],
        "conditions": rated.conditions(depth, games),
    }


def _gained(gain: Mapping[str, float]) -> str:
    return (
        f"Beyond the thesis, the same networks learn by {ON_RESULTS}, and gain {gain['elo']:+.0f} Elo "
        f"({gain['low']:+.0f} … {gain['high']:+.0f}) on the best of generation 0."
    )


def beyond_pieces(context: ExperimentContext) -> dict[str, Any]:
    """The thesis' future work, against its own networks from the same seeds after as many generations."""
    settings = context.result("pieces")["settings"]  # its runs are the ones to compare with
    chosen = context.read_settings("vazquez2012", "beyond_pieces")
    rows = []
    for number, (what, changes) in enumerate(VARIANTS.items(), start=1):
        raised = [
            champions(evolved(context, f"beyond_pieces/{number}", run, **{**settings, **changes}))[0]
            for run in range(chosen["runs"])
        ]
        rows.append(_compared(context, settings, what, raised, chosen["match"]))
    if find_spec("cma") is not None:
        raised = [trained_on_results(context, run) for run in range(chosen["runs"])]
        rows.append(_compared(context, settings, ON_RESULTS, raised, chosen["match"]))
    return {"rows": rows, "runs": chosen["runs"]}


def trained_on_results(context: ExperimentContext, number: int) -> Path:
    what = "beyond_pieces/results"
    folder = _folder(context, what, number)
    made = by_results(_order(context, number))
    take_scores(context, run_name(what, number), made)
    run_evolution(
        made,
        folder,
        lambda now: context.tell(f"{ON_RESULTS}: run {number + 1}, generation {now.number}"),
    )
    return folder / BRAIN


def _compared(
    context: ExperimentContext, settings: Mapping[str, Any], what: str, raised: Sequence[Path], games: int
) -> dict[str, Any]:
    """The result of players against the thesis' own of the same runs."""
    plain = [champions(_folder(context, "pieces", run))[0] for run in range(len(raised))]
    tally = sum(
        (match_champions(context, settings, *pair, games) for pair in zip(raised, plain, strict=True)), MatchResult()
    )
    elo = elo_of(tally)
    context.tell(f"beyond_pieces: {what}: {elo['elo']:+.0f} Elo")
    return {
        "what": what,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(tally.score, 4),
        **elo,
    }


def _against_all_text(runs: list[MatchResult]) -> str:
    shares = [run.score for run in runs]
    return (
        "The best of generation 0 was found by games. Against all players of generation 0, the best of the last "
        f"one scores {np.mean(shares):.1%} ({min(shares):.1%} to {max(shares):.1%})."
    )


def _match_all(
    context: ExperimentContext, settings: Mapping[str, Any], number: int, champion: Path, games: int
) -> MatchResult:
    """The result of a champion against each player of its generation 0, equally many games."""
    start = recipe(_order(context, number, **settings))
    first = next(start.learn(lambda population, _: np.zeros(len(population))))
    terms = _terms(context, settings, max(2, games // len(first.population)))
    tallies = [
        play_brains(champion.read_bytes(), start.express(player, {"name": "beginner"}), terms, context.executor)
        for player in first.population
    ]
    return sum(tallies, MatchResult())


def evolved(context: ExperimentContext, what: str, number: int, **changes: Any) -> Path:
    """Evolve a player, unless it is there already; the folder of the run."""
    folder = _folder(context, what, number)
    made = recipe(_order(context, number, **changes))
    take_scores(context, run_name(what, number), made)
    run_evolution(
        made,
        folder,
        lambda now: context.tell(f"{what}: run {number + 1}, generation {now.number}, best {now.best_score:g} points"),
    )
    return folder


def best_by_long_tournament(
    context: ExperimentContext, what: str, number: int, games: int, settings: Mapping[str, Any]
) -> Path:
    """Of the last generation of an evolved run, the player with most points when each plays so many games."""
    folder = _folder(context, what, number)
    made = recipe(_order(context, number, **settings))
    last = run_evolution(made, folder)
    nameless = {"name": "best by a long tournament"}
    points = tournament(
        lambda player: made.express(player, nameless),
        context.executor,
        games=games,
        depth=settings["depth"],
        without=without(settings),
        seed=context.seed + number,
    )(last.population, last.number + 1)
    path = folder / "long.safetensors"
    replace_file(path, made.express(last.population[int(points.argmax())], nameless))
    return path


def _order(context: ExperimentContext, number: int, **changes: Any) -> RecipeConfig:
    return replace(context.recipe_config(**changes), seed=context.seed + number)


def run_name(what: str, number: int) -> str:
    return f"{what}/run-{number + 1:02}"


def _folder(context: ExperimentContext, what: str, number: int) -> Path:
    return context.folder / run_name(what, number)


def champions(folder: Path) -> tuple[Path, Path]:
    """The best of the last generation, and of the first."""
    champions = sorted((folder / CHAMPIONS).glob("*.safetensors"))
    return champions[-1], champions[0]


def brains_of(folder: Path) -> list[str]:
    """The first and the last champion, relative to the folder of the run."""
    return [champion.relative_to(folder).as_posix() for champion in champions(folder)[::-1]]


def match_champions(
    context: ExperimentContext, settings: Mapping[str, Any], first: Path, second: Path, games: int
) -> MatchResult:
    """The result of the first brain, under the conditions of the tournaments."""
    return play_brains(first.read_bytes(), second.read_bytes(), _terms(context, settings, games), context.executor)


def _terms(context: ExperimentContext, settings: Mapping[str, Any], games: int) -> MatchTerms:
    return MatchTerms(games=games, depth=settings["depth"], without=without(settings), seed=context.seed)
