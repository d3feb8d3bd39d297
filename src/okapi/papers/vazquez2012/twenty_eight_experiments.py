"""The experiments of chapter 6: exploration by evolution, exploitation by Hooke-Jeeves, games and ratings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import estimate_elo
from okapi.brains import find
from okapi.optimize.generation import Generation
from okapi.optimize.genes import FloatArray
from okapi.papers.vazquez2012.published import TABLE_17
from okapi.recipes import rated
from okapi.recipes.duels import Terms, duel
from okapi.recipes.lab import Lab
from okapi.recipes.masters import Exercises, Masters, masters, solved
from okapi.recipes.order import Order, Size
from okapi.recipes.raising import BRAIN, CHAMPIONS, raise_brain, read_generations
from okapi.recipes.vazquez2012 import exploitation as hooke
from okapi.recipes.vazquez2012 import twenty_eight

__all__ = ["exploitation", "exploitation_games", "exploration", "exploration_rating"]

RUNS: Final[dict[Size, int]] = {"tiny": 2, "quick": 2, "full": 30}
EXAMINED: Final[dict[Size, int]] = {"tiny": 200, "quick": 5000, "full": 10_000}
"""Positions that a player is examined with afterwards: so many of training games, and so many of fresh ones."""

GAMES: Final[dict[Size, int]] = {"tiny": 2, "quick": 40, "full": 200}
RATED_GAMES: Final[dict[Size, int]] = {"tiny": 2, "quick": 20, "full": 200}
DEPTH: Final[dict[Size, int]] = {"tiny": 2, "quick": 4, "full": 4}
RATED_DEPTH: Final[dict[Size, int]] = {"tiny": 2, "quick": 4, "full": 6}

SCALE: Final = "softened"
"""Of the factors: the thesis does not say which. docs/vazquez2012.md has the games that chose this one."""

LEVEL: Final = 2500
"""Of Stockfish, in the place of Chessmaster."""

YARDSTICKS: Final = ("material", "vazquez-exploitation", "okapi-28")
"""Brains that ship, and answer the same exam: plain material, what the thesis published, and a teacher's pupil."""

START, EXPLORER, EXPLOITER = "VP0 exploration", "VP200 exploration", "VP exploitation"


# --- Exploration ------------------------------------------------------------------------------------------------------


def exploration(lab: Lab) -> dict[str, Any]:
    """Figure 41 and the first column of Table 16: the best of many runs."""
    runs: list[dict[str, Any]] = []
    best: tuple[float, int, list[FloatArray]] | None = None
    count = lab.chosen("exploration", {"runs": RUNS[lab.size]})["runs"]
    for number in range(1, count + 1):
        lab.tell(f"exploration: run {number} of {count}")
        populations: list[FloatArray] = []
        recipe = twenty_eight.recipe(_order(lab, number))
        last = raise_brain(recipe, _folder(lab, number), _collector(populations))
        runs.append({"seed": _seed(lab, number), "solved": int(last.best_score), "total": _total(lab)})
        if best is None or last.best_score > best[0]:
            best = last.best_score, number, populations
    assert best is not None
    return {"runs": runs, **_told(lab, best[1], best[2])}


def _told(lab: Lab, number: int, populations: list[FloatArray]) -> dict[str, Any]:
    """About the best run."""
    folder = _folder(lab, number)
    generations = read_generations(folder)
    recipe = twenty_eight.recipe(_order(lab, number))
    everybody = np.unique(np.concatenate(populations), axis=0)
    exercises = twenty_eight.training(_library(lab), recipe.settings["positions"], _seed(lab, number))
    express = twenty_eight.Expression(SCALE)
    return {
        "best_run": number,
        "history": [{key: now[key] for key in ("generation", "best", "mean")} for now in generations],
        "weights": dict(zip(recipe.genes.names, generations[-1]["weights"]["best"], strict=True)),
        "nobody_solved": hooke.unsolved_by(everybody, exercises, express, lab.executor),
        "start_brain": lab.inside(folder / CHAMPIONS / "0000.safetensors"),
        "brain": lab.inside(folder / BRAIN),
        "seconds": generations[-1]["seconds"],
        "masters": recipe.settings["masters"],
        "scale": SCALE,
    }


def _collector(populations: list[FloatArray]) -> Callable[[Generation], None]:
    def collect(now: Generation) -> None:
        populations.append(now.population)

    return collect


# --- Exploitation -----------------------------------------------------------------------------------------------------


def exploitation(lab: Lab) -> dict[str, Any]:
    """The second column of Table 16, and the solved positions of section 6.3.1, by three readings of what is counted.

    Which of those that found anything goes on to the games is decided by positions of training games that none of them
    was shown.
    """
    explored = lab.result("exploration")
    seed = _seed(lab, explored["best_run"])
    settings = hooke.USUAL[lab.size]
    before = (lab.folder / explored["brain"]).read_bytes()
    exams = _exams(lab, seed, settings)
    readings: dict[str, dict[str, Any]] = {}
    for objective in hooke.OBJECTIVES:
        lab.tell(f"exploitation: Hooke-Jeeves by the reading {objective}")
        changes = {
            "start": str(lab.folder / explored["brain"]),
            "nobody_solved": explored["nobody_solved"],
            "objective": objective,
            "scale": SCALE,
        }
        folder = lab.folder / "exploitation" / objective
        recipe = hooke.recipe(Order(lab.size, seed, lab.executor, lab.games, changes))
        steps: list[FloatArray] = []
        last = raise_brain(recipe, folder, _collector(steps))
        after = (folder / BRAIN).read_bytes()
        readings[objective] = {
            **{name: _before_and_after(before, after, exam, lab) for name, exam in exams.items()},
            "evaluations": last.evaluations,
            "moved": bool((last.population != steps[0]).any()),
            "weights": dict(zip(recipe.genes.names, last.best.tolist(), strict=True)),
            "brain": lab.inside(folder / BRAIN),
        }
    moved = [name for name, reading in readings.items() if reading["moved"]]
    chosen = max(moved or readings, key=lambda name: readings[name]["checked"]["after"])
    yardsticks = {name: find(name).read_bytes() for name in YARDSTICKS}
    shares = solved(list(yardsticks.values()), exams["fresh"], lab.executor).mean(axis=1)
    return {
        **readings[chosen],
        "reading": chosen,
        "readings": readings,
        "yardsticks": dict(zip(yardsticks, shares.round(4).tolist(), strict=True)),
        "notes": _notes(readings, chosen),
    }


def _exams(lab: Lab, seed: int, settings: dict[str, Any]) -> dict[str, Exercises]:
    """What everybody is examined with: the exploration's positions, others of the same games, those of fresh games."""
    library = _library(lab)
    trained = twenty_eight.training(library, settings["positions"], seed)
    shown = twenty_eight.training(library, max(settings["positions"], settings["more"]), seed)
    dice = np.random.default_rng([lab.seed, 3])
    return {
        "trained": trained,
        "checked": library.training.unlike(shown).some(EXAMINED[lab.size], dice),
        "fresh": library.fresh.unlike(shown).some(EXAMINED[lab.size], dice),
        "strict": library.fresh.unlike(library.training).some(EXAMINED[lab.size], dice),
    }


def _before_and_after(before: bytes, after: bytes, exam: Exercises, lab: Lab) -> dict[str, int]:
    first, last = solved([before, after], exam, lab.executor).sum(axis=1)
    return {"before": int(first), "after": int(last), "total": len(exam)}


def _notes(readings: dict[str, dict[str, Any]], chosen: str) -> list[str]:
    counted = {
        "unsolved": "20 positions that nobody had solved, as the text says",
        "all": "all positions of the exploration",
        "more": "these and many more of the same games",
    }
    return [
        *(
            f"Counting {counted[name]}: trained on {_shares(reading['trained'])}, fresh {_shares(reading['fresh'])}."
            for name, reading in readings.items()
        ),
        f"The table and the games have the reading `{chosen}`: of those that found anything better it solved most "
        "positions of training games that no reading was shown.",
    ]


def _shares(counts: dict[str, int]) -> str:
    return f"{100 * counts['before'] / counts['total']:.1f} → {100 * counts['after'] / counts['total']:.1f} %"


# --- Games ------------------------------------------------------------------------------------------------------------


def exploitation_games(lab: Lab) -> dict[str, Any]:
    """Table 17: exploitation against exploration, which has the thesis' rating; what is measured is the difference."""
    exploiter, explorer = (
        (lab.folder / lab.result(name)["brain"]).read_bytes() for name in ("exploitation", "exploration")
    )
    terms = Terms(games=GAMES[lab.size], depth=DEPTH[lab.size], seed=lab.seed, without=("shortcuts",))
    tally = duel(exploiter, explorer, terms, lab.executor)
    found = estimate_elo(tally)
    base = TABLE_17[1].elo
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
        "conditions": f"{terms.depth} plies without shortcuts, both colours",
    }


def exploration_rating(lab: Lab) -> dict[str, Any]:
    """Table 18 and figure 42: the three players against a rated opponent, everybody at six plies."""
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    explored, exploited = lab.result("exploration"), lab.result("exploitation")
    brains = {START: explored["start_brain"], EXPLORER: explored["brain"], EXPLOITER: exploited["brain"]}
    chosen = lab.chosen("exploration_rating", {"games": RATED_GAMES[lab.size], "depth": RATED_DEPTH[lab.size]})
    games, depth = chosen["games"], chosen["depth"]
    paths = {name: lab.folder / path for name, path in brains.items()}
    standings = rated.meet(lab, "exploration_rating", paths, (LEVEL,), games=games, depth=depth)
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


# --- Where things are -------------------------------------------------------------------------------------------------


def _order(lab: Lab, number: int) -> Order:
    return Order(lab.size, _seed(lab, number), lab.executor, lab.games, {"scale": SCALE})


def _seed(lab: Lab, number: int) -> int:
    return 1000 * lab.seed + number


def _folder(lab: Lab, number: int) -> Path:
    return lab.folder / "exploration" / f"{number:02}"


def _library(lab: Lab) -> Masters:
    return masters(lab.games, lab.size, lab.executor)


def _total(lab: Lab) -> int:
    return min(int(twenty_eight.USUAL[lab.size]["positions"]), len(_library(lab).training))
