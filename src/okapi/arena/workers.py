"""Who plays the games: this process, processes on this machine, or the machines of a Ray cluster."""

import multiprocessing
import os
import random
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol

from okapi.arena.games import OngoingGame, Pairing, PlayedGame
from okapi.arena.referee import PlayerSlot, Referee, make_slot
from okapi.arena.settings import GameSettings
from okapi.cluster import join
from okapi.core import Color
from okapi.errors import OkapiError, PlayerCrashed, UsageError
from okapi.players.process import kill_all

__all__ = ["ClusterWorkers", "LocalWorkers", "LostGame", "SerialWorkers", "Worker", "Workers", "play_all"]


class Worker:
    """Plays games, one after another."""

    def __init__(self, settings: GameSettings, on_move: Callable[[OngoingGame], object] | None = None) -> None:
        """`on_move` is told of a game after each of its moves."""
        self._settings = settings
        self._referee = Referee(
            settings.control,
            settings.adjudication,
            settings.chess960,
            max_plies=settings.max_plies,
            lines=settings.lines,
            on_move=on_move,
        )
        self._seats: dict[int, PlayerSlot] = {}

    def play(self, pairing: Pairing) -> PlayedGame:
        """Play one game; whoever has no part in it leaves first."""
        wanted = {Color.WHITE: pairing.white, Color.BLACK: pairing.black}
        for player in set(self._seats) - set(wanted.values()):
            self._seats.pop(player).close()
        for player in wanted.values():
            if player not in self._seats:
                self._seats[player] = make_slot(self._settings.players[player])
        seats = {side: self._seats[player] for side, player in wanted.items()}
        seeds = {side: self.seed(pairing.number, player) for side, player in wanted.items()}
        return self._referee.play(pairing, seats, seeds)

    def seed(self, game: int, player: int) -> int:
        """The dice of one player in one game, whoever plays it and where."""
        return random.Random(f"{self._settings.seed}/{game}/{player}").getrandbits(62)

    def close(self) -> None:
        """Let everybody go."""
        while self._seats:
            self._seats.popitem()[1].close()


ATTEMPTS: Final = 3
"""A game that has cost so many workers their lives is not tried again."""

EXIT_S: Final = 3.0
"""For a worker to end its engines; two of them may take a second each."""


LIVE_INTERVAL_S: Final = 0.1
"""A game that somebody watches is told of no more often: eyes are slow, and there may be hundreds of moves a second."""


@dataclass(frozen=True, slots=True)
class LostGame:
    """A game whose worker died."""

    pairing: Pairing
    why: str


class Workers(Protocol):
    """Several who play games at the same time."""

    @property
    def free(self) -> int:
        """How many more games could be begun now."""
        ...

    def start(self, pairing: Pairing) -> None:
        """Begin a game."""
        ...

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        """The games that ended since the last call; waits for one if there is none yet. Raises what a worker raised."""
        ...

    def close(self) -> None:
        """End everything, also games that are being played."""
        ...


def play_all(pairings: Iterable[Pairing], workers: Workers) -> Iterator[PlayedGame]:
    """Play these games and yield each when it is over, in no order. A game whose worker died is played again."""
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
            if isinstance(outcome, PlayedGame):
                running.discard(outcome.number)
                yield outcome
                continue
            number = outcome.pairing.number
            attempts[number] += 1
            if attempts[number] >= ATTEMPTS:
                raise PlayerCrashed(
                    f"game {number + 1} was begun {ATTEMPTS} times, and each time its worker died: {outcome.why}",
                    hint="a player inside the process may have crashed it; let it play as an engine (uci:…)",
                )
            running.discard(number)
            waiting.appendleft(outcome.pairing)


class SerialWorkers:
    """Plays in this process, one game at a time."""

    def __init__(self, settings: GameSettings) -> None:
        self._worker = Worker(settings)
        self._next: Pairing | None = None

    @property
    def free(self) -> int:
        """One at most."""
        return int(self._next is None)

    def start(self, pairing: Pairing) -> None:
        """Remember what to play."""
        self._next = pairing

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        """Play it."""
        if self._next is None:
            return []
        played = self._worker.play(self._next)
        self._next = None
        return [played]

    def close(self) -> None:
        """Let the players go."""
        self._worker.close()


# --- Processes ------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _WorkerProcess:
    """A process, and the game it plays."""

    process: BaseProcess
    talk: Connection
    pairing: Pairing | None = None


class LocalWorkers:
    """Processes on this machine."""

    def __init__(
        self, settings: GameSettings, count: int, on_move: Callable[[OngoingGame], object] | None = None
    ) -> None:
        """`on_move` is told, from finished(), of the games that are being played."""
        self._settings = settings
        self._count = count
        self._on_move = on_move
        self._places: list[_WorkerProcess] = []
        self._context = multiprocessing.get_context("spawn")

    @property
    def free(self) -> int:
        """Idle processes, and those that could be started."""
        return self._count - sum(place.pairing is not None for place in self._places)

    def start(self, pairing: Pairing) -> None:
        """Give the game to an idle process."""
        place = next((place for place in self._places if place.pairing is None), None) or self._start()
        place.pairing = pairing
        with suppress(OSError):  # if it is dead, finished() will notice
            place.talk.send(pairing)

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        """The games that ended."""
        busy = [place for place in self._places if place.pairing is not None]
        ready = wait([place.talk for place in busy], timeout)
        outcomes = [self._outcome(place) for place in busy if place.talk in ready]
        return [outcome for outcome in outcomes if outcome is not None]

    def close(self) -> None:
        """Tell everybody to leave; those that do not are ended."""
        for place in self._places:
            if place.pairing is not None:
                place.process.terminate()
            place.talk.close()
        for place in self._places:
            place.process.join(EXIT_S)
            if place.process.exitcode is None:
                place.process.kill()
                place.process.join()
            place.process.close()
        self._places.clear()

    def _start(self) -> _WorkerProcess:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=serve, args=(theirs, self._settings, self._on_move is not None), daemon=True
        )
        process.start()
        theirs.close()
        self._places.append(_WorkerProcess(process, ours))
        return self._places[-1]

    def _outcome(self, place: _WorkerProcess) -> PlayedGame | LostGame | None:
        """What a worker says: nothing yet, if the game goes on."""
        pairing = place.pairing
        assert pairing is not None
        try:
            answer = place.talk.recv()
        except (EOFError, OSError):
            place.process.join(1.0)
            self._places.remove(place)
            return LostGame(pairing, f"exit code {place.process.exitcode}")
        if isinstance(answer, OngoingGame):
            if self._on_move is not None:
                self._on_move(answer)
            return None
        place.pairing = None
        if isinstance(answer, BaseException):
            raise answer
        assert isinstance(answer, PlayedGame)
        return answer


def serve(talk: Connection, settings: GameSettings, live: bool = False) -> None:
    """The life of a worker process: play what is asked until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives the settings
    signal.signal(signal.SIGTERM, _stop_process)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    try:
        worker = Worker(settings, _LiveReporter(talk).tell if live else None)
    except OkapiError as error:
        with suppress(OSError):
            talk.send(error)
        return
    with suppress(EOFError, OSError):
        while True:
            pairing = talk.recv()
            try:
                answer: PlayedGame | Exception = worker.play(pairing)
            except Exception as error:
                answer = error
            talk.send(answer)
    worker.close()


class _LiveReporter:
    """Tells of a game now and then."""

    def __init__(self, talk: Connection) -> None:
        self._talk = talk
        self._due = 0.0

    def tell(self, game: OngoingGame) -> None:
        """Send it, if the last one was sent long enough ago."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + LIVE_INTERVAL_S
            self._talk.send(game)


def _stop_process(number: int, frame: object) -> None:
    """Asked to end in the middle of a game."""
    kill_all()
    os._exit(0)


def _die_with_parent() -> None:
    """Whoever gave the settings is gone, perhaps killed: end the engines, too."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        _stop_process(0, None)


# --- A Ray cluster ----------------------------------------------------------------------------------------------------


FIRST_ACTOR_S: Final = 120.0
"""For the first actor to begin its life."""


class ClusterWorkers:
    """Actors on a Ray cluster, one processor each. Okapi and the engines have to be installed on every machine.

    A game is given only to an actor that lives. So it never waits for a machine that is gone, and machines that join
    later are used.
    """

    def __init__(self, settings: GameSettings, address: str, count: int | None = None) -> None:
        """Join the cluster at `address` (host:port, ray://host:port or auto); as many actors as it has processors."""
        self._ray, self._joined = join(address)
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(Worker)
        self._settings = self._ray.put(settings)
        self._count = count or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._hired: dict[Any, Any] = {}
        self._idle: list[Any] = []
        self._busy: dict[Any, tuple[Any, Pairing]] = {}
        self._begun = time.monotonic()

    @property
    def free(self) -> int:
        """Actors that live and do nothing."""
        return len(self._idle)

    def start(self, pairing: Pairing) -> None:
        """Give the game to an idle actor."""
        actor = self._idle.pop()
        self._busy[actor.play.remote(pairing)] = actor, pairing

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        """The games that ended; none if an actor has only just begun its life."""
        self._start()
        ready, _ = self._ray.wait([*self._hired, *self._busy], num_returns=1, timeout=timeout)
        outcomes = [outcome for reference in ready if (outcome := self._outcome(reference)) is not None]
        if not self._idle and not self._busy and time.monotonic() - self._begun > FIRST_ACTOR_S:
            raise UsageError("the cluster has no processor for us", hint="`ray status` shows what it is busy with")
        return outcomes

    def close(self) -> None:
        """End all actors: engines die with them."""
        for actor in (*self._idle, *self._hired.values(), *(actor for actor, _ in self._busy.values())):
            self._ray.kill(actor)
        self._idle.clear()
        self._hired.clear()
        self._busy.clear()
        if self._joined:
            self._ray.shutdown()

    def _start(self) -> None:
        while len(self._hired) + len(self._idle) + len(self._busy) < self._count:
            actor = self._actor.remote(self._settings)
            self._hired[actor.__ray_ready__.remote()] = actor

    def _outcome(self, reference: Any) -> PlayedGame | LostGame | None:
        """What became of a game, or of an actor that was to be born."""
        hired = self._hired.pop(reference, None)
        actor, pairing = (hired, None) if hired is not None else self._busy.pop(reference)
        errors = self._ray.exceptions
        try:
            result = self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause or error from None
        except errors.RayError as error:
            return None if pairing is None else LostGame(pairing, str(error).splitlines()[0])
        self._idle.append(actor)
        self._begun = time.monotonic()
        return None if pairing is None else result
