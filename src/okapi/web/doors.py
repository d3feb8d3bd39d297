"""Connections that never speak, never listen or never come to an end: uvicorn's own, with bounds."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

__all__ = ["Door", "Line"]

VISIT_S: Final = 30.0
"""A visitor has to be served, or to have become a page, within so many seconds: a page is loaded in one."""

MOST_VISITORS: Final = 256
"""At once; whoever has stood there longest then makes room. Systems give a process 1,024 files or more."""

MOST_PIECES: Final = 64
"""Of one message; browsers send ours in one."""

GOODBYE_S: Final = 15.0
"""To take the last words. Closing alone waits for ever for somebody who does not read."""


class Door(H11Protocol):
    """A visitor who asks for files or for a socket, and may not stay."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody came."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._limit = self.loop.call_later(VISIT_S, transport.abort)
        visitors = [other for other in self.connections if isinstance(other, Door) and not other.transport.is_closing()]
        if len(visitors) > MOST_VISITORS:
            min(visitors, key=lambda visitor: visitor._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody left."""
        self._limit.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Somebody becomes a page, and may stay."""
        self._limit.cancel()
        super().handle_websocket_upgrade(event)


class Line(WebSocketsSansIOProtocol):
    """A page's socket. Who does not listen is not listened to: pings are answered at once, and the answers pile up."""

    _pieces = 0

    def pause_writing(self) -> None:
        """The page takes nothing at the moment."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """The page listens again."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    def keepalive_timeout(self) -> None:
        """The page does not answer."""
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The conversation is over."""
        super().on_task_complete(task)
        self.loop.call_later(GOODBYE_S, self.transport.abort)

    def handle_cont(self, event: Frame) -> None:
        """One more piece of a message: pieces may be empty, so that the bound for its size says nothing."""
        self._pieces = 0 if event.fin else self._pieces + 1
        if self._pieces > MOST_PIECES:
            self.transport.abort()
        else:
            super().handle_cont(event)
