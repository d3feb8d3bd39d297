"""The networks of the thesis, and how each of them is trained: jobs.toml has them.

Section 2.7 uses AdaGrad at 0.1, then 0.01, in batches of 1000; `piece-letter` does that, and `outcome-letter` has its
RMSprop. The others have the same networks, trained with AdamW and a cosine schedule.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from okapi.papers.published import read_toml
from okapi.papers.singh2015.headlines import SMALL
from okapi.recipes.config import Size
from okapi.recipes.game_jobs import GameJob, GameTarget
from okapi.training.supervised import SupervisedConfig

JOBS: Final = read_toml("singh2015", "jobs")

NETWORKS: Final = tuple(JOBS["seven"])  # the seven, in the thesis' order

GAMMAS: Final[tuple[float, ...]] = tuple(value["gamma"] for value in JOBS["values"].values())

OURS: Final = "ours"  # one network instead of seven
TEACHER: Final = "teacher"  # ours, trained further on the best moves of a stronger player
VALUE, QUICK_VALUE = "value", "value-quick"  # a small one that predicts the winner, and the same as a perceptron

PLANES: Final = {"planes-6": 6, "planes-12": 12, "planes-18": 18}


def outcome(gamma: float) -> str:
    """The training job of the evaluation network with a discount: outcome-0.7."""
    return f"outcome-{gamma:g}"


def small(name: str) -> str:
    """The training job that makes a network small: its first dense layer becomes a product of two, and learns on."""
    return name + SMALL


def training_jobs(size: Size, seed: int = 1) -> dict[str, GameJob]:
    """All training jobs by name. `teacher` needs best moves beside the games."""
    thesis = _jobs(size, seed, "seven", "values")
    to_ship = {name: told["small"] for name, told in {**JOBS["seven"], **JOBS["values"]}.items() if "small" in told}
    shipped = {small(name): _small(size, name, thesis[name], told) for name, told in to_ship.items()}
    return {**thesis, **shipped, **_jobs(size, seed, "single", "letter", "variants")}


def _jobs(size: Size, seed: int, *groups: str) -> dict[str, GameJob]:
    same = JOBS["same"]
    return {
        name: _job(size, seed, {"task": name, **same["all"], **same.get(group, {}), **told})
        for group in groups
        for name, told in JOBS[group].items()
    }


def _job(size: Size, seed: int, told: Mapping[str, Any]) -> GameJob:
    scale, model, encoding = JOBS["sizes"][size], told["model"], told["encoding"]
    epochs, batch = (told.get(key, {}).get(size, scale[key]) for key in ("epochs", "batch"))
    batches = epochs * scale["samples"] // batch
    schedule = {**told.get("schedule", _cosine(batches, 500))}
    if "parts" in schedule:
        schedule["every"] = max(1, batches // schedule.pop("parts"))
    base, *layers = encoding.split("+")
    planes = {"planes": PLANES[base] + len(layers)} if base in PLANES else {}
    given = {key: told[key] for key in ("loss", "optimiser", "mirror", "warm_start") if key in told}
    plan = SupervisedConfig(
        model=f"okapi.models.{model}",
        arguments={**planes, **scale["models"][model], **told.get("arguments", {})},
        encoding=encoding,
        schedule=schedule,
        batch=batch,
        epochs=epochs,
        samples=scale["samples"],
        seed=seed,
        **{key: told.get(key, scale[key]) for key in ("precision", "compile")},
        **given,
    )
    return GameJob(plan, GameTarget(**{key: told[key] for key in ("task", "gamma", "both_views") if key in told}))


def _small(size: Size, name: str, job: GameJob, told: Mapping[str, Any]) -> GameJob:
    scale = JOBS["sizes"][size]
    chosen = {**scale, **told} if size == "full" else scale
    rank, epochs = chosen["rank"], chosen["epochs"]
    plan = replace(
        job.plan,
        arguments={**job.plan.arguments, "rank": rank},
        optimiser={**job.plan.optimiser, "lr": 0.0005},
        schedule=_cosine(epochs * scale["samples"] // job.plan.batch, 100),
        epochs=epochs,
        warm_start=f"job:{name}",
    )
    return GameJob(plan, job.target)


def _cosine(batches: int, longest: int) -> dict[str, Any]:
    return {"name": "cosine", "warmup": max(1, min(longest, batches // 10))}
