"""Connections that nobody should be able to keep, on a real server with little patience."""

import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from okapi.web import app, server, session
from okapi.web.app import make_app
from okapi.web.server import make_server
from okapi.web.state import AppState

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sockets of this system are closed otherwise")

UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + 22 * "A" + "=="
)

Dial = Callable[[], socket.socket]


@pytest.fixture
def dial(state: AppState, static: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dial]:
    """Connections to a server that waits for nobody."""
    monkeypatch.setattr(server, "VISIT_S", 0.4)
    monkeypatch.setattr(server, "GOODBYE_S", 0.2)
    monkeypatch.setattr(server, "MOST_VISITORS", 5)
    monkeypatch.setattr(app, "SLOW_S", 0.3)
    monkeypatch.setattr(session, "PATIENCE", 10**6)
    running = make_server(make_app(state, static=static))
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as open_sockets:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # so that little need be said to the deaf
        thread = threading.Thread(target=running.run, args=([listener],), daemon=True)
        thread.start()
        yield lambda: open_sockets.enter_context(socket.create_connection(listener.getsockname(), timeout=5))
        open_sockets.close()
        running.should_exit = True
        thread.join(10)


def become_a_page(connection: socket.socket) -> socket.socket:
    here = "{}:{}".format(*connection.getpeername())
    connection.sendall(f"GET /socket HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\n{UPGRADE}\r\n\r\n".encode())
    assert b"101" in connection.recv(4096)
    return connection


def frame(opcode: int, data: bytes, *, fin: bool = True) -> bytes:
    return bytes([opcode | 128 * fin]) + struct.pack("!BH", 254, len(data)) + bytes(4) + data


def hangs_up(connection: socket.socket) -> bool:
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def is_stopped(connection: socket.socket, data: bytes) -> bool:
    """Does the server cease to take what is sent, long before 20 MB?"""
    try:
        for _ in range(20_000_000 // len(data)):
            connection.sendall(data)
    except OSError:
        return True
    return False


@pytest.mark.parametrize(
    "words", [b"", b"GET / HTTP/1.1\r\nHo", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"]
)
def test_who_says_nothing_or_never_ends_is_shown_the_door(dial: Dial, words: bytes) -> None:
    visitor = dial()
    visitor.sendall(words)

    assert hangs_up(visitor)


def test_who_stood_there_longest_makes_room(dial: Dial) -> None:
    visitors = [dial() for _ in range(6)]
    page = become_a_page(dial())

    assert hangs_up(visitors[0]) and page.fileno() > 0


def test_a_page_stays(dial: Dial, state: AppState) -> None:
    become_a_page(dial())
    time.sleep(0.8)

    assert 1 == state.pages


def test_a_page_that_does_not_read_is_given_up(dial: Dial, state: AppState) -> None:
    page = become_a_page(dial())
    page.settimeout(0.5)
    stopped = is_stopped(page, 50 * frame(1, b'{"id": 1, "do": "x"}'))
    until = time.monotonic() + 10
    while state.pages and time.monotonic() < until:
        time.sleep(0.05)

    assert stopped and 0 == state.pages


def test_pings_are_not_answered_into_the_void(dial: Dial, state: AppState) -> None:
    page = become_a_page(dial())
    page.settimeout(0.5)

    assert is_stopped(page, 500 * frame(9, b"x" * 125))
    assert 1 == state.pages


def test_a_message_in_endless_pieces_is_refused(dial: Dial) -> None:
    page = become_a_page(dial())
    page.sendall(frame(1, b"x", fin=False) + frame(0, b"", fin=False) * (server.MOST_PIECES + 1))

    assert hangs_up(page)
