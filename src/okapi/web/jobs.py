"""Work for the pools: searches that can be paused, players, and analyses of many steps."""

import asyncio
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

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


class EngineSlot:
    """A search with a brain and a hash table, for one board. One job at a time may use it."""

    def __init__(self, brain: str, search: Search) -> None:
        self.brain = brain
        self.search = search
        self.lock = threading.Lock()


class Job:
    """Base of all jobs: an owner, an end, and callbacks on the event loop."""

    def __init__(self, owner: object, on_done: Callable[..., object], on_failed: Callable[[OkapiError], object]):
        self.owner = owner
        self._loop = asyncio.get_running_loop()
        self._on_done, self._on_failed = on_done, on_failed
        self.stopped = False
        """By its owner; callbacks are no longer called."""

    def _tell(self, callback: Callable[..., object], *data: object) -> None:
        """Call back on the event loop, unless the job was stopped."""

        def call() -> None:
            if not self.stopped:
                callback(*data)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def _fail(self, error: Exception) -> None:
        known = error if isinstance(error, OkapiError) else PlayerCrashed(f"{type(error).__name__}: {error}")
        self._tell(self._on_failed, known)


class SearchJob(Job):
    """A search within limits that is paused when other jobs wait, and resumed from its hash table."""

    def __init__(
        self,
        owner: object,
        slot: EngineSlot,
        position: Position,
        limits: Limits,
        *,
        multipv: int = 1,
        on_begun: Callable[[], object] = lambda: None,
        on_update: Callable[[SearchUpdate], object] = lambda news: None,
        on_done: Callable[[Decision], object] = lambda decision: None,
        on_failed: Callable[[OkapiError], object] = lambda error: None,
    ) -> None:
        super().__init__(owner, on_done, on_failed)
        self._slot, self._position, self._limits = slot, position.copy(), limits
        self._multipv = min(multipv, len(position.legal_moves()))
        self._on_begun, self._on_update = on_begun, on_update
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
        self._news_due = False
        self._news_at = 0.0

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
        self.stopped = True
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
        """In the pool: store the newest update until the page gets it."""
        self._news = news
        if not self._news_due:
            self._news_due = True
            self._tell(self._soon)

    def _soon(self) -> None:
        """On the event loop: send at most a few updates a second."""
        now = self._loop.time()
        self._news_at = max(now, self._news_at + NEWS_EVERY_S)
        self._loop.call_at(self._news_at, self._flush)

    def _finish(self, decision: Decision) -> None:
        """On the event loop: the last update is sent before the end, and none after it."""
        if self._news_due:
            self._flush()
        self._news = None
        self._on_done(decision)

    def _flush(self) -> None:
        self._news_due = False
        if self._news is not None and not self.stopped:
            self._on_update(self._news)


class MoveJob(Job):
    """A move of any other player, in one turn. The player is created in the pool, because that may take a while."""

    def __init__(
        self,
        owner: object,
        slot: "LazyPlayer",
        position: Position,
        limits: Limits,
        *,
        on_begun: Callable[[], object] = lambda: None,
        on_done: Callable[[Decision], object] = lambda decision: None,
        on_failed: Callable[[OkapiError], object] = lambda error: None,
    ) -> None:
        super().__init__(owner, on_done, on_failed)
        self._slot, self._position, self._limits, self._on_begun = slot, position.copy(), limits, on_begun

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

    def pause(self) -> None:
        """Not paused: it is short."""

    def stop(self) -> None:
        self.stopped = True
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


class BackgroundTask:
    """A function without a result that takes a moment, such as ending a program."""

    def __init__(self, owner: object, function: Callable[[], object]) -> None:
        self.owner = owner
        self._function = function

    def run(self) -> bool:
        """Call it; errors are ignored."""
        with suppress(OkapiError):
            self._function()
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
        stop: Callable[[], object],
        on_update: Callable[[Any], object],
        on_done: Callable[[], object] = lambda: None,
        on_failed: Callable[[OkapiError], object],
    ) -> None:
        """`stop` ends the step that is under way."""
        super().__init__(owner, on_done, on_failed)
        self._steps, self._stop, self._on_update = steps, stop, on_update
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
        self.stopped = True
        self._stop()
