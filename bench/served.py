"""A board served by `okapi play`, and what the system says about it: what the benches of the board share."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import websockets

__all__ = ["Served", "request", "serving", "settled"]


@dataclass(frozen=True)
class Served:
    """A server in a process of its own."""

    pid: int
    url: str
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.partition("?")[0].rstrip("/").rpartition(":")[2])

    def connect(self, **options: Any) -> Any:
        """A socket, opened as the page does."""
        origin: Any = f"http://127.0.0.1:{self.port}"
        return websockets.connect(f"ws://127.0.0.1:{self.port}/socket", origin=origin, max_size=2**22, **options)

    def memory_mb(self) -> float:
        return int(re.findall(r"VmRSS:\s+(\d+)", self._about("status"))[0]) / 1024

    def threads(self) -> int:
        return int(re.findall(r"Threads:\s+(\d+)", self._about("status"))[0])

    def open_files(self) -> int:
        """Sockets, too."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def children(self) -> list[int]:
        """Programs that it started and that still run."""
        lists = Path(f"/proc/{self.pid}/task").glob("*/children")
        return [int(child) for children in lists for child in children.read_text().split()]

    def load(self, seconds: float) -> float:
        """Processors in use, over so many seconds."""
        before = self._processor_s()
        time.sleep(seconds)
        return (self._processor_s() - before) / seconds

    def complaints(self) -> list[str]:
        """What it wrote to the terminal beside its address: nothing, if all is well."""
        return [line for line in self.log.read_text(encoding="utf-8").splitlines() if line != "Ctrl-C ends it."]

    def _processor_s(self) -> float:
        user, system = self._about("stat").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _about(self, name: str) -> str:
        return Path(f"/proc/{self.pid}/{name}").read_text(encoding="ascii")


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Served]:
    """`okapi play` with these options; its runs and what it complains about go to the folder."""
    command = [sys.executable, "-m", "okapi", "play", "--no-browser", "--runs", str(folder / "runs"), *options]
    log = folder / f"complaints-{len(list(folder.iterdir()))}.txt"
    with log.open("w", encoding="utf-8") as complaints:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            raise SystemExit(f"okapi play did not start: {log.read_text()}")
        yield Served(process.pid, found[0], log)
    finally:
        process.terminate()
        process.wait(10)


def settled(condition: Callable[[], bool], seconds: float) -> bool:
    """Does it come true within so many seconds?"""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def request(number: int, action: str, /, **data: Any) -> str:
    """A message, as the page sends it."""
    return json.dumps({"id": number, "do": action, **data})
