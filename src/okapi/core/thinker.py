"""The search, with Okapi's records around it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from okapi.core import _core
from okapi.core._core import Color, Evaluator, MovePrior, Patience, Position
from okapi.core.constants import known_constants
from okapi.core.decision import Decision, Line
from okapi.core.explain import over
from okapi.core.limits import Clock, Limits
from okapi.core.shape import known_shape
from okapi.core.value import Value
from okapi.errors import UsageError, did_you_mean

__all__ = ["SHORTCUTS", "Thinker", "known_heuristics", "value_from_core"]

SHORTCUTS: Final = (
    "null_move",
    "late_move_reductions",
    "late_move_pruning",
    "futility",
    "reverse_futility",
    "razoring",
    "exchange_pruning",
    "probcut",
    "singular_extensions",
    "internal_reductions",
)
"""What makes lines of one depth differ in length. Without these a search of six plies sees every line of six plies, as
the engines of older papers do."""

Report = Callable[[int, Line, int], object]
"""Told while thinking: the rank of a line (1 is the best), the line, and the nodes so far."""


class Thinker:
    """An alpha-beta search with its table, threads and evaluator.

    >>> from okapi.core import Brain
    >>> thinker = Thinker(Evaluator.from_brain(Brain.default()))
    >>> position = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    >>> decision = thinker.think(position, Limits(depth=3))
    >>> position.san(decision.move), decision.value.mate
    ('Ra8#', 1)
    """

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        table_mb: int = 16,
        threads: int = 1,
        multipv: int = 1,
        without: Iterable[str] = (),
        extras: Iterable[str] = (),
        shape: str = "depth",
        moves: MovePrior | None = None,
        patience: Patience | None = None,
        constants: Mapping[str, int] | None = None,
    ) -> None:
        """`shape` says what a move costs (docs/search.md), `moves` how likely each is to be the best.

        `constants` are the numbers of the search that are to be other than usual, by name.
        """
        self._core = _core.RawThinker(evaluator, table_mb, threads)
        self._core.set_multipv(multipv)
        self._core.set_heuristics(known_heuristics(without), known_heuristics(extras))
        self._core.set_constants(known_constants(constants or {}))
        self._core.set_shape(known_shape(shape, with_moves=moves is not None), moves)
        if patience is not None:
            self._core.set_patience(patience)

    def think(self, position: Position, limits: Limits, report: Report | None = None) -> Decision:
        """Think within `limits`, until stop() or until Ctrl-C; other Python threads run meanwhile."""
        return decision_from_core(position, self.think_raw(position, limits, report))

    def think_raw(self, position: Position, limits: Limits, report: Report | None = None) -> _core.RawDecision:
        """The same, in the core's own records: what a handicap chooses from."""
        if not position.legal_moves():
            raise over(position)

        def on_progress(progress: _core.RawProgress) -> None:
            if report is not None and progress.line.is_exact:
                report(progress.rank, line_from_core(progress.line, position.turn), progress.nodes)

        return self._core.think(
            position,
            depth=limits.depth or 0,
            nodes=limits.nodes or 0,
            movetime_ms=limits.movetime_ms or 0,
            mate=limits.mate or 0,
            infinite=limits.endless,
            white=_pair(limits.white),
            black=_pair(limits.black),
            moves_to_go=limits.moves_to_go or 0,
            overhead_ms=limits.overhead_ms,
            only=limits.only,
            on_progress=None if report is None else on_progress,
        )

    def stop(self) -> None:
        """Answer now. From any thread."""
        self._core.stop()

    def new_game(self) -> None:
        """Forget what was learned while thinking."""
        self._core.new_game()

    def set_multipv(self, lines: int) -> None:
        """How many lines to look for."""
        self._core.set_multipv(lines)


def value_from_core(value: int, side: Color) -> Value:
    """A value of the core (centipawns, or a mate counted in plies) as everybody else knows it."""
    if abs(value) < _core.MATE_BOUND:
        return Value.from_centipawns(value, side)
    plies = _core.MATE - abs(value)
    return Value.from_mate((plies + 1) // 2 if value > 0 else -(plies // 2), side)


def line_from_core(line: _core.RawLine, side: Color) -> Line:
    """A line of the core as a record."""
    return Line(tuple(line.moves), value_from_core(line.value, side), line.depth)


def decision_from_core(position: Position, raw: _core.RawDecision) -> Decision:
    """A decision of the core as a record."""
    lines = tuple(line_from_core(line, position.turn) for line in raw.lines)
    best = lines[0].moves if lines and lines[0].moves[:1] == (raw.move,) else (raw.move,)
    return Decision(raw.move, value_from_core(raw.value, position.turn), best, raw.nodes, raw.depth, lines)


def known_heuristics(names: Iterable[str]) -> list[str]:
    """Names of heuristics, checked; "all" stands for every one of them, "shortcuts" for SHORTCUTS."""
    known = _core.heuristics()
    groups = {"all": known, "shortcuts": SHORTCUTS}
    chosen: list[str] = []
    for name in names:
        if name not in known and name not in groups:
            raise UsageError(f"there is no heuristic `{name}`", hint=did_you_mean(name, [*known, *groups]))
        chosen += groups.get(name, (name,))
    return chosen


def _pair(clock: Clock | None) -> tuple[int, int] | None:
    return None if clock is None else (clock.time_ms, clock.increment_ms)
