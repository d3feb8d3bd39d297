"""What no library would do on a socket: broken frames, pages that never read, visitors that never speak."""

import socket
import struct
from typing import Final

from attack import MOST_MEMORY_MB, THINK, Attack
from served import Served, request

from okapi.web.state import TABLES_MB

__all__ = ["deaf", "frames", "silent"]

HANDSHAKE: Final = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)


def _frame(opcode: int, data: bytes, *, fin: bool = True, masked: bool = True) -> bytes:
    """A frame of the protocol; the mask is nothing but zeros."""
    size = len(data)
    length = struct.pack("!B", size | 128 * masked) if size < 126 else struct.pack("!BQ", 127 | 128 * masked, size)
    return bytes([opcode | 128 * fin]) + length + bytes(4 * masked) + data


def _page(served: Served) -> socket.socket:
    """A socket that has shaken hands, for whatever no library would send."""
    raw = socket.create_connection(("127.0.0.1", served.port), timeout=5)
    here = f"127.0.0.1:{served.port}"
    hello = ("GET /socket HTTP/1.1", f"Host: {here}", f"Origin: http://{here}", *HANDSHAKE, "", "")
    raw.sendall("\r\n".join(hello).encode())
    raw.recv(4096)
    return raw


FRAMES: Final[dict[str, tuple[bytes, int]]] = {
    "a huge message": (_frame(1, b"x" * 2**20), 1),
    "a message that says it is huge": (_frame(1, b"")[:1] + struct.pack("!BQ", 255, 2**62) + b"\0\0\0\0x", 1),
    "binary data": (_frame(2, b"\0" * 1000), 3000),
    "no mask": (_frame(1, b"{}", masked=False), 1),
    "an opcode that is none": (_frame(5, b"x"), 1),
    "half a character": (_frame(1, b"\xff\xfe"), 1),
    "a piece of nothing": (_frame(0, b"x"), 1),
    "pieces without end": (_frame(1, b"x", fin=False), 1),
    "empty pieces without end": (_frame(0, b"", fin=False), 500_000),
    "pings that nobody wants answered": (_frame(9, b"x" * 125), 200_000),
    "a long ping": (_frame(9, b"x" * 5000), 1),
}
"""What to send, and how often."""


def frames(attack: Attack) -> None:
    """The protocol beneath the messages, broken. Nothing is ever read."""
    before = attack.served.memory_mb()
    opening = FRAMES["pieces without end"][0]
    for name, (frame, times) in FRAMES.items():
        raw = _page(attack.served)
        try:
            if name == "empty pieces without end":
                raw.sendall(opening)
            for _ in range(max(1, times // 1000)):
                raw.sendall(frame * min(times, 1000))
        except OSError:
            pass
        grown = attack.served.memory_mb() - before
        attack.expect(grown < MOST_MEMORY_MB, f"{name}: memory grows by {grown:.0f} MB")
        raw.close()


def deaf(attack: Attack, pages: int) -> list[socket.socket]:
    """Pages that let a brain think, ask for more than can be answered, and never read. They stay."""
    before = attack.served.memory_mb()
    kept = []
    for _ in range(pages):
        raw = _page(attack.served)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(0.2)
        try:
            raw.sendall(_frame(1, request(1, "play.new", **THINK).encode()))
            for number in range(3000):
                raw.sendall(_frame(1, request(number, "play.pgn").encode()))
        except OSError:
            pass
        kept.append(raw)
    grown = attack.served.memory_mb() - before
    attack.expect(grown < TABLES_MB + MOST_MEMORY_MB, f"{pages} pages that do not read: memory grows by {grown:.0f} MB")
    return kept


def silent(attack: Attack, visitors: int) -> list[socket.socket]:
    """Visitors that connect and say nothing, or half a line. They stay."""
    kept = []
    for number in range(visitors):
        try:
            raw = socket.create_connection(("127.0.0.1", attack.served.port), timeout=5)
            raw.sendall(b"GET / HTTP/1.1\r\nHo" if number % 2 else b"")
            kept.append(raw)
        except OSError:
            attack.problems.append(f"visitor {number} finds no door")
            break
    return kept
