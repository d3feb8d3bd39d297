"""Talking to a UCI program over pipes, and what its lines must look like."""

import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Self

import chess

START = chess.STARTING_FEN
MIDDLEGAME = "r1bq1rk1/ppp2ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 3 8"

INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+)"
    r" score (?P<kind>cp|mate) (?P<score>-?\d+)(?: (?P<bound>lowerbound|upperbound))?"
    r"(?: wdl (?P<win>\d+) (?P<draw>\d+) (?P<loss>\d+))?"
    r" nodes (?P<nodes>\d+) nps (?P<nps>\d+) hashfull (?P<hashfull>\d+) tbhits (?P<tbhits>\d+)"
    r" time (?P<time>\d+) pv(?P<pv>( [a-h][1-8][a-h][1-8][nbrq]?)+)"
)


def program() -> str | None:
    """Find okapi-uci: $OKAPI_UCI, beside this Python, or on the path."""
    beside = Path(sys.executable).with_name("okapi-uci")
    return os.environ.get("OKAPI_UCI") or (str(beside) if beside.exists() else shutil.which("okapi-uci"))


@dataclass(frozen=True)
class Info:
    """An info line with a score."""

    text: str
    depth: int
    multipv: int
    kind: str
    score: int
    bound: str | None
    wdl: tuple[int, int, int] | None
    nodes: int
    time: int
    pv: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a line; one that is not in the canonical order is an error."""
        found = INFO.fullmatch(text)
        assert found, f"malformed: {text!r}"
        wdl = (int(found["win"]), int(found["draw"]), int(found["loss"])) if found["win"] else None
        return cls(
            text=text,
            depth=int(found["depth"]),
            multipv=int(found["multipv"]),
            kind=found["kind"],
            score=int(found["score"]),
            bound=found["bound"],
            wdl=wdl,
            nodes=int(found["nodes"]),
            time=int(found["time"]),
            pv=tuple(found["pv"].split()),
        )


@dataclass
class Search:
    """Everything said from a go to its bestmove."""

    lines: list[str]
    infos: list[Info] = field(init=False)

    def __post_init__(self) -> None:
        self.infos = [Info.parse(line) for line in self.lines if " score " in line and " pv" in line]

    @property
    def move(self) -> str:
        """The answer."""
        return self.lines[-1].split()[1]

    @property
    def ponder(self) -> str | None:
        """The reply it expects."""
        words = self.lines[-1].split()
        return words[3] if len(words) > 3 else None

    @property
    def last(self) -> Info:
        """The last exact line of rank 1."""
        return [info for info in self.infos if info.multipv == 1 and not info.bound][-1]


class Engine:
    """A running program."""

    def __init__(self, path: str, *arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=cwd, env=env
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.decode("latin-1").rstrip("\n"))
        self._lines.put(None)

    def send(self, *lines: str) -> None:
        """Send lines as they are."""
        self.send_bytes("".join(line + "\n" for line in lines).encode("latin-1"))

    def send_bytes(self, data: bytes) -> None:
        """Send anything, whole."""
        assert self.process.stdin
        view = memoryview(data)
        while view:
            view = view[self.process.stdin.write(view) :]

    def read_until(self, start: str, timeout: float = 10) -> list[str]:
        """All lines up to the first that begins so."""
        lines: list[str] = []
        end = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {start!r} within {timeout} s; heard {lines[-5:]}") from None
            assert line is not None, f"the program ended before {start!r}; heard {lines[-5:]}"
            lines.append(line)
            if line.startswith(start):
                return lines

    def ask(self, *lines: str) -> list[str]:
        """Send lines; everything said until the program is ready again."""
        self.send(*lines, "isready")
        return self.read_until("readyok")[:-1]

    def is_silent(self, seconds: float) -> bool:
        """Is nothing said for so long?"""
        try:
            self._lines.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def go(self, *lines: str, timeout: float = 20) -> Search:
        """Send lines, the last of them a go; its search."""
        self.send(*lines)
        return Search(self.read_until("bestmove", timeout))

    def wait(self, timeout: float = 1) -> int:
        """Wait until the program has left; its exit code."""
        return self.process.wait(timeout)

    def close(self) -> None:
        """Leave nothing behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(5)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()


@contextmanager
def running(path: str, *arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> Iterator[Engine]:
    """A program that is gone afterwards."""
    engine = Engine(path, *arguments, cwd=cwd, env=env)
    try:
        yield engine
    finally:
        engine.close()


def check_search(search: Search, board: chess.Board, lines: int = 1, only: list[chess.Move] | None = None) -> None:
    """What every reader of UCI relies on, checked by python-chess."""
    legal = only or list(board.legal_moves)
    expected = min(lines, len(legal))
    exact = [info for info in search.infos if not info.bound]
    assert exact, "a search says at least one exact line"

    for info in search.infos:
        check_line(info, board)
        assert board.parse_uci(info.pv[0]) in legal
    best = [info for info in exact if info.multipv == 1]
    depths = [info.depth for info in best]
    assert depths[0] == 1
    assert all(0 <= after - before <= 1 for before, after in pairwise(depths)), depths
    assert best[-1].pv[0] == search.move
    if search.ponder:
        assert best[-1].pv[1] == search.ponder
    else:
        assert len(best[-1].pv) == 1

    # Several lines come in whole blocks: ranks 1 to n, of one depth, without bounds, each with its own move.
    if lines > 1:
        assert exact == search.infos
        assert len(exact) % expected == 0
        for start in range(0, len(exact), expected):
            block = exact[start : start + expected]
            assert [info.multipv for info in block] == list(range(1, expected + 1))
            assert len({info.depth for info in block}) == 1
            assert len({info.pv[0] for info in block}) == expected
    for earlier, later in pairwise(search.infos):
        assert later.nodes >= earlier.nodes
        assert later.time >= earlier.time


def check_line(info: Info, board: chess.Board) -> None:
    """The moves are legal and stop where the game ends; a mate that is announced is found in the moves."""
    after = board.copy()
    for move in info.pv:
        assert not is_over(after), f"the line goes on after the end: {info.text}"
        parsed = after.parse_uci(move)  # raises if illegal
        assert after.uci(parsed, chess960=board.chess960) == move
        after.push(parsed)
    if info.wdl:
        assert sum(info.wdl) == 1000
        assert min(info.wdl) >= 0
    if info.kind == "mate" and not info.bound and after.is_checkmate():
        plies = len(info.pv)
        assert info.score == ((plies + 1) // 2 if plies % 2 else -plies // 2)


def is_over(board: chess.Board) -> bool:
    """By the rules alone, without a claim: as match runners see it."""
    return (
        board.is_checkmate()
        or board.is_stalemate()
        or board.is_insufficient_material()
        or board.is_fifty_moves()
        or board.is_repetition(3)
    )
