"""The settings of a match, and what its players are made of."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from okapi.arena.openings import BUILT_IN, load_openings
from okapi.arena.time_control import TimeControl
from okapi.brains import find
from okapi.core import Agreement, Position, _core
from okapi.errors import NotFound, UsageError
from okapi.files import file_hash
from okapi.players.process import GAMES, find_program
from okapi.players.spec import brains_of, engine_options, is_engine, kind_of, limited_spec

__all__ = ["AdjudicationRules", "GameSettings", "MatchSettings", "fingerprint"]


def fingerprint(spec: str) -> dict[str, str]:
    """The files that a player consists of, with their hashes: NotFound if one is missing."""
    limited = limited_spec(spec)
    if limited is not None:
        return fingerprint(limited.player)
    if is_engine(spec):
        return {str(path): file_hash(path) for path in _files_of(engine_options(kind_of(spec)[1])[0])}
    brains = {brain: file_hash(find(brain)) for brain in brains_of(spec)}
    return {"okapi": file_hash(Path(_core.__file__)), **brains}


def _files_of(command: str) -> list[Path]:
    """The program, and whatever else in its command is a file: the script of an interpreter, a network."""
    words = shlex.split(command)
    program = find_program(words[0])
    if program is None:
        raise NotFound(f"no program `{words[0]}`", hint=f"looked on the PATH and in {', '.join(GAMES)}")
    return [Path(program), *(Path(word) for word in words[1:] if Path(word).is_file())]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationRules(Agreement):
    """What both players have to agree upon, or tables know."""

    tablebase: str | None = None
    """A folder of Syzygy tables: where they reach, they decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """All that a worker has to know to play any game of a match or tournament."""

    players: tuple[str, ...]
    """Specifications; pairings name players by their place here."""
    control: TimeControl
    adjudication: AdjudicationRules = field(default_factory=AdjudicationRules)
    chess960: bool = False
    seed: int = 1
    max_plies: int = 0
    """Games that are longer have no result; 0: all are played to their end."""
    lines: bool = False
    """Keep the line that was expected at each move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """Everything that decides how a game goes, except who plays."""

    control: TimeControl
    openings: str | None = None
    """A file; our own set if not given."""
    plies: int = 16
    """How far into the games of an opening file to go."""
    chess960: bool = False
    adjudication: AdjudicationRules = field(default_factory=AdjudicationRules)
    seed: int = 1
    """Shuffles the openings, and throws the dice of players that have some."""

    def starts(self, count: int | None = None) -> list[Position]:
        """Where the games begin, in the order of play; no more than `count`, because some books have millions."""
        found = load_openings(self.openings, plies=self.plies, seed=self.seed, chess960=self.chess960, count=count)
        if not self.chess960 and any(position.is_chess960() for position in found):
            raise UsageError(f"there are Chess960 positions in `{self.openings}`", hint="add --chess960")
        return found

    def summary(self, names: Sequence[str]) -> dict[str, str]:
        """What people want to know about the games, in few words."""
        openings = Path(self.openings).name if self.openings else "960 starts" if self.chess960 else "built in"
        return {"players": ", ".join(names), "limits": str(self.control), "openings": openings, "seed": str(self.seed)}

    def _game_settings(self, players: tuple[str, ...]) -> GameSettings:
        return GameSettings(
            players=players,
            control=self.control,
            adjudication=self.adjudication,
            chess960=self.chess960,
            seed=self.seed,
        )

    def _described(self, players: tuple[str, ...]) -> dict[str, Any]:
        book = BUILT_IN if self.openings is None and not self.chess960 else self.openings
        return {
            **asdict(self),
            "openings": "960 starts" if book is None else file_hash(Path(book)),
            "made_of": [fingerprint(player) for player in players],
        }
