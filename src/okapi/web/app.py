"""The routes: a few files, a WebSocket for each page, the API, and the check of host, origin and token."""

import hmac
import ipaddress
import json
import mimetypes
import socket
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

import anyio
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from okapi.errors import NotFound
from okapi.web.api import api_routes
from okapi.web.messages import LONGEST
from okapi.web.session import Outbox, Session
from okapi.web.state import LOOK_S, MOST_PAGES, AppState

STATIC: Final = Path(__file__).parent / "static"  # what Vite has made of web/
SLOW_S: Final = 20.0  # a page that takes nothing for so long has gone


def make_app(state: AppState, *, token: str | None = None, static: Path = STATIC) -> Starlette:
    """The server's routes. `token` is required from other machines; a board with one starts no trainings."""
    state.may_train = token is None

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        state.close()

    files = Route("/{path:path}", partial(give_file, files=static_files(static)))
    routes = [WebSocketRoute("/socket", partial(converse, state=state)), *api_routes(state), files]
    return Starlette(routes=routes, middleware=[Middleware(OriginMiddleware, token=token)], lifespan=lifespan)


def static_files(folder: Path = STATIC) -> dict[str, Response]:
    """Every file of the page, read once: what a browser asks for is looked up here and never becomes a path."""
    if not (folder / "index.html").is_file():
        hint = "install okapi-chess again without OKAPI_PAGE=off, or play with `okapi play --terminal`"
        raise NotFound("this installation was built without the board's page", hint=hint)
    files = {}
    for file in folder.rglob("*"):
        if file.is_file() and not file.name.startswith("."):
            name = file.relative_to(folder).as_posix()
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            caching = "max-age=31536000, immutable" if name.startswith("assets/") else "no-cache"
            files[name] = Response(file.read_bytes(), media_type=kind, headers={"cache-control": caching})
    return {"": files["index.html"], **files}


async def give_file(request: Request, files: dict[str, Response]) -> Response:
    return files.get(request.path_params["path"]) or PlainTextResponse("there is no such page", 404)


async def converse(socket: WebSocket, state: AppState) -> None:
    """Serve one page until it leaves, is too slow, or sends too many wrong messages."""
    await socket.accept()
    if state.pages >= MOST_PAGES:
        await socket.close(1013, "too many pages are open")
        return
    outbox = Outbox()
    session = Session(state, outbox)
    state.pages += 1
    try:
        async with anyio.create_task_group() as both:
            both.start_soon(_send, socket, outbox, both.cancel_scope)
            both.start_soon(_tell_of_brains, session)
            await _receive(socket, session)
            both.cancel_scope.cancel()
    finally:
        state.pages -= 1
        session.close()
        state.tidy_up_soon()


async def _receive(socket: WebSocket, session: Session) -> None:
    while not session.is_hostile:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text") or ""
        session.receive(text if len(text) <= LONGEST else "")
        await anyio.sleep(0)  # many messages of one page do not block the others
    await socket.close(1008, "too much nonsense")


async def _tell_of_brains(session: Session) -> None:
    """Tell a page when a brain was added or removed: by a training, or by a command in a terminal."""
    known = session.state.own_brains()
    while True:
        await anyio.sleep(LOOK_S)
        if known != (known := session.state.own_brains()):
            session.tell("offer", **session.state.offer(), lines=session.state.lines())


async def _send(socket: WebSocket, outbox: Outbox, both: anyio.CancelScope) -> None:
    try:
        while True:
            message = await outbox.get()
            with anyio.fail_after(SLOW_S):
                await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        both.cancel()


COOKIE: Final = "okapi_token"
BOARD_STYLE: Final = b64encode(sha256(b"color-scheme:light only").digest()).decode()  # which chessground writes
POLICY: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        f"style-src-attr 'unsafe-hashes' 'sha256-{BOARD_STYLE}'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""The page loads nothing from other origins, and no other page may load it."""


@dataclass(frozen=True, slots=True)
class OriginMiddleware:
    """Middleware around everything.

    A page elsewhere that points a name of its own at this machine (DNS rebinding) sends that name as Host: only this
    machine's own names and plain addresses are let in. A page elsewhere that opens our socket sends its own Origin.
    """

    app: ASGIApp
    token: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        problem = self._problem(asked)
        if problem and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": problem})
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        elif problem:
            await PlainTextResponse(problem, 403, dict(POLICY))(scope, receive, send)
        elif self.token and asked.query_params.get("token"):
            # Store the token in a cookie, and redirect to an address without it.
            response = RedirectResponse("/", 303, dict(POLICY))
            response.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            await response(scope, receive, send)
        else:
            await self.app(scope, receive, partial(_send_with_policy, send))

    def _problem(self, asked: HTTPConnection) -> str:
        host = asked.headers.get("host", "")
        if not is_ours(host, anywhere=self.token is not None):
            return f"this is not {host[:60] or 'a request with a Host'}: use the address that okapi printed"
        is_socket, origin = asked.scope["type"] == "websocket", asked.headers.get("origin", "")
        checked = is_socket or (asked.scope["method"] == "POST" and origin)  # programs send no origin
        if checked and origin not in (f"http://{host}", f"https://{host}"):
            return "only okapi's own page may connect"
        if self.token is not None:
            given = "" if is_socket else asked.query_params.get("token", "")
            given = given or asked.headers.get("authorization", "").removeprefix("Bearer ")
            given = given or asked.cookies.get(COOKIE, "")
            if not hmac.compare_digest(given.encode(), self.token.encode()):
                return "this board asks for its token: use the whole address that okapi printed"
        return ""


def is_ours(host: str, *, anywhere: bool = False) -> bool:
    """Does a Host header name this machine? With `anywhere`, any plain address may be ours.

    >>> is_ours("localhost:8000"), is_ours("[::1]:8000"), is_ours("evil.example:8000"), is_ours("192.168.0.7:8000")
    (True, True, False, False)
    """
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    this_machine = socket.gethostname().lower()
    if name.lower() == "localhost" or (anywhere and name.lower() in (this_machine, f"{this_machine}.local")):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return anywhere or address.is_loopback


async def _send_with_policy(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start":
        MutableHeaders(scope=message).update(POLICY)
    await send(message)
