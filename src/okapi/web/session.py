"""One page and its panels: messages in, answers and news out."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from okapi import __version__
from okapi.errors import InvalidMessage, OkapiError, TooBusy, did_you_mean
from okapi.web.messages import parse
from okapi.web.panel import Panel
from okapi.web.panels import PANELS
from okapi.web.state import AppState
from okapi.web.views import error_view

log = logging.getLogger(__name__)
MOST_WAITING: Final = 256  # messages that were not yet sent to a page
A_SECOND: Final = 50.0  # messages that a page may send
AT_ONCE: Final = 200.0
DEAR: Final = 4  # a page may take a quarter of the server's time: a slow answer counts as several messages
PATIENCE: Final = 2000  # refused messages after which the connection is closed


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
        """Queue a message; with `newest_of`, it replaces an older one of that kind."""
        self._waiting[next(self._number) if newest_of is None else newest_of] = message
        self.overflown = len(self._waiting) > MOST_WAITING
        self._filled.set()

    async def get(self) -> Mapping[str, Any]:
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        return self._waiting.popitem(last=False)[1]


class Allowance:
    """How much a page, or all programs together, may still ask for now."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.left, self._at = AT_ONCE, now()

    def spend(self) -> None:
        """Pay for one message: TooBusy."""
        now = self._now()
        self.left = min(AT_ONCE, self.left + (now - self._at) * A_SECOND)
        self._at = now
        if self.left < 1.0:
            raise TooBusy("too many messages", hint="wait a second")
        self.left -= 1.0


class Session:
    """One connection. The page stores what is to survive a reload or a restart."""

    def __init__(self, state: AppState, outbox: Outbox, now: Callable[[], float] = time.monotonic) -> None:
        self.state = state
        self.panels: dict[str, Panel] = {kind.name: kind(state, self.tell) for kind in PANELS}
        self.refused = 0
        self._outbox = outbox
        self._allowance = Allowance(now)
        about = {"version": __version__, "started": state.started, "panels": list(self.panels)}
        self.tell("hello", **about, **state.offer(), lines=state.lines())

    @property
    def is_hostile(self) -> bool:
        """Has it sent too many wrong messages, or does it not read?"""
        return self.refused > PATIENCE or self._outbox.overflown

    def tell(self, kind: str, **data: Any) -> None:
        self._outbox.put({"tell": kind, **data}, newest_of=kind)

    def receive(self, text: str) -> None:
        """Answer a message, or refuse it. Never raises."""
        number: int | None = None
        begun = time.thread_time()
        try:
            self._allowance.spend()
            request = parse(text)
            number = request.id
            if (panel := self.panels.get(request.panel)) is None:
                hint = did_you_mean(request.panel, self.panels)
                raise InvalidMessage(f"there is no panel `{request.panel[:40]}`", hint=hint)
            if (method := panel.actions.get(request.action)) is None:
                raise InvalidMessage(f"the panel `{panel.name}` has no action `{request.action[:40]}`")
            answer = panel.answer(method, request.data)
            self._outbox.put({"id": number, "ok": True, **(answer or {})})
        except OkapiError as error:
            self._refuse(number, error)
        except Exception:
            log.exception("a panel failed")
            self._refuse(number, OkapiError("something went wrong here", hint="the terminal says what"))
        self._allowance.left -= DEAR * A_SECOND * (time.thread_time() - begun)

    def close(self) -> None:
        """Close all panels. They refer to their session, so the reference is removed."""
        for panel in self.panels.values():
            panel.close()
        self.panels.clear()

    def _refuse(self, number: int | None, error: OkapiError) -> None:
        if isinstance(error, InvalidMessage | TooBusy):
            self.refused += 1
        self._outbox.put({"id": number, "ok": False, **error_view(error)})
