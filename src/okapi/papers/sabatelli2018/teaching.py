"""The experiments of sections 4.1 to 4.3: Tables 1 to 3, split by game; and what the paper's way of splitting adds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from okapi.brains.writing import replace_file
from okapi.papers.sabatelli2018.names import NETWORKS, PLAYING
from okapi.papers.sabatelli2018.networks import lessons, today
from okapi.recipes.course import Course
from okapi.recipes.disagreements import leave_disagreements_of
from okapi.recipes.graduation import graduate
from okapi.recipes.lab import Lab
from okapi.recipes.labelled import Labelled, both_ways, labelled
from okapi.recipes.order import Order, Size
from okapi.recipes.sabatelli2018 import DATASETS, EPOCHS, INPUTS, POSITIONS, SHRINK, players, shares
from okapi.recipes.schooling import Left, Material, have, told
from okapi.training.supervised.report import LEARNED

__all__ = ["splits", "tables"]

CNN_EPOCHS: Final[dict[Size, int]] = {**EPOCHS, "full": 8}
"""Of the convolutional networks on all labels: what a GPU had time for. They were still getting better."""

PLAYER_EPOCHS: Final[dict[Size, int]] = {"tiny": 1, "quick": 2, "full": 12}
TODAY_EPOCHS: Final[dict[Size, int]] = {"tiny": 1, "quick": 0, "full": 8}

SPLIT_INPUTS: Final[dict[Size, tuple[str, ...]]] = {"tiny": INPUTS[:1], "quick": INPUTS[:1], "full": INPUTS}
SPLIT_DATASETS: Final[dict[Size, tuple[int, ...]]] = {"tiny": (1, 4), "quick": DATASETS, "full": DATASETS}

ELSEWHERE: Final[dict[str, Any]] = {"course": "", "device": "auto", "at_once": 1}
"""Where lessons are had: a folder for the course, a device, and how many at a time."""


def tables(lab: Lab) -> dict[str, Any]:
    """Tables 1 to 3: every network and input on every dataset, no position of a test game in training."""
    usual = {
        "positions": POSITIONS[lab.size],
        "epochs": EPOCHS[lab.size],
        "cnn_epochs": CNN_EPOCHS[lab.size],
        "player_epochs": PLAYER_EPOCHS[lab.size],
        "today_epochs": TODAY_EPOCHS[lab.size],
        "shrink": SHRINK[lab.size],
        **ELSEWHERE,
    }
    chosen = lab.chosen("tables", usual)
    folder = _folder(lab, chosen, "tables")

    def make() -> tuple[Labelled, Mapping[str, Any]]:
        labels = labelled(lab, most=chosen["positions"] or None)
        return labels, {str(how): part for how, part in both_ways(labels, lab.seed, shares(labels)).items()}

    material = Material.gathered(folder, _asked(lab, chosen), make)
    how = "games" if "games" in material.parts else "positions"
    same: dict[str, Any] = {"parts": how, "seed": lab.seed, "shrink": chosen["shrink"]}
    paper = lessons(**same, epochs={"mlp": chosen["epochs"], "cnn": chosen["cnn_epochs"]})
    now = today(**same, epochs=chosen["today_epochs"])
    ours = players(**same, epochs=chosen["player_epochs"])
    course = material.course(folder, {**paper, **now, **ours})
    try:
        have(lab, course, [*paper, *now, *ours], device=chosen["device"], at_once=chosen["at_once"])
    except Left as left:
        return {"skipped": str(left)}
    return {
        "lessons": {name: told(course, name) for name in paper},
        "today": {name: told(course, name) for name in now},
        "players": {name: told(course, name) for name in ours},
        "brains": {
            called: lab.inside(_brain(lab, course, name))
            for name, called in PLAYING.items()
            if (course.where(name) / LEARNED).exists()  # not all weights come back from where they were learned
        },
        "course": str(folder.absolute()) if chosen["course"] else lab.inside(folder),
        "split": how,
        "notes": _shrunk(chosen["shrink"]),
        **material.told(how),
    }


def splits(lab: Lab) -> dict[str, Any]:
    """The same networks on positions that follow each other, split at random as in the paper, and by game."""
    usual = {
        "labels": "",
        "positions": POSITIONS[lab.size],
        "epochs": EPOCHS[lab.size],
        "shrink": SHRINK[lab.size],
        **ELSEWHERE,
    }
    chosen = lab.chosen("splits", usual)
    folder = _folder(lab, chosen, "splits")

    def make() -> tuple[Labelled, Mapping[str, Any]]:
        labels = _consecutive(lab, chosen["labels"], chosen["positions"])
        return labels, {str(how): part for how, part in both_ways(labels, lab.seed).items()}

    material = Material.gathered(folder, _asked(lab, chosen), make)
    taught = {
        how: lessons(
            parts=how,
            epochs=dict.fromkeys(NETWORKS, chosen["epochs"]),
            seed=lab.seed,
            shrink=chosen["shrink"],
            prefix=f"{how}-",
            inputs=SPLIT_INPUTS[lab.size],
            datasets=SPLIT_DATASETS[lab.size],
        )
        for how in ("positions", "games")
    }
    every = {name: lesson for some in taught.values() for name, lesson in some.items()}
    course = material.course(folder, every)
    try:
        have(lab, course, list(every), device=chosen["device"], at_once=chosen["at_once"])
    except Left as left:
        return {"skipped": str(left)}
    return {
        how: {
            "lessons": {name.removeprefix(f"{how}-"): told(course, name) for name in some},
            **material.told(how),
        }
        for how, some in taught.items()
    }


def _folder(lab: Lab, chosen: Mapping[str, Any], name: str) -> Path:
    return Path(chosen["course"]) if chosen["course"] else lab.folder / "courses" / name


def _asked(lab: Lab, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What decides which positions there are, and how they are split."""
    settings = lab.settings("")
    files = {name: settings[name] for name in ("seed", "games", "labels")}
    return {**files, "positions": chosen["positions"], "other": chosen.get("labels", "")}


def _shrunk(by: int) -> list[str]:
    return [] if by == 1 else [f"The networks have one unit where the paper's have {by}."]


def _consecutive(lab: Lab, named: str, most: int) -> Labelled:
    """Labels that say which game and ply each position comes from; where there are none, games that are made here."""
    if not named:
        own = labelled(lab, most=most or None)
        if own.library is None and own.games is not None and (own.plies >= 0).any():
            return own
    file = Path(named) if named else None
    return labelled(
        Order(lab.size, lab.seed, lab.executor, labels=file), most=most or None, folder=lab.folder / "labels"
    )


def _brain(lab: Lab, course: Course, name: str) -> Path:
    """The file of a network that was taught."""
    path = lab.folder / "brains" / f"{name}.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"name": f"sabatelli2018 {name}", "recipe": "okapi paper sabatelli2018"}
    replace_file(path, graduate(course.folder, name, card))
    leave_disagreements_of(lab, course, name, path)
    return path
