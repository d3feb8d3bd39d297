"""Games between two searches inside this process: for evolution, self-play, tuning and matches."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import cycle
from typing import Any, Final

from okapi.core import _core
from okapi.core._core import Color, Evaluator, MovePrior, Position
from okapi.core.game import Decision, Game
from okapi.core.search import Limits, check_least, known_budget, known_constants, known_heuristics, value_from_core
from okapi.errors import UsageError

MOST_THREADS: Final = 1024

MatchStart = tuple[Position, Color]
"""A game to be played: its first position, and the first player's side."""


def both_colors(starts: Iterable[Position]) -> list[MatchStart]:
    """Two games from each start: the first player has White, then Black."""
    return [(start, side) for start in starts for side in (Color.WHITE, Color.BLACK)]


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """One side of a match: its evaluator, its limits for each move, and its search settings."""

    evaluator: Evaluator
    limits: Limits
    """Depth, nodes or time for each move."""
    table_mb: int = 1
    """Wiped before every game, so no larger than the limits can fill."""
    without: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    """Heuristics that are off by default, and are switched on."""
    budget: str = "depth"
    """What a move costs."""
    moves: MovePrior | None = None
    constants: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limits = self.limits
        if not (limits.depth or limits.nodes or limits.movetime_ms):
            raise UsageError("a player needs a limit for each move", hint="Limits(depth=4), or nodes, or movetime_ms")
        if limits.mate or limits.white or limits.black or limits.only:
            raise UsageError("a player of a match is limited by depth, nodes or time for each move, and nothing else")
        check_least(1, table_mb=self.table_mb)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """When both players' values end a game. A score of None: never."""

    resign_score: int | None = None
    """Centipawns by which both players' values have the same side ahead."""
    resign_moves: int = 4
    """So many moves of each, in a row."""
    draw_score: int | None = None
    """Largest value in centipawns, for either side, of both players."""
    draw_moves: int = 8
    """So many moves of each, in a row, without a capture or pawn move."""
    draw_after: int = 40
    """Counted from this move of the game on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication(Agreement):
    tablebases: bool = False
    """Adjudicate by the loaded endgame tables."""
    max_plies: int = 400
    """Drawn as too long; 0: never."""


PLAY_ON: Final = Adjudication()


@dataclass(frozen=True, slots=True)
class MatchGame:
    number: int
    """Of its pairing, from 0."""
    first: Color
    """The first player's side."""
    game: Game
    ending: str
    """Why it ended: as Position.ending() says, or `adjudication: …`."""
    nodes: tuple[int, int]
    """Searched by the first and by the second player."""
    seconds: tuple[float, ...] = ()
    """Seconds for each move, if decisions are kept."""

    @property
    def score(self) -> float:
        """The first player's score: 1, ½ or 0."""
        if self.game.result == "1/2-1/2":
            return 0.5
        return float((self.game.result == "1-0") is (self.first is Color.WHITE))


class InProcessMatch:
    """Plays games on its own threads; iterating yields finished games. To be iterated over once.

    Every game begins with empty tables and histories: without time limits, games are the same with
    any number of threads. Leaving the loop, like stop(), ends the games that are still played.
    """

    def __init__(
        self,
        first: MatchPlayer,
        second: MatchPlayer,
        pairings: Iterable[MatchStart],
        *,
        adjudication: Adjudication = PLAY_ON,
        decisions: bool = False,
        threads: int = 1,
        in_order: bool = True,
    ) -> None:
        """With `decisions`, games have the decision at each move; without `in_order`, they come when they are over."""
        if not 1 <= threads <= MOST_THREADS:
            raise UsageError(f"{threads} threads cannot play", hint=f"1 to {MOST_THREADS} can")
        self._pairings = list(pairings)
        self._decisions = decisions
        rules, players = _core.RawAdjudication(**asdict(adjudication)), (_to_core(first), _to_core(second))
        how: dict[str, Any] = {"keep_lines": decisions, "threads": threads, "in_order": in_order}
        self._core = _core.RawMatch(*players, self._pairings, adjudication=rules, **how)

    def __len__(self) -> int:
        return len(self._pairings)

    def __iter__(self) -> Iterator[MatchGame]:
        return map(self._match_game, self.raw())

    def raw(self) -> Iterator[_core.RawMatchGame]:
        """The same games as records of the core, to be stored."""
        try:
            while (played := self._core.next()) is not None:
                yield played
        finally:
            self._core.stop()

    def stop(self) -> None:
        """Stop; only finished games are given. From any thread."""
        self._core.stop()

    def _match_game(self, raw: _core.RawMatchGame) -> MatchGame:
        start, first = self._pairings[raw.number]
        records = raw.records if self._decisions else []
        game = Game(start, tuple(raw.moves), raw.result, _decisions(start.turn, records))
        return MatchGame(raw.number, first, game, raw.ending, raw.nodes, tuple(record.seconds for record in records))


def _to_core(player: MatchPlayer) -> _core.RawMatchPlayer:
    limits = {name: getattr(player.limits, name) or 0 for name in ("depth", "nodes", "movetime_ms", "overhead_ms")}
    return _core.RawMatchPlayer(
        player.evaluator,
        **limits,
        table_mb=player.table_mb,
        without=known_heuristics(player.without),
        extras=known_heuristics(player.extras),
        shape=known_budget(player.budget, with_moves=player.moves is not None),
        moves=player.moves,
        constants=known_constants(player.constants),
    )


def _decisions(turn: Color, records: list[_core.RawMoveRecord]) -> tuple[Decision, ...]:
    values = (value_from_core(each.value, side) for each, side in zip(records, cycle((turn, turn.other)), strict=False))
    return tuple(
        Decision(r.move, value, tuple(r.line), r.nodes, r.depth) for r, value in zip(records, values, strict=True)
    )
