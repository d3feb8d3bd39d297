"""The records of the arena: a game to be played, and a game that was."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from okapi.core import Color

__all__ = ["Fault", "Pairing", "Played", "Thought", "Underway", "Warned"]


class Fault(StrEnum):
    """Why a player lost that was not beaten."""

    TIME = "time"
    CRASH = "crash"
    STALL = "stall"
    """It did not answer, though no clock was running."""
    ILLEGAL = "illegal"
    """An illegal move, or nonsense."""


class Thought(NamedTuple):
    """What a player said about its move."""

    centipawns: int | None
    """For the player; None if it saw a mate, or said nothing."""
    mate: int | None
    """Moves until the player mates or, if negative, is mated."""
    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...] = ()
    """The play it expects, as in UCI, beginning with its move; where lines are kept."""

    def __str__(self) -> str:
        """As in a PGN comment.

        >>> print(Thought(35, None, 12, 1000, 0.451), Thought(None, None, 0, 0, 1.0), Thought(None, -3, 9, 1, 0.2))
        +0.35/12 0.451s 1s #-3/9 0.2s
        """
        value = f"#{self.mate}" if self.mate is not None else f"{(self.centipawns or 0) / 100:+.2f}"
        said = self.mate is not None or self.centipawns is not None
        return (f"{value}/{self.depth} " if said else "") + f"{round(self.seconds, 3):g}s"


class Warned(NamedTuple):
    """Something odd about a player's answer, though its move was legal."""

    player: int
    what: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to be played."""

    number: int
    """From 0; what it is known by."""
    white: int
    """Which of the players."""
    black: int
    fen: str
    """Where it begins."""


@dataclass(frozen=True, slots=True)
class Underway:
    """A game that is being played, as far as it has come."""

    pairing: Pairing
    moves: tuple[str, ...]
    """As in UCI."""
    thought: Thought
    """What the player said that moved last."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played. Plain numbers and text: it goes through pipes, networks and files."""

    pairing: Pairing
    result: str
    """1-0, 0-1 or 1/2-1/2; * for one that was too long."""
    ending: str
    """Why it ended."""
    fault: Fault | None
    """If its loser was not beaten."""
    moves: tuple[str, ...]
    """As in UCI."""
    thoughts: tuple[Thought, ...]
    """One for each move."""
    warnings: tuple[Warned, ...] = ()
    seconds: float = 0.0
    """From the first move to the last."""
    when: float = 0.0
    """The time of day at its beginning, in seconds since 1970."""

    @property
    def number(self) -> int:
        """Which game it was."""
        return self.pairing.number

    def points(self, player: int) -> float:
        """What it brought to a player: 1, ½ or 0."""
        if self.result == "1/2-1/2":
            return 0.5
        return float((self.result == "1-0") == (player == self.pairing.white))

    def player(self, side: Color) -> int:
        """Who had this colour."""
        return self.pairing.white if side is Color.WHITE else self.pairing.black

    @property
    def culprit(self) -> int | None:
        """Whose fault it was."""
        if self.fault is None:
            return None
        return self.pairing.black if self.result == "1-0" else self.pairing.white
