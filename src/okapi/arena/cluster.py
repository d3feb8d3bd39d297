"""Who plays the games: the machines of a Ray cluster. The same games as here, if they are limited by nodes or depth."""

import time
from typing import Any, Final

from okapi.arena.played import Pairing, Played
from okapi.arena.worker import Orders, Worker
from okapi.arena.workers import Lost
from okapi.cluster import join
from okapi.errors import UsageError

__all__ = ["ClusterWorkers"]

PATIENCE_S: Final = 120.0
"""For the first actor to begin its life."""


class ClusterWorkers:
    """Actors on a Ray cluster, one processor each. Okapi and the engines have to be installed on every machine.

    A game is given only to an actor that lives. So it never waits for a machine that is gone, and machines that join
    later are used.
    """

    def __init__(self, orders: Orders, address: str, count: int | None = None) -> None:
        """Join the cluster at `address` (host:port, ray://host:port or auto); as many actors as it has processors."""
        self._ray, self._joined = join(address)
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(Worker)
        self._orders = self._ray.put(orders)
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

    def finished(self, timeout: float) -> list[Played | Lost]:
        """The games that ended; none if an actor has only just begun its life."""
        self._hire()
        ready, _ = self._ray.wait([*self._hired, *self._busy], num_returns=1, timeout=timeout)
        outcomes = [outcome for reference in ready if (outcome := self._outcome(reference)) is not None]
        if not self._idle and not self._busy and time.monotonic() - self._begun > PATIENCE_S:
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

    def _hire(self) -> None:
        while len(self._hired) + len(self._idle) + len(self._busy) < self._count:
            actor = self._actor.remote(self._orders)
            self._hired[actor.__ray_ready__.remote()] = actor

    def _outcome(self, reference: Any) -> Played | Lost | None:
        """What became of a game, or of an actor that was to be born."""
        hired = self._hired.pop(reference, None)
        actor, pairing = (hired, None) if hired is not None else self._busy.pop(reference)
        errors = self._ray.exceptions
        try:
            result = self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause or error from None
        except errors.RayError as error:
            return None if pairing is None else Lost(pairing, str(error).splitlines()[0])
        self._idle.append(actor)
        self._begun = time.monotonic()
        return None if pairing is None else result
