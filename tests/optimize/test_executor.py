"""Threads that share tasks. tests/test_cluster.py has the tests of a Ray cluster."""

import math
import sys
import threading
import time

import pytest

from okapi.errors import InvalidText, UsageError
from okapi.optimize.executor import Executor, ProcessExecutor, RayExecutor, ThreadExecutor


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


def test_processes_answer_in_order_and_raise_what_a_task_raises() -> None:
    executor = ProcessExecutor(2)

    assert [math.sqrt(number) for number in range(6)] == executor.map(math.sqrt, range(6))
    assert [] == executor.map(math.sqrt, [])
    with pytest.raises(ValueError, match=r"domain|nonnegative"):
        executor.map(math.sqrt, [4, -1])


@pytest.mark.parametrize("executor", [ThreadExecutor(1), ThreadExecutor(3), ProcessExecutor(2)])
def test_each_answer_is_told_once_in_this_thread(executor: Executor) -> None:
    told: list[tuple[float, int]] = []
    answers = executor.map(math.sqrt, range(6), lambda root: told.append((root, threading.get_ident())))

    assert sorted(told) == [(root, threading.get_ident()) for root in answers]


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


def test_no_cluster_is_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(UsageError, match="needs Ray"):
        RayExecutor("auto")
