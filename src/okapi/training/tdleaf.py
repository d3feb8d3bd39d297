"""TD-Leaf(λ): a brain learns from its own games to predict what its search will find (lai2015, sections 4.3 to 4.5).

An iteration plays some moves from many positions, and trains on the leaves of principal variations.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from okapi.core import Evaluator, RawBrain
from okapi.core.packed import POSITION
from okapi.core.selfplay import LEARNS, NOTHING, TdLeafGames, play_tdleaf
from okapi.errors import OkapiError
from okapi.settings import Config
from okapi.training.optimisers import check_optimiser, make_optimiser, rate_at, set_rate
from okapi.training.tdleaf_learners import CENTIPAWNS, Learner, StartPositions
from okapi.training.trainer import Task, Trainer, fingerprint, identity

Way = Literal["ours", "letter"]

CHECKPOINT_S: Final = 10.0
HUBER: Final = 0.2  # errors above it count linearly, smaller ones quadratically
MAX_TARGET: Final = 1 - 1e-6  # a target beyond it is out of tanh's range

LOSSES: Final[dict[str, Callable[[Tensor, Tensor], Tensor]]] = {
    "absolute": functional.l1_loss,
    "squared": functional.mse_loss,
    "huber": partial(functional.huber_loss, delta=HUBER),
}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class TdLeafConfig(Config):
    """Settings of a training. The defaults are those of lai2015, section 4.5."""

    iterations: int  # also the length of the schedule
    starts: int = 256  # positions from which an iteration plays
    plies: int = 12
    nodes: int = 256
    random_moves: int = 1  # played before the first search, for positions that good players avoid
    discount: float = 0.7  # λ: the factor for each ply by which a change of the value comes later
    same_side: bool = False  # compare a value with that two plies later, of the same side's search, not with the next
    late: bool = True  # discount the first change, too, as Table 2 does
    learn_from: str = "start"  # the leaves of "all" plies, or of the "start" alone
    least_plies: int = 1  # plies that must follow a leaf: the last ones of a game have no later values
    loss: str = "absolute"
    optimiser: Mapping[str, Any] = field(default_factory=lambda: {"name": "adadelta", "lr": 1.0})
    schedule: Mapping[str, Any] = field(default_factory=lambda: {"name": "constant"})
    batch: int = 0  # leaves of a step; 0: all new ones of an iteration
    reuse: float = 1.0  # how often a leaf is trained on, on average, while it is in the replay buffer
    window: int = 1
    average: float = 0.0  # decay of the exponential moving average of the weights; 0: no average
    plays: str = "newest"
    """Whether the "newest" or the "average" weights play. The final brain has the average, if there is one."""
    seed: int

    def __post_init__(self) -> None:
        check_optimiser(self.optimiser, self.schedule)
        self.require_one_of("loss", LOSSES)
        self.require_one_of("learn_from", ("all", "start"))
        self.require_one_of("plays", ("newest", "average"))
        self.require_within(1, 1 << 30, "starts", "plies", "nodes", "window")
        self.require_within(0, 1 << 30, "iterations", "random_moves", "batch", "least_plies")
        self.require_within(0, 1, "discount", "average")
        self.require_within(0, 1000, "reuse")

    def steps(self, fresh: int) -> int:
        return max(1, round(fresh * self.reuse / self.batch)) if self.batch else max(1, round(self.reuse))


_DEFAULTS: Final = TdLeafConfig(iterations=0, seed=0).as_json()
LETTER: Final = {name: _DEFAULTS[name] for name in _DEFAULTS if name not in ("iterations", "seed")}
OURS: Final[dict[str, Any]] = {
    **LETTER,
    "late": False,
    "learn_from": "all",
    "loss": "squared",
    "optimiser": {"name": "adam", "lr": 0.001},
    "schedule": {"name": "cosine", "warmup": 20, "floor": 0.02},
    "batch": 1024,
    "reuse": 4.0,
    "window": 300_000,
    "average": 0.999,
}
"""What learned most in an hour of two processors; docs/explanation/tdleaf.md lists what was tried."""

WAYS: Final[dict[Way, dict[str, Any]]] = {"ours": OURS, "letter": LETTER}


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """Packed positions, and a target for each, for its side to move: -1 lost to 1 won."""

    positions: NDArray[np.void]
    targets: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.positions)

    def take(self, which: slice | NDArray[np.int64]) -> Self:
        return type(self)(self.positions[which], self.targets[which])

    @classmethod
    def concatenate(cls, parts: "list[Leaves]") -> Self:
        return cls(np.concatenate([part.positions for part in parts]), np.concatenate([part.targets for part in parts]))


def leaf_targets(
    played: TdLeafGames, discount: float, *, same_side: bool, late: bool, learn_from: str, least_plies: int
) -> tuple[Leaves, float]:
    """The leaves of played moves with their targets, and the mean size of the errors.

    A leaf is used if its value can change and at least `least_plies` were played after it: "all" such, or the "start".
    """
    ours = first_side_scores(played.values)
    deltas = td_errors(ours, played.kinds, discount, same_side=same_side, late=late)
    plies = ours.shape[1]
    lasts = plies - 1 - np.argmax((played.kinds != NOTHING)[:, ::-1], axis=1)
    after = lasts[:, None] - np.arange(plies)
    used = (played.kinds == LEARNS) & (after >= least_plies)
    if learn_from == "start":
        used[:, 1:] = False
    signs = np.where((np.arange(plies) % 2 == 1) ^ played.turned, -1.0, 1.0)
    targets = np.clip((ours + deltas) * signs, -MAX_TARGET, MAX_TARGET)[used]
    size = float(np.abs(deltas[used]).mean()) if used.any() else 0.0
    return Leaves(played.leaves[used], targets.astype(np.float32)), size


class ReplayBuffer:
    """The newest leaves, in a ring: new ones replace the oldest."""

    def __init__(self, size: int) -> None:
        self._size, self._next = size, 0
        self._leaves = Leaves(np.zeros(0, POSITION), np.zeros(0, np.float32))

    def __len__(self) -> int:
        return len(self._leaves)

    def add(self, fresh: Leaves) -> None:
        """Add leaves; if there are more than fit, the last of them."""
        if len(self) < self._size:
            room = self._size - len(self)
            self._leaves = Leaves.concatenate([self._leaves, fresh.take(slice(0, room))])
            fresh = fresh.take(slice(room, None))
        fresh = fresh.take(slice(max(0, len(fresh) - self._size), None))
        places = (self._next + np.arange(len(fresh))) % self._size
        self._leaves.positions[places] = fresh.positions
        self._leaves.targets[places] = fresh.targets
        self._next = (self._next + len(fresh)) % self._size

    def draw(self, count: int, rng: np.random.Generator) -> Leaves:
        return self._leaves.take(rng.integers(len(self), size=count))

    def state(self) -> dict[str, Any]:
        rows = self._leaves.positions.view(np.uint8).reshape(-1, POSITION.itemsize)
        targets = torch.from_numpy(self._leaves.targets.copy())
        return {"positions": torch.from_numpy(rows.copy()), "targets": targets, "next": self._next}

    def load_state(self, state: dict[str, Any]) -> None:
        rows = np.ascontiguousarray(state["positions"].numpy())
        self._leaves = Leaves(rows.view(POSITION).reshape(-1).copy(), state["targets"].numpy().copy())
        self._next = state["next"]


def td_errors(
    values: NDArray[Any], kinds: NDArray[Any], discount: float = 0.7, *, same_side: bool = False, late: bool = False
) -> Floats:
    """For each ply the sum of all later changes of the value, discounted for each ply.

    `values` are games x plies, from one player's point of view. A ply without a value (NOTHING) has no change. With
    `same_side` a value is compared with the one two plies later, of the same side's search. The rule of lai2015,
    section 4.5, counts the first change in full; its Table 2 discounts it, too: that is `late`.

    >>> scores = np.array([[10, 20, 20, 20, -10, -10, -10, 40, 40, 40, 40, 40]])
    >>> round(float(td_errors(scores, np.ones_like(scores), late=True)[0, 0]), 2)
    3.91
    """
    known = _filled(np.asarray(values, np.float64), np.asarray(kinds))
    step = 2 if same_side else 1
    sums = np.zeros_like(known)
    for ply in range(known.shape[1] - step - 1, -1, -1):
        sums[:, ply] = known[:, ply + step] - known[:, ply] + discount * sums[:, ply + step]
    return sums * (discount if late else 1.0)


def contributions(scores: NDArray[Any], discount: float = 0.7) -> Floats:
    """The last column of Table 2: the part of each ply in the error of the first."""
    changes = np.diff(np.asarray(scores, np.float64), prepend=scores[:1])
    return np.asarray(changes * discount ** np.arange(len(changes)), np.float64)


def first_side_scores(values: NDArray[Any]) -> Floats:
    """Centipawns for the side to move at each ply, as y = tanh(z) for the side that moves first."""
    signs = np.where(np.arange(values.shape[1]) % 2 == 0, 1.0, -1.0)
    return np.asarray(np.tanh(values / CENTIPAWNS) * signs, np.float64)


def _filled(values: Floats, kinds: NDArray[Any]) -> Floats:
    """A missing value becomes the last one before it; at the beginning the first one after it."""
    known = kinds != NOTHING
    plies = np.arange(values.shape[1])
    last = np.maximum.accumulate(np.where(known, plies, -1), axis=1)
    first = np.where(known.any(axis=1), known.argmax(axis=1), 0)
    return np.take_along_axis(values, np.where(last < 0, first[:, None], last), axis=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TdLeafProgress:
    iteration: int
    iterations: int
    positions: int  # searched, in all sessions
    leaves: int  # trained on, each counted once
    steps: int  # of the optimiser
    seconds: float
    played_s: float  # of those, spent on playing
    processor_s: float  # time of the processor, of all threads
    error: float = 0.0  # mean size of this iteration's errors: how much values change in the following moves
    loss: float = 0.0
    rate: float = 0.0


class TdLeafTraining(Task):
    """Trains a learner in a folder; begins, or resumes. A step of its Trainer is an iteration."""

    def __init__(
        self,
        learner: Learner,
        starts: StartPositions,
        config: TdLeafConfig,
        folder: Path,
        *,
        threads: int = 1,
        snapshots: int = 0,
        checkpoint_every_s: float = CHECKPOINT_S,
    ) -> None:
        """UsageError if the folder holds a training with other settings; only `iterations` may differ."""
        torch.set_num_threads(1)  # more are no faster for networks this small, and give other bits
        self._learner, self.model = learner, learner.module
        self._starts, self._config, self._threads = starts, config, threads
        self.optimiser = make_optimiser(config.optimiser, self.model.parameters(), torch.device("cpu"))
        self._buffer = ReplayBuffer(config.window)
        self._average = _copied(self.model.state_dict()) if config.average else {}
        self._counters: dict[str, Any] = {"positions": 0, "leaves": 0, "steps": 0, "played_s": 0.0, "processor_s": 0.0}
        self._latest: dict[str, Any] = {}
        """Error, loss and rate of the last iteration of this session."""
        settings = {name: value for name, value in config.as_json().items() if name != "iterations"}
        settings["learner"] = fingerprint(learner.brain({"name": "learner"}))
        about = identity(settings, None)
        self.epochs, self.batches, self.batch_size = config.iterations, 1, 1
        self.total = torch.zeros((), dtype=torch.float64)
        self._trainer = Trainer(self, folder, about, snapshots=snapshots, checkpoint_every_s=checkpoint_every_s)

    @property
    def iteration(self) -> int:
        return self._trainer.at.steps

    @property
    def positions(self) -> int:
        return int(self._counters["positions"])

    def run(
        self,
        watch: Callable[[TdLeafProgress], object] = lambda progress: None,
        stop: Callable[[], bool] = lambda: False,
        snapshot: Callable[[int], object] = lambda iteration: None,
    ) -> TdLeafProgress:
        """Train to the end, with a report after each iteration. After `stop`, write a checkpoint; Unfinished."""
        self._trainer.watch = lambda _: watch(self._progress())
        self._trainer.stop, self._trainer.snapshot = stop, snapshot
        self._trainer.run()
        self._trainer.write_checkpoint()
        return self._progress()

    def brain(self, card: Mapping[str, str], *, newest: bool = False) -> bytes:
        """The learner's brain: with its average weights, if there are any and the newest are not asked for."""
        if newest or not self._average:
            return self._learner.brain(card)
        kept = _copied(self.model.state_dict())
        self.model.load_state_dict(self._average)
        try:
            return self._learner.brain(card)
        finally:
            self.model.load_state_dict(kept)

    def begin_epoch(self, epoch: int, batch: int) -> None:
        """The random numbers of an iteration follow from seed and iteration alone."""
        self._rng = np.random.default_rng([self._config.seed, 1 + epoch])

    def step(self, number: int, done: float) -> None:
        begun, processor = time.monotonic(), time.process_time()
        fresh, error = self._play()
        self._counters["played_s"] += time.monotonic() - begun
        self._buffer.add(fresh)
        rate = rate_at(self._config.optimiser, self._config.schedule, number, self._config.iterations)
        set_rate(self.optimiser, rate)
        loss = self._learn(fresh)
        self.total.fill_(loss)
        if not math.isfinite(loss):
            raise OkapiError(f"the loss is not a finite number in iteration {number}", hint="a smaller learning rate")
        self._counters["leaves"] += len(fresh)
        self._counters["processor_s"] += time.process_time() - processor
        self._latest = {"error": error, "loss": loss, "rate": rate}

    def evaluate(self, steps: int) -> None:
        return None

    def state(self) -> dict[str, Any]:
        own = {"average": self._average, "buffer": self._buffer.state(), "counters": self._counters}
        return super().state() | own

    def load_state(self, state: dict[str, Any]) -> None:
        super().load_state(state)
        self._average, self._counters = state["average"], {**self._counters, **state["counters"]}
        self._buffer.load_state(state["buffer"])

    def _progress(self) -> TdLeafProgress:
        at, own = self._trainer.at, {**self._counters, **self._latest}
        return TdLeafProgress(iteration=at.steps, iterations=self._config.iterations, seconds=at.seconds, **own)

    def _play(self) -> tuple[Leaves, float]:
        settings = self._config.as_json()
        brain = self.brain({"name": "learner"}, newest=self._config.plays == "newest")
        player = Evaluator.from_brain(RawBrain.from_bytes(brain))
        starts, seed = self._starts.draw(self._config.starts, self._rng), int(self._rng.integers(1 << 62))
        how = {name: settings[name] for name in ("plies", "nodes", "random_moves")}
        played = play_tdleaf(player, starts, **how, seed=seed, threads=self._threads)
        self._counters["positions"] += int(np.count_nonzero(played.kinds != NOTHING))
        rule = {name: settings[name] for name in ("same_side", "late", "learn_from", "least_plies")}
        return leaf_targets(played, self._config.discount, **rule)

    def _learn(self, fresh: Leaves) -> float:
        total, steps = 0.0, self._config.steps(len(fresh))
        for _ in range(steps):
            batch = self._buffer.draw(self._config.batch, self._rng) if self._config.batch else fresh
            if not len(batch):
                return 0.0
            outputs = self._learner.values(batch.positions, threads=self._threads).tanh()
            loss = LOSSES[self._config.loss](outputs, torch.from_numpy(batch.targets))
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            self._counters["steps"] += 1
            newest = self.model.state_dict()
            for name, average in self._average.items():
                average.lerp_(newest[name], 1 - self._config.average)
            total += float(loss.detach())
        return total / steps


def _copied(state: Mapping[str, Any]) -> dict[str, Tensor]:
    return {name: tensor.detach().clone() for name, tensor in state.items()}
