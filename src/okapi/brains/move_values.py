"""What searches say of moves, beside a network's probabilities: people recognise moves, and they calculate, too.

A network that predicts moves does not search. So each legal move is played, the position after it is searched for some
nodes, and a move that loses centipawns against the best one is less likely than the network says:

    log p = power · log p(network) − Σ weight · min(loss, most) / 100        normalised over the legal moves

`power` and the weights are fitted to played moves that the network did not learn from.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Evaluator
from okapi.core.labelling import best_moves, play_random_moves
from okapi.core.packed import LegalMoves
from okapi.errors import InvalidBrain

Floats = NDArray[np.float64]

MOST: Final = (100, 400)
"""Centipawns beyond which a loss counts no more, one for each weight: ten lost pawns are not ten times one."""

KEYS: Final = ("brain", "nodes", "power", "weights")
"""In a model card."""

DECIDED: Final = 2000
"""Centipawns: values farther from 0 are all the same, mates included."""

LEAST_SHARE: Final = 1e-9
"""Of a network's probabilities, so that each has a logarithm."""


@dataclass(frozen=True, slots=True)
class MoveValues:
    """The evaluator and nodes of the searches, and how much their values weigh."""

    evaluator: Evaluator
    nodes: int
    power: float = 1.0
    weights: tuple[float, ...] = (0.0,) * len(MOST)

    @classmethod
    def read(cls, said: Any, evaluator: Callable[[str], Evaluator]) -> "MoveValues":
        """Of `values` in a model card: InvalidBrain."""
        try:
            weights = tuple(map(float, said["weights"]))
            numbers, nodes = (float(said["power"]), *weights), int(said["nodes"])
            if not np.isfinite(numbers).all() or len(weights) != len(MOST) or not 1 <= nodes <= 1_000_000:
                raise ValueError(said)
            brain = str(said["brain"])
        except (KeyError, TypeError, ValueError, OverflowError):
            hint = f"expected brain, nodes, power and {len(MOST)} weights; `okapi train move-values` writes them"
            raise InvalidBrain("the `values` in its card cannot be used", hint=hint) from None
        return cls(evaluator(brain), nodes, numbers[0], weights)

    def as_card(self, brain: str) -> Mapping[str, Any]:
        rounded = [round(weight, 4) for weight in self.weights]
        return {"brain": brain, "nodes": self.nodes, "power": round(self.power, 4), "weights": rounded}

    def losses(self, positions: NDArray[np.void], legal: LegalMoves, *, threads: int = 1) -> Floats:
        """Centipawns that each legal move loses against the best one of its position."""
        rows = legal.rows
        after = np.ascontiguousarray(positions[rows])
        play_random_moves(after, (np.arange(len(rows)) - legal.starts[rows]).astype(np.uint64))
        _, found = best_moves(self.evaluator, after, nodes=self.nodes, threads=threads)
        values = np.clip(-found.astype(np.float64), -DECIDED, DECIDED)
        best = np.full(len(legal.starts) - 1, -np.inf)
        np.maximum.at(best, rows, values)
        return np.asarray(best[rows] - values)

    def logs(self, shares: Floats, losses: Floats) -> Floats:
        """Logarithms of the probabilities, but for a constant of each position."""
        return np.asarray(features(shares, losses) @ np.array([self.power, *self.weights]))


def features(shares: Floats, losses: Floats) -> Floats:
    """What `power` and the weights are factors of: a row for each move."""
    capped = [-np.minimum(losses, most) / 100 for most in MOST]
    return np.stack([np.log(np.maximum(shares, LEAST_SHARE)), *capped], axis=1)


def fit(shares: Floats, losses: Floats, starts: NDArray[np.int64], played: NDArray[np.int64]) -> Floats:
    """The power and the weights under which the played moves are likeliest, by Newton's method.

    `played` are the places of these moves; each position from `starts` has one. The likelihood has one maximum.
    """
    seen, rows = features(shares, losses), np.repeat(np.arange(len(played)), np.diff(starts))
    found = np.array([1.0, *[0.0] * len(MOST)])
    cost, slope, bend = _cost(seen, rows, starts, played, found)
    for _ in range(STEPS):
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(found)), slope)
        while np.abs(step).max() > SMALL:
            tried = _cost(seen, rows, starts, played, found - step)
            if tried[0] < cost:
                break
            step /= 2
        else:
            break
        found, (cost, slope, bend) = found - step, tried
    return found


STEPS: Final = 50
SMALL: Final = 1e-7
"""A step that changes no factor by more ends the fit."""


def _cost(
    seen: Floats, rows: NDArray[np.int64], starts: NDArray[np.int64], played: NDArray[np.int64], factors: Floats
) -> tuple[float, Floats, Floats]:
    """Cross-entropy of the played moves, its gradient and its Hessian."""
    logs = seen @ factors
    highest = np.maximum.reduceat(logs, starts[:-1])
    weights = np.exp(logs - highest[rows])
    sums = np.add.reduceat(weights, starts[:-1])
    shares = (weights / sums[rows])[:, np.newaxis]
    mean = np.add.reduceat(shares * seen, starts[:-1])
    cost = float((np.log(sums) + highest - logs[played]).mean())
    centred = seen - mean[rows]
    bend = (shares * centred).T @ centred / len(played)
    return cost, np.asarray((mean - seen[played]).mean(axis=0)), np.asarray(bend)
