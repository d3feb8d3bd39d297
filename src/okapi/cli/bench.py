"""`okapi bench` and `okapi perft`: speed and correctness of search and move generation."""

import time
from typing import Annotated

from cyclopts.validators import Number

from okapi.brains import display_name, evaluator
from okapi.cli.console import BrainOption, Json, answer
from okapi.cli.parameters import about
from okapi.cli.progress import Progress
from okapi.core import Decision, Position
from okapi.core.search import BENCH_DEPTH
from okapi.core.search import bench as run_bench


def bench(
    *,
    brain: BrainOption = None,
    threads: Annotated[int, about("Threads to search with.", validator=Number(gte=1, lte=1024))] = 1,
    depth: Annotated[int, about("Search depth in plies.", validator=Number(gte=1, lte=64))] = BENCH_DEPTH,
    json: Json = False,
) -> None:
    """Search a fixed set of positions to a fixed depth. On one thread the count of nodes is always the same.

    For example:
      okapi bench --brain material --depth 8
      okapi bench --threads 2 --json
    """
    evaluated = evaluator(brain)
    with Progress("bench") as progress:

        def after_each(number: int, total: int, decision: Decision) -> None:
            progress.update(number, "positions", total=total)

        result = run_bench(evaluated, depth=depth, threads=threads, after_each=after_each)
    settings = {"depth": depth, "threads": threads, "brain": display_name(brain)}
    told = {"nodes": result.nodes, "nps": result.nps, "seconds": round(result.seconds, 3), **settings}
    answer(told, f"{result.nodes} nodes {result.nps} nps", json=json)


def perft(
    depth: Annotated[int, about("Search depth in plies.", validator=Number(gte=0, lte=20))],
    /,
    *,
    fen: Annotated[str | None, about("Where to begin; the start of the game if not given.")] = None,
    chess960: Annotated[bool, about("Write castling as the king taking its rook.")] = False,
    divide: Annotated[bool, about("Count each first move by itself.")] = False,
    json: Json = False,
) -> None:
    """Count the leaves of the tree of legal moves: the proof that the rules are right.

    For example:
      okapi perft 6
      okapi perft 5 --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    """
    position = Position.start() if fen is None else Position.from_fen(fen)
    begun = time.perf_counter()
    counts = position.perft_divide(depth) if divide and depth > 0 else []
    nodes = sum(leaves for _, leaves in counts) if counts else position.perft(depth)
    seconds = time.perf_counter() - begun
    listed = {position.uci(move, chess960=chess960 or None): leaves for move, leaves in counts}
    told = {"nodes": nodes, "seconds": round(seconds, 6), "depth": depth, "fen": position.fen()}
    rate = f", {nodes / seconds / 1e6:,.0f} million a second" if seconds > 0.001 else ""
    told |= {"divide": listed} if divide else {}
    lines = (f"{move}: {leaves}" for move, leaves in sorted(listed.items()))
    answer(told, *lines, f"{nodes:,} nodes in {seconds:.3f} s{rate}", json=json)
