"""Games: where they begin, what is played and why, and how they end."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from okapi.core._core import Move, Position
from okapi.core.value import Value

__all__ = ["Decision", "Game", "Line", "random_openings"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of thought: the moves it expects and what they lead to."""

    moves: tuple[Move, ...]
    value: Value
    """For the side to move where the line begins."""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player answers for one position."""

    move: Move
    value: Value
    line: tuple[Move, ...]
    """The play it expects, beginning with `move`. TD-leaf learns from the position at its end."""
    nodes: int
    depth: int = 0
    lines: tuple[Line, ...] = field(default=())
    """The best lines, best first, from players that were asked for several."""
    likely: tuple[tuple[Move, float], ...] = field(default=())
    """Moves with their probabilities, likeliest first, from players that predict what people would play."""


@dataclass(frozen=True, slots=True)
class Game:
    """Start, moves, result, and what was thought at each move.

    >>> game = Game.of("f3 e5 g4 Qh4#".split())
    >>> game.result, game.last.ending()
    ('0-1', 'checkmate')
    """

    start: Position
    moves: tuple[Move, ...]
    result: str
    """1-0, 0-1, 1/2-1/2, or * for a game that nobody finished."""
    thoughts: tuple[Decision | None, ...] = ()
    """What the player thought at each move, as far as it said so."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Event, Site, Date, White, Black and whatever else a PGN says about it."""
    clocks: tuple[int | None, ...] = ()
    """Milliseconds that the player had left after each move, as far as anybody said so."""

    @classmethod
    def of(cls, moves: "list[Move] | list[str]", start: Position | None = None) -> "Game":
        """The game that these moves make; text is read as SAN or UCI."""
        position = (start or Position.start()).copy()
        played = tuple(position.play(move) for move in moves)
        return cls(start or Position.start(), played, position.result())

    @property
    def last(self) -> Position:
        """The final position, with everything that led there."""
        position = self.start.copy()
        for move in self.moves:
            _play(position, move)
        return position

    def positions(self) -> Iterator[tuple[Position, Move]]:
        """Each position with the move that was played in it. The position is the same object, moved on."""
        position = self.start.copy()
        for move in self.moves:
            yield position, move
            _play(position, move)


def _play(position: Position, move: Move) -> None:
    """Move on; a null move, which games in the wild have, passes the turn."""
    if move == Move.none():
        position.pass_turn()
    else:
        position.play(move)


def random_openings(count: int, *, seed: int, plies: int = 8) -> list[Position]:
    """So many distinct positions after random moves, none of which is over. The same seed gives the same.

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
