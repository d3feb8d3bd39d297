"""Run the server, tell where it is, and open the browser."""

import asyncio
import errno
import logging
import secrets
import socket
import webbrowser
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette

from okapi.errors import UsageError
from okapi.web.app import make_app
from okapi.web.doors import Door, Line
from okapi.web.house import House
from okapi.web.messages import LONGEST

__all__ = ["make_server", "serve"]

HERE = "127.0.0.1"


def serve(
    house: House,
    *,
    port: int = 0,
    share: str | None = None,
    browser: bool = True,
    announce: Callable[[str], object] = print,
) -> None:
    """Serve until Ctrl-C: on this machine only or, with `share`, at that address with a token. Port 0: a free one."""
    token = None if share is None else secrets.token_urlsafe(16)
    app = make_app(house, token=token)
    listener = _listen(share or HERE, port)
    url = _url(share or HERE, listener.getsockname()[1], token)
    announce(url)
    asyncio.run(_run(make_server(app), listener, url if browser else None))


def make_server(app: Starlette) -> uvicorn.Server:
    """The server around the app, with a bound for everything."""
    config = uvicorn.Config(
        app,
        http=Door,
        ws=Line,
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
