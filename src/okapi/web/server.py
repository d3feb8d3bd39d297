"""The HTTP server: limits of connections, its address, and the browser that it opens."""

import asyncio
import errno
import logging
import secrets
import socket
import webbrowser
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from okapi.errors import UsageError
from okapi.web.app import make_app
from okapi.web.messages import LONGEST
from okapi.web.state import AppState

__all__ = ["LimitedHttp", "LimitedWebSocket", "make_server", "serve"]

VISIT_S: Final = 30.0
"""A visitor has to be served, or to have become a page, within so many seconds: a page is loaded in one."""

MOST_VISITORS: Final = 256
"""At once; whoever has stood there longest then makes room. Systems give a process 1,024 files or more."""

MOST_PIECES: Final = 64
"""Of one message; browsers send ours in one."""

GOODBYE_S: Final = 15.0
"""To take the last words. Closing alone waits for ever for somebody who does not read."""


class LimitedHttp(H11Protocol):
    """A visitor who asks for files or for a socket, and may not stay."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody came."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._limit = self.loop.call_later(VISIT_S, transport.abort)
        visitors = [
            other for other in self.connections if isinstance(other, LimitedHttp) and not other.transport.is_closing()
        ]
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


class LimitedWebSocket(WebSocketsSansIOProtocol):
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


HERE = "127.0.0.1"


def serve(
    state: AppState,
    *,
    port: int = 0,
    share: str | None = None,
    browser: bool = True,
    announce: Callable[[str], object] = print,
) -> None:
    """Serve until Ctrl-C: on this machine only or, with `share`, at that address with a token. Port 0: a free one."""
    token = None if share is None else secrets.token_urlsafe(16)
    app = make_app(state, token=token)
    listener = _listen(share or HERE, port)
    url = _url(share or HERE, listener.getsockname()[1], token)
    announce(url)
    asyncio.run(_run(make_server(app), listener, url if browser else None))


def make_server(app: Starlette) -> uvicorn.Server:
    """The server around the app, with a bound for everything."""
    config = uvicorn.Config(
        app,
        http=LimitedHttp,
        ws=LimitedWebSocket,
        log_level=logging.WARNING,
        access_log=False,
        lifespan="on",
        server_header=False,
        ws_max_size=LONGEST,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # who sent a game is told what is wrong with it
    return uvicorn.Server(config)


def _is_news(record: logging.LogRecord) -> bool:
    """What strangers send wrongly is none: the terminal stays quiet."""
    return not record.getMessage().startswith(("Invalid ", "Unsupported "))


async def _run(server: uvicorn.Server, listener: socket.socket, url: str | None) -> None:
    running = asyncio.create_task(server.serve([listener]))
    while url is not None and not server.started and not running.done():
        await asyncio.sleep(0.01)
    if url is not None and server.started:
        await asyncio.to_thread(webbrowser.open, url)
    await running


def _listen(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
        listener.listen()  # whoever reads the address may come before the server is ready: they wait
    except OSError as error:
        listener.close()
        taken = error.errno == errno.EADDRINUSE
        hint = "give another --port, or none for a free one" if taken else "give an address of this machine"
        raise UsageError(f"{address}:{port} cannot be served: {error.strerror}", hint=hint) from None
    return listener


def _url(address: str, port: int, token: str | None) -> str:
    shown = {"0.0.0.0": _outside(), "::": _outside()}.get(address, address)
    host = f"[{shown}]" if ":" in shown else shown
    return f"http://{host}:{port}/" + (f"?token={token}" if token else "")


def _outside() -> str:
    """The address that others see. Nothing is sent: connecting a datagram socket only chooses a way out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
