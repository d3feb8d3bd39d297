"""Brains that TD-Leaf can train, since their value is a differentiable function of weights; and where they start."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from okapi.brains import evaluator, find
from okapi.brains.card import ModelCard
from okapi.brains.files import brain_file, read_tensors
from okapi.brains.output import Output
from okapi.core import Evaluator, Position, RawBrain
from okapi.core.evaluation import evaluate, factors
from okapi.core.packed import pack, random_positions
from okapi.core.selfplay import NOTHING, play_tdleaf
from okapi.data.store import Store
from okapi.encodings import find_encoding
from okapi.errors import InvalidText, WrongBrain
from okapi.models.express import Expressed, express, restore
from okapi.models.lai2015 import VIEWS, Giraffe, giraffe_brain, open_giraffe
from okapi.models.layers import activation

CENTIPAWNS: Final = 800 / math.log(10)  # of z; y = tanh(z) is twice the expected score, less one; 400 are ten to one
MARGIN: Final = 1e-5  # distance of an expected score from 0 and 1, so that its logarithm is finite
MOBILITY: Final = 5  # the index of mobility among the weights of linear-5; it is none of the core's features
PAWN: Final = 100.0  # centipawns; weights of sums are trained in pawns: as large as a network's, they suit its rates
BOOTSTRAP_BATCH: Final = 512
BOOTSTRAP_RATE: Final = 0.002
GAME: Final[dict[str, Any]] = {"random_moves": 8, "plies": 120, "nodes": 64}  # of self-play: nodes for each move
GAMES_AT_ONCE: Final = 256  # between two chances for Ctrl-C


class Learner(ABC):
    """A network whose outputs are z for one side: tanh(z) is twice the expected score, less one."""

    def __init__(self, module: nn.Module, encoding: str, view: str) -> None:
        """`view` is the side whose value it gives, white or mover."""
        self.module, self._encoding, self._view = module, find_encoding(encoding), view

    def values(self, positions: NDArray[np.void], *, threads: int = 1) -> Tensor:
        """z for the side to move of each packed position."""
        seen = self._encoding.encode_many(positions, np.float32, threads=threads)
        z = self._read(self.module(torch.from_numpy(seen.reshape(len(seen), -1))))
        mover = np.where(positions["turn"] == 0, 1, -1).astype(np.float32)
        return z if self._view == "mover" else z * torch.from_numpy(mover)

    @abstractmethod
    def brain(self, card: Mapping[str, str]) -> bytes:
        """The content of a brain file with the current weights."""

    def _read(self, outputs: Tensor) -> Tensor:
        return outputs


class GiraffeLearner(Learner):
    module: Giraffe

    def __init__(self, model: Giraffe, encoding: str = "giraffe-363-mover") -> None:
        super().__init__(model, encoding, VIEWS.get(encoding, "white"))

    def brain(self, card: Mapping[str, str]) -> bytes:
        return giraffe_brain(self.module, card, encoding=self._encoding.name)


def evaluator_of(learner: Learner) -> Evaluator:
    return Evaluator.from_brain(RawBrain.from_bytes(learner.brain({"name": "learner"})))


def find_learner(brain: str) -> Learner:
    """The learner for a brain by name or path: WrongBrain if TD-Leaf cannot train its kind."""
    path = find(brain)
    card = ModelCard.read(path)
    if card.kind not in _KINDS:
        wrong = f"brain `{card.name}` of kind `{card.kind}` cannot be trained by TD-Leaf"
        raise WrongBrain(wrong, hint=f"{', '.join(_KINDS)} can")
    return _KINDS[card.kind](card, path)


class PerceptronLearner(Learner):
    """A brain of dense layers; its card says what its output means."""

    def __init__(self, card: ModelCard, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        details = card.details()
        if card.predicts_moves or "output" not in card.metadata:
            raise WrongBrain(f"brain `{card.name}` does not evaluate positions", hint="choose one with a value")
        self._kept, self._output = dict(card.metadata), Output.read(card.metadata["output"])
        modules: list[nn.Module] = []
        for layer in details["layers"]:
            outputs, inputs = tensors[f"{layer['name']}.weight"].shape
            modules.append(nn.Linear(inputs, outputs))
            modules += [] if layer["activation"] == "none" else [activation(layer["activation"])]
        model = nn.Sequential(*modules)
        restore(model, Expressed(details["layers"], tensors))
        super().__init__(model, card.encoding, self._output.view)
        self._worth = torch.tensor(self._output.values)

    def brain(self, card: Mapping[str, str]) -> bytes:
        assert isinstance(self.module, nn.Sequential)
        return brain_file({**self._kept, **card}, express(self.module).tensors)

    def _read(self, outputs: Tensor) -> Tensor:
        output = self._output
        if output.form == "number":
            return (output.low + (output.high - output.low) * outputs[:, 0]) / CENTIPAWNS
        score = outputs.softmax(dim=1) @ self._worth if output.form == "classes" else outputs[:, 0]
        score = score.clamp(MARGIN, 1 - MARGIN)
        return (score.log() - (1 - score).log()) / 2


class SumLearner(Learner):
    """Weighted features, as KnightCap learned them (Baxter, Tridgell and Weaver 1998)."""

    module: nn.Linear

    def __init__(self, card: ModelCard, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        self._kept, self._kind, weights = dict(card.metadata), card.kind, tensors["weights"]
        self._divisors = tensors.get("divisors", np.ones_like(weights))
        self.module = nn.Linear(len(weights), 1, bias=False)
        with torch.no_grad():
            self.module.weight.copy_(torch.from_numpy(weights / PAWN))

    def values(self, positions: NDArray[np.void], *, threads: int = 1) -> Tensor:
        seen = factors(positions, threads=threads)[:, : len(self._divisors)].astype(np.float32)
        if self._kind == "linear-5":
            seen = np.column_stack([seen[:, :MOBILITY], _mobility(positions, threads)])
        z: Tensor = self.module(torch.from_numpy(seen / self._divisors * np.float32(PAWN / CENTIPAWNS)))
        return z[:, 0]

    def brain(self, card: Mapping[str, str]) -> bytes:
        weights = (self.module.weight.detach()[0] * PAWN).numpy().astype(np.float32)
        divisors = {"divisors": self._divisors} if self._kind in ("linear-28", "linear-35") else {}
        return brain_file({**self._kept, **card}, {"weights": weights, **divisors})


def _mobility(positions: NDArray[np.void], threads: int) -> NDArray[np.float32]:
    """Moves of the side to move less those of the other side: the value of a brain with no other weight."""
    worth = np.array([0, 0, 0, 0, 0, 10], np.float32)
    alone = {"name": "mobility", "kind": "linear-5", "encoding": "mobility-6"}
    counting = Evaluator.from_brain(RawBrain.from_bytes(brain_file(alone, {"weights": worth})))
    return np.asarray(evaluate([counting], positions, threads=threads)[0] / worth[MOBILITY], np.float32)


_SUMS: Final = ("material", "linear-5", "linear-28", "linear-35")
_KINDS: Final[dict[str, Callable[[ModelCard, Path], Learner]]] = {
    "giraffe": lambda card, path: GiraffeLearner(open_giraffe(path), card.encoding),
    "perceptron": lambda card, path: PerceptronLearner(card, read_tensors(path)),
    **dict.fromkeys(_SUMS, lambda card, path: SumLearner(card, read_tensors(path))),
}


class StorePositions:
    """Positions of the games of a store, each with the same probability."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ends = np.cumsum(store.plies(), dtype=np.int64)
        if not len(self._ends) or not self._ends[-1]:
            raise InvalidText(f"`{store.path}` has no positions", hint="import games into it: okapi games import")

    def __len__(self) -> int:
        return int(self._ends[-1])

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.void]:
        places = rng.integers(len(self), size=count)
        games = np.searchsorted(self._ends, places, side="right")
        before = np.where(games > 0, self._ends[games - 1], 0)
        return self._store.positions(games, places - before)


@dataclass(frozen=True, slots=True, eq=False)
class FixedPositions:
    positions: NDArray[np.void]

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.void]:
        return self.positions[rng.integers(len(self.positions), size=count)]


StartPositions = StorePositions | FixedPositions


def selfplay_positions(player: Evaluator, games: int, *, seed: int, threads: int = 1) -> FixedPositions:
    """The positions of games that an evaluator plays against itself after random moves."""
    start = pack([Position.start()])
    parts = []
    for begin in range(0, games, GAMES_AT_ONCE):
        starts = np.repeat(start, min(GAMES_AT_ONCE, games - begin))
        played = play_tdleaf(player, starts, **GAME, seed=seed + begin, threads=threads)
        going_on = played.kinds[:, 1:] != NOTHING  # the last ply may be the end of the game: no start position
        parts.append(played.positions[:, :-1][going_on])
    return FixedPositions(np.concatenate(parts))


def bootstrap(
    learner: Learner, starts: StartPositions, *, positions: int, epochs: int, seed: int, threads: int = 1
) -> float:
    """Train a learner on material, 1 3 3 5 9 pawns (lai2015, section 4.4); the final RMS error, in units of y.

    Half of the positions are of random games, in which pieces hang, as in the leaves of a search.
    """
    torch.set_num_threads(1)
    rng = np.random.default_rng([seed, 0])
    played = starts.draw(positions // 2, rng)
    trained = np.concatenate([played, random_positions(positions - len(played), seed=seed)])
    targets = torch.from_numpy(_material(trained, threads).astype(np.float32))
    optimiser = torch.optim.Adam(learner.module.parameters(), lr=BOOTSTRAP_RATE)
    steps = max(1, epochs * (len(trained) // BOOTSTRAP_BATCH))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        rows = rng.integers(len(trained), size=BOOTSTRAP_BATCH)
        loss = (learner.values(trained[rows], threads=threads).tanh() - targets[rows]).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    some = trained[:: max(1, len(trained) // 4096)]
    outputs = learner.values(some, threads=threads).tanh().detach().numpy()
    return float(np.sqrt(np.mean((outputs - _material(some, threads)) ** 2)))


def _material(positions: NDArray[np.void], threads: int) -> NDArray[Any]:
    """In units of y."""
    return np.asarray(np.tanh(evaluate([evaluator("material")], positions, threads=threads)[0] / CENTIPAWNS))
