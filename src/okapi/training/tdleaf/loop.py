"""The loop: play some moves, look how values changed, learn from the leaves; and nothing lost on the way."""

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from okapi.core.selfplay import NOTHING, play_tdleaf
from okapi.errors import OkapiError, Unfinished
from okapi.training.supervised.optimisers import load_optimiser, make_optimiser, rate_at, set_rate
from okapi.training.tdleaf.checkpoint import Checkpoint
from okapi.training.tdleaf.lessons import Leaves, leaves_of
from okapi.training.tdleaf.plan import Plan
from okapi.training.tdleaf.pupils import Pupil, evaluator_of
from okapi.training.tdleaf.starts import Starts
from okapi.training.tdleaf.window import Window

__all__ = ["Now", "Teaching", "distance"]

KEEP_S: Final = 10.0
"""A checkpoint so often, if writing one takes little time."""

MOST_OF_THE_TIME: Final = 20.0
"""Learning takes at least so many times as long as writing checkpoints."""

HUBER: Final = 0.2
"""From this distance on, errors count by their size and not by its square."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """How it goes, after an iteration."""

    iteration: int
    """Behind us."""
    iterations: int
    positions: int
    """Searched, in all sessions."""
    leaves: int
    """Learned from."""
    seconds: float
    played_s: float
    """Of those, with playing."""
    error: float
    """Mean size of the errors that this iteration found: how much a value changes in the moves that follow."""
    loss: float
    """Mean over this iteration's steps."""
    rate: float


def distance(loss: str, said: Tensor, targets: Tensor) -> Tensor:
    """How far answers are from their targets, on average."""
    match loss:
        case "absolute":
            return functional.l1_loss(said, targets)
        case "huber":
            return functional.huber_loss(said, targets, delta=HUBER)
        case _:
            return functional.mse_loss(said, targets)


class Teaching:
    """A pupil that teaches itself in a folder. Begin or go on: the same either way."""

    def __init__(
        self,
        pupil: Pupil,
        starts: Starts,
        plan: Plan,
        folder: Path,
        *,
        threads: int = 1,
        keep_every_s: float = KEEP_S,
    ) -> None:
        """UsageError if the folder was begun with another plan; only `iterations` may differ, and so move the end."""
        self.plan = plan
        self._pupil = pupil
        self._starts = starts
        self._folder = folder
        self._threads = threads
        self._keep_every_s = keep_every_s
        torch.set_num_threads(1)  # for networks this small more are no faster, and other bits
        self._optimiser = make_optimiser(plan.optimiser, pupil.module.parameters(), torch.device("cpu"))
        self._window = Window(plan.window)
        about = json.loads(json.dumps(plan.as_json()))
        about |= {"pupil": hashlib.blake2b(pupil.brain({"name": "pupil"}), digest_size=16).hexdigest()}
        del about["iterations"]
        found = Checkpoint.read(folder, about)
        self._at = found or Checkpoint(about=about)
        if found is not None:
            pupil.module.load_state_dict(found.model)
            load_optimiser(self._optimiser, found.optimiser)
            self._window.restore(found.window)
        elif plan.average:
            self._at.average = _copied(pupil.module.state_dict())

    @property
    def iteration(self) -> int:
        """Iterations behind us."""
        return self._at.iteration

    def run(
        self, watch: Callable[[Now], object] = lambda now: None, stop: Callable[[], bool] = lambda: False
    ) -> Checkpoint:
        """To the end. `watch` is told after each iteration; once `stop` says so, all is kept and Unfinished raised."""
        kept, took = time.monotonic(), 0.0
        while self._at.iteration < self.plan.iterations:
            begun = time.monotonic()
            error, loss, rate = self._iterate()
            clock = time.monotonic()
            self._at.seconds += clock - begun
            watch(self._now(error, loss, rate))
            over = stop()
            if over or clock - kept >= max(self._keep_every_s, MOST_OF_THE_TIME * took):
                self.keep()
                kept, took = time.monotonic(), time.monotonic() - clock
            if over:
                raise Unfinished(
                    f"`{self._folder}` stopped after iteration {self._at.iteration} of {self.plan.iterations}",
                    hint="ask for the same again to go on",
                )
        self.keep()
        return self._at

    def brain(self, card: dict[str, str], *, newest: bool = False) -> bytes:
        """The pupil as it is: the average of its weights if there is one."""
        with self._holding(newest=newest):
            return self._pupil.brain(card)

    def keep(self) -> None:
        """Write a checkpoint."""
        self._at.model = self._pupil.module.state_dict()
        self._at.optimiser = self._optimiser.state_dict()
        self._at.window = self._window.state()
        self._at.write(self._folder)

    def _iterate(self) -> tuple[float, float, float]:
        """The mean error, loss, and learning rate."""
        begun = time.monotonic()
        dice = np.random.default_rng([self.plan.seed, 1 + self._at.iteration])
        fresh, error = self._play(dice)
        self._at.played_s += time.monotonic() - begun
        self._window.add(fresh)
        rate = rate_at(self.plan.optimiser, self.plan.schedule, self._at.iteration, self.plan.iterations)
        set_rate(self._optimiser, rate)
        loss = self._learn(fresh, dice)
        if not math.isfinite(loss):
            raise OkapiError(
                f"the loss in `{self._folder}` is no number any more after iteration {self._at.iteration}",
                hint="a smaller learning rate",
            )
        self._at.iteration += 1
        self._at.leaves += len(fresh)
        return error, loss, rate

    def _now(self, error: float, loss: float, rate: float) -> Now:
        return Now(
            iteration=self._at.iteration,
            iterations=self.plan.iterations,
            positions=self._at.positions,
            leaves=self._at.leaves,
            seconds=self._at.seconds,
            played_s=self._at.played_s,
            error=error,
            loss=loss,
            rate=rate,
        )

    def _play(self, dice: np.random.Generator) -> tuple[Leaves, float]:
        plan = self.plan
        with self._holding(newest=plan.plays == "newest"):
            evaluator = evaluator_of(self._pupil)
        played = play_tdleaf(
            evaluator,
            self._starts.draw(plan.starts, dice),
            plies=plan.plies,
            nodes=plan.nodes,
            seed=int(dice.integers(1 << 62)),
            random_moves=plan.random_moves,
            threads=self._threads,
        )
        self._at.positions += int(np.count_nonzero(played.kinds != NOTHING))
        return leaves_of(
            played,
            plan.discount,
            same_side=plan.same_side,
            late=plan.late,
            learn_from=plan.learn_from,
            least_plies=plan.least_plies,
        )

    def _learn(self, fresh: Leaves, dice: np.random.Generator) -> float:
        """The mean loss of the steps that were taken."""
        total, steps = 0.0, self.plan.steps(len(fresh))
        for _ in range(steps):
            batch = self._window.draw(self.plan.batch, dice) if self.plan.batch else fresh
            if not len(batch):
                return 0.0
            said = self._pupil.values(batch.positions, threads=self._threads).tanh()
            loss = distance(self.plan.loss, said, torch.from_numpy(batch.targets))
            self._optimiser.zero_grad()
            loss.backward()
            self._optimiser.step()
            self._at.steps += 1
            self._move_average()
            total += float(loss.detach())
        return total / steps

    @torch.no_grad()
    def _move_average(self) -> None:
        for name, tensor in self._pupil.module.state_dict().items():
            if name in self._at.average:
                self._at.average[name].lerp_(tensor, 1 - self.plan.average)

    @contextmanager
    def _holding(self, *, newest: bool) -> Iterator[None]:
        """The pupil has its average weights meanwhile, if it has some and nobody wants the newest."""
        if newest or not self._at.average:
            yield
            return
        kept = _copied(self._pupil.module.state_dict())
        self._pupil.module.load_state_dict(self._at.average)
        try:
            yield
        finally:
            self._pupil.module.load_state_dict(kept)


def _copied(state: dict[str, Any]) -> dict[str, Tensor]:
    return {name: tensor.detach().clone() for name, tensor in state.items()}
