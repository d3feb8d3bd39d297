"""An engine in a process of its own: lines in, lines out, by a deadline, in bounded memory."""

import atexit
import os
import select
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from time import perf_counter
from typing import IO, Final

from okapi.errors import PlayerCrashed, PlayerSilent

CHUNK: Final = 1 << 16
"""Bytes read at a time: all that a pipe holds."""

KEPT: Final = 4_000


class EndOfOutput(Exception):
    """The program closed its output."""


class OutputReader:
    def __init__(self) -> None:
        self.stderr_tail = b""
        self.queued = 0.0
        """Seconds that the last read waited for a processor with output to read, where the system says."""

    def read(self, timeout: float) -> bytes | None:
        """Some output, or None if there was none for `timeout` seconds; raises EndOfOutput."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop reading; the owner of the process closes the streams."""

    def _keep(self, errors: bytes) -> None:
        self.stderr_tail = (self.stderr_tail + errors)[-KEPT:]


def make_reader(process: "subprocess.Popen[bytes]") -> OutputReader:
    assert process.stdout is not None and process.stderr is not None
    return (ThreadedReader if sys.platform == "win32" else PollingReader)(process.stdout, process.stderr)


class PollingReader(OutputReader):
    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        super().__init__()
        self._output, self._errors = output.fileno(), errors.fileno()
        self._poll = select.poll()
        for stream in (self._output, self._errors):
            self._poll.register(stream, select.POLLIN)
        os.set_blocking(self._errors, False)

    def read(self, timeout: float) -> bytes | None:
        """Some output; None, perhaps early, if there is only standard error."""
        before = _queued()
        events = [stream for stream, _ in self._poll.poll(timeout * 1_000)]
        if self._errors in events:
            self._read_errors()
        if self._output not in events:
            return None
        chunk = os.read(self._output, CHUNK)
        if not chunk:
            self._read_errors()
            raise EndOfOutput
        self.queued = _queued() - before
        return chunk

    def _read_errors(self) -> None:
        with suppress(BlockingIOError, KeyError):  # nothing to read; or it was closed, and is watched no longer
            text = os.read(self._errors, CHUNK)
            self._keep(text)
            if not text:
                self._poll.unregister(self._errors)


class ThreadedReader(OutputReader):
    """For pipes that cannot be polled, on Windows: one thread a stream, and at most a few chunks in the queue."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        super().__init__()
        self._chunks = Queue[bytes](4)
        work = ((self._forward, output), (self._read_errors, errors))
        self._threads = [threading.Thread(target=read, args=(stream,), daemon=True) for read, stream in work]
        for thread in self._threads:
            thread.start()

    def read(self, timeout: float) -> bytes | None:
        try:
            chunk = self._chunks.get(timeout > 0, timeout)
        except Empty:
            return None
        if not chunk:
            self._chunks.put(b"")
            raise EndOfOutput
        return chunk

    def close(self) -> None:
        while not self._chunks.empty():  # a thread may wait for room
            self._chunks.get()
        for thread in self._threads:
            thread.join(0.5)

    def _forward(self, output: IO[bytes]) -> None:
        chunk = b"-"
        while chunk:
            chunk = _read_some(output)
            self._chunks.put(chunk)

    def _read_errors(self, errors: IO[bytes]) -> None:
        while text := _read_some(errors):
            self._keep(text)


def _read_some(stream: IO[bytes]) -> bytes:
    with suppress(OSError, ValueError):
        return os.read(stream.fileno(), CHUNK)
    return b""


class _Schedstat:
    """Linux's scheduling statistics of one thread: how long it waited for a processor."""

    def __init__(self) -> None:
        self._file = -1
        with suppress(OSError):
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        if self._file >= 0:
            os.close(self._file)

    def delay(self) -> float:
        return int(os.pread(self._file, 64, 0).split()[1]) / 1e9 if self._file >= 0 else 0.0


_of_this_thread = threading.local()


def _queued() -> float:
    """Seconds that this thread has waited for a processor; 0 where the system does not say."""
    stat: _Schedstat | None = getattr(_of_this_thread, "stat", None)
    if stat is None:
        stat = _of_this_thread.stat = _Schedstat()
    return stat.delay()


LONGEST_LINE: Final = 1 << 16

STDERR_TAIL: Final = 2_000
"""The most bytes of standard error in an error message."""

SEND_S: Final = 5.0
"""A program that does not read its input for this time has hung."""

QUIT_S: Final = 1.0

OVERTIME_S: Final = 0.1
"""Time after a deadline in which available output is still read: it may have come in time."""

GAMES: Final = ("/usr/games", "/usr/local/games")
"""Debian's folders of engines; often not on the PATH."""


def find_program(word: str) -> str | None:
    """The path of a program: on the PATH, in Debian's folders, beside Python (okapi-uci), or as given."""
    places = [os.environ.get("PATH", os.defpath), *GAMES, sysconfig.get_path("scripts")]
    return shutil.which(word, path=os.pathsep.join(places))


class EngineProcess:
    """A running engine: lines in, lines out, by a deadline of perf_counter(). It and its children end with us."""

    def __init__(self, command: Sequence[str], *, thread_stays: bool = False) -> None:
        """Start `command`; PlayerCrashed if that fails.

        `thread_stays`: this thread ends after the program, which can then end with this process even by a kill.
        """
        program = find_program(command[0]) if command else None
        if program is None:
            what = f"`{' '.join(command)}` cannot be started: no such program"
            raise PlayerCrashed(what, hint="give the path of an engine")
        self.name = Path(program).name
        self.arrived = 0.0
        self.queued = 0.0
        try:
            self._process = subprocess.Popen(
                [*_death_signal_prefix(thread_stays), program, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=sys.platform != "win32",
            )
        except OSError as error:
            raise PlayerCrashed(f"`{program}` cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        self._input = self._process.stdin.fileno()
        if sys.platform != "win32":
            os.set_blocking(self._input, False)
        self._reader = make_reader(self._process)
        self._lines, self._rest = deque[bytes](), b""
        self._ended = self._closed = False
        _running[self._process.pid] = self

    @property
    def pid(self) -> int:
        return self._process.pid

    def streams(self) -> tuple[int, int, int]:
        """Its input, output and standard error, for callers that use them directly. Unread output is dropped."""
        assert self._process.stdout is not None and self._process.stderr is not None
        self.drain()
        self._rest = b""
        return self._input, self._process.stdout.fileno(), self._process.stderr.fileno()

    def send(self, text: str) -> None:
        """Write lines; PlayerCrashed if the program has ended, PlayerSilent if it does not read."""
        if self._closed:
            raise PlayerCrashed(f"{self.name} is no longer running")
        data = (text + "\n").encode()
        deadline = perf_counter() + SEND_S
        while data:
            try:
                data = data[os.write(self._input, data) :]
            except BlockingIOError:
                if perf_counter() > deadline:
                    raise PlayerSilent(f"{self.name} does not read its input") from None
                select.select((), (self._input,), (), 0.1)
            except OSError:
                raise self.crash_error() from None

    def receive(self, deadline: float) -> str | None:
        """The next line, or None if there is none by the deadline; PlayerCrashed if the program has ended."""
        while not self._lines:
            if self._ended:
                raise self.crash_error()
            left = deadline - perf_counter()
            if left < -OVERTIME_S:
                return None
            try:
                chunk = self._reader.read(min(max(left, 0.0), 60.0))
            except EndOfOutput:
                self._ended = True
                continue
            if chunk is not None:
                self.arrived, self.queued = perf_counter(), self._reader.queued
                self._split(chunk)
            elif deadline <= perf_counter():
                return None
        return self._lines.popleft().decode("utf-8", errors="replace").strip()

    def drain(self) -> None:
        """Drop unread output."""
        self._lines.clear()
        with suppress(EndOfOutput):
            for _ in range(0 if self._ended else 16):
                chunk = self._reader.read(0.0)
                if chunk is None:
                    return
                self._split(chunk)
                self._lines.clear()

    def close(self) -> None:
        """Ask the program to end; then kill it, with its children."""
        if self._process.pid not in _running:
            return
        with suppress(PlayerCrashed, PlayerSilent):
            self.send("quit")
            deadline = perf_counter() + QUIT_S
            while perf_counter() < deadline:
                self._lines.clear()
                self.receive(deadline)
        self.kill()

    def kill(self) -> None:
        if _running.pop(self._process.pid, None) is None:
            return
        self._ended = self._closed = True
        _kill_group(self._process.pid)  # before wait(): until then the ID cannot be reused
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_S)
        self._reader.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def kill_from_any_thread(self) -> None:
        """Kill the program from any thread; the thread that uses it notices, and has to close it."""
        if self._process.pid in _running:
            _kill_group(self._process.pid)

    def crash_error(self, stderr_tail: bytes = b"") -> PlayerCrashed:
        """An error that says how the program ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
        code, how = self._process.returncode, "closed its output"
        if code is not None:
            how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        errors = (self._reader.stderr_tail + stderr_tail)[-STDERR_TAIL:]
        *_, last = ["", *errors.decode("utf-8", errors="replace").strip().splitlines()]
        text = "".join(filter(str.isprintable, last.strip()))
        return PlayerCrashed(f"{self.name} {how}" + (f": {text[:200]}" if text else ""))

    def _split(self, chunk: bytes) -> None:
        *lines, rest = (self._rest + chunk).split(b"\n")
        self._lines.extend(lines)
        self._rest = rest[:LONGEST_LINE]


_running: dict[int, EngineProcess] = {}
"""All running programs, by process group."""


@atexit.register
def kill_all() -> None:
    for pipe in list(_running.values()):
        pipe.kill()


def _kill_group(group: int) -> None:
    with suppress(OSError):
        if sys.platform == "win32":
            os.kill(group, signal.SIGTERM)
        else:
            os.killpg(group, signal.SIGKILL)


def _death_signal_prefix(thread_stays: bool) -> list[str]:
    """A prefix of a command: Linux then kills the program when the thread that started it ends, also by a kill."""
    stays = thread_stays or threading.current_thread() is threading.main_thread()
    setpriv = shutil.which("setpriv") if sys.platform.startswith("linux") and stays else None
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []
