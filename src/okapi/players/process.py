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
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import IO, Final, Protocol

from okapi.errors import PlayerCrashed, PlayerSilent

__all__ = ["EndOfOutput", "EngineProcess", "OutputReader", "find_program", "kill_all", "make_reader"]

# --- Reading with a timeout -------------------------------------------------------------------------------------------


CHUNK: Final = 1 << 16
"""Bytes read at a time: all that a pipe holds."""

KEPT: Final = 4_000
"""Bytes of standard error that are kept."""


class EndOfOutput(Exception):
    """It will never write again."""


class OutputReader(Protocol):
    """The two streams that a program writes to."""

    stderr_tail: bytes
    """The end of its standard error."""
    queued: float
    """Seconds that the last read waited for a processor after there was something to read, as far as one can know."""

    def read(self, timeout: float) -> bytes | None:
        """Some of its output, or None if there was none for `timeout` seconds; EndOfOutput."""
        ...

    def close(self) -> None:
        """Stop reading."""
        ...


def make_reader(process: "subprocess.Popen[bytes]") -> OutputReader:
    """A reader for a program that was started with pipes."""
    assert process.stdout is not None and process.stderr is not None
    if sys.platform == "win32":
        return ThreadedReader(process.stdout, process.stderr)
    return PollingReader(process.stdout, process.stderr)


class PollingReader:
    """Sleeps in the kernel until there is something."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        self.stderr_tail = b""
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
        self.stderr_tail = (self.stderr_tail + words)[-KEPT:]


class ThreadedReader:
    """For pipes that cannot be polled: one thread waits for each stream. A few chunks at most wait for us."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        self.stderr_tail = b""
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
            self.stderr_tail = (self.stderr_tail + words)[-KEPT:]


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


# --- The process ------------------------------------------------------------------------------------------------------


LONGEST_LINE: Final = 1 << 16
"""Bytes of a line that are kept; no engine has that much to say."""

STDERR_TAIL: Final = 2_000
"""Bytes of its standard error that are kept, to tell why it ended."""

SEND_S: Final = 5.0
"""A program that does not read its input for so long has hung."""

QUIT_S: Final = 1.0
"""From a polite `quit` to the end."""

OVERTIME_S: Final = 0.1
"""How long past a deadline we go on reading what is there already: it may have come in time while we slept."""

GAMES: Final = ("/usr/games", "/usr/local/games")
"""Where Debian keeps its engines; often not on the PATH."""


def find_program(word: str) -> str | None:
    """Where a program is: on the PATH, among Debian's games, beside our Python (okapi-uci), or where the path says."""
    places = [os.environ.get("PATH", os.defpath), *GAMES, sysconfig.get_path("scripts")]
    return shutil.which(word, path=os.pathsep.join(places))


class EngineProcess:
    """A running program. Lines go in; lines come out, by a deadline. It dies with us, and so do its children.

    Deadlines and times are those of time.perf_counter().
    """

    def __init__(self, command: Sequence[str], *, thread_stays: bool = False) -> None:
        """Start `command`; PlayerCrashed if that cannot be done.

        With `thread_stays` you promise that this thread will not end before the program does: then the program dies
        with us even if we are killed. The main thread always stays.
        """
        program = find_program(command[0]) if command else None
        if program is None:
            raise PlayerCrashed(
                f"`{' '.join(command)}` cannot be started: no such program", hint="give the path of an engine"
            )
        self.name = Path(program).name
        self.arrived = 0.0
        """When the last line came."""
        self.queued = 0.0
        """For how many seconds of that we were waiting for a processor, though there was something to read."""
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
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._ended = self._closed = False
        _running[self._process.pid] = self

    @property
    def pid(self) -> int:
        """Its process, and its process group."""
        return self._process.pid

    def streams(self) -> tuple[int, int, int]:
        """Its input, output and standard error, for somebody who talks to it without us. What it said is forgotten."""
        assert self._process.stdout is not None and self._process.stderr is not None
        self.drain()
        self._rest = b""
        return self._input, self._process.stdout.fileno(), self._process.stderr.fileno()

    def send(self, text: str) -> None:
        """Give it lines to read. PlayerCrashed if it is gone, PlayerSilent if it does not take them."""
        if self._closed:
            raise PlayerCrashed(f"{self.name} is no longer running")
        data = (text + "\n").encode()
        deadline = perf_counter() + SEND_S
        while data:
            try:
                data = data[os.write(self._input, data) :]
            except BlockingIOError:
                if perf_counter() > deadline:
                    raise PlayerSilent(f"{self.name} reads nothing that is sent to it") from None
                select.select((), (self._input,), (), 0.1)
            except OSError:
                raise self.crash_error() from None

    def receive(self, deadline: float) -> str | None:
        """The next line, or None if none came by the deadline. PlayerCrashed if there will never be one."""
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
            if chunk is None:
                if deadline <= perf_counter():
                    return None
                continue
            self.arrived, self.queued = perf_counter(), self._reader.queued
            self._split(chunk)
        return self._lines.popleft().decode("utf-8", errors="replace").strip()

    def drain(self) -> None:
        """Forget what it said without being asked."""
        self._lines.clear()
        with suppress(EndOfOutput):
            for _ in range(0 if self._ended else 16):
                chunk = self._reader.read(0.0)
                if chunk is None:
                    return
                self._split(chunk)
                self._lines.clear()

    def close(self, quit_command: str = "quit") -> None:
        """Ask it to end; then end it, with whatever it started."""
        if self._process.pid not in _running:
            return
        with suppress(PlayerCrashed, PlayerSilent):
            self.send(quit_command)
            self._wait_for_the_end(perf_counter() + QUIT_S)
        self.kill()

    def kill(self) -> None:
        """End it now, with whatever it started."""
        if _running.pop(self._process.pid, None) is None:
            return
        self._ended = self._closed = True
        _kill_group(self._process.pid)  # before it is reaped: until then its number belongs to nobody else
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_S)
        self._reader.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def kill_from_any_thread(self) -> None:
        """Let it die; whoever talks to it will notice, and has to close it. From any thread."""
        if self._process.pid in _running:
            _kill_group(self._process.pid)

    def crash_error(self, stderr_tail: bytes = b"") -> PlayerCrashed:
        """How it ended, as far as anyone can tell."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
        code = self._process.returncode
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
        else:
            how = f"ended with exit code {code}"
        heard = (self._reader.stderr_tail + stderr_tail)[-STDERR_TAIL:]
        lines = heard.decode("utf-8", errors="replace").strip().splitlines()
        words = "".join(letter for letter in lines[-1].strip() if letter.isprintable()) if lines else ""
        return PlayerCrashed(f"{self.name} {how}" + (f": {words[:200]}" if words else ""))

    def _split(self, chunk: bytes) -> None:
        *lines, rest = (self._rest + chunk).split(b"\n")
        self._lines.extend(lines)
        self._rest = rest[:LONGEST_LINE]

    def _wait_for_the_end(self, deadline: float) -> None:
        while perf_counter() < deadline:
            self._lines.clear()
            self.receive(deadline)


# --- So that nothing outlives us ------------------------------------------------------------------------------------

_running: dict[int, EngineProcess] = {}
"""Every program that we started and did not end, by its process group."""


@atexit.register
def kill_all() -> None:
    """End every program that still runs."""
    for pipe in list(_running.values()):
        pipe.kill()


def _kill_group(group: int) -> None:
    with suppress(OSError):
        if sys.platform == "win32":
            os.kill(group, signal.SIGTERM)
        else:
            os.killpg(group, signal.SIGKILL)


def _death_signal_prefix(thread_stays: bool) -> list[str]:
    """What to write before a command, so that Linux kills it when this process is killed.

    The kernel watches the thread that starts a program, not the process: other threads may well end before us.
    """
    stays = thread_stays or threading.current_thread() is threading.main_thread()
    if not sys.platform.startswith("linux") or not stays:
        return []
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []
