"""The experiment of chapter 5: many runs of five weights, and games of the last generation against the first."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.recipes.duels import Terms, duel
from okapi.recipes.lab import Lab
from okapi.recipes.order import Order, Size
from okapi.recipes.raising import CHAMPIONS, raise_brain, read_generations
from okapi.recipes.vazquez2012 import five

__all__ = ["five_weights"]

RUNS: Final[dict[Size, int]] = {"tiny": 1, "quick": 3, "full": 30}
"""From the neighbourhood of theory; the one from afar, number 31 of the thesis, is always made as well."""

GAMES: Final[dict[Size, int]] = {"tiny": 2, "quick": 20, "full": 100}
DEPTH: Final[dict[Size, int]] = {"tiny": 2, "quick": 4, "full": 4}


def five_weights(lab: Lab) -> dict[str, Any]:
    """Tables 12 and 13, figures 38 and 39, and the games of section 5.4.2."""
    count = lab.chosen("five", {"runs": RUNS[lab.size]})["runs"] + 1
    runs = [_run(lab, number, count) for number in range(1, count)]
    far = _run(lab, count, count)
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
        "average": _play(
            lab, *(five.express(np.array(now["weights"]["mean"]), {"name": "average"}) for now in (last, first))
        ),
        "best": _play(lab, *(_champion(far["folder"], now["generation"]) for now in (last, first))),
    }
    told = [{key: run[key] for key in ("seed", "weights", "seconds", "matched")} for run in (*runs, far)]
    return {
        "runs": told,
        "history": history,
        "games": games,
        "start": {name: [mean, history[0]["deviation"][name]] for name, mean in history[0]["mean"].items()},
        "masters": far["masters"],
        "conditions": f"{GAMES[lab.size]} games each, {DEPTH[lab.size]} plies without shortcuts, both colours",
    }


def _run(lab: Lab, number: int, count: int) -> dict[str, Any]:
    """One of so many runs; the last begins from afar."""
    seed = 1000 * lab.seed + number
    lab.tell(f"five weights: run {number} of {count}")
    recipe = five.recipe(Order(lab.size, seed, lab.executor, lab.games, {"far_start": number == count}))
    folder = lab.folder / "five" / f"{number:02}"
    raise_brain(recipe, folder)
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


def _play(lab: Lab, last: bytes, first: bytes) -> list[int]:
    terms = Terms(games=GAMES[lab.size], depth=DEPTH[lab.size], seed=lab.seed, without=("shortcuts",))
    tally = duel(last, first, terms, lab.executor)
    return [tally.wins, tally.draws, tally.losses]
