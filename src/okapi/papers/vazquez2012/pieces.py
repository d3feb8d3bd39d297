"""Chapter 4: evolution of the piece networks against its start (Table 9), ratings (Table 10), and other networks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.brains.files import read_tensors
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext
from okapi.papers.rating import MatchTerms, elo_of, play_brains
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.evolution import BRAIN, CHAMPIONS, read_generations, run_evolution
from okapi.recipes.vazquez2012.pieces import USUAL, as_board, by_results, recipe, without

__all__ = ["beyond_pieces", "pieces", "pieces_rating", "trained_on_results"]

RUNS: Final[dict[Size, int]] = {"tiny": 1, "quick": 4, "full": 10}
GAMES: Final[dict[Size, int]] = {"tiny": 8, "quick": 200, "full": 200}
"""Of the end against the beginning, at the depth of the tournaments."""

LEVELS: Final = (1700, 1900, 2100, 2300)
"""Of Rybka in the thesis."""
RATED_GAMES: Final[dict[Size, int]] = {"tiny": 2, "quick": 10, "full": 60}
RATED_DEPTH: Final[dict[Size, int]] = {"tiny": 1, "quick": 4, "full": 6}

VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "c as a gene of each piece": {"free": "c"},
    "1 to 15 hidden nodes, their number a gene of each piece": {"free": "nodes", "hidden": 15},
}
ON_RESULTS: Final = "CMA-ES on the results of masters' games"
VARIANT_RUNS: Final[dict[Size, int]] = {"tiny": 1, "quick": 1, "full": 5}
VARIANT_GAMES: Final[dict[Size, int]] = {"tiny": 8, "quick": 200, "full": 400}


def pieces(lab: ExperimentContext) -> dict[str, Any]:
    """Experiment A: Tables 9 and 11."""
    chosen = lab.chosen("pieces", {"runs": RUNS[lab.size], "match": GAMES[lab.size], **USUAL[lab.size]})
    settings = {name: chosen[name] for name in USUAL[lab.size]}
    runs = []
    for number in range(chosen["runs"]):
        folder = _run(lab, "pieces", number, **settings)
        games = _match(lab, settings, *_champions(folder), chosen["match"])
        everybody = _match_all(lab, settings, number, _champions(folder)[0], chosen["match"])
        lab.tell(
            f"pieces: run {number + 1} scores {games.score:.1%} against the best of its beginning, "
            f"{everybody.score:.1%} against everybody there"
        )
        runs.append(
            {
                "seed": lab.seed + number,
                "wins": games.wins,
                "draws": games.draws,
                "losses": games.losses,
                "score": round(games.score, 4),
                "everybody": [everybody.wins, everybody.draws, everybody.losses],
                "seconds": read_generations(folder)[-1]["seconds"],
            }
        )
    best = int(np.argmax([run["score"] for run in runs]))
    champion, start = _champions(_folder(lab, "pieces", best))
    return {
        "runs": runs,
        "seconds": sum(run["seconds"] for run in runs),
        "best_run": best + 1,
        "champion": lab.inside(champion),
        "start": lab.inside(start),
        "table11": as_board(read_tensors(champion)["bishop_pawns"][0]),
        "settings": settings,
        "notes": [_against_everybody([MatchResult(*run["everybody"]) for run in runs])],
    }


def pieces_rating(lab: ExperimentContext) -> dict[str, Any]:
    """Experiment B: Table 10, with Stockfish in the place of Rybka."""
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    found = lab.result("pieces")
    last = f"generation {found['settings']['generations']}"
    brains = {"generation 0": lab.folder / found["start"], last: lab.folder / found["champion"]}
    chosen = lab.chosen("pieces_rating", {"games": RATED_GAMES[lab.size], "depth": RATED_DEPTH[lab.size]})
    games, depth = chosen["games"], chosen["depth"]
    with_results = find_spec("cma") is not None
    if with_results:
        brains[ON_RESULTS] = trained_on_results(lab, 0)
    standings = rated.meet(lab, "pieces_rating", brains, LEVELS, games=games, depth=depth)
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


def beyond_pieces(lab: ExperimentContext) -> dict[str, Any]:
    """The thesis' future work, against its own networks from the same seeds after as many generations."""
    settings = lab.result("pieces")["settings"]  # its runs are the ones to compare with
    chosen = lab.chosen("beyond_pieces", {"runs": VARIANT_RUNS[lab.size], "match": VARIANT_GAMES[lab.size]})
    rows = []
    for number, (what, changes) in enumerate(VARIANTS.items(), start=1):
        raised = [
            _champions(_run(lab, f"beyond_pieces/{number}", run, **{**settings, **changes}))[0]
            for run in range(chosen["runs"])
        ]
        rows.append(_compared(lab, settings, what, raised, chosen["match"]))
    if find_spec("cma") is not None:
        raised = [trained_on_results(lab, run) for run in range(chosen["runs"])]
        rows.append(_compared(lab, settings, ON_RESULTS, raised, chosen["match"]))
    return {"rows": rows, "runs": chosen["runs"]}


def trained_on_results(lab: ExperimentContext, number: int) -> Path:
    """The brain of networks that learned from results."""
    folder = _folder(lab, "beyond_pieces/results", number)
    run_evolution(
        by_results(_order(lab, number)),
        folder,
        lambda now: lab.tell(f"{ON_RESULTS}: run {number + 1}, generation {now.number}"),
    )
    return folder / BRAIN


def _compared(
    lab: ExperimentContext, settings: Mapping[str, Any], what: str, raised: Sequence[Path], games: int
) -> dict[str, Any]:
    """The result of players against the thesis' own of the same runs."""
    plain = [_champions(_folder(lab, "pieces", run))[0] for run in range(len(raised))]
    tally = sum((_match(lab, settings, *pair, games) for pair in zip(raised, plain, strict=True)), MatchResult())
    elo = elo_of(tally)
    lab.tell(f"beyond_pieces: {what}: {elo['elo']:+.0f} Elo")
    return {
        "what": what,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(tally.score, 4),
        **elo,
    }


def _against_everybody(runs: list[MatchResult]) -> str:
    shares = [run.score for run in runs]
    return (
        "The best of generation 0 was found by games. Against all players of generation 0, the best of the last "
        f"one scores {np.mean(shares):.1%} ({min(shares):.1%} to {max(shares):.1%})."
    )


def _match_all(
    lab: ExperimentContext, settings: Mapping[str, Any], number: int, champion: Path, games: int
) -> MatchResult:
    """The result of a champion against each player of its generation 0, equally many games."""
    start = recipe(_order(lab, number, **settings))
    first = next(start.learn(lambda population, _: np.zeros(len(population))))
    terms = _terms(lab, settings, max(2, games // len(first.population)))
    tallies = [
        play_brains(champion.read_bytes(), start.express(player, {"name": "beginner"}), terms, lab.executor)
        for player in first.population
    ]
    return sum(tallies, MatchResult())


def _run(lab: ExperimentContext, what: str, number: int, **changes: Any) -> Path:
    """Evolve a player, unless it is there already; the folder of the run."""
    folder = _folder(lab, what, number)
    run_evolution(
        recipe(_order(lab, number, **changes)),
        folder,
        lambda now: lab.tell(f"{what}: run {number + 1}, generation {now.number}, best {now.best_score:g} points"),
    )
    return folder


def _order(lab: ExperimentContext, number: int, **changes: Any) -> RecipeConfig:
    return replace(lab.recipe_config(**changes), seed=lab.seed + number)


def _folder(lab: ExperimentContext, what: str, number: int) -> Path:
    return lab.folder / what / f"run-{number + 1:02}"


def _champions(folder: Path) -> tuple[Path, Path]:
    """The best of the last generation, and of the first."""
    champions = sorted((folder / CHAMPIONS).glob("*.safetensors"))
    return champions[-1], champions[0]


def _match(lab: ExperimentContext, settings: Mapping[str, Any], first: Path, second: Path, games: int) -> MatchResult:
    """The result of the first brain, under the conditions of the tournaments."""
    return play_brains(first.read_bytes(), second.read_bytes(), _terms(lab, settings, games), lab.executor)


def _terms(lab: ExperimentContext, settings: Mapping[str, Any], games: int) -> MatchTerms:
    return MatchTerms(games=games, depth=settings["depth"], without=without(settings), seed=lab.seed)
