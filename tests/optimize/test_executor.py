import math
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from okapi.errors import InvalidText, UsageError
from okapi.optimize.executor import Executor, RayExecutor, ThreadExecutor


def square(number: int) -> int:
    time.sleep(0.02 if number == 0 else 0.0)  # the first one is the last to be done
    return number * number


def picky(number: int) -> int:
    if number == 2:
        raise InvalidText("two", hint="three")
    return number


@pytest.mark.parametrize("executor", [ThreadExecutor(1), ThreadExecutor(3), ThreadExecutor()])
def test_answers_are_in_order(executor: Executor) -> None:
    assert [number * number for number in range(20)] == executor.map(square, range(20))
    assert [] == executor.map(square, [])


@pytest.mark.parametrize("threads", [1, 4])
def test_what_a_task_raises_is_raised(threads: int) -> None:
    with pytest.raises(InvalidText, match="two"):
        ThreadExecutor(threads).map(picky, range(5))


def test_tasks_are_done_at_the_same_time() -> None:
    together = threading.Barrier(3, timeout=10)

    assert 3 == len(set(ThreadExecutor(3).map(lambda task: together.wait(), range(3))))


def test_after_a_failure_no_more_is_begun() -> None:
    begun: list[int] = []

    def note(number: int) -> None:
        begun.append(number)
        if number == 0:
            raise ValueError("enough")
        time.sleep(0.05)

    with pytest.raises(ValueError, match="enough"):
        ThreadExecutor(2).map(note, range(100))
    assert len(begun) < 10


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="pip install 'okapi-chess[cluster]'")
    from ray.cluster_utils import Cluster as Machines

    running = Machines(
        initialize_head=True,
        head_node_args={"num_cpus": 2, "object_store_memory": 100_000_000, "include_dashboard": False},
    )
    yield running
    ray.shutdown()
    running.shutdown()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_answers_like_threads(cluster: Any) -> None:
    executor = RayExecutor(cluster.address)
    try:
        assert 2 == executor.workers
        assert [20.0 - number for number in range(20)] == executor.map(math.fabs, range(-20, 0))
        with pytest.raises(ValueError, match="math domain"):
            executor.map(math.sqrt, [1.0, -1.0])
    finally:
        executor.close()


def test_no_cluster_is_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(UsageError, match="needs Ray"):
        RayExecutor("auto")
