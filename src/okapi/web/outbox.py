"""What waits to be sent to one page."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from itertools import count
from typing import Any, Final

__all__ = ["Outbox"]

MOST_WAITING: Final = 256


class Outbox:
    """Answers in their order and, of each kind of news, the newest only: a slow page misses news, never the last word.

    A page that lets too much pile up is given up: `overflown`.
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[object, Mapping[str, Any]] = OrderedDict()
        self._number = count()
        self._filled = asyncio.Event()
        self.overflown = False

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, message: Mapping[str, Any], *, newest_of: str | None = None) -> None:
        """Send a message after those that wait or, with `newest_of`, in the place of an older one of that kind."""
        self._waiting[next(self._number) if newest_of is None else newest_of] = message
        self.overflown = len(self._waiting) > MOST_WAITING
        self._filled.set()

    async def get(self) -> Mapping[str, Any]:
        """Wait for the next message."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        return self._waiting.popitem(last=False)[1]
