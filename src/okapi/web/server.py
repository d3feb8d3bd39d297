"""The HTTP server: limits of connections, its address, and the browser that it opens."""

import asyncio
import errno
import logging
import secrets
import socket
import threading
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

HERE = "127.0.0.1"
VISIT_S: Final = 30.0  # time limit of an HTTP connection: a page loads in one second
MOST_VISITORS: Final = 256  # connections; the oldest is closed for a new one. Systems give a process 1,024 files
MOST_PIECES: Final = 64  # fragments of a message; browsers send ours in one
GOODBYE_S: Final = 15.0  # time to send the last data. Closing alone would wait forever for a client that does not read


class LimitedHttp(H11Protocol):
    """A connection for files or for the upgrade to a WebSocket, with a time limit."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        self._limit = self.loop.call_later(VISIT_S, transport.abort)
        others = (other for other in self.connections if isinstance(other, LimitedHttp))
        visitors = [other for other in others if not other.transport.is_closing()]
        if len(visitors) > MOST_VISITORS:
            min(visitors, key=lambda visitor: visitor._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._limit.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """A page has no time limit."""
        self._limit.cancel()
        super().handle_websocket_upgrade(event)


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """The WebSocket of a page. Reading stops while the page does not read: answers to pings would pile up."""

    _pieces = 0

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.loop.call_later(GOODBYE_S, self.transport.abort)

    def handle_cont(self, event: Frame) -> None:
        """Count the fragments of a message: they may be empty, so that a limit of its size is not enough."""
        self._pieces = 0 if event.fin else self._pieces + 1
        if self._pieces > MOST_PIECES:
            self.transport.abort()
        else:
            super().handle_cont(event)


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
    server = make_server(make_app(state, token=token))
    listener, url = _listen(share or HERE, port, token)
    announce(url)
    asyncio.run(_run(server, listener, url if browser else None))


class BackgroundServer:
    """The board of this machine on a thread of its own, until it is closed."""

    def __init__(self, state: AppState, *, port: int = 0, browser: bool = True) -> None:
        listener, self.url = _listen(HERE, port)
        self._server = make_server(make_app(state))
        running = _run(self._server, listener, self.url if browser else None)
        self._thread = threading.Thread(target=asyncio.run, args=(running,), name="board", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()


def make_server(app: Starlette) -> uvicorn.Server:
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
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # pages get the errors of their games
    return uvicorn.Server(config)


def _is_news(record: logging.LogRecord) -> bool:
    """Hide the warnings about wrong requests."""
    return not record.getMessage().startswith(("Invalid ", "Unsupported "))


async def _run(server: uvicorn.Server, listener: socket.socket, url: str | None) -> None:
    running = asyncio.create_task(server.serve([listener]))
    while url is not None and not server.started and not running.done():
        await asyncio.sleep(0.01)
    if url is not None and server.started:
        await asyncio.to_thread(webbrowser.open, url)
    await running


def _listen(address: str, port: int, token: str | None = None) -> tuple[socket.socket, str]:
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
    shown = _outside() if address in ("0.0.0.0", "::") else address
    host = f"[{shown}]" if ":" in shown else shown
    return listener, f"http://{host}:{listener.getsockname()[1]}/" + (f"?token={token}" if token else "")


def _outside() -> str:
    """The address that others see. Nothing is sent: connecting a datagram socket only chooses a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
