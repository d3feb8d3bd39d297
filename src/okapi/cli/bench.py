"""`okapi bench`: a number that tells whether the search changed, and one that tells how fast it is."""

from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.brains import evaluator, load
from okapi.cli.console import BrainOption, Json, emit, out, progress
from okapi.core import Decision
from okapi.core.bench import BENCH_DEPTH
from okapi.core.bench import bench as run_bench

__all__ = ["bench"]


def bench(
    *,
    brain: BrainOption = None,
    threads: Annotated[int, Parameter(validator=Number(gte=1, lte=1024))] = 1,
    depth: Annotated[int, Parameter(validator=Number(gte=1, lte=64))] = BENCH_DEPTH,
    json: Json = False,
) -> None:
    """Search a fixed set of positions to a fixed depth. On one thread the count of nodes is always the same.

    For example:
      okapi bench
      okapi bench --brain material --depth 8
      okapi bench --threads 2 --json

    Parameters
    ----------
    threads
        Threads to search with.
    depth
        Plies to look ahead.
    """
    judge = evaluator(brain)
    with progress("bench", 0) as bar:
        task = bar.task_ids[0]

        def after_each(number: int, total: int, decision: Decision) -> None:
            bar.update(task, completed=number, total=total)

        result = run_bench(judge, depth=depth, threads=threads, after_each=after_each)
    if json:
        emit(
            {
                "nodes": result.nodes,
                "nps": result.nps,
                "seconds": round(result.seconds, 3),
                "depth": depth,
                "threads": threads,
                "brain": load(brain).name,
            }
        )
    else:
        out().print(f"{result.nodes} nodes {result.nps} nps")
