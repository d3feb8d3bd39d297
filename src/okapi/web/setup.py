"""The records of a game at the board: seats, clocks, where it begins, and how a page keeps it."""

import random
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from okapi.core import Position
from okapi.formats.chess960 import chess960_start
from okapi.web.messages import Between, Fen, Many, MoveText, Text

__all__ = ["PERSON", "Record", "Seat", "Setup", "TimeControl"]

PERSON: Final = "person"

LONGEST_GAME: Final = 6000
"""Plies; the rules allow no more than 17,697, and nobody has come near."""

Milliseconds: TypeAlias = Annotated[int, Between(0, 24 * 3600 * 1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who plays one side, and how strongly: by rating, nodes, time or depth, or as the clock allows."""

    player: Annotated[str, Text(60)] = PERSON
    brain: Annotated[str, Text(200)] | None = None
    elo: Annotated[int, Between(100, 4000)] | None = None
    nodes: Annotated[int, Between(1, 10**9)] | None = None
    movetime_ms: Annotated[int, Between(1, 600_000)] | None = None
    depth: Annotated[int, Between(1, 100)] | None = None

    @property
    def is_person(self) -> bool:
        """Does somebody at the page move for it?"""
        return self.player == PERSON

    @property
    def title(self) -> str:
        """What is written beside the board and into the PGN: who is speaking, and how strong it is meant to be.

        >>> Seat(player="alphabeta", brain="material", elo=1500).title
        'material, 1500'
        >>> Seat(player="greedy", brain="material").title, Seat().title
        ('greedy material', 'You')
        """
        if self.is_person:
            return "You"
        name = {"alphabeta": self.brain or "alphabeta", "greedy": f"greedy {self.brain or ''}".strip()}
        limits = [f"{self.elo}" if self.elo else "", f"{self.nodes:,} nodes" if self.nodes else ""]
        limits += [f"{self.movetime_ms / 1000:g} s a move" if self.movetime_ms else ""]
        limits += [f"depth {self.depth}" if self.depth else ""]
        return ", ".join([name.get(self.player, self.player), *filter(None, limits)])


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """Clocks: what both begin with, and what each move adds."""

    time_ms: Annotated[int, Between(1000, 24 * 3600 * 1000)]
    increment_ms: Annotated[int, Between(0, 3600 * 1000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A game to be begun."""

    white: Seat
    black: Seat
    fen: Fen | None = None
    """Where it begins, if not at the start."""
    chess960: Annotated[int, Between(-1, 959)] | None = None
    """The number of a Chess960 start; -1 for any."""
    clock: TimeControl | None = None

    def start(self) -> Position:
        """The position it begins with: InvalidFen."""
        if self.fen is not None and self.fen.strip():
            return Position.from_fen(self.fen.strip())
        if self.chess960 is not None:
            return chess960_start(random.randrange(960) if self.chess960 < 0 else self.chess960)
        return Position.start()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as the page keeps it, to bring it back after a reload or when the server has been restarted."""

    game_id: Annotated[str, Text(16)]
    white: Seat
    black: Seat
    fen: Fen
    moves: Annotated[tuple[MoveText, ...], Many(LONGEST_GAME)] = ()
    values: Annotated[tuple[Annotated[float, Between(0, 1)] | None, ...], Many(LONGEST_GAME)] = ()
    """White's expected score after each move, as far as somebody said so."""
    clock: TimeControl | None = None
    white_ms: Milliseconds = 0
    black_ms: Milliseconds = 0
    result: Literal["1-0", "0-1", "1/2-1/2", "*"] = "*"
    reason: Annotated[str, Text(80)] = ""
    paused: bool = False
