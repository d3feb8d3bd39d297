"""Values, decisions and games; and the games, stores and PGN of the C++ library, for okapi.data."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from okapi.core._core import Color, Move, Position, centipawns_of, expected_score
from okapi.core._core import RawExporter as RawExporter
from okapi.core._core import RawFilter as RawFilter
from okapi.core._core import RawGame as RawGame
from okapi.core._core import RawImportCounts as RawImportCounts
from okapi.core._core import RawImporter as RawImporter
from okapi.core._core import RawPgnReader as RawPgnReader
from okapi.core._core import RawStore as RawStore
from okapi.core._core import RawStoreWriter as RawStoreWriter
from okapi.core._core import surname as surname
from okapi.core._core import time_control_seconds as time_control_seconds


@dataclass(frozen=True, slots=True)
class Value:
    """Expected score for one side: 0 loses, ½ draws, 1 wins.

    >>> value = Value.from_centipawns(100, Color.WHITE)
    >>> round(value.expected, 2), round(value.seen_by(Color.BLACK), 2)
    (0.64, 0.36)
    """

    expected: float
    side: Color
    mate: int | None = None
    """Moves until `side` mates, or, if negative, is mated; nothing if no mate is in sight."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.expected <= 1.0:
            raise ValueError(f"an expected score is between 0 and 1, not {self.expected}")

    def seen_by(self, side: Color) -> float:
        return self.expected if side is self.side else 1.0 - self.expected

    def turned(self) -> "Value":
        return Value(1.0 - self.expected, self.side.other, None if self.mate is None else -self.mate)

    def for_side(self, side: Color) -> "Value":
        return self if side is self.side else self.turned()

    @property
    def centipawns(self) -> int:
        """For UCI and people: hundredths of a pawn for `side`, within ± 20000."""
        return centipawns_of(self.expected)

    @property
    def win_draw_loss(self) -> tuple[float, float, float]:
        """Probabilities for `side`, as in `okapi-uci`: a draw as likely as the worse side's expected score."""
        draw = min(self.expected, 1.0 - self.expected)
        win = self.expected - draw / 2
        return win, draw, 1.0 - win - draw

    @classmethod
    def from_centipawns(cls, centipawns: int, side: Color) -> Self:
        """For UCI and teachers only. Counts 400 centipawns like 400 Elo: ten to one."""
        return cls(expected_score(centipawns), side)

    @classmethod
    def from_mate(cls, moves: int, side: Color) -> Self:
        """`side` mates in so many moves or, if negative, is mated; 0: is mated already."""
        return cls(1.0 if moves > 0 else 0.0, side, moves)

    def __str__(self) -> str:
        """As people write it: +0.35, #3, #-2, for the value's own side."""
        return f"#{self.mate}" if self.mate is not None else f"{self.centipawns / 100:+.2f}"


@dataclass(frozen=True, slots=True)
class Line:
    """A principal variation: its moves and its value.

    >>> Line((Position().move("e4"),), Value(0.52, Color.WHITE), depth=8).moves[0]
    <Move e2e4>
    """

    moves: tuple[Move, ...]
    value: Value
    """For the side to move at its first position."""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's move for one position, with its value and line.

    >>> Decision(Position().move("Nf3"), Value(0.5, Color.WHITE), (), nodes=0).move
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
        start = start or Position.start()
        position = start.copy()
        return cls(start, tuple(map(position.play, moves)), position.result())

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
    """Distinct positions after random moves, none of them a finished game. The same seed gives the same positions."""
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
