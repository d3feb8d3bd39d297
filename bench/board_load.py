"""
Many boards that analyse at once, each in its own connection: no error, fair shares, steady memory, nothing left?

    python bench/board_load.py --boards 50 --minutes 5

Starts a server of its own. Every board looks at a position of its own without end and says each second how long it was
thought about. Prints one JSON object; exit status 1 if something was wrong.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from served import Served, request, serving, settled

from okapi.core import Position

PERSON: Final = {"player": "person"}

TURN_S: Final = 0.5
"""Somebody is always a turn ahead, and a turn lasts a quarter of a second or a little longer."""

LARGEST_RATIO: Final = 1.5
MOST_GROWTH: Final = 1.15
"""Of memory, from the middle to the end."""


@dataclass
class Seen:
    """What one board was told."""

    updates: int = 0
    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0
    longest_wait: float = 0.0
    errors: int = 0


def positions(count: int) -> list[str]:
    """As many positions, from games that follow each other's moves: all open and full of pieces."""
    moves = (
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8",
        "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4 Nd5",
    )
    found = []
    for line in moves:
        at = Position.start()
        for move in line.split():
            at.play(move)
            found.append(at.fen())
    return [found[number % len(found)] for number in range(count)]


def question(panels: list[str], fen: str) -> tuple[str, dict[str, Any], str]:
    """What to ask for, and the news that answer it: an analysis or, where there is no such panel, a player's search."""
    if "analyse" in panels:
        return "analyse.look", {"start": fen, "engine": "okapi-28", "lines": 3, "endless": True}, "analyse.lines"
    thinker = {"player": "alphabeta", "brain": "okapi-28", "movetime_ms": 600_000}
    return "play.new", {"white": thinker, "black": thinker, "fen": fen}, "play.search"


async def look(served: Served, fen: str, seen: Seen, until: float) -> None:
    """One board, until then."""
    async with served.connect() as page:
        hello = json.loads(await page.recv())
        action, data, kind = question(hello["panels"], fen)
        await page.send(request(1, action, **data))
        told_at = time.monotonic()
        while (now := time.monotonic()) < until:
            seen.longest_wait = max(seen.longest_wait, now - told_at)
            try:
                message = json.loads(await asyncio.wait_for(page.recv(), min(1.0, until - now)))
            except TimeoutError:
                continue
            seen.errors += message.get("ok") is False or message.get("tell") == "error"
            if message.get("tell") == kind:
                seen.updates += 1
                seen.nodes, seen.seconds, seen.depth = message["nodes"], message["seconds"], message["depth"]
                told_at = now


async def watch(served: Served, memory: list[float], until: float) -> None:
    while (left := until - time.monotonic()) > 0:
        await asyncio.sleep(min(1.0, left))
        memory.append(served.memory_mb())


async def run(served: Served, boards: int, seconds: float) -> tuple[dict[str, Any], list[str]]:
    """All boards at once; figures, and what is wrong."""
    async with served.connect() as page:
        await page.recv()
    files, threads, before = served.open_files(), served.threads(), served.memory_mb()
    until = time.monotonic() + seconds
    all_seen = [Seen() for _ in range(boards)]
    memory: list[float] = []
    asked = zip(positions(boards), all_seen, strict=True)
    await asyncio.gather(watch(served, memory, until), *(look(served, fen, seen, until) for fen, seen in asked))
    gone = settled(lambda: served.open_files() <= files and served.load(3) < 0.05, 30)
    thought = sorted(seen.seconds for seen in all_seen)
    middle = memory[len(memory) // 2]
    left = {
        "programs": len(served.children()),
        "threads": served.threads() - threads,
        "sockets": served.open_files() - files,
    }
    figures = {
        "boards": boards,
        "seconds": round(seconds),
        "processors": os.cpu_count(),
        "errors": sum(seen.errors for seen in all_seen),
        "seconds_of_thought": _spread(thought),
        "ratio": round(thought[-1] / max(thought[0], 1e-3), 2),
        "share_of_processors": round(sum(thought) / seconds / (os.cpu_count() or 1), 2),
        "updates": _spread([seen.updates for seen in all_seen]),
        "nodes": _spread([seen.nodes for seen in all_seen]),
        "depth": _spread([seen.depth for seen in all_seen]),
        "longest_wait_s": round(max(seen.longest_wait for seen in all_seen), 1),
        "memory_mb": {
            "start": round(before),
            "middle": round(middle),
            "end": round(memory[-1]),
            "after": round(served.memory_mb()),
        },
        "left": left,
    }
    problems = {
        "errors": figures["errors"],
        "shares are not fair": thought[-1] > LARGEST_RATIO * thought[0] + TURN_S,
        "memory grows": memory[-1] > MOST_GROWTH * middle,
        "something still runs": not gone or any(left.values()),
        "the terminal has something to say": served.complaints(),
    }
    return figures, [problem for problem, found in problems.items() if found]


def _spread(values: list[Any]) -> dict[str, float]:
    return {
        "least": round(min(values), 2),
        "median": round(statistics.median(values), 2),
        "most": round(max(values), 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served:
        figures, problems = asyncio.run(run(served, given.boards, 60 * given.minutes))
    print(json.dumps({**figures, "problems": problems}, indent=2))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
