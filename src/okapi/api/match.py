"""Matches in Python: between brains, players of your own, and everything that has a name."""

from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from okapi.api.brain import Brain
from okapi.arena.games import PgnFile
from okapi.arena.in_process import can_play_in_process
from okapi.arena.match import MatchReport, check_players, local_workers, pairings
from okapi.arena.settings import GameSettings, GivenPlayer, MatchSettings, short_name
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LocalWorkers, SerialWorkers, Workers, play_all
from okapi.cli.progress import Progress
from okapi.errors import UsageError
from okapi.players import PythonPlayer
from okapi.players.python import Given, as_player, python_spec

AnyPlayer: TypeAlias = str | Path | Brain | Given
"""A name or specification as on the command line, a file, a brain, an object with `choose`, a function, or a class."""


def match(
    first: AnyPlayer,
    second: AnyPlayer,
    *,
    games: int = 100,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    tc: str | None = None,
    openings: str | Path | None = None,
    seed: int = 1,
    workers: int | None = None,
    names: tuple[str, str] | None = None,
    pgn: str | Path | None = None,
) -> MatchReport:
    """Play a match; the result has `elo`, `low`, `high`, `wins`, `draws`, `losses`, `games` and `errors`.

    A player is a name or specification, a Brain, an object with `choose`, a function from a position to a move, or a
    class. Each opening is played twice, with colours changed; results are those of the first player. An exception or
    an illegal move loses the game, and `errors` has the traceback.

    Limits are as on the command line: `nodes`, `depth`, `movetime` in milliseconds, or a clock `tc`; 1,000 nodes if
    none is given. Brains play each other on all processors; other players one game after another in this process. With
    `workers`, so many processes play: then a player is a specification or a class, which they make themselves.

    >>> result = match(lambda position: position.legal_moves()[0], "material", games=4, nodes=100)
    >>> result.games, result.wins, result.errors
    (4, 0, [])
    >>> result.low < result.elo < result.high
    True
    """
    given = tuple(_given(player, in_workers=workers is not None) for player in (first, second))
    nodes = nodes if nodes or depth or movetime or tc else 1000
    control = TimeControl.from_text(tc, nodes=nodes, depth=depth, movetime_ms=movetime)
    book = None if openings is None else str(openings)
    starts = MatchSettings(control=control, openings=book, seed=seed).starts((games + 1) // 2)
    settings = GameSettings(players=given, control=control, seed=seed)
    check_players(settings)
    one, other = map(_name, (first, second), given)
    report = MatchReport(names or ((one, other) if one != other else (f"{one} (1)", f"{other} (2)")))
    file = None if pgn is None else PgnFile(Path(pgn).expanduser(), report.names, "okapi match", control)
    if file is not None:
        file.write(())
    with Progress("match", games) as progress, closing(_workers(settings, workers)) as playing:
        for played in play_all(pairings(starts, games), playing):
            report.add(played)
            if file is not None:
                file.add(played)
            progress.update(report.games, lambda: str(report))
    return report


def _given(player: AnyPlayer, *, in_workers: bool) -> GivenPlayer:
    if isinstance(player, str | Path):
        return str(player)
    if isinstance(player, Brain):
        return _brain(player, in_workers=in_workers)
    if not in_workers:
        return as_player(player)
    if not callable(player):
        hint = "give its class, or python:FILE.py:NAME; or leave out workers"
        raise UsageError(f"{player!r} is an object of this process, and others cannot have it", hint=hint)
    return python_spec(player)


def _brain(brain: Brain, *, in_workers: bool) -> GivenPlayer:
    """A brain that has a file as a specification, another one as its evaluator."""
    path = str(brain.card.path)
    if brain.card.path.is_file() and "," not in path:
        return path
    if in_workers:
        raise UsageError(f"{brain!r} is in no file that other processes can read", hint="save it, or leave out workers")
    return brain.evaluator() if not brain.card.predicts_moves else PythonPlayer(brain)


def _workers(settings: GameSettings, count: int | None) -> Workers:
    if can_play_in_process(settings):
        return local_workers(settings, count)
    return SerialWorkers(settings) if count is None else LocalWorkers(settings, count)


def _name(player: AnyPlayer, given: GivenPlayer) -> str:
    if isinstance(player, Brain | PythonPlayer):
        return player.name
    return short_name(given) if isinstance(given, str) else getattr(given, "name", type(given).__name__)
