"""The alpha-beta search: its limits, its settings by name, and its speed."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Final, Self

from okapi.core import _core
from okapi.core._core import BENCH_DEPTH as BENCH_DEPTH
from okapi.core._core import HIGHEST_ELO as HIGHEST_ELO
from okapi.core._core import LOWEST_ELO as LOWEST_ELO
from okapi.core._core import MATE as MATE
from okapi.core._core import Color, Evaluator, Move, MovePrior, Position, bench_positions
from okapi.core._core import Handicap as Handicap
from okapi.core._core import TimeNetwork as TimeNetwork
from okapi.core._core import mate_in_one as mate_in_one
from okapi.core._core import tablebase_available as tablebase_available
from okapi.core._core import tablebase_load as tablebase_load
from okapi.core.game import Decision, Line, Value
from okapi.core.move_errors import over
from okapi.errors import UsageError, did_you_mean


def check_least(least: int, **numbers: int | None) -> None:
    """ValueError names the argument that is too small; None is not looked at."""
    for name, number in numbers.items():
        if number is not None and number < least:
            raise ValueError(f"{name} is {number}: expected {least} or more")


@dataclass(frozen=True, slots=True)
class Clock:
    """One side's clock.

    >>> Limits(white=Clock(60_000, 500)).clock(Color.WHITE)
    Clock(time_ms=60000, increment_ms=500)
    """

    time_ms: int
    increment_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a search stops: at the first limit that is reached. Without a limit: at stop().

    >>> Limits(depth=0)
    Traceback (most recent call last):
    ValueError: depth is 0: expected 1 or more
    """

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Searched positions."""
    movetime_ms: int | None = None
    """Milliseconds for this move."""
    mate: int | None = None
    """Stop at a mate in so many moves."""
    white: Clock | None = None
    """White's clock; the time manager decides how much of it to use."""
    black: Clock | None = None
    moves_to_go: int | None = None
    """Moves until the next time control."""
    overhead_ms: int = 10
    """Milliseconds lost between the move and the clock stopping."""
    only: tuple[Move, ...] = ()
    """Search only these moves, if any are given."""

    def __post_init__(self) -> None:
        check_least(1, depth=self.depth, nodes=self.nodes, movetime_ms=self.movetime_ms)
        check_least(1, mate=self.mate, moves_to_go=self.moves_to_go)

    @property
    def endless(self) -> bool:
        return not any((self.depth, self.nodes, self.movetime_ms, self.mate, self.white, self.black))

    def clock(self, side: Color) -> Clock | None:
        return self.white if side is Color.WHITE else self.black

    def among(self, moves: tuple[Move, ...]) -> Self:
        return replace(self, only=moves)


SHORTCUTS: Final = (
    "null_move",
    "late_move_reductions",
    "late_move_pruning",
    "futility",
    "reverse_futility",
    "razoring",
    "see_pruning",
    "probcut",
    "singular_extensions",
    "internal_reductions",
    "check_extensions",
)
"""Pruning, reductions and extensions. Without them a search of six plies visits every line of six plies, as the engines
of older papers do."""

Report = Callable[[int, Line, int], object]
"""Called during a search: the rank of a line (1 is the best), the line, and the nodes so far."""


OLD_NAMES: Final = {f"exchange_{name}": f"see_{name}" for name in ("pruning", "pruning_depth", "quiet", "noisy")}
"""Heuristics and constants by the names of okapi 0.1; read for one release."""


class Search:
    """An alpha-beta search with its table, threads and evaluator."""

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        table_mb: int = 16,
        threads: int = 1,
        multipv: int = 1,
        without: Iterable[str] = (),
        extras: Iterable[str] = (),
        budget: str = "depth",
        moves: MovePrior | None = None,
        time_network: TimeNetwork | None = None,
        constants: Mapping[str, int] | None = None,
    ) -> None:
        """`budget` says what a move costs (docs/explanation/search.md), `constants` what others than the usual are."""
        self._core = _core.RawSearch(evaluator, table_mb, threads)
        self._core.set_multipv(multipv)
        self._core.set_heuristics(known_heuristics(without), known_heuristics(extras))
        self._core.set_constants(known_constants(constants or {}))
        self._core.set_shape(known_budget(budget, with_moves=moves is not None), moves)
        if time_network is not None:
            self._core.set_time_network(time_network)

    def run(self, position: Position, limits: Limits, report: Report | None = None) -> Decision:
        """Search within `limits`, until stop() or Ctrl-C; other Python threads run meanwhile."""
        return decision_from_core(position, self.run_raw(position, limits, report))

    def run_raw(self, position: Position, limits: Limits, report: Report | None = None) -> _core.RawDecision:
        """The same, with the core's own records."""
        if not position.legal_moves():
            raise over(position)

        def on_progress(progress: _core.RawProgress) -> None:
            if report is not None and progress.line.is_exact:
                report(progress.rank, line_from_core(progress.line, position.turn), progress.nodes)

        numbers = ("depth", "nodes", "movetime_ms", "mate", "moves_to_go", "overhead_ms")
        return self._core.run(
            position,
            **{name: getattr(limits, name) or 0 for name in numbers},
            infinite=limits.endless,
            white=astuple(limits.white) if limits.white else None,
            black=astuple(limits.black) if limits.black else None,
            only=limits.only,
            on_progress=None if report is None else on_progress,
        )

    def stop(self) -> None:
        self._core.stop()

    def new_game(self) -> None:
        self._core.new_game()

    def set_multipv(self, lines: int) -> None:
        self._core.set_multipv(lines)


def value_from_core(value: int, side: Color) -> Value:
    """A Value from a value of the core: centipawns, or a mate counted in plies."""
    if abs(value) < _core.MATE_BOUND:
        return Value.from_centipawns(value, side)
    plies = _core.MATE - abs(value)
    return Value.from_mate((plies + 1) // 2 if value > 0 else -(plies // 2), side)


def line_from_core(line: _core.RawLine, side: Color) -> Line:
    return Line(tuple(line.moves), value_from_core(line.value, side), line.depth)


def decision_from_core(position: Position, raw: _core.RawDecision) -> Decision:
    lines = tuple(line_from_core(line, position.turn) for line in raw.lines)
    best = lines[0].moves if lines and lines[0].moves[:1] == (raw.move,) else (raw.move,)
    return Decision(raw.move, value_from_core(raw.value, position.turn), best, raw.nodes, raw.depth, lines)


def known_heuristics(names: Iterable[str]) -> list[str]:
    """Names of heuristics, checked; "all" stands for every one of them, "shortcuts" for SHORTCUTS."""
    known = _core.heuristics()
    named: dict[str, Iterable[str]] = {name: (name,) for name in known} | {"all": known, "shortcuts": SHORTCUTS}
    names = [OLD_NAMES.get(name, name) for name in names]
    for name in names:
        if name not in named:
            raise UsageError(f"there is no heuristic `{name}`", hint=did_you_mean(name, named))
    return [each for name in names for each in named[name]]


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of the search that games can tune."""

    name: str
    usual: int
    least: int
    most: int
    step: int
    """A change by this much shows in games."""


def constants() -> tuple[Constant, ...]:
    """All constants with their default values."""
    return tuple(Constant(raw.name, raw.usual, raw.least, raw.most, raw.step) for raw in _core.constants())


def known_constants(changes: Mapping[str, int]) -> dict[str, int]:
    """Changes to constants, checked."""
    known = {raw.name: raw for raw in _core.constants()}
    changes = {OLD_NAMES.get(name, name): value for name, value in changes.items()}
    for name, value in changes.items():
        if name not in known:
            raise UsageError(f"the search has no constant `{name}`", hint=did_you_mean(name, known))
        if not known[name].least <= value <= known[name].most:
            hint = f"it lies between {known[name].least} and {known[name].most}"
            raise UsageError(f"{name} cannot be {value}", hint=hint)
    return changes


def known_budget(text: str, *, with_moves: bool = False) -> str:
    """A budget rule with its settings, checked; `learned` needs a move network."""
    name = text.partition("+")[0]
    if name not in _core.shapes():
        raise UsageError(f"there is no budget `{name}`", hint=did_you_mean(name, _core.shapes()))
    try:
        _core.check_shape(text)
    except ValueError as error:
        raise UsageError(str(error), hint="write budget=learned+ask=2+temperature=1.2") from None
    if name == "learned" and not with_moves:
        raise UsageError("the budget `learned` needs a brain that knows moves", hint="name one with moves=BRAIN")
    return text


@dataclass(frozen=True, slots=True)
class Bench:
    nodes: int
    seconds: float

    @property
    def nps(self) -> int:
        return round(self.nodes / self.seconds) if self.seconds > 0 else self.nodes


def bench(
    evaluator: Evaluator,
    *,
    depth: int = BENCH_DEPTH,
    threads: int = 1,
    after_each: Callable[[int, int, Decision], object] = lambda number, total, decision: None,
) -> Bench:
    """Search the positions of `okapi-uci bench`, each with a fresh table. One thread always counts the same nodes."""
    search = Search(evaluator, table_mb=16, threads=threads)
    fens = bench_positions()
    nodes = 0
    begun = time.perf_counter()
    for number, fen in enumerate(fens, start=1):
        search.new_game()
        decision = search.run(Position.from_fen(fen), Limits(depth=depth))
        nodes += decision.nodes
        after_each(number, len(fens), decision)
    return Bench(nodes, time.perf_counter() - begun)
