"""Workers that play games: this process, processes on this machine, or actors on a Ray cluster."""

import math
import multiprocessing
import os
import random
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol

from okapi.arena.games import OngoingGame, Pairing, PlayedGame
from okapi.arena.referee import OnMove, PlayerSlot, Referee, make_slot
from okapi.arena.settings import GameSettings
from okapi.cluster import join
from okapi.core import Color
from okapi.errors import OkapiError, PlayerCrashed, UsageError
from okapi.players.process import kill_all


class Worker:
    def __init__(self, settings: GameSettings, on_move: OnMove = lambda game: None) -> None:
        self._settings = settings
        self._referee = Referee(settings, on_move)
        self._slots: dict[int, PlayerSlot] = {}

    def play(self, pairing: Pairing) -> PlayedGame:
        """Play one game; players of earlier games that are not part of it are closed first."""
        wanted = {side: pairing.player(side) for side in Color}
        for player in set(self._slots) - set(wanted.values()):
            self._slots.pop(player).close()
        for player in wanted.values():
            if player not in self._slots:
                self._slots[player] = make_slot(self._settings.players[player])
        slots = {side: self._slots[player] for side, player in wanted.items()}
        of_game = f"{self._settings.seed}/{pairing.number}"
        seeds = {side: random.Random(f"{of_game}/{player}").getrandbits(62) for side, player in wanted.items()}
        return self._referee.play(pairing, slots, seeds)

    def close(self) -> None:
        while self._slots:
            self._slots.popitem()[1].close()


ATTEMPTS: Final = 3
"""A game is given up after so many workers died playing it."""

EXIT_S: Final = 3.0
"""Time for a worker to end its engines; two of them may take a second each."""

LIVE_INTERVAL_S: Final = 0.1
"""Least time between two reports of an ongoing game; there may be hundreds of moves a second."""


@dataclass(frozen=True, slots=True)
class LostGame:
    pairing: Pairing
    why: str


class Workers(Protocol):
    @property
    def free(self) -> int:
        """The number of games that can be started now."""

    def start(self, pairing: Pairing) -> None: ...

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        """The games that ended since the last call; waits `timeout` seconds for one. Raises what a worker raised."""

    def close(self) -> None: ...


def play_all(pairings: Iterable[Pairing], workers: Workers) -> Iterator[PlayedGame]:
    """Play the games and yield each when it is over, in any order. A game whose worker died is played again."""
    planned = iter(pairings)
    waiting = deque(islice(planned, 1))  # one is enough: there may be millions
    running: set[int] = set()
    attempts: Counter[int] = Counter()
    while waiting or running:
        while waiting and workers.free:
            running.add(waiting[0].number)
            workers.start(waiting.popleft())
            if not waiting:
                waiting.extend(islice(planned, 1))
        for outcome in workers.finished(timeout=1.0):
            number = outcome.pairing.number
            running.discard(number)
            if isinstance(outcome, PlayedGame):
                yield outcome
                continue
            attempts[number] += 1
            if attempts[number] >= ATTEMPTS:
                what = f"game {number + 1} was started {ATTEMPTS} times, and each time its worker died: {outcome.why}"
                hint = "a player in the worker's process may have crashed it; run the player as an engine (uci:…)"
                raise PlayerCrashed(what, hint=hint)
            waiting.appendleft(outcome.pairing)


class SerialWorkers:
    """Plays in this process, one game at a time."""

    def __init__(self, settings: GameSettings) -> None:
        self._worker = Worker(settings)
        self._next: Pairing | None = None

    @property
    def free(self) -> int:
        return int(self._next is None)

    def start(self, pairing: Pairing) -> None:
        self._next = pairing

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        following, self._next = self._next, None
        return [] if following is None else [self._worker.play(following)]

    def close(self) -> None:
        self._worker.close()


@dataclass(eq=False)
class _WorkerProcess:
    process: BaseProcess
    connection: Connection
    pairing: Pairing | None = None


class LocalWorkers:
    def __init__(self, settings: GameSettings, count: int, on_move: OnMove | None = None) -> None:
        """`on_move` gets the ongoing games, from finished()."""
        self._settings, self._count, self._on_move = settings, count, on_move
        self._processes: list[_WorkerProcess] = []
        self._context = multiprocessing.get_context("spawn")

    @property
    def free(self) -> int:
        """Idle processes, and processes that can still be started."""
        return self._count - sum(worker.pairing is not None for worker in self._processes)

    def start(self, pairing: Pairing) -> None:
        worker = next((worker for worker in self._processes if worker.pairing is None), None) or self._start()
        worker.pairing = pairing
        with suppress(OSError):  # finished() notices a dead process
            worker.connection.send(pairing)

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        busy = [worker for worker in self._processes if worker.pairing is not None]
        ready = wait([worker.connection for worker in busy], timeout)
        return [told for worker in busy if worker.connection in ready and (told := self._outcome(worker))]

    def close(self) -> None:
        """Ask all processes to end, and kill those that do not."""
        for worker in self._processes:
            if worker.pairing is not None:
                worker.process.terminate()
            worker.connection.close()
        for worker in self._processes:
            worker.process.join(EXIT_S)
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.process.close()
        self._processes.clear()

    def _start(self) -> _WorkerProcess:
        ours, theirs = self._context.Pipe()
        given = (theirs, self._settings, self._on_move is not None)
        process = self._context.Process(target=serve, args=given, daemon=True)
        process.start()
        theirs.close()
        self._processes.append(_WorkerProcess(process, ours))
        return self._processes[-1]

    def _outcome(self, worker: _WorkerProcess) -> PlayedGame | LostGame | None:
        """The outcome that a worker sends; None if the game goes on."""
        pairing = worker.pairing
        assert pairing is not None
        try:
            answer = worker.connection.recv()
        except (EOFError, OSError):
            worker.process.join(1.0)
            self._processes.remove(worker)
            return LostGame(pairing, f"exit code {worker.process.exitcode}")
        if isinstance(answer, OngoingGame):
            assert self._on_move is not None
            self._on_move(answer)
            return None
        worker.pairing = None
        if isinstance(answer, BaseException):
            raise answer
        assert isinstance(answer, PlayedGame)
        return answer


def serve(connection: Connection, settings: GameSettings, live: bool) -> None:
    """Main function of a worker process: play games until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    signal.signal(signal.SIGTERM, _stop_process)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    due = 0.0 if live else math.inf

    def report(game: OngoingGame) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = now + LIVE_INTERVAL_S
            connection.send(game)

    try:
        worker = Worker(settings, report)
    except OkapiError as error:
        with suppress(OSError):
            connection.send(error)
        return
    with suppress(EOFError, OSError):
        while True:
            pairing = connection.recv()
            try:
                answer: PlayedGame | Exception = worker.play(pairing)
            except Exception as error:
                answer = error
            connection.send(answer)
    worker.close()


def _stop_process(number: int, frame: object) -> None:
    """Signal handler: end the engines, then this process."""
    kill_all()
    os._exit(0)


def _exit_with_parent() -> None:
    """End when the parent process ends, also if it was killed."""
    if (parent := multiprocessing.parent_process()) is not None:
        wait([parent.sentinel])
        _stop_process(0, None)


FIRST_ACTOR_S: Final = 120.0


class ClusterWorkers:
    """Actors on a Ray cluster, one processor each. Okapi and the engines must be installed on every machine.

    A game is given only to an actor that has started, so that none waits for a machine that is gone.
    """

    def __init__(self, settings: GameSettings, address: str, count: int | None = None) -> None:
        """Join the cluster at `address` (host:port, ray://host:port or auto); the default is an actor a processor."""
        self._ray, self._joined = join(address)
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(Worker)
        self._settings = self._ray.put(settings)
        self._count = count or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._starting: dict[Any, Any] = {}
        self._idle: list[Any] = []
        self._busy: dict[Any, tuple[Any, Pairing]] = {}
        self._last_start = time.monotonic()

    @property
    def free(self) -> int:
        return len(self._idle)

    def start(self, pairing: Pairing) -> None:
        actor = self._idle.pop()
        self._busy[actor.play.remote(pairing)] = actor, pairing

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        """The games that ended; the list is empty if only an actor has started."""
        while len(self._starting) + len(self._idle) + len(self._busy) < self._count:
            actor = self._actor.remote(self._settings)
            self._starting[actor.__ray_ready__.remote()] = actor
        ready, _ = self._ray.wait([*self._starting, *self._busy], num_returns=1, timeout=timeout)
        outcomes = [outcome for reference in ready if (outcome := self._outcome(reference)) is not None]
        if not self._idle and not self._busy and time.monotonic() - self._last_start > FIRST_ACTOR_S:
            raise UsageError("the cluster has no free processor", hint="`ray status` shows what uses them")
        return outcomes

    def close(self) -> None:
        for actor in (*self._idle, *self._starting.values(), *(actor for actor, _ in self._busy.values())):
            self._ray.kill(actor)
        self._idle.clear()
        self._starting.clear()
        self._busy.clear()
        if self._joined:
            self._ray.shutdown()

    def _outcome(self, reference: Any) -> PlayedGame | LostGame | None:
        """The outcome of a game; None for an actor that has started."""
        starting = self._starting.pop(reference, None)
        actor, pairing = (starting, None) if starting is not None else self._busy.pop(reference)
        errors = self._ray.exceptions
        try:
            result = self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause or error from None
        except errors.RayError as error:
            return None if pairing is None else LostGame(pairing, str(error).splitlines()[0])
        self._idle.append(actor)
        self._last_start = time.monotonic()
        return None if pairing is None else result
