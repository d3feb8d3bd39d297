"""The Player protocol, and the players that need no search."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random as RandomState
from typing import Literal, Protocol, TypeAlias

from okapi.core import Decision, Limits, Move, Position, Value
from okapi.core.move_errors import over
from okapi.errors import UsageError

Evaluate: TypeAlias = Callable[[list[Position]], Iterable[float]]
"""Gives the expected score of the side to move in each position: 0 lost, ½ drawn, 1 won."""


class Player(Protocol):
    """Anything that can choose a move: a search, a network, another program, a person."""

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose a legal move; GameIsOver where there is none."""
        ...


def choices(position: Position, limits: Limits) -> list[Move]:
    """The moves that a player may choose; GameIsOver where there is none."""
    moves = list(limits.only) or position.legal_moves()
    if not moves:
        raise over(position)
    return moves


def call_if_supported(player: object, what: Literal["stop", "new_game", "close"]) -> None:
    """Call an optional method of a player, if it has it."""
    method = getattr(player, what, None)
    if method is not None:
        method()


@dataclass
class Random:
    """Plays any legal move; the same seed gives the same game."""

    seed: int | None = None
    _rng: RandomState = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._rng = RandomState(self.seed)

    def choose(self, position: Position, limits: Limits) -> Decision:
        move = self._rng.choice(choices(position, limits))
        return Decision(move, Value(0.5, position.turn), (move,), 0)


@dataclass(frozen=True)
class Greedy:
    """Looks one move ahead and takes the move that leaves the opponent worst off."""

    evaluate: Evaluate

    def choose(self, position: Position, limits: Limits) -> Decision:
        moves = choices(position, limits)
        values = list(self.evaluate([position.after(move) for move in moves]))
        best = min(range(len(moves)), key=lambda i: values[i])  # the opponent's value: smaller is better
        return Decision(moves[best], Value(1.0 - values[best], position.turn), (moves[best],), len(moves), 1)


class NodeSampler:
    """Random numbers of nodes, uniform on a log scale, as singh2015 limited Sunfish."""

    def __init__(self, low: int, high: int, *, seed: int | None = None) -> None:
        if not 1 <= low <= high:
            raise UsageError(f"nodes from {low} to {high} cannot be drawn", hint="write nodes=10-1000")
        self._bounds = math.log(low), math.log(high)
        self._rng = RandomState(seed)

    def next(self) -> int:
        return round(math.exp(self._rng.uniform(*self._bounds)))


@dataclass(frozen=True, eq=False)
class LimitedPlayer:
    """A player that gets a random number of nodes for each move, and no other limit."""

    player: Player
    sampler: NodeSampler

    def choose(self, position: Position, limits: Limits) -> Decision:
        return self.player.choose(position, Limits(nodes=self.sampler.next(), only=limits.only))

    def close(self) -> None:
        call_if_supported(self.player, "close")
