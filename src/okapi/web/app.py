"""The server: a few files, and a socket for each page."""

import json
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from okapi.errors import NotFound
from okapi.web.gate import Gate
from okapi.web.house import MOST_PAGES, House
from okapi.web.messages import LONGEST
from okapi.web.outbox import Outbox
from okapi.web.session import Session

__all__ = ["STATIC", "make_app", "static_files"]

STATIC: Final = Path(__file__).parent / "static"
"""What Vite has made of web/."""

SLOW_S: Final = 20.0
"""A page that takes nothing for so long has gone."""


def make_app(house: House, *, token: str | None = None, static: Path = STATIC) -> Starlette:
    """The server's routes. `token` is what everybody must bring who is not of this machine."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        house.close()

    return Starlette(
        routes=[
            WebSocketRoute("/socket", partial(converse, house=house)),
            Route("/{path:path}", partial(give_file, files=static_files(static))),
        ],
        middleware=[Middleware(Gate, token=token)],
        lifespan=lifespan,
    )


def static_files(folder: Path = STATIC) -> dict[str, Response]:
    """Every file of the page, read once: what a browser asks for is looked up here and never becomes a path."""
    if not (folder / "index.html").is_file():
        raise NotFound(
            "this installation was built without the board's page",
            hint="install okapi-chess again without OKAPI_PAGE=off, or play with `okapi play --terminal`",
        )
    files = {}
    for file in folder.rglob("*"):
        if file.is_file() and not file.name.startswith("."):
            name = file.relative_to(folder).as_posix()
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            caching = "max-age=31536000, immutable" if name.startswith("assets/") else "no-cache"
            files[name] = Response(file.read_bytes(), media_type=kind, headers={"cache-control": caching})
    files[""] = files["index.html"]
    return files


async def give_file(request: Request, files: dict[str, Response]) -> Response:
    """One of the files, or a sentence."""
    return files.get(request.path_params["path"]) or PlainTextResponse("there is no such page", 404)


async def converse(socket: WebSocket, house: House) -> None:
    """Talk with one page until it leaves, is too slow, or misbehaves."""
    await socket.accept()
    if house.pages >= MOST_PAGES:
        await socket.close(1013, "too many pages are open")
        return
    outbox = Outbox()
    session = Session(house, outbox)
    house.pages += 1
    try:
        async with anyio.create_task_group() as both:
            both.start_soon(_speak, socket, outbox, both.cancel_scope)
            await _listen(socket, session)
            both.cancel_scope.cancel()
    finally:
        house.pages -= 1
        session.close()
        house.tidy_up_soon()


async def _listen(socket: WebSocket, session: Session) -> None:
    while not session.is_hostile:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        session.receive(text if text is not None and len(text) <= LONGEST else "")
        await anyio.sleep(0)  # a flood of messages leaves room for everybody else
    await socket.close(1008, "too much nonsense")


async def _speak(socket: WebSocket, outbox: Outbox, both: anyio.CancelScope) -> None:
    try:
        while True:
            message = await outbox.get()
            with anyio.fail_after(SLOW_S):
                await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        both.cancel()
