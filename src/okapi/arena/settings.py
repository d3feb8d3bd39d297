"""The settings of matches and games, and the fingerprints and names of players."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from okapi.arena.openings import BUILT_IN, load_openings
from okapi.arena.time_control import TimeControl
from okapi.brains import display_name, find
from okapi.core import LIBRARY, Agreement, Evaluator, Position
from okapi.errors import NotFound, UsageError
from okapi.files import file_hash
from okapi.players.player import Player
from okapi.players.process import GAMES, find_program
from okapi.players.python import python_file
from okapi.players.spec import brains_of, engine_options, is_engine, kind_of, limited_spec

GivenPlayer: TypeAlias = str | Player | Evaluator
"""A specification, a player of this process, or an evaluator for the search of this process."""


def fingerprint(spec: str) -> dict[str, str]:
    """The files of a player with their hashes; NotFound if one is missing. Different files: different players."""
    limited, (kind, rest) = limited_spec(spec), kind_of(spec)
    if limited is not None:
        return fingerprint(limited.player)
    if is_engine(spec):
        word, *others = shlex.split(engine_options(rest)[0])
        program = find_program(word)
        if program is None:
            raise NotFound(f"no program `{word}`", hint=f"looked on the PATH and in {', '.join(GAMES)}")
        paths = [Path(program), *filter(Path.is_file, map(Path, others))]  # a script, a network
        return {str(path): file_hash(path) for path in paths}
    files = {brain: find(brain) for brain in brains_of(spec)}
    if kind == "python" and (source := python_file(rest)) is not None:
        files[str(source)] = source
    return {name: file_hash(path) for name, path in {"okapi": LIBRARY, **files}.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationRules(Agreement):
    """When to end a game early: evaluations on which both players agree, or tables."""

    tablebase: str | None = None
    """A folder of Syzygy tables that decide games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """The settings that a worker needs to play any game of a match or tournament."""

    players: tuple[GivenPlayer, ...]
    """Pairings refer to players by index. Only specifications can go to other processes."""
    control: TimeControl
    adjudication: AdjudicationRules = field(default_factory=AdjudicationRules)
    chess960: bool = False
    seed: int = 1
    max_plies: int = 0
    """Longer games end without a result; 0: no limit."""
    lines: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """Everything that decides how games go, except the players."""

    control: TimeControl
    openings: str | None = None
    """A file; None: the built-in set."""
    plies: int = 16
    chess960: bool = False
    adjudication: AdjudicationRules = field(default_factory=AdjudicationRules)
    seed: int = 1
    """Shuffles the openings, and seeds players that choose at random."""

    @property
    def kind(self) -> str:
        """What its stores and runs are named after."""
        return "match"

    @property
    def specs(self) -> tuple[str, ...]:
        """The specifications of the players; pairings refer to them by index."""
        return ()

    def game_settings(self) -> GameSettings:
        shared = {name: getattr(self, name) for name in ("control", "adjudication", "chess960", "seed")}
        return GameSettings(players=self.specs, **shared)

    def describe(self) -> dict[str, Any]:
        """The key of the store: settings, and hashes of the files of players and openings."""
        book = BUILT_IN if self.openings is None and not self.chess960 else self.openings
        return {
            **asdict(self),
            "openings": "960 starts" if book is None else file_hash(Path(book)),
            "made_of": [fingerprint(player) for player in self.specs],
        }

    def starts(self, count: int | None = None) -> list[Position]:
        """The start positions in the order of play, at most `count`; some books have millions."""
        found = load_openings(self.openings, plies=self.plies, seed=self.seed, chess960=self.chess960, count=count)
        if not self.chess960 and any(position.is_chess960() for position in found):
            raise UsageError(f"there are Chess960 positions in `{self.openings}`", hint="add --chess960")
        return found

    def summary(self, names: Sequence[str]) -> dict[str, str]:
        openings = Path(self.openings).name if self.openings else "960 starts" if self.chess960 else "built in"
        return {"players": ", ".join(names), "limits": str(self.control), "openings": openings, "seed": str(self.seed)}


def player_names(players: Sequence[str]) -> list[str]:
    """Short, different names for players: of a brain that of its run, never a path."""
    names = [short_name(player) for player in players]
    for longer in (_whole_command, _with_hash):
        for name in {name for name in names if names.count(name) > 1}:
            long = {place: longer(players[place]) for place, other in enumerate(names) if other == name}
            if all(long.values()) and len(set(long.values())) == len(long):  # longer names make them different
                names = [long.get(place, other) for place, other in enumerate(names)]
    return numbered(names)


def numbered(names: Sequence[str]) -> list[str]:
    """Names that occur several times with a number behind each."""
    times = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return [name if names.count(name) == 1 else f"{name} ({n})" for name, n in zip(names, times, strict=True)]


def short_name(spec: str) -> str:
    """The name of a player, for people: `material,elo=1500`, `greedy:material`, `Mine` of a Python file."""
    kind, rest = kind_of(spec)
    limited = limited_spec(spec)
    if limited is not None:
        return f"{short_name(limited.player)} ({limited.low}-{limited.high} nodes)"
    if kind == "python":
        return rest.rpartition(":")[2]
    if is_engine(spec):
        command, brace, options = rest.partition("{")
        program, *arguments = command.split()
        return " ".join([Path(program).name, *(Path(word).name for word in arguments)]) + brace + options
    named = spec.removeprefix("alphabeta:")
    for brain in brains_of(spec):
        named = named.replace(brain, display_name(brain))
    return named


def _whole_command(player: str) -> str:
    return kind_of(player)[1] if is_engine(player) else ""


def _with_hash(player: str) -> str:
    """With the beginning of its file's hash: two brains may have one name."""
    brains = brains_of(player)
    return f"{short_name(player)} {file_hash(find(brains[0]))[:4]}" if brains else ""
