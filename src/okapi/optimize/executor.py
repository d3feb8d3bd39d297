"""Executors: map a function over tasks, on threads of this machine or on a Ray cluster, with the same answers."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent import futures
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.connection import wait
from typing import Protocol, TypeVar

from okapi.cluster import join

T = TypeVar("T")
R = TypeVar("R")


class Executor(Protocol):
    @property
    def workers(self) -> int: ...

    def map(
        self, function: Callable[[T], R], tasks: Sequence[T], on_result: Callable[[R], object] | None = None
    ) -> list[R]:
        """The results in the order of the tasks; an exception of the function is raised here.

        `on_result` gets each as it comes, in any order, in this thread.
        The function is a module-level one, and tasks and results can be pickled: they may go to other machines.
        """
        ...


class ThreadExecutor:
    """Threads of this process. They run in parallel where the function releases the GIL, as the C++ core does."""

    def __init__(self, workers: int | None = None) -> None:
        here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self.workers = workers or here or 1

    def map(
        self, function: Callable[[T], R], tasks: Sequence[T], on_result: Callable[[R], object] | None = None
    ) -> list[R]:
        """See Executor.map. After a failure or Ctrl-C no further task starts."""
        if self.workers > 1 and len(tasks) > 1:
            return _map(ThreadPoolExecutor(min(self.workers, len(tasks))), function, tasks, on_result)
        results = []
        for task in tasks:
            results.append(function(task))
            if on_result is not None:
                on_result(results[-1])
        return results


class ProcessExecutor(ThreadExecutor):
    """Processes of this machine, for work that keeps the GIL or has settings of the whole process, as torch does."""

    def map(
        self, function: Callable[[T], R], tasks: Sequence[T], on_result: Callable[[R], object] | None = None
    ) -> list[R]:
        """See Executor.map. The processes end with this one, also if it is killed."""
        context = multiprocessing.get_context("spawn")
        workers = max(1, min(self.workers, len(tasks)))
        return _map(ProcessPoolExecutor(workers, context, end_with_parent), function, tasks, on_result)


def _map(
    pool: futures.Executor,
    function: Callable[[T], R],
    tasks: Sequence[T],
    on_result: Callable[[R], object] | None,
) -> list[R]:
    try:
        results = [pool.submit(function, task) for task in tasks]
        if on_result is not None:
            for ended in futures.as_completed(results):
                on_result(ended.result())
        return [each.result() for each in results]
    finally:
        pool.shutdown(cancel_futures=True)


def end_with_parent() -> None:
    """In a process of multiprocessing: end it when the one that started it ends, also if that is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (wait([parent.sentinel]), os._exit(0)), daemon=True).start()


class RayExecutor:
    """A Ray cluster whose machines have okapi installed. Tasks of a lost machine run again."""

    def __init__(self, address: str) -> None:
        """Join the cluster at `address` (host:port, ray://host:port or auto)."""
        self._ray, self._joined = join(address)
        self.workers = max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def map(
        self, function: Callable[[T], R], tasks: Sequence[T], on_result: Callable[[R], object] | None = None
    ) -> list[R]:
        errors = self._ray.exceptions
        work = self._ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_do)
        references = [work.remote(function, task) for task in tasks]
        try:
            running = references if on_result is not None else []
            while running and on_result is not None:
                ended, running = self._ray.wait(running)
                on_result(self._ray.get(ended[0]))
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
        if self._joined:
            self._ray.shutdown()


def _do(function: Callable[[T], R], task: T) -> R:
    return function(task)
