"""Sections 4.3 to 4.6: Table 2, Figure 4 (training by TD-Leaf), and optimisers compared."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from okapi.brains.library import BRAIN
from okapi.core.selfplay import play_tdleaf
from okapi.errors import NotFound, UsageError
from okapi.papers.experiment import ExperimentContext, is_wanted
from okapi.papers.games import game_store
from okapi.papers.lai2015.headlines import PUBLISHED
from okapi.papers.lai2015.players import made
from okapi.papers.published import read_toml
from okapi.papers.stored import continue_training
from okapi.recipes.run import RecipeProgress
from okapi.recipes.tdleaf import BOOTSTRAP, OUTCOME, PLAN, giraffe, read_strength, run_tdleaf
from okapi.training.optimisers import make_optimiser
from okapi.training.tdleaf import LETTER, LOSSES, Leaves, contributions, leaf_targets, td_errors
from okapi.training.tdleaf_learners import Learner, StorePositions, evaluator_of, find_learner

DISCOUNT: Final = 0.7


def table_2(context: ExperimentContext) -> dict[str, Any]:
    """Each move's contribution, and their sum: discounted as in the table, and as by the update rule."""
    scores = np.array([step.score for step in PUBLISHED.table_2])
    one_game, all_learn = scores[None], np.ones((1, len(scores)), np.uint8)
    return {
        "discount": DISCOUNT,
        "contributions": [round(float(each), 4) for each in contributions(scores, DISCOUNT)],
        "total": round(float(td_errors(one_game, all_learn, DISCOUNT, late=True)[0, 0]), 4),
        "by_the_rule": round(float(td_errors(one_game, all_learn, DISCOUNT)[0, 0]), 4),
    }


RUNS: Final = {"ours": "ours", "letter": "to the letter"}
"""Names of the two runs, by their `way` of `okapi train giraffe`."""


def tdleaf(context: ExperimentContext) -> dict[str, Any]:
    """The curves of both runs, or of `only` one; of one that is not finished, as far as it was measured.

    `ours` and `letter` name folders of runs that `okapi train giraffe` made, finished or not. Other settings are those
    of the recipe, for the runs that are made here.
    """
    chosen = context.read_settings("lai2015", "tdleaf", **context.changes.get("tdleaf", {}))
    given = {way: chosen.pop(way) for way in RUNS}
    only = chosen.pop("only")
    thesis = {"encoding": "giraffe-363", "iterations": chosen.pop("letter_iterations")}
    data: dict[str, Any] = {"runs": {}}

    def measure(way: str, folder: Path) -> None:
        data["runs"][RUNS[way]] = run = _run_figures(context, folder)
        if not run["finished"]:
            context.keep(data, run["positions"], run["wanted"], "positions")

    def follow(way: str, folder: Path, now: RecipeProgress) -> None:
        context.tell(f"tdleaf, {RUNS[way]}: {now.text}")
        known = data["runs"].get(RUNS[way], {"curve": [{}]})["curve"]
        if len(read_strength(folder)) >= len(known):
            measure(way, folder)

    for way in (way for way in RUNS if is_wanted(way, only)):
        folder = Path(given[way] or context.folder / "tdleaf" / way)
        if not given[way]:
            continue_training(context, f"tdleaf/{way}", read_toml("lai2015", "paper")["training"])
            settings = {**(thesis if way == "letter" else {}), **chosen, "way": way}
            run = replace(context.recipe_run("tdleaf", folder), watch=partial(follow, way, folder))
            run_tdleaf(giraffe(context.recipe_config(**settings)), run)
        measure(way, folder)
    if not data["runs"]:
        raise UsageError(f"there is no run `{only}`", hint=f"expected {' or '.join(RUNS)}")
    data["notes"] = [
        f"The training {name} is not finished: {run['positions']:,} of {run['wanted']:,} positions at its last "
        f"measurement; the thesis had {PUBLISHED.positions:,}. The same command continues it."
        for name, run in data["runs"].items()
        if not run["finished"]
    ]
    first = next(iter(data["runs"].values()))
    return {**data, **{key: first[key] for key in ("brain", "bootstrap")}}


def _run_figures(context: ExperimentContext, folder: Path) -> dict[str, Any]:
    if not (folder / BOOTSTRAP).is_file():
        raise NotFound(f"no training by TD-Leaf at `{folder}`", hint="`okapi train giraffe --out DIR` makes one")
    folder, home = folder.absolute(), context.folder.absolute()
    outcome, plan = _read(folder / OUTCOME), _read(folder / PLAN)
    settings = plan.get("settings", {})
    begun = {"positions": 0, "processor_s": 0.0, "sts": outcome.get("begun", {}).get("sts"), "elo": 0.0}
    curve = [begun, *read_strength(folder)]
    if outcome:
        curve.append({key: outcome[key] for key in ("positions", "processor_s")} | dict(outcome["trained"]))
    last, where = curve[-1], folder.relative_to(home) if folder.is_relative_to(home) else folder
    keys = ("way", "starts", "plies", "nodes", "discount", "optimiser", "loss")
    how = ", ".join(f"{key} {settings[key]}" for key in keys if key in settings)
    measured = ("positions", "processor_s", "sts", "elo", "elo_low", "elo_high")
    return {
        "brain": str(where / BRAIN) if (folder / BRAIN).is_file() else None,
        "bootstrap": str(where / BOOTSTRAP),
        "finished": bool(outcome),
        "wanted": plan["estimate"]["positions"],
        "how": f"{how}; positions from {settings.get('from', 'its own games')}",
        "positions": last["positions"],
        "core_hours": round(last["processor_s"] / 3600, 4),
        "suite_limits": f"{settings['suite_nodes']:,} nodes" if settings.get("suite") else "",
        "curve": [{key: point.get(key) for key in measured} for point in curve],
    }


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_bytes())) if path.exists() else {}


LOOKS, BATCH = 20, 256  # measurements on the held-out leaves during training, and leaves of a step


def optimisers(context: ExperimentContext) -> dict[str, Any]:
    """Every optimiser with the rate best on validation leaves, tested on others; from `brain` or tdleaf's bootstrap."""
    chosen = context.read_settings("lai2015", "optimisers", nodes=LETTER["nodes"], loss=LETTER["loss"])
    begin = chosen["brain"] or made(context, "tdleaf", "bootstrap")
    if begin is None:
        return {"skipped": "there is no bootstrap to begin from: --only tdleaf, or --change optimisers.brain=FILE"}
    torch.set_num_threads(1)
    parts, loss = list(_recorded(context, find_learner(str(begin)), chosen)), chosen["loss"]
    held = max(1, len(parts) // 10)
    train, validation, test = map(Leaves.concatenate, (parts[: -2 * held], parts[-2 * held : -held], parts[-held:]))
    rows: list[dict[str, Any]] = []
    for name, each in read_toml("lai2015", "paper")["optimisers"].items():
        context.tell(f"optimisers: {name}")
        tried: list[dict[str, Any]] = []
        for rate in each["rates"]:
            learner = find_learner(str(begin))
            curve = learned(learner, train, validation, {**each["settings"], "lr": rate}, chosen, context.seed)
            tried.append({"name": name, "rate": rate, "curve": curve, "error": _loss(learner, test, loss)})
        rows.append(min(tried, key=lambda row: float(row["curve"][-1][1])))
    sizes = {"leaves": len(train), "validated": len(validation), "held_out": len(test)}
    return {**sizes, "loss": loss, "start": _loss(find_learner(str(begin)), test, loss), "rows": rows}


def _recorded(context: ExperimentContext, learner: Learner, chosen: Mapping[str, Any]) -> Iterator[Leaves]:
    """The leaves of each round of self-play."""
    starts, judge = StorePositions(game_store(context)), evaluator_of(learner)
    for number in range(chosen["rounds"]):
        rng = np.random.default_rng([context.seed, number])
        context.tell(f"optimisers: playing, round {number + 1} of {chosen['rounds']}")
        drawn, seed = starts.draw(chosen["starts"], rng), int(rng.integers(1 << 62))
        same: dict[str, Any] = {key: LETTER[key] for key in ("plies", "random_moves")}
        played = play_tdleaf(judge, drawn, nodes=chosen["nodes"], seed=seed, threads=context.executor.workers, **same)
        yield leaf_targets(played, LETTER["discount"], same_side=False, late=False, learn_from="all", least_plies=1)[0]


def learned(
    learner: Learner, train: Leaves, test: Leaves, optimiser: Mapping[str, Any], chosen: Mapping[str, Any], seed: int
) -> list[list[float]]:
    """Pairs of steps and loss on held-out leaves, from before the first step on."""
    taking = make_optimiser(optimiser, learner.module.parameters(), torch.device("cpu"))
    rng, steps, loss = np.random.default_rng(seed), chosen["steps"], chosen["loss"]
    curve = [[0, _loss(learner, test, loss)]]
    for step in range(1, steps + 1):
        batch = train.take(rng.integers(len(train), size=min(BATCH, len(train))))
        taking.zero_grad()
        LOSSES[loss](learner.values(batch.positions).tanh(), torch.from_numpy(batch.targets)).backward()
        taking.step()
        if step % max(1, steps // LOOKS) == 0 or step == steps:
            curve.append([step, _loss(learner, test, loss)])
    return curve


@torch.no_grad()
def _loss(learner: Learner, test: Leaves, loss: str) -> float:
    said = learner.values(test.positions).tanh()
    return round(float(LOSSES[loss](said, torch.from_numpy(test.targets))), 6)
