"""`okapi train champion`: settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.sprt import Sprt
from okapi.brains import ModelCard, evaluator, find, is_native
from okapi.errors import UsageError, WrongBrain
from okapi.files import file_hash
from okapi.recipes.config import RecipeConfig
from okapi.training.nnue import NnueConfig
from okapi.training.shards import PackingConfig, find_shards

OLD_NAMES: Final = {"onward": "warm_start", "elsewhere": "remote"}
"""Of settings, until version 0.9; still accepted, also in folders of runs."""


@dataclass(frozen=True, slots=True)
class ChampionConfig:
    settings: Mapping[str, Any]
    """Everything that makes it what it is; JSON."""
    packing: PackingConfig
    plan: NnueConfig
    sprt: Sprt
    brain: Path | None
    """What it begins with; without one, what is learned from the labels or, without those, material."""
    labels: tuple[Path, ...]
    """Positions that a teacher labelled: files, and folders in which they are packed already."""
    threads: int

    @property
    def generations(self) -> int:
        return int(self.settings["generations"])

    @property
    def first_player(self) -> Path:
        return self.brain or find("material")

    def share_of_labels(self, number: int) -> float:
        """How much of the teacher's positions a generation learns from; generation 0, which has no others, all."""
        share = self.settings["teacher"] * self.settings["fade"] ** (number - 1) if number else 1.0
        return min(1.0, float(share))


def champion(config: RecipeConfig, labels: Sequence[Path] = ()) -> ChampionConfig:
    """A network that follows the moves: from a brain, from labels or from nothing, generation after generation."""
    changes = {OLD_NAMES.get(name, name): value for name, value in config.changes.items()}
    settings = replace(config, changes=changes).settings_of("champion", NnueConfig().as_json())
    limits = dict.fromkeys(("generations", "games", "nodes", "window", "test_games", "test_nodes"), (1, np.inf))
    for name, (low, high) in {**limits, "teacher": (0, 1), "fade": (0, 1)}.items():
        if not low <= settings[name] <= high:
            expected = "1 or more" if low else "a share from 0 to 1"
            raise UsageError(f"`{name}` is {settings[name]}", hint=f"expected {expected}")
    if name := settings["brain"]:
        evaluator(name)  # says at once what is wrong with it
        if not is_native(name):
            raise WrongBrain(f"brain `{name}` is too slow to play games in bulk", hint="choose one of the core's kinds")
    brain = find(name) if name else None
    begun = f"{ModelCard.read(brain).name} {file_hash(brain)}" if brain else ""
    about = config.about({**settings, "brain": begun, "labels": list(map(_described, labels))})
    packing, sprt = PackingConfig(validation=settings["validation"]), Sprt(settings["elo0"], settings["elo1"])
    plan = NnueConfig.from_settings(settings, seed=config.seed)
    return ChampionConfig(about, packing, plan, sprt, brain, tuple(labels), config.executor.workers)


def _described(labels: Path) -> str:
    """What makes a difference to others of the same name."""
    if not labels.is_dir():
        return f"{labels.name} {file_hash(labels)}"
    parts = find_shards([labels])
    return f"{labels.name}, {len(parts)} parts, {sum(part.stat().st_size for part in parts)} bytes"
