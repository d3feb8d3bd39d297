"""
A UCI engine with a fault: python hostile.py FAULT. It plays the first legal move until the fault breaks out.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from okapi.core import Position

AFTER = 2
"""Moves that it plays decently first."""


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def write(data: bytes) -> None:
    os.write(1, data)


def forever() -> None:
    while True:
        time.sleep(60)


def ignore_everything() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def flood(chunk: bytes, seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        write(chunk)


def crash() -> None:
    sys.stderr.write("terminate called after throwing an instance of 'std::bad_alloc'\n")
    sys.stderr.flush()
    os._exit(134)


def segfault() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def go_deaf() -> None:
    say("bestmove " + best)
    forever()


best = "0000"
"""The move that would be right."""

AT_START: dict[str, Callable[[], object]] = {
    "dies-at-start": lambda: sys.exit(3),
    "silent-at-start": forever,
    "ignores-quit": ignore_everything,
    "has-a-child": lambda: subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL),
    "prints-a-banner": lambda: write(b"\x00\x01 Engine v1 \xff\xfe by M\xfcller\n" * 3),
}

AT_GO: dict[str, Callable[[], object]] = {
    "crashes": crash,
    "segfaults": segfault,
    "hangs": forever,
    "floods-forever": lambda: flood(b"info depth 1 score cp 0 nodes 1 pv e2e4\n" * 1000, 3600),
    "floods-without-newline": lambda: flood(b"x" * 60_000, 3600),
    "closes-its-output": lambda: (os.close(1), forever()),
    "no-newline": lambda: (write(f"bestmove {best}".encode()), forever()),
    "illegal": lambda: say("bestmove e1e8"),
    "nonsense": lambda: say("bestmove banana split"),
    "no-move": lambda: say("bestmove"),
    "null-move": lambda: say("bestmove (none)"),
    "late": lambda: (time.sleep(0.35), say(f"bestmove {best}")),
    # odd, but allowed to play on:
    "floods": lambda: (write(b"info depth 1 score cp 0 nodes 1 pv e2e4\n" * 50_000), say(f"bestmove {best}")),
    "long-line": lambda: (write(b"info string " + b"y" * 3_000_000 + b"\n"), say(f"bestmove {best}")),
    "wrong-encoding": lambda: (
        write(b"info string \xff\xfe\x00 na\xefve\ninfo score cp 12\n"),
        say(f"bestmove {best}"),
    ),
    "talks-on-stderr": lambda: (os.write(2, b"debug " * 100_000), say(f"bestmove {best}")),
    "windows-lines": lambda: write(f"info depth 1 score cp 1 pv {best}\r\nbestmove {best}\r\n".encode()),
    "answers-twice": lambda: say(f"bestmove {best}\nbestmove {best}"),
    "strange-numbers": lambda: say(f"info depth x score cp 99999999999 nodes -1 pv {best} zz\nbestmove {best}"),
    "illegal-line": lambda: say(f"info depth 3 score cp 5 nodes 9 pv {best} a1a1\nbestmove {best}"),
    "deaf": go_deaf,
}


def main(fault: str) -> None:
    global best
    AT_START.get(fault, lambda: None)()
    position, asked = Position.start(), 0
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                say(f"id name {fault}\nuciok")
            case ["isready"]:
                say("readyok")
            case ["ucinewgame"]:
                asked = 0
            case ["position"]:
                position = Position.start() if words[1] == "startpos" else Position.from_fen(" ".join(words[2:8]))
                for move in words[words.index("moves") + 1 :] if "moves" in words else []:
                    position.play(move)
            case ["go"]:
                asked += 1
                best = position.uci(position.legal_moves()[0])
                if asked > AFTER and fault in AT_GO:
                    AT_GO[fault]()
                else:
                    say(f"info depth 1 score cp 0 nodes 1 pv {best}\nbestmove {best}")
            case ["quit"] if fault != "ignores-quit":
                return
    if fault == "ignores-quit":
        forever()


if __name__ == "__main__":
    main(sys.argv[1])
