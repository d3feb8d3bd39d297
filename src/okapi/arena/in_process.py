"""In-process games on threads of the core: the fastest way to play Okapi against Okapi without a clock."""

import time
from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from okapi.arena.games import MoveInfo, Pairing, PlayedGame
from okapi.arena.settings import GameSettings, GivenPlayer
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LostGame
from okapi.brains import evaluator, is_native, move_prior
from okapi.core import Color, Evaluator, Limits, Position
from okapi.core.match import Adjudication, Agreement, InProcessMatch, MatchGame, MatchPlayer
from okapi.players.spec import alphabeta_options, kind_of

SEARCH: Final = {"brain", "bounds", "depth", "nodes", *(field.name for field in fields(MatchPlayer))}
"""The options of alphabeta that a player in the core has, too."""

GAMES_PER_BATCH = 8
"""Games a processor where networks evaluate in batches; more games gain little."""

TABLE_MB = 16
NO_LIMIT = 1 << 30


def can_play_in_process(settings: GameSettings) -> bool:
    """Are both players Okapi's search, without clocks and tables?"""
    plain = not settings.control.timed and settings.adjudication.tablebase is None
    return plain and len(settings.players) == 2 and all(map(_is_search, settings.players))


def _is_search(player: GivenPlayer) -> bool:
    if not isinstance(player, str):
        return isinstance(player, Evaluator)
    kind, rest = kind_of(player)
    return kind == "alphabeta" and set(alphabeta_options(rest)) <= SEARCH


def games_per_processor(settings: GameSettings) -> int:
    """The number of games to play at a time on a processor; batches hold positions of several games."""
    specs = [player for player in settings.players if isinstance(player, str)]
    native = all(is_native(alphabeta_options(kind_of(spec)[1]).get("brain")) for spec in specs)
    return 1 if native and len(specs) == len(settings.players) else GAMES_PER_BATCH


def core_player(spec: GivenPlayer, control: TimeControl) -> MatchPlayer:
    """One of those players, as the core knows it."""
    usual = Limits(depth=control.depth, nodes=control.nodes)
    if isinstance(spec, Evaluator):
        return MatchPlayer(spec, usual, table_mb=TABLE_MB)
    assert isinstance(spec, str)
    options = {"table_mb": TABLE_MB, **alphabeta_options(kind_of(spec)[1])}
    judge = evaluator(options.pop("brain", None), bounds=options.pop("bounds", None))
    fixed = Limits(depth=options.pop("depth", None), nodes=options.pop("nodes", None))
    if "moves" in options:
        options["moves"] = move_prior(options["moves"])
    return MatchPlayer(judge, usual if fixed.endless else fixed, **options)


def core_adjudication(rules: Agreement, max_plies: int = 0) -> Adjudication:
    """The adjudication rules, as the core takes them."""
    return Adjudication(**{field.name: getattr(rules, field.name) for field in fields(Agreement)}, max_plies=max_plies)


class InProcessWorkers:
    """Plays all games in the core, and returns each when it is over."""

    def __init__(self, settings: GameSettings, threads: int) -> None:
        self._settings, self._threads = settings, threads
        self._pairings: list[Pairing] = []
        self._match: InProcessMatch | None = None
        self._games: Iterator[MatchGame] = iter(())

    @property
    def free(self) -> int:
        return NO_LIMIT if self._match is None else 0

    def start(self, pairing: Pairing) -> None:
        self._pairings.append(pairing)

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        if self._match is None:
            first, second = (core_player(spec, self._settings.control) for spec in self._settings.players)
            starts = ((Position.from_fen(game.fen), game.white) for game in self._pairings)
            self._match = InProcessMatch(
                first,
                second,
                [(start, Color.BLACK if white else Color.WHITE) for start, white in starts],
                adjudication=core_adjudication(self._settings.adjudication),
                decisions=True,
                threads=self._threads,
                in_order=False,
            )
            self._games = iter(self._match)
        for played in self._games:
            return [self._played(played)]
        self._match = None
        self._pairings.clear()
        return []

    def close(self) -> None:
        if self._match is not None:
            self._match.stop()
            self._match = None

    def _played(self, played: MatchGame) -> PlayedGame:
        game, pairing, seconds = played.game, self._pairings[played.number], sum(played.seconds)
        moves = tuple(game.start.uci(move, self._settings.chess960) for move in game.moves)
        told = ((each, took) for each, took in zip(game.decisions, played.seconds, strict=True) if each is not None)
        infos = tuple(MoveInfo.of(each.value, each.depth, each.nodes, took) for each, took in told)
        when = time.time() - seconds
        return PlayedGame(pairing, game.result, played.ending, None, moves, infos, seconds=seconds, when=when)
