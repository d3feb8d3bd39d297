"""How fast the search is, and whether it still searches the same tree."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from okapi.core._core import BENCH_DEPTH, Evaluator, Position, bench_positions
from okapi.core.decision import Decision
from okapi.core.limits import Limits
from okapi.core.thinker import Thinker

__all__ = ["BENCH_DEPTH", "Bench", "bench"]


@dataclass(frozen=True, slots=True)
class Bench:
    """Nodes searched, and the time it took."""

    nodes: int
    seconds: float

    @property
    def nps(self) -> int:
        """Nodes a second."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else self.nodes


def bench(
    evaluator: Evaluator,
    *,
    depth: int = BENCH_DEPTH,
    threads: int = 1,
    after_each: Callable[[int, int, Decision], object] = lambda number, total, decision: None,
) -> Bench:
    """Search the positions of `okapi-uci bench`, each with a fresh table. One thread always counts the same nodes."""
    thinker = Thinker(evaluator, table_mb=16, threads=threads)
    fens = bench_positions()
    nodes = 0
    begun = time.perf_counter()
    for number, fen in enumerate(fens, start=1):
        thinker.new_game()
        decision = thinker.think(Position.from_fen(fen), Limits(depth=depth))
        nodes += decision.nodes
        after_each(number, len(fens), decision)
    return Bench(nodes, time.perf_counter() - begun)
