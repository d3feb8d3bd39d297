"""Who does the work: the cores of this machine, or those of a Ray cluster. The answers are the same, and in order."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from okapi.cluster import join

__all__ = ["Cluster", "Crew", "Threads"]

T = TypeVar("T")
R = TypeVar("R")


class Crew(Protocol):
    """Many hands for work that falls into parts."""

    @property
    def hands(self) -> int:
        """Tasks that are done at a time."""
        ...

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
        """What the function gives for each task, in their order; what it raises is raised here.

        The function has to stand in a module, and tasks and answers have to be picklable, for they may travel.
        """
        ...


class Threads:
    """Threads of this process: at work at once where the function lets go of Python's lock, as the core does."""

    def __init__(self, threads: int | None = None) -> None:
        """As many as there are processors if nothing is said."""
        self.hands = threads or _processors()

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
        """As Crew says. Tasks that have not begun when one fails, or at Ctrl-C, are not begun."""
        if self.hands == 1 or len(tasks) < 2:
            return [function(task) for task in tasks]
        pool = ThreadPoolExecutor(min(self.hands, len(tasks)))
        try:
            futures = [pool.submit(function, task) for task in tasks]
            return [future.result() for future in futures]
        finally:
            pool.shutdown(cancel_futures=True)


class Cluster:
    """The processors of a Ray cluster, on all of which okapi is installed. Tasks of a lost machine are done again."""

    def __init__(self, address: str) -> None:
        """Join the cluster at `address` (host:port, ray://host:port or auto)."""
        self._ray, self._joined = join(address)
        self.hands = max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
        """As Crew says."""
        errors = self._ray.exceptions
        work = self._ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_do)
        references = [work.remote(function, task) for task in tasks]
        try:
            answers: list[R] = self._ray.get(references)
        except BaseException as error:
            _, left = self._ray.wait(references, num_returns=len(references), timeout=0)
            for reference in left:
                self._ray.cancel(reference)
            if isinstance(error, errors.RayTaskError):
                raise error.cause or error from None
            raise
        return answers

    def close(self) -> None:
        """Leave the cluster, if it was this crew that joined it."""
        if self._joined:
            self._ray.shutdown()


def _do(function: Callable[[T], R], task: T) -> R:
    """What travels to another machine."""
    return function(task)


def _processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
