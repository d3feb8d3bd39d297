"""What a program writes, read with a timeout: by poll() where pipes can be polled, by threads on Windows."""

import os
import select
import subprocess
import sys
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, Final, Protocol

__all__ = ["EndOfOutput", "Reader", "reader_of"]

CHUNK: Final = 1 << 16
"""Bytes read at a time: all that a pipe holds."""

KEPT: Final = 4_000
"""Bytes of standard error that are kept."""


class EndOfOutput(Exception):
    """It will never write again."""


class Reader(Protocol):
    """The two streams that a program writes to."""

    last_words: bytes
    """The end of its standard error."""
    queued: float
    """Seconds that the last read waited for a processor after there was something to read, as far as one can know."""

    def read(self, timeout: float) -> bytes | None:
        """Some of its output, or None if there was none for `timeout` seconds; EndOfOutput."""
        ...

    def close(self) -> None:
        """Stop reading."""
        ...


def reader_of(process: "subprocess.Popen[bytes]") -> Reader:
    """A reader for a program that was started with pipes."""
    assert process.stdout is not None and process.stderr is not None
    if sys.platform == "win32":
        return ThreadedReader(process.stdout, process.stderr)
    return PollingReader(process.stdout, process.stderr)


class PollingReader:
    """Sleeps in the kernel until there is something."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        self.last_words = b""
        self.queued = 0.0
        self._output, self._errors = output.fileno(), errors.fileno()
        self._poll = select.poll()
        for stream in (self._output, self._errors):
            self._poll.register(stream, select.POLLIN)
        os.set_blocking(self._errors, False)
        self._listening = True

    def read(self, timeout: float) -> bytes | None:
        """Some of its output. A few words on standard error may make us come back early with nothing."""
        before = _queued()
        events = [stream for stream, _ in self._poll.poll(timeout * 1_000)]
        if self._errors in events:
            self._overhear()
        if self._output not in events:
            return None
        chunk = os.read(self._output, CHUNK)
        if not chunk:
            self._overhear()
            raise EndOfOutput
        self.queued = _queued() - before
        return chunk

    def close(self) -> None:
        """Nothing to do: the streams are closed by whoever opened them."""

    def _overhear(self) -> None:
        """Keep the end of what it says on standard error, until it has said everything."""
        words = b""
        with suppress(BlockingIOError):
            words = os.read(self._errors, CHUNK)
            if not words and self._listening:
                self._poll.unregister(self._errors)
                self._listening = False
        self.last_words = (self.last_words + words)[-KEPT:]


class ThreadedReader:
    """For pipes that cannot be polled: one thread waits for each stream. A few chunks at most wait for us."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        self.last_words = b""
        self.queued = 0.0
        self._chunks: SimpleQueue[bytes] = SimpleQueue()
        self._room = threading.Semaphore(4)
        self._threads = [
            threading.Thread(target=self._forward, args=(output,), daemon=True),
            threading.Thread(target=self._overhear, args=(errors,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def read(self, timeout: float) -> bytes | None:
        """Some of its output."""
        try:
            chunk = self._chunks.get(timeout=timeout) if timeout > 0 else self._chunks.get_nowait()
        except Empty:
            return None
        self._room.release()
        if not chunk:
            self._chunks.put(b"")
            raise EndOfOutput
        return chunk

    def close(self) -> None:
        """Let the threads go."""
        for _ in range(4):
            self._room.release()
        for thread in self._threads:
            thread.join(0.5)

    def _forward(self, output: IO[bytes]) -> None:
        chunk = b"-"
        while chunk:
            chunk = _read_some(output)
            self._room.acquire()
            self._chunks.put(chunk)

    def _overhear(self, errors: IO[bytes]) -> None:
        while words := _read_some(errors):
            self.last_words = (self.last_words + words)[-KEPT:]


def _read_some(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), CHUNK)
    except (OSError, ValueError):
        return b""


# --- Our own lateness -----------------------------------------------------------------------------------------------


class _Schedstat:
    """What Linux tells about one thread: here, how long it could have run and was not let."""

    def __init__(self) -> None:
        try:
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = -1

    def __del__(self) -> None:
        if self._file >= 0:
            os.close(self._file)

    def delay(self) -> float:
        return int(os.pread(self._file, 64, 0).split()[1]) / 1e9 if self._file >= 0 else 0.0


_of_this_thread = threading.local()


def _queued() -> float:
    """Seconds that this thread has waited for a processor so far; 0 where nobody knows."""
    stat: _Schedstat | None = getattr(_of_this_thread, "stat", None)
    if stat is None:
        stat = _of_this_thread.stat = _Schedstat()
    return stat.delay()
