"""`okapi train champion`: settings, and an estimate of the time before the run."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from okapi.arena.sprt import Sprt
from okapi.brains import ModelCard, evaluator, find, is_native
from okapi.data.datagen import DatagenConfig
from okapi.errors import UsageError, WrongBrain
from okapi.files import file_hash
from okapi.recipes.config import RecipeConfig
from okapi.recipes.nnue import NnueSpeed, measure_speed
from okapi.training.nnue import NnueConfig
from okapi.training.shards import PackingConfig, find_shards

OLD_NAMES: Final = {"onward": "warm_start", "elsewhere": "remote"}
"""Of settings, until version 0.9; still accepted, also in folders of runs."""

NOTHING: Final = "material"
"""The first champion without --brain and --labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
        return self.brain or find(NOTHING)

    def own_games(self, player: Path, number: int) -> DatagenConfig:
        """What the champion of that time plays in a generation: with another seed in each."""
        seed = 1_000 * self.settings["seed"] + number
        return DatagenConfig.from_settings(self.settings, brain=str(player), seed=seed)

    def share_of_labels(self, number: int) -> float:
        """How much of the teacher's positions a generation learns from.

        Generation 0 knows nothing else, and takes all of them.
        """
        if number == 0:
            return 1.0
        return min(1.0, float(self.settings["teacher"] * self.settings["fade"] ** (number - 1)))


def champion(config: RecipeConfig, labels: Sequence[Path] = ()) -> ChampionConfig:
    """A network that follows the moves: from a brain, from labels or from nothing, generation after generation."""
    learning = NnueConfig().as_json()
    del learning["seed"]
    changes = {OLD_NAMES.get(name, name): value for name, value in config.changes.items()}
    settings = replace(config, changes=changes).settings_of("champion", learning)
    for name in ("generations", "games", "nodes", "window", "test_games", "test_nodes"):
        if settings[name] < 1:
            raise UsageError(f"`{name}` is {settings[name]}", hint="expected 1 or more")
    for name in ("teacher", "fade"):
        if not 0 <= settings[name] <= 1:
            raise UsageError(f"`{name}` is {settings[name]}", hint="expected a share from 0 to 1")
    brain = _beginning(settings["brain"]) if settings["brain"] else None
    begun = f"{ModelCard.read(brain).name} {file_hash(brain)}" if brain else ""
    return ChampionConfig(
        settings=config.about({**settings, "brain": begun, "labels": list(map(_described, labels))}),
        packing=PackingConfig(validation=settings["validation"]),
        plan=NnueConfig.from_settings(settings, seed=config.seed),
        sprt=Sprt(settings["elo0"], settings["elo1"]),
        brain=brain,
        labels=tuple(labels),
        threads=config.executor.workers,
    )


def _described(labels: Path) -> str:
    """What makes a difference to others of the same name."""
    if not labels.is_dir():
        return f"{labels.name} {file_hash(labels)}"
    parts = find_shards([labels])
    return f"{labels.name}, {len(parts)} parts, {sum(part.stat().st_size for part in parts)} bytes"


def _beginning(name: str) -> Path:
    """The file of a brain that can play fast enough to be learned from."""
    evaluator(name)  # says at once what is wrong with it
    if not is_native(name):
        hint = "choose one that the core can search with"
        raise WrongBrain(f"brain `{name}` is too slow to play games in bulk", hint=hint)
    return find(name)


MEASURE_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionEstimate:
    """The plan that is printed first; seconds are those of all generations."""

    generations: int
    positions: int
    """Played in a generation."""
    labels: int
    """Labelled positions that can be learned from."""
    play_seconds: float
    train_seconds: float
    test_seconds: float
    """At most: a test ends as soon as it is decided."""
    pace: NnueSpeed

    @property
    def seconds(self) -> float:
        return self.play_seconds + self.train_seconds + self.test_seconds

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "seconds": self.seconds}


def measure_champion_speed(config: ChampionConfig, device: str) -> NnueSpeed:
    """Of the first player."""
    torch.set_num_threads(config.threads)
    how: dict[str, Any] = {"nodes": config.settings["nodes"], "threads": config.threads, "device": device}
    return measure_speed(str(config.first_player), config.plan, config.packing, **how, seconds=MEASURE_S)


def estimate_champion(config: ChampionConfig, pace: NnueSpeed, labels: int) -> ChampionEstimate:
    settings, plan = config.settings, config.plan
    positions = round(settings["games"] * pace.positions_a_game)
    numbers = np.arange(config.generations + 1)
    own = np.minimum(numbers, settings["window"]) * positions * pace.taken
    theirs = np.array([config.share_of_labels(int(number)) for number in numbers]) * labels
    eaten = own + theirs
    if config.brain is not None or not labels:
        eaten[0] = 0  # it begins with what is there
    epochs = plan.epochs * np.minimum(eaten, plan.samples or np.inf)
    test_games = config.generations * settings["test_games"]
    return ChampionEstimate(
        generations=config.generations,
        positions=positions,
        labels=labels,
        play_seconds=config.generations * positions / pace.positions_per_second,
        train_seconds=float(epochs.sum()) / pace.samples_per_second,
        test_seconds=test_games * pace.positions_a_game * settings["test_nodes"] / pace.nodes_per_second,
        pace=pace,
    )
