"""Reading ahead: a thread that reads and decompresses, while another one works on what came before."""

import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Final

from okapi.formats.streams import open_stream

__all__ = ["read_ahead"]

CHUNK: Final = 1 << 20
AHEAD: Final = 4
"""Chunks that wait at most: enough for both threads to be busy, and little memory."""
FIRST: Final = 4096
"""Bytes of the first piece of a pipe."""

Piece = tuple[bytes, float] | BaseException | None


def read_ahead(path: Path | str) -> Iterator[tuple[bytes, float]]:
    """Yield what the file says, decompressed, with the share of the file that was read so far.

    An error of the file comes behind everything that could be read.
    """
    pieces: Queue[Piece] = Queue(AHEAD)
    over = threading.Event()

    def put(piece: Piece) -> bool:
        while not over.is_set():
            try:
                pieces.put(piece, timeout=0.1)
            except Full:
                continue
            return True
        return False

    def read() -> None:
        try:
            with open_stream(path) as stream:
                # A pipe gives what it has: only its first piece is the same each time.
                data = stream.read(FIRST) if str(path) == "-" else stream.read1(CHUNK)
                while data and put((data, stream.fraction)):
                    data = stream.read1(CHUNK)
        except BaseException as error:  # whatever it is, it belongs to the other thread
            put(error)
        else:
            put(None)

    thread = threading.Thread(target=read, name="read ahead", daemon=True)
    thread.start()
    try:
        while (piece := _next(pieces)) is not None:
            if isinstance(piece, BaseException):
                raise piece
            yield piece
    finally:
        over.set()


def _next(pieces: "Queue[Piece]") -> Piece:
    """Wait for a piece, but hear Ctrl-C meanwhile."""
    while True:
        try:
            return pieces.get(timeout=0.5)
        except Empty:
            continue
