"""Games: where they begin, what is played and why, and how they end."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from okapi.core._core import Move, Position
from okapi.core.value import Value


@dataclass(frozen=True, slots=True)
class Line:
    """A principal variation: its moves and its value.

    >>> from okapi import Color
    >>> line = Line((Position().move("e4"),), Value(0.52, Color.WHITE), depth=8)
    >>> line.moves[0], line.value.centipawns
    (<Move e2e4>, 14)
    """

    moves: tuple[Move, ...]
    value: Value
    """For the side to move at its first position."""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's move for one position, with its value and line.

    >>> from okapi import Color
    >>> move = Position().move("Nf3")
    >>> Decision(move, Value(0.5, Color.WHITE), (move,), nodes=0).move
    <Move g1f3>
    """

    move: Move
    value: Value
    line: tuple[Move, ...]
    """The principal variation, beginning with `move`. TD-Leaf learns from the position at its end."""
    nodes: int
    depth: int = 0
    lines: tuple[Line, ...] = field(default=())
    """The best lines, best first, from players with several lines."""
    likely: tuple[tuple[Move, float], ...] = field(default=())
    """Moves with their probabilities, likeliest first, from players that predict human moves."""


@dataclass(frozen=True, slots=True)
class Game:
    """Start, moves, result, and the decision at each move.

    >>> game = Game.of("f3 e5 g4 Qh4#".split())
    >>> game.result, game.last.ending()
    ('0-1', 'checkmate')
    """

    start: Position
    moves: tuple[Move, ...]
    result: str
    """1-0, 0-1, 1/2-1/2, or * for an unfinished game."""
    decisions: tuple[Decision | None, ...] = ()
    """The player's decision at each move, where it is known."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """The tags of a PGN: Event, Site, Date, White, Black and others."""
    clocks: tuple[int | None, ...] = ()
    """Milliseconds left after each move, where it is known."""

    @classmethod
    def of(cls, moves: "list[Move] | list[str]", start: Position | None = None) -> "Game":
        """The game that these moves make; text is read as SAN or UCI."""
        position = (start or Position.start()).copy()
        played = tuple(position.play(move) for move in moves)
        return cls(start or Position.start(), played, position.result())

    @property
    def thoughts(self) -> tuple[Decision | None, ...]:
        """The former name of `decisions`, for one release."""
        return self.decisions

    @property
    def last(self) -> Position:
        """The final position, with its history."""
        position = self.start.copy()
        for move in self.moves:
            _play(position, move)
        return position

    def _repr_svg_(self) -> str:
        """The final position as a picture; notebooks show it."""
        from okapi.core.interop import to_svg  # here, because it imports python-chess

        return to_svg(self.last)

    def positions(self) -> Iterator[tuple[Position, Move]]:
        """Each position with the move that was played in it. The position is one object that changes."""
        position = self.start.copy()
        for move in self.moves:
            yield position, move
            _play(position, move)


def _play(position: Position, move: Move) -> None:
    """Play a move; a null move, which some PGN files have, passes the turn."""
    if move == Move.none():
        position.pass_turn()
    else:
        position.play(move)


def random_openings(count: int, *, seed: int, plies: int = 8) -> list[Position]:
    """Distinct positions after random moves, none of them a finished game. The same seed gives the same positions.

    >>> openings = random_openings(3, seed=1)
    >>> openings == random_openings(3, seed=1), {opening.plies for opening in openings}
    (True, {8})
    """
    rng = random.Random(seed)
    found: dict[int, Position] = {}
    while len(found) < count:
        position = Position.start()
        for _ in range(plies):
            if position.ending() is None:
                position.play_unchecked(rng.choice(position.legal_moves()))
        if position.ending() is None:
            found.setdefault(position.key, position)
    return list(found.values())
