"""Games between two searches of the core, without text between: for evolution, self-play, tuning and matches."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from okapi.core import _core
from okapi.core._core import Color, Evaluator, MovePrior, Position
from okapi.core.constants import known_constants
from okapi.core.decision import Decision
from okapi.core.game import Game
from okapi.core.limits import Limits
from okapi.core.shape import known_shape
from okapi.core.thinker import known_heuristics, value_from_core
from okapi.errors import UsageError

__all__ = ["Adjudication", "Agreement", "Bout", "Duel", "Duellist", "Fixture", "both_ways"]

MOST_THREADS: Final = 1024

Fixture = tuple[Position, Color]
"""A game to be played: where it begins, and the first duellist's side."""


def both_ways(starts: Iterable[Position]) -> list[Fixture]:
    """Two games from each start: the first duellist has White, then Black."""
    return [(start, side) for start in starts for side in (Color.WHITE, Color.BLACK)]


@dataclass(frozen=True, slots=True)
class Duellist:
    """One side of a duel: how it judges, how long it thinks about a move, and how it searches."""

    evaluator: Evaluator
    limits: Limits
    """Depth, nodes or time for each move."""
    table_mb: int = 1
    """Wiped before every game, so no larger than the limits can fill."""
    without: tuple[str, ...] = ()
    """Heuristics that are switched off."""
    extras: tuple[str, ...] = ()
    """Heuristics that are off from the beginning, and are switched on."""
    shape: str = "depth"
    """What a move costs."""
    moves: MovePrior | None = None
    """How likely each move is to be the best."""
    constants: Mapping[str, int] = field(default_factory=dict)
    """Numbers of the search that are other than usual."""

    def __post_init__(self) -> None:
        limits = self.limits
        if not (limits.depth or limits.nodes or limits.movetime_ms):
            raise UsageError("a duellist needs a limit for each move", hint="Limits(depth=4), or nodes, or movetime_ms")
        if limits.mate or limits.white or limits.black or limits.only:
            raise UsageError("a duellist thinks within a depth, nodes or a time for each move, and nothing else")
        if self.table_mb < 1:
            raise ValueError(f"table_mb is {self.table_mb}: expected 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What both players have to agree upon, and for how long, to end a game. A score of None: they never do."""

    resign_score: int | None = None
    """Centipawns by which both see the same side ahead."""
    resign_moves: int = 4
    """So many moves of each, in a row."""
    draw_score: int | None = None
    """Centipawns at most, for either side, that both see."""
    draw_moves: int = 8
    """So many moves of each, in a row, without a capture or pawn move."""
    draw_after: int = 40
    """Counted from this move of the game on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication(Agreement):
    """What ends a game that the rules let go on."""

    tablebases: bool = False
    """Where the tables that the core has loaded reach, they decide."""
    max_plies: int = 400
    """Drawn as too long; 0: never."""


PLAY_ON: Final = Adjudication()


@dataclass(frozen=True, slots=True)
class Bout:
    """A game of a duel that was played."""

    number: int
    """Of its fixture, from 0."""
    first: Color
    """The first duellist's side."""
    game: Game
    ending: str
    """Why it ended: as Position.ending() says, or `adjudication: …`."""
    nodes: tuple[int, int]
    """Searched by the first and by the second duellist."""
    seconds: tuple[float, ...] = ()
    """How long was thought about each move, if thoughts are kept."""

    @property
    def score(self) -> float:
        """What the first duellist made of it: 1, ½ or 0."""
        if self.game.result == "1/2-1/2":
            return 0.5
        return float((self.game.result == "1-0") is (self.first is Color.WHITE))


class Duel:
    """Plays games on threads of its own, while you take what is finished. To be iterated over once.

    Every game begins with empty tables and histories: unless somebody looks at the clock, bouts are the same again with
    any number of threads. Leaving the loop, like stop(), ends the games that are still played.

    >>> from okapi.core import Brain
    >>> player = Duellist(Evaluator.from_brain(Brain.default()), Limits(depth=2))
    >>> start = Position.from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    >>> for bout in Duel(player, player, both_ways([start]), threads=2):
    ...     print(bout.number, bout.first.name, bout.game.result, bout.score, bout.ending)
    0 WHITE 1-0 1.0 checkmate
    1 BLACK 1-0 0.0 checkmate
    """

    def __init__(
        self,
        first: Duellist,
        second: Duellist,
        fixtures: Iterable[Fixture],
        *,
        adjudication: Adjudication = PLAY_ON,
        thoughts: bool = False,
        threads: int = 1,
        in_order: bool = True,
    ) -> None:
        """With `thoughts`, games come with what was thought at each move; not `in_order`, as soon as they are over."""
        if not 1 <= threads <= MOST_THREADS:
            raise UsageError(f"{threads} threads cannot play", hint=f"1 to {MOST_THREADS} can")
        self._fixtures = list(fixtures)
        self._thoughts = thoughts
        self._core = _core.RawDuel(
            _to_core(first),
            _to_core(second),
            self._fixtures,
            adjudication=_core.RawAdjudication(**asdict(adjudication)),
            keep_lines=thoughts,
            threads=threads,
            in_order=in_order,
        )

    def __len__(self) -> int:
        return len(self._fixtures)

    def __iter__(self) -> Iterator[Bout]:
        return map(self._bout, self.raw())

    def raw(self) -> Iterator[_core.RawBout]:
        """The same bouts as the core has them: for those who only store them."""
        try:
            while (bout := self._core.next()) is not None:
                yield bout
        finally:
            self._core.stop()

    def stop(self) -> None:
        """Give what is finished and no more. From any thread."""
        self._core.stop()

    def _bout(self, raw: _core.RawBout) -> Bout:
        start, first = self._fixtures[raw.number]
        thoughts = raw.thoughts if self._thoughts else []
        game = Game(start, tuple(raw.moves), raw.result, _decisions(start.turn, thoughts))
        return Bout(raw.number, first, game, raw.ending, raw.nodes, tuple(thought.seconds for thought in thoughts))


def _to_core(duellist: Duellist) -> _core.RawDuellist:
    limits = duellist.limits
    return _core.RawDuellist(
        duellist.evaluator,
        depth=limits.depth or 0,
        nodes=limits.nodes or 0,
        movetime_ms=limits.movetime_ms or 0,
        overhead_ms=limits.overhead_ms,
        table_mb=duellist.table_mb,
        without=known_heuristics(duellist.without),
        extras=known_heuristics(duellist.extras),
        shape=known_shape(duellist.shape, with_moves=duellist.moves is not None),
        moves=duellist.moves,
        constants=known_constants(duellist.constants),
    )


def _decisions(turn: Color, thoughts: list[_core.RawThought]) -> tuple[Decision, ...]:
    sides = (turn, turn.other)
    return tuple(
        Decision(
            thought.move,
            value_from_core(thought.value, sides[ply % 2]),
            tuple(thought.line),
            thought.nodes,
            thought.depth,
        )
        for ply, thought in enumerate(thoughts)
    )
