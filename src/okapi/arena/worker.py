"""Somebody who plays games that others planned: owns the players it needs for the game at hand."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from okapi.arena.adjudication import Adjudication
from okapi.arena.control import Control
from okapi.arena.played import Pairing, Played, Underway
from okapi.arena.referee import Referee
from okapi.arena.seat import Seat, seat_for
from okapi.core import Color

__all__ = ["Orders", "Worker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """All that a worker has to know to play any game of a match or tournament."""

    players: tuple[str, ...]
    """Specifications; pairings name players by their place here."""
    control: Control
    adjudication: Adjudication = field(default_factory=Adjudication)
    chess960: bool = False
    seed: int = 1
    max_plies: int = 0
    """Games that are longer have no result; 0: all are played to their end."""
    lines: bool = False
    """Keep the line that was expected at each move."""


class Worker:
    """Plays games, one after another."""

    def __init__(self, orders: Orders, on_move: Callable[[Underway], object] | None = None) -> None:
        """`on_move` is told of a game after each of its moves."""
        self._orders = orders
        self._referee = Referee(
            orders.control,
            orders.adjudication,
            orders.chess960,
            max_plies=orders.max_plies,
            lines=orders.lines,
            on_move=on_move,
        )
        self._seats: dict[int, Seat] = {}

    def play(self, pairing: Pairing) -> Played:
        """Play one game; whoever has no part in it leaves first."""
        wanted = {Color.WHITE: pairing.white, Color.BLACK: pairing.black}
        for player in set(self._seats) - set(wanted.values()):
            self._seats.pop(player).close()
        for player in wanted.values():
            if player not in self._seats:
                self._seats[player] = seat_for(self._orders.players[player])
        seats = {side: self._seats[player] for side, player in wanted.items()}
        seeds = {side: self.seed(pairing.number, player) for side, player in wanted.items()}
        return self._referee.play(pairing, seats, seeds)

    def seed(self, game: int, player: int) -> int:
        """The dice of one player in one game, whoever plays it and where."""
        return random.Random(f"{self._orders.seed}/{game}/{player}").getrandbits(62)

    def close(self) -> None:
        """Let everybody go."""
        while self._seats:
            self._seats.popitem()[1].close()
