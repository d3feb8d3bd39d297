"""Work for the pools: searches that can be paused, players, and analyses of many steps."""

import asyncio
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, TypedDict, Unpack

from okapi.core import Clock, Color, Decision, Limits, Line, Position, Search
from okapi.errors import OkapiError, PlayerCrashed
from okapi.players import Player
from okapi.players.player import call_if_supported
from okapi.web.pool import FairPool

DEEPEST: Final = 120
"""Plies at which a search without limits has seen enough; the core's own bound is a little further."""

NEWS_EVERY_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class SearchUpdate:
    lines: tuple[Line, ...]
    """The best lines, best first, all of one depth."""
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
        """Call no more."""
        self._function = _ignore

    def _soon(self) -> None:
        self._at = max(self._loop.time(), self._at + self._every_s)
        self._loop.call_at(self._at, self.flush)


class Callbacks(TypedDict, total=False):
    """All are called on the event loop."""

    on_begun: Callable[[], object]
    on_update: Callable[[Any], object]
    on_done: Callable[..., object]
    on_failed: Callable[[OkapiError], object]


class Job:
    """Base of all jobs: an owner, an end, and callbacks."""

    def __init__(self, owner: object, **callbacks: Unpack[Callbacks]) -> None:
        self.owner = owner
        self._loop = asyncio.get_running_loop()
        self._on_begun = callbacks.get("on_begun", _ignore)
        self._on_update = callbacks.get("on_update", _ignore)
        self._on_done = callbacks.get("on_done", _ignore)
        self._on_failed = callbacks.get("on_failed", _ignore)
        self.stopped = False
        """By its owner; callbacks are no longer called."""

    def run(self) -> bool:
        """As `Work` asks for it."""
        raise NotImplementedError

    def pause(self) -> None:
        """Give others a turn; a short job goes on."""

    def stop(self) -> None:
        self.stopped = True

    def _tell(self, callback: Callable[..., object], *data: object) -> None:
        """Call back on the event loop, unless the job was stopped."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._unless_stopped, callback, *data)

    def _unless_stopped(self, callback: Callable[..., object], *data: object) -> None:
        if not self.stopped:
            callback(*data)

    def _fail(self, error: Exception) -> None:
        known = error if isinstance(error, OkapiError) else PlayerCrashed(f"{type(error).__name__}: {error}")
        self._tell(self._on_failed, known)


class SearchJob(Job):
    """A search within limits that is paused when other jobs wait, and resumed from its hash table.

    It updates with a SearchUpdate, and is done with a Decision.
    """

    def __init__(
        self,
        owner: object,
        slot: EngineSlot,
        position: Position,
        limits: Limits,
        *,
        multipv: int = 1,
        **callbacks: Unpack[Callbacks],
    ) -> None:
        super().__init__(owner, **callbacks)
        self._slot, self._position, self._limits = slot, position.copy(), limits
        self._multipv = min(multipv, len(position.legal_moves()))
        self._paused = False
        self._nodes = 0
        self.seconds = 0.0
        """Search time of the turns that are over."""
        self._begun = 0.0
        self._best: Decision | None = None
        """The deepest so far: the last turn may have been too short to reach that depth again."""
        self._block: list[Line] = []
        self._depth = 0
        self._news: SearchUpdate | None = None
        self._throttle = Throttle(self._on_update, NEWS_EVERY_S, at_once=True)

    def run(self) -> bool:
        try:
            with self._slot.lock:
                return self.stopped or self._think()
        except Exception as error:
            self._fail(error)
            return True

    def pause(self) -> None:
        self._paused = True
        self._slot.search.stop()

    def stop(self) -> None:
        super().stop()
        self._throttle.cancel()
        self._slot.search.stop()

    def _think(self) -> bool:
        if not self._nodes:
            self._tell(self._on_begun)
        self._paused = False
        self._begun = time.monotonic()
        self._slot.search.set_multipv(self._multipv)
        decision = self._slot.search.run(self._position, self._left(), self._report)
        self._nodes += decision.nodes
        self.seconds += time.monotonic() - self._begun
        if self._best is None or decision.depth >= self._best.depth:
            self._best = decision
        if self._paused and not self._is_spent():
            if self._news is not None:  # a turn may be too short for another depth, and has cost something all the same
                self._hear(replace(self._news, nodes=self._nodes, seconds=self.seconds))
            return self.stopped
        self._tell(self._finish, replace(self._best, nodes=self._nodes))
        return True

    def _left(self) -> Limits:
        """The limits, less what was used in earlier turns."""
        limits, used_ms = self._limits, round(self.seconds * 1000)
        return replace(
            limits,
            depth=DEEPEST if limits.endless else limits.depth,
            nodes=None if limits.nodes is None else max(1, limits.nodes - self._nodes),
            movetime_ms=None if limits.movetime_ms is None else max(1, limits.movetime_ms - used_ms),
            white=_less(limits.white, used_ms if self._position.turn is Color.WHITE else 0),
            black=_less(limits.black, used_ms if self._position.turn is Color.BLACK else 0),
        )

    def _is_spent(self) -> bool:
        nodes, movetime_ms = self._limits.nodes, self._limits.movetime_ms
        return (nodes is not None and self._nodes >= nodes) or (
            movetime_ms is not None and self.seconds * 1000 >= movetime_ms
        )

    def _report(self, rank: int, line: Line, nodes: int) -> None:
        """Called by the core. A stop that came before the core was ready is repeated here."""
        if self.stopped or self._paused:
            self._slot.search.stop()
        if rank == 1:
            self._block = []
        self._block.append(line)
        if rank < self._multipv or line.depth < self._depth:
            return
        self._depth = line.depth
        seconds = self.seconds + time.monotonic() - self._begun
        self._hear(SearchUpdate(tuple(self._block), self._nodes + nodes, seconds))

    def _hear(self, news: SearchUpdate) -> None:
        self._news = news
        self._throttle(news)

    def _finish(self, decision: Decision) -> None:
        """On the event loop: the last update is sent before the end, and none after it."""
        self._throttle.flush()
        self._on_done(decision)


class MoveJob(Job):
    """A move of any other player, in one turn. The player is created in the pool, because that may take a while."""

    def __init__(
        self,
        owner: object,
        slot: "LazyPlayer",
        position: Position,
        limits: Limits,
        **callbacks: Unpack[Callbacks],
    ) -> None:
        super().__init__(owner, **callbacks)
        self._slot, self._position, self._limits = slot, position.copy(), limits

    def run(self) -> bool:
        try:
            with self._slot.lock:
                if not self.stopped:
                    player = self._slot.player()
                    self._tell(self._on_begun)
                    self._tell(self._on_done, player.choose(self._position, self._limits))
        except Exception as error:
            self._fail(error)
        return True

    def stop(self) -> None:
        super().stop()
        self._slot.hurry()


class LazyPlayer:
    """A player that is created when it is first used, and closed with the slot."""

    def __init__(self, make: Callable[[], Player]) -> None:
        self._make = make
        self._player: Player | None = None
        self.lock = threading.Lock()

    def player(self) -> Player:
        """The player; hold the lock."""
        if self._player is None:
            self._player = self._make()
        return self._player

    def hurry(self) -> None:
        call_if_supported(self._player, "stop")

    def close(self) -> None:
        with self.lock:
            player, self._player = self._player, None
        call_if_supported(player, "close")


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


def _less(clock: Clock | None, used_ms: int) -> Clock | None:
    return None if clock is None else replace(clock, time_ms=max(1, clock.time_ms - used_ms))


Steps: TypeAlias = Generator[Any, None, None]
"""Yields what was found so far."""


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
        if self._search is not None:
            self._search.stop()
        if self._answer is not None:
            self._answer.cancel()

    def _begin(self, position: Position, limits: Limits, answer: Future[Decision]) -> None:
        if self._stopped:
            answer.cancel()
            return
        self._answer = answer
        self._search = SearchJob(
            self._owner, self._slot, position, limits, on_done=answer.set_result, on_failed=answer.set_exception
        )
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


class AnalysisJob(Job):
    """Runs the steps of a generator and reports each result. It can be paused between two steps."""

    def __init__(
        self,
        owner: object,
        steps: Steps,
        *,
        stop: Callable[[], object] = _ignore,
        **callbacks: Unpack[Callbacks],
    ) -> None:
        """`stop` ends the step that is under way."""
        super().__init__(owner, **callbacks)
        self._steps, self._stop = steps, stop
        self._paused = False

    def run(self) -> bool:
        self._paused = False
        try:
            while not self.stopped:
                if self._paused:
                    return False
                self._tell(self._on_update, next(self._steps))
            self._steps.close()
        except StopIteration:
            self._tell(self._on_done)
        except CancelledError:
            pass
        except Exception as error:
            self._fail(error)
        return True

    def pause(self) -> None:
        """Give others a turn after this step."""
        self._paused = True

    def stop(self) -> None:
        super().stop()
        self._stop()
