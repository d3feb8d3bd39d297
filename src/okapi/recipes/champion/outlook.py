"""What raising a champion will take, from rates that are measured before it begins."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from okapi.brains import evaluator
from okapi.core.selfplay import play_games
from okapi.models.nnue import Nnue
from okapi.recipes.champion.orders import Campaign
from okapi.training.devices import find_device
from okapi.training.nnue import NnueDataset, NnueStep
from okapi.training.shards import pack_rows

__all__ = ["Outlook", "Pace", "look_out", "measure_pace"]

MEASURE_S: Final = 1.0
"""For playing, and for learning."""

MOST_TRIED: Final = 256
"""Games that are tried at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What was measured on this machine, with the brain that begins."""

    positions_per_second: float
    """Played, on all threads."""
    nodes_per_second: float
    positions_a_game: float
    taken: float
    """The share of positions that are quiet enough to be learned from."""
    samples_per_second: float
    """Learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
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
    pace: Pace

    @property
    def seconds(self) -> float:
        """All of it, at most."""
        return self.play_seconds + self.train_seconds + self.test_seconds

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {**asdict(self), "seconds": self.seconds}


def measure_pace(campaign: Campaign, player: Path, device: str) -> Pace:
    """Play and learn for some seconds; nothing of it is kept."""
    judge, settings = evaluator(str(player)), campaign.settings
    tried, positions, nodes, games = 2 * campaign.threads, 0, 0, 0
    begun = time.monotonic()
    while games == 0 or time.monotonic() - begun < MEASURE_S:
        samples = play_games(judge, games=tried, nodes=settings["nodes"], seed=games, threads=campaign.threads)
        positions, nodes, games = positions + len(samples), nodes + int(samples["nodes"].sum()), games + tried
        tried = min(2 * tried, MOST_TRIED)
    played_s = time.monotonic() - begun
    part = pack_rows(samples, campaign.packing, {})
    return Pace(
        positions_per_second=positions / played_s,
        nodes_per_second=nodes / played_s,
        positions_a_game=positions / games,
        taken=len(part) / len(samples),
        samples_per_second=_learned_per_second(campaign, NnueDataset.from_shard(part, find_device(device))),
    )


def _learned_per_second(campaign: Campaign, lessons: NnueDataset) -> float:
    torch.set_num_threads(campaign.threads)
    plan, device = campaign.plan, lessons.codes.device
    step = NnueStep(plan, Nnue(plan.neurons, plan.buckets).to(device), lessons, device)
    learned, begun = -plan.batch, time.monotonic()
    while learned <= 0 or time.monotonic() - begun < MEASURE_S:
        if learned <= 0:
            begun = time.monotonic()  # the first batch makes everything ready
        step.begin(0)
        step.take()
        float(step.total)
        learned += plan.batch
    return learned / (time.monotonic() - begun)


def look_out(campaign: Campaign, pace: Pace, labels: int) -> Outlook:
    """What it will take at this pace."""
    settings, plan = campaign.settings, campaign.plan
    positions = round(settings["games"] * pace.positions_a_game)
    numbers = np.arange(campaign.generations + 1)
    own = np.minimum(numbers, settings["window"]) * positions * pace.taken
    theirs = np.array([campaign.share_of_labels(int(number)) for number in numbers]) * labels
    eaten = own + theirs
    if campaign.brain is not None or not labels:
        eaten[0] = 0  # it begins with what is there
    epochs = plan.epochs * np.minimum(eaten, plan.samples or np.inf)
    return Outlook(
        generations=campaign.generations,
        positions=positions,
        labels=labels,
        play_seconds=campaign.generations * positions / pace.positions_per_second,
        train_seconds=float(epochs.sum()) / pace.samples_per_second,
        test_seconds=campaign.generations
        * settings["test_games"]
        * pace.positions_a_game
        * settings["test_nodes"]
        / pace.nodes_per_second,
        pace=pace,
    )
