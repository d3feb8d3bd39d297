"""Many boards at once: does each get its share, does memory stay, is everything gone afterwards?

    python bench/boards.py --boards 50 --seconds 300 --waves 2
    python bench/boards.py --latency

The first starts a server of its own and opens connections that all let a brain think without end. The second measures how
long a start takes until a page can play, and how long after its decision a move is with the page.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from typing import Any

import websockets

ENDLESS = {"player": "alphabeta", "brain": "okapi-28", "movetime_ms": 600_000}
QUICK = {"player": "alphabeta", "brain": "okapi-28", "nodes": 2000}
PERSON = {"player": "person"}


def start() -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "okapi", "play", "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found is not None
    return server, found[0]


def connect(url: str) -> Any:
    origin = url.rstrip("/")
    return websockets.connect(url.replace("http", "ws") + "socket", origin=origin, max_size=2**20)  # type: ignore[arg-type]


def memory_mb(pid: int) -> float:
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.findall(r"VmRSS:\s+(\d+)", status.read())[0]) / 1024


async def analyse(url: str, until: float) -> dict[str, int]:
    """One board: think until then, and say how many positions were seen and how often it was told so."""
    seen = {"nodes": 0, "news": 0, "depth": 0, "errors": 0}
    async with connect(url) as socket:
        await socket.send(json.dumps({"id": 1, "do": "play.new", "white": ENDLESS, "black": PERSON}))
        while time.monotonic() < until:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), 1))
            except TimeoutError:
                continue
            if message.get("tell") == "play.thoughts":
                seen = {**seen, "nodes": message["nodes"], "depth": message["depth"], "news": seen["news"] + 1}
            seen["errors"] += message.get("ok") is False or message.get("tell") == "error"
    return seen


async def load(boards: int, seconds: float, waves: int) -> None:
    server, url = start()
    try:
        async with connect(url) as socket:
            await socket.recv()
        print(f"{boards} boards, {seconds:g} s, {os.cpu_count()} processors; {memory_mb(server.pid):.0f} MB before")
        for _ in range(waves):
            await wave(server.pid, url, boards, seconds)
    finally:
        server.terminate()
        server.wait(10)


async def wave(pid: int, url: str, boards: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    memory: list[float] = []

    async def watch() -> None:
        while time.monotonic() < until:
            await asyncio.sleep(1)
            memory.append(memory_mb(pid))

    results = await asyncio.gather(*(analyse(url, until) for _ in range(boards)), watch())
    seen = [result for result in results if result is not None]
    await asyncio.sleep(2)
    used = cpu_seconds(pid)
    await asyncio.sleep(3)
    idle = (cpu_seconds(pid) - used) / 3
    nodes = sorted(result["nodes"] for result in seen)
    depths = [result["depth"] for result in seen]
    half = memory[len(memory) // 2]
    print(f"positions for each: {nodes[0]:,} to {nodes[-1]:,}, median {int(statistics.median(nodes)):,}")
    print(f"depth {min(depths)} to {max(depths)}, errors {sum(result['errors'] for result in seen)}")
    print(f"MB half way {half:.0f}, at the end {memory[-1]:.0f}, when all have gone {memory_mb(pid):.0f}")
    print(f"processor used when all have gone: {100 * idle:.1f} %")


def cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        user, system = stat.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def latency() -> None:
    begun = time.monotonic()
    server, url = start()
    try:
        async with connect(url) as socket:
            await socket.recv()
            await socket.send(json.dumps({"id": 1, "do": "play.new", "white": QUICK, "black": QUICK}))
            while json.loads(await socket.recv()).get("tell") != "play.game":
                pass
            print(f"from `okapi play` to a board one can play on: {time.monotonic() - begun:.2f} s")
            await socket.send(json.dumps({"id": 2, "do": "play.new", "white": PERSON, "black": QUICK}))
            times = []
            for move in ("e4", "Nf3", "d3", "Be2", "a3", "h3"):
                asked = time.monotonic()
                await socket.send(json.dumps({"id": 3, "do": "play.move", "move": move}))
                plies = 0
                while plies % 2 or not plies:
                    message = json.loads(await socket.recv())
                    plies = len(message["game"]["moves"]) if message.get("tell") == "play.game" else plies
                    if message.get("ok") is False:
                        break
                times.append(1000 * (time.monotonic() - asked))
            print(f"move, 2,000 positions of thought, and answer: {statistics.median(times):.0f} ms")
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--waves", type=int, default=1)
    parser.add_argument("--latency", action="store_true")
    arguments = parser.parse_args()
    asyncio.run(latency() if arguments.latency else load(arguments.boards, arguments.seconds, arguments.waves))
