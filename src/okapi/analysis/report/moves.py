"""Moves of a game, judged: what they gave away, the mark for that, and how well a side played."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from okapi.core import Color, Move, Position, Value

MARKS: Final = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))  # the loss of expected score from which a move gets a mark
NAGS: Final = {"?!": "$6", "?": "$2", "??": "$4"}  # the marks as PGN writes them
LONGEST_MISSED_MATE: Final = 5  # Moves. Missing a longer mate is not noted.
WON: Final = 0.85  # about three pawns: a winning position
NO_LONGER_WON: Final = 0.65


class MoveNote(StrEnum):
    """A remark on a move, apart from its loss."""

    MISSED_MATE = "missed mate"
    MISSED_WIN = "missed win"
    ONLY_MOVE = "only move"


@dataclass(frozen=True, slots=True)
class JudgedMove:
    ply: int
    position: Position  # before the move
    move: Move
    before: Value  # after the best move, for the side that moved
    value: Value  # after the move, for the side that played it
    best_line: tuple[Move, ...]  # the best line, from the position before the move
    reply_line: tuple[Move, ...] = ()  # the best reply, from the position after the move
    nodes: int = 0
    note: MoveNote | None = None
    sentence: str = ""  # why it is a mistake, once that is known

    @property
    def side(self) -> Color:
        return self.position.turn

    @property
    def number(self) -> int:
        return self.position.fullmove_number

    @property
    def san(self) -> str:
        return self.position.san(self.move)

    @property
    def best(self) -> Move:
        return self.best_line[0]

    @property
    def best_san(self) -> str:
        return self.position.san(self.best)

    @property
    def line(self) -> tuple[Move, ...]:
        """The move and the best replies to it."""
        return self.move, *self.reply_line

    @property
    def loss(self) -> float:
        """Expected score that the move lost. The best move itself loses nothing."""
        return 0.0 if self.move == self.best else max(0.0, self.before.expected - self.value.expected)

    @property
    def mark(self) -> str:
        """?!, ?, ?? or empty."""
        return mark_for(self.loss)

    @property
    def missed(self) -> MoveNote | None:
        """What it missed by its values."""
        before, value = self.before, self.value
        if self.move == self.best:
            return None
        if 0 < (before.mate or 0) <= LONGEST_MISSED_MATE and (value.mate is None or value.mate < 0):
            return MoveNote.MISSED_MATE
        return MoveNote.MISSED_WIN if before.expected >= WON and value.expected <= NO_LONGER_WON else None

    @property
    def name(self) -> str:
        """The move with its number and mark: 23... Qxb2??"""
        return f"{self.number}{'.' if self.side is Color.WHITE else '...'} {self.san}{self.mark}"

    @property
    def better(self) -> str:
        """The best move, unless the sentence names it."""
        return "" if self.best_san in self.sentence else self.best_san


@dataclass(frozen=True, slots=True)
class SideSummary:
    moves: int
    inaccuracies: int
    mistakes: int
    blunders: int
    accuracy: float  # 0 to 100, the mean over the moves; docs/howto/report.md has the formula
    average_loss: float
    missed_mates: int
    missed_wins: int
    only_moves: int


def mark_for(loss: float) -> str:
    """The mark for a move that lost so much expected score."""
    return next((mark for least, mark in MARKS if loss >= least), "")


def summarise(moves: Iterable[JudgedMove], side: Color) -> SideSummary:
    own = [move for move in moves if move.side is side]
    marks, notes = ([getattr(move, name) for move in own] for name in ("mark", "note"))
    mean_accuracy = sum(accuracy(move.loss) for move in own) / len(own) if own else 100.0
    mean_loss = sum(move.loss for move in own) / len(own) if own else 0.0
    inaccuracies, mistakes, blunders = map(marks.count, NAGS)
    missed = map(notes.count, MoveNote)
    return SideSummary(len(own), inaccuracies, mistakes, blunders, mean_accuracy, mean_loss, *missed)


def accuracy(loss: float) -> float:
    """Of one move, 0 to 100: 100 if nothing was lost, 64 for a tenth of a point, 40 for a fifth."""
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * loss) - 3.1669))
