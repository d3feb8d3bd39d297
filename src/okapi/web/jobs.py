"""Threads that all boards share fairly, and their work: searches that can be paused, players, analyses."""

import asyncio
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Final, Protocol, TypeAlias

from okapi.core import Decision, Limits, Line, Position, Search
from okapi.errors import OkapiError, PlayerCrashed
from okapi.players import Player
from okapi.players.player import call_if_supported

TURN_S: Final = 0.25  # a turn while others wait: the hash table pays by then, and the display is still live
TICK_S: Final = 0.05
DEEPEST: Final = 120  # plies at which a search without limits has seen enough; the core's own bound is a little further
NEWS_EVERY_S: Final = 0.1
Steps: TypeAlias = Generator[Any, None, None]  # yields what was found so far


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


@dataclass(frozen=True, slots=True)
class SearchUpdate:
    lines: tuple[Line, ...]  # the best lines, best first, all of one depth
    nodes: int
    seconds: float


@dataclass(eq=False)
class EngineSlot:
    """A search with a brain and a hash table, for one board. One job at a time may use it."""

    brain: str
    search: Search
    lock: threading.Lock = field(default_factory=threading.Lock)


def _ignore(*data: object) -> None:
    pass


class Throttle:
    """Calls a function on the event loop, at most so often, with the newest of what other threads give it."""

    def __init__(self, function: Callable[..., object], every_s: float = 0.0, *, at_once: bool = False) -> None:
        """`at_once`: without waiting before the first call."""
        self._function, self._every_s = function, every_s
        self._loop = asyncio.get_running_loop()
        self._newest: tuple[object, ...] = ()
        self._due = False
        self._at = 0.0 if at_once else self._loop.time()

    def __call__(self, *newest: object) -> None:
        """From any thread."""
        self._newest = newest
        if not self._due and not self._loop.is_closed():
            self._due = True
            self._loop.call_soon_threadsafe(self._soon)

    def flush(self) -> None:
        """On the event loop: call at once if a call is due."""
        if self._due:
            self._due = False
            self._function(*self._newest)

    def cancel(self) -> None:
        self._function = _ignore

    def _soon(self) -> None:
        self._at = max(self._loop.time(), self._at + self._every_s)
        self._loop.call_at(self._at, self.flush)


@dataclass(eq=False)
class Job:
    """Base of all jobs: an owner, an end, and callbacks on the event loop, which are called until it is stopped."""

    owner: object
    _: KW_ONLY
    on_begun: Callable[[], object] = _ignore
    on_update: Callable[[Any], object] = _ignore
    on_done: Callable[[Any], object] = _ignore
    on_failed: Callable[[OkapiError], object] = _ignore

    def __post_init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.stopped = self._paused = False

    def run(self) -> bool:
        try:
            return self.stopped or self._work()
        except CancelledError:
            return True
        except Exception as error:
            known = error if isinstance(error, OkapiError) else PlayerCrashed(f"{type(error).__name__}: {error}")
            self._tell(self.on_failed, known)
            return True

    def pause(self) -> None:
        """Give others a turn; a short job goes on."""
        self._paused = True

    def stop(self) -> None:
        self.stopped = True

    def _work(self) -> bool:
        """Work until done or paused. Is it done?"""
        raise NotImplementedError

    def _tell(self, callback: Callable[..., object], *data: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._unless_stopped, callback, *data)

    def _unless_stopped(self, callback: Callable[..., object], *data: object) -> None:
        if not self.stopped:
            callback(*data)


async def finish(job: Job, pool: FairPool) -> Any:
    """What a job is done with: OkapiError. It is stopped when whoever waits is cancelled."""
    answers: asyncio.Queue[Any] = asyncio.Queue()
    job.on_done = job.on_failed = answers.put_nowait
    pool.submit(job)
    try:
        answer = await answers.get()
    finally:
        job.stop()
    if isinstance(answer, OkapiError):
        raise answer
    return answer


@dataclass(eq=False)
class SearchJob(Job):
    """A search within limits that is paused when other jobs wait, and resumed from its hash table.

    It updates with a SearchUpdate, and is done with a Decision.
    """

    slot: EngineSlot
    position: Position
    limits: Limits
    _: KW_ONLY
    multipv: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.position = self.position.copy()
        self.multipv = min(self.multipv, len(self.position.legal_moves()))
        self.seconds = 0.0  # of the turns that are over
        self._nodes, self._begun = 0, 0.0
        self._best: Decision | None = None  # the deepest: the last turn may be too short to reach that depth again
        self._block: list[Line] = []
        self._news = SearchUpdate((), 0, 0.0)
        self._throttle = Throttle(self.on_update, NEWS_EVERY_S, at_once=True)

    def pause(self) -> None:
        super().pause()
        self.slot.search.stop()

    def stop(self) -> None:
        super().stop()
        self._throttle.cancel()
        self.slot.search.stop()

    def _work(self) -> bool:
        with self.slot.lock:
            return self.stopped or self._think()

    def _think(self) -> bool:
        if not self._nodes:
            self._tell(self.on_begun)
        self._paused = False
        self._begun = time.monotonic()
        self.slot.search.set_multipv(self.multipv)
        decision = self.slot.search.run(self.position, self._left(), self._report)
        self._nodes += decision.nodes
        self.seconds += time.monotonic() - self._begun
        if self._best is None or decision.depth >= self._best.depth:
            self._best = decision
        if self._paused and not self._is_spent():
            if self._news.lines:  # a turn may be too short for another depth, and has cost something all the same
                self._hear(self._news.lines, self._nodes, self.seconds)
            return self.stopped
        self._tell(self._finish, replace(self._best, nodes=self._nodes))
        return True

    def _left(self) -> Limits:
        """The limits, less what was used in earlier turns."""
        limits, used_ms = self.limits, round(self.seconds * 1000)
        side = self.position.turn.name.lower()
        clock = getattr(limits, side)
        left = {} if clock is None else {side: replace(clock, time_ms=max(1, clock.time_ms - used_ms))}
        return replace(
            limits,
            depth=DEEPEST if limits.endless else limits.depth,
            nodes=None if limits.nodes is None else max(1, limits.nodes - self._nodes),
            movetime_ms=None if limits.movetime_ms is None else max(1, limits.movetime_ms - used_ms),
            **left,
        )

    def _is_spent(self) -> bool:
        used = (self.limits.nodes, self._nodes), (self.limits.movetime_ms, self.seconds * 1000)
        return any(limit is not None and spent >= limit for limit, spent in used)

    def _report(self, rank: int, line: Line, nodes: int) -> None:
        """Called by the core. A stop that came before the core was ready is repeated here."""
        if self.stopped or self._paused:
            self.slot.search.stop()
        self._block = [line] if rank == 1 else [*self._block, line]
        if rank == self.multipv and (not self._news.lines or line.depth >= self._news.lines[-1].depth):
            self._hear(tuple(self._block), self._nodes + nodes, self.seconds + time.monotonic() - self._begun)

    def _hear(self, lines: tuple[Line, ...], nodes: int, seconds: float) -> None:
        self._news = SearchUpdate(lines, nodes, seconds)
        self._throttle(self._news)

    def _finish(self, decision: Decision) -> None:
        """On the event loop: the last update is sent before the end, and none after it."""
        self._throttle.flush()
        self.on_done(decision)


class LazyPlayer:
    """A player that is created when it is first used, and closed with the slot."""

    def __init__(self, make: Callable[[], Player]) -> None:
        self._make = make
        self._player: Player | None = None
        self.lock = threading.Lock()

    def player(self) -> Player:
        """The player; hold the lock."""
        self._player = self._player or self._make()
        return self._player

    def hurry(self) -> None:
        call_if_supported(self._player, "stop")

    def close(self) -> None:
        with self.lock:
            player, self._player = self._player, None
        call_if_supported(player, "close")


@dataclass(eq=False)
class MoveJob(Job):
    """A move of any other player, in one turn. The player is created in the pool, because that may take a while."""

    slot: LazyPlayer
    position: Position
    limits: Limits

    def stop(self) -> None:
        super().stop()
        self.slot.hurry()

    def _work(self) -> bool:
        with self.slot.lock:
            if not self.stopped:
                player = self.slot.player()
                self._tell(self.on_begun)
                self._tell(self.on_done, player.choose(self.position, self.limits))
        return True


@dataclass(eq=False)
class AnalysisJob(Job):
    """Runs the steps of a generator and reports each result. It can be paused between two steps."""

    steps: Steps
    _: KW_ONLY
    end_step: Callable[[], object] = _ignore  # ends the one that is under way

    def stop(self) -> None:
        super().stop()
        self.end_step()

    def _work(self) -> bool:
        self._paused = False
        for found in self.steps:
            self._tell(self.on_update, found)
            if self.stopped:
                self.steps.close()
                return True
            if self._paused:
                return False
        self._tell(self.on_done, None)
        return True


@dataclass(eq=False)
class BackgroundTask:
    """A function without a result that takes a moment, such as ending a program. Its errors are ignored."""

    owner: object
    function: Callable[[], object]

    def run(self) -> bool:
        with suppress(OkapiError):
            self.function()
        return True

    def pause(self) -> None:
        """Not paused: it is short."""


class PooledEngine:
    """A player for other threads: each of its searches is a job in the pool."""

    def __init__(self, owner: object, pool: FairPool, slot: EngineSlot) -> None:
        self._owner, self._pool, self._slot = owner, pool, slot
        self._loop = asyncio.get_running_loop()
        self._search: SearchJob | None = None
        self._answer: Future[Decision] | None = None
        self._stopped = False

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Wait for the pool; CancelledError once it was stopped. From any thread but that of the event loop."""
        answer: Future[Decision] = Future()
        self._loop.call_soon_threadsafe(self._begin, position.copy(), limits, answer)
        return answer.result()

    def stop(self) -> None:
        """Cancel the search; the waiting thread gets CancelledError. On the event loop."""
        self._stopped = True
        if self._search is not None and self._answer is not None:
            self._search.stop()
            self._answer.cancel()

    def _begin(self, position: Position, limits: Limits, answer: Future[Decision]) -> None:
        if self._stopped:
            answer.cancel()
            return
        self._answer, self._search = answer, SearchJob(self._owner, self._slot, position, limits)
        self._search.on_done, self._search.on_failed = answer.set_result, answer.set_exception
        self._pool.submit(self._search)


class ProgramPlayer:
    """Another program as a player for other threads; it is started when it is first used."""

    def __init__(self, slot: LazyPlayer) -> None:
        self._slot = slot
        self._stopped = False

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Its decision; CancelledError once it was stopped, or it would be started again after its end."""
        with self._slot.lock:
            if self._stopped:
                raise CancelledError
            return self._slot.player().choose(position, limits)

    def stop(self) -> None:
        self._stopped = True
        self._slot.hurry()
