"""Threads that all boards share fairly."""

import threading
import time
from collections import OrderedDict, deque
from typing import Final, Protocol

TURN_S: Final = 0.25
"""Length of a turn while others wait: long enough for the hash table to pay, short enough for live display."""

TICK_S: Final = 0.05


class Work(Protocol):
    """Work that takes one turn or several, shared fairly among owners."""

    @property
    def owner(self) -> object: ...

    def run(self) -> bool:
        """Work until done or paused. Is it done? May not raise."""
        ...

    def pause(self) -> None:
        """Make run() return soon, because others wait. From any thread."""


class FairPool:
    """A fixed number of threads. Work runs without interruption while none waits, and in turns otherwise."""

    def __init__(self, threads: int, name: str) -> None:
        self._changed = threading.Condition()
        self._waiting: OrderedDict[object, deque[Work]] = OrderedDict()
        self._running: dict[int, tuple[Work, float]] = {}
        self._closed, self._size = False, threads
        tasks = [self._work] * threads + [self._conduct]
        self._threads = [threading.Thread(target=task, name=name, daemon=True) for task in tasks]
        for thread in self._threads:
            thread.start()

    @property
    def busy(self) -> int:
        with self._changed:
            return len(self._running) + sum(map(len, self._waiting.values()))

    def submit(self, work: Work) -> None:
        """Give it a turn as soon as there is one."""
        with self._changed:
            self._waiting.setdefault(work.owner, deque()).append(work)
            self._changed.notify_all()

    def close(self, patience_s: float = 5.0) -> list[Work]:
        """Pause running work; waiting work is returned."""
        with self._changed:
            self._closed = True
            left = [work for queue in self._waiting.values() for work in queue]
            self._waiting.clear()
            for work, _ in self._running.values():
                work.pause()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(patience_s)
        return left

    def _work(self) -> None:
        me = threading.get_ident()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                work = self._next()
                self._running[me] = (work, time.monotonic())
            done = work.run()
            with self._changed:
                del self._running[me]
                if not done and not self._closed:
                    self._waiting.setdefault(work.owner, deque()).append(work)
            del work  # or its memory would stay until the next turn

    def _next(self) -> Work:
        """The first work of the owner whose turn it is; the owner then goes to the end of the queue."""
        owner, queue = self._waiting.popitem(last=False)
        work = queue.popleft()
        if queue:
            self._waiting[owner] = queue
        return work

    def _conduct(self) -> None:
        """Pause work that has had a whole turn while others wait."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                self._pause_the_late()
            time.sleep(TICK_S)

    def _pause_the_late(self) -> None:
        """A function of its own, so that no variable holds on to work."""
        if len(self._running) == self._size:
            late = time.monotonic() - TURN_S
            for work, begun in self._running.values():
                if begun <= late:
                    work.pause()
