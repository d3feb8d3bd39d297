"""What is to be expected of a training before it begins: its length, from a rate that is measured, and its strength."""

import time
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import torch

from okapi.core.selfplay import play_tdleaf
from okapi.training.tdleaf import TdLeafConfig
from okapi.training.tdleaf_learners import Learner, StartPositions, evaluator_of

__all__ = ["REACHED", "Outlook", "Pace", "expected", "look_out", "measure_pace"]

MEASURE_S: Final = 1.0
"""For playing, and for learning."""
TRIED: Final = 32
"""StartPositions that are tried at a time."""

REACHED: Final = (
    (0, 0, 0),
    (730_000, 1_430, 338),
    (1_800_000, 1_850, 398),
    (4_250_000, 2_250, 417),
    (9_110_000, 2_414, 585),
)
"""Positions that a giraffe searched in training; STS points (of 15,000, with 10,000 nodes a position) and Elo that it
had more than its bootstrap then. docs/tdleaf.md has the command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What was measured on this machine, with this pupil."""

    positions_per_second: float
    """Searched, on all threads."""
    leaves_per_second: float
    """Learned."""

    def seconds(self, plan: TdLeafConfig) -> float:
        """For an iteration."""
        played = plan.starts * plan.plies
        fresh = plan.starts * (plan.plies - plan.least_plies) if plan.learn_from == "all" else plan.starts
        learned = plan.steps(fresh) * (plan.batch or fresh)
        return played / self.positions_per_second + learned / self.leaves_per_second


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The plan that is printed first."""

    iterations: int
    positions: int
    """That will be searched."""
    seconds: float
    positions_per_second: float
    """In all, learning included."""
    sts_gain: float
    elo_gain: float
    """What earlier runs reached with as many positions."""

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)


def measure_pace(pupil: Learner, starts: StartPositions, plan: TdLeafConfig, threads: int) -> Pace:
    """Play and learn for some seconds; no weight is changed."""
    torch.set_num_threads(1)
    dice = np.random.default_rng([plan.seed, 0])
    evaluator = evaluator_of(pupil)
    tried, searched, begun = TRIED, 0, time.monotonic()
    while (played_s := time.monotonic() - begun) < MEASURE_S:
        where = starts.draw(tried, dice)
        play_tdleaf(evaluator, where, plies=plan.plies, nodes=plan.nodes, seed=1, random_moves=1, threads=threads)
        searched += tried * plan.plies
        tried = min(2 * tried, plan.starts)
    where = starts.draw(plan.batch or plan.starts, dice)
    learned, begun = 0, time.monotonic()
    while (learned_s := time.monotonic() - begun) < MEASURE_S:
        pupil.values(where, threads=threads).tanh().square().mean().backward()
        learned += len(where)
    pupil.module.zero_grad()
    return Pace(positions_per_second=searched / played_s, leaves_per_second=learned / learned_s)


def look_out(plan: TdLeafConfig, pace: Pace) -> Outlook:
    """What a plan will cost, and may bring."""
    positions = plan.iterations * plan.starts * plan.plies
    seconds = plan.iterations * pace.seconds(plan)
    sts, elo = expected(positions)
    return Outlook(
        iterations=plan.iterations,
        positions=positions,
        seconds=seconds,
        positions_per_second=positions / max(seconds, 1e-9),
        sts_gain=sts,
        elo_gain=elo,
    )


def expected(positions: int) -> tuple[float, float]:
    """STS points and Elo that are gained with so many positions, between what was reached; beyond that, no more.

    >>> expected(365_000)
    (715.0, 169.0)
    """
    counts, points, elos = zip(*REACHED, strict=True)
    return round(float(np.interp(positions, counts, points)), 1), round(float(np.interp(positions, counts, elos)), 1)
