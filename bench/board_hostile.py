"""
A hostile client of the board: is everything refused, and is the server unharmed?

    python bench/board_hostile.py
    python bench/board_hostile.py --messages 500 --storm 50 --deaf 3 --silent 40 --patience 0      a short one

Requests with another Host or Origin or without the token, tricks with paths, damaged messages of every kind, damaged frames,
pages that never read, pages that come and go, visitors that never speak. After each the server has to answer as before,
and in the end to hold no socket, no thought and no more memory than at the beginning. Prints one JSON object; exit status 1 if
something was wrong.
"""

import argparse
import asyncio
import json
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import count as count_up
from pathlib import Path
from typing import Final

from attack import MOST_MEMORY_MB, THINK, Attack
from nonsense import KINDS, nonsense
from rude import deaf, frames, silent
from served import request, serving, settled
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from okapi.web.messages import LONGEST
from okapi.web.session import Outbox, Session
from okapi.web.state import AppState

HOSTS: Final = (
    "evil.example",
    "evil.example:80",
    "192.168.0.7",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "[::2]",
    "0x7f.1",
    "x" * 3000,
)
ORIGINS: Final = (
    "http://evil.example",
    "null",
    "http://127.0.0.1",
    "https://127.0.0.1:1",
    "http://localhost",
    "file://",
    "",
)
PATHS: Final = (
    "/../app.py",
    "/../../../../../../etc/passwd",
    "/%2e%2e/app.py",
    "/..%2f..%2fapp.py",
    "/%2e%2e%2f%2e%2e%2fapp.py",
    "/..%5c..%5capp.py",
    "/....//....//app.py",
    "//etc/passwd",
    "/etc/passwd",
    "/assets/..%2f..%2fgate.py",
    "/assets/%2e%2e/%2e%2e/gate.py",
    "/index.html%00.py",
    "/%00",
    "/C:%5Cwindows%5Cwin.ini",
    "/static/index.html",
    "/socket/../app.py",
    "/~root",
    "/" + "a" * 20_000,
    "/" + "../" * 3000 + "etc/passwd",
    "http://127.0.0.1/../app.py",
)


def gate(attack: Attack) -> None:
    """Requests that were meant for somebody else."""
    for host in HOSTS:
        attack.expect(attack.get(Host=host)[0] in (400, 403), f"Host {host[:40]} is served")
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    for origin in ORIGINS:
        attack.expect(attack.get("/socket", Origin=origin, **upgrade, **key)[0] == 403, f"Origin {origin} may connect")
    attack.expect(attack.get("/socket", **upgrade, **key)[0] == 403, "no Origin at all may connect")
    attack.expect(attack.get(Host=f"localhost:{attack.served.port}")[0] == 200, "localhost is refused")


def paths(attack: Attack) -> None:
    """Files that are none of the page's."""
    for path in PATHS:
        status, body = attack.get(path)
        attack.expect(status in (400, 403, 404, 414), f"{path[:60]} is answered with {status}")
        attack.expect("root:" not in body and "import " not in body, f"{path[:60]} leads out of the page")


def token(attack: Attack) -> None:
    """A shared board without its token."""
    right = attack.served.url.rpartition("=")[2]
    for path, cookie in (
        ("/", ""),
        ("/?token=", ""),
        (f"/?token={right[:-1]}", ""),
        ("/", "okapi_token=x"),
        ("/", f"okapi_token={right}x"),
    ):
        attack.expect(attack.get(path, Cookie=cookie)[0] == 403, f"{path} with the cookie {cookie!r} is let in")
    attack.expect(attack.get("/", Cookie=f"okapi_token={right}")[0] == 200, "the right token is refused")


async def straight(count: int, folder: Path) -> list[str]:
    """Messages for a session that is never too busy to read them: each must be answered, none may break a panel."""
    state, clock = AppState(threads=1, runs=folder), count_up(step=10)  # seconds between two messages
    problems: list[str] = []
    slowest, longest = "", 0.0
    messages = nonsense(1)
    while count > 0:
        outbox = Outbox()
        session = Session(state, outbox, lambda: float(next(clock)))
        await outbox.get()
        for _ in range(min(count, 500)):
            text = next(messages)[:LONGEST]
            count -= 1
            begun = time.monotonic()
            session.receive(text)
            if time.monotonic() - begun > longest:
                slowest, longest = text[:80], time.monotonic() - begun
            answered = False
            while len(outbox):
                message = await outbox.get()
                answered = answered or "ok" in message
                if message.get("error") == "something went wrong here":
                    problems.append(f"a panel breaks on {text[:300]}")
                try:
                    json.dumps(message, ensure_ascii=False, allow_nan=False).encode()
                except ValueError as error:
                    problems.append(f"the answer to {text[:80]} cannot be sent: {error}")
            if not answered:
                problems.append(f"no answer to {text[:80]}")
            await asyncio.sleep(0)
        session.close()
    state.close()
    print(f"slowest answer: {1000 * longest:.0f} ms for {slowest}", file=sys.stderr)
    return problems


async def messages(attack: Attack, count: int) -> None:
    """Damaged messages as fast as the socket takes them, from one page after the other as each is told to go."""
    told_to_go = 0
    source = nonsense(2)
    while count > 0:
        async with attack.served.connect() as page:
            listening = asyncio.create_task(_listen(page))
            try:
                while count > 0:
                    count -= 1
                    await page.send(next(source))
            except ConnectionClosed as closed:
                told_to_go += 1
                code = closed.rcvd.code if closed.rcvd else None
                attack.expect(code in (1007, 1008, 1009, None), f"told to go with {closed}")
            listening.cancel()
    print(f"pages told to go: {told_to_go}", file=sys.stderr)
    await end_contests(attack)


async def end_contests(attack: Attack) -> None:
    """LiveTournaments that were begun go on when their page is gone: that is what they are for."""
    async with attack.served.connect() as page:
        if "tournaments" not in json.loads(await page.recv())["panels"]:
            return
        await page.send(request(1, "tournaments.watch"))
        while (message := json.loads(await page.recv())).get("tell") != "tournaments.listed":
            pass
        for tournament in message["tournaments"]:
            await page.send(request(2, "tournaments.stop", number=tournament["number"]))
            while json.loads(await page.recv()).get("id") != 2:
                pass


async def _listen(page: object) -> None:
    try:
        async for _ in page:  # type: ignore[attr-defined]
            pass
    except ConnectionClosed:
        pass


async def storm(attack: Attack, pages: int) -> None:
    """Pages that come, let a brain think, and vanish: politely, rudely, or in the middle of a word."""

    async def one(number: int) -> None:
        try:
            page = await attack.served.connect()
            await page.send(request(1, "play.new", **THINK))
            if number % 3 == 0:
                await page.close()
            elif number % 3 == 1:
                page.transport.abort()
            else:
                page.transport.write(b"\x81")
                page.transport.abort()
        except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake):
            pass  # too many at once are turned away

    for begin in range(0, pages, 50):
        await asyncio.gather(*(one(number) for number in range(begin, min(pages, begin + 50))))


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--storm", type=int, default=1000, help="pages that come and go")
    parser.add_argument("--deaf", type=int, default=20, help="pages that never read")
    parser.add_argument("--silent", type=int, default=600, help="visitors that never speak")
    parser.add_argument(
        "--patience", type=float, default=60, help="seconds to be rid of those who stay; 0: they leave by themselves"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        problems = await straight(given.messages, folder / "straight")
        with serving(folder, "--share", "127.0.0.1") as shared:
            attack = Attack(shared)
            token(attack)
            problems += attack.problems
        with serving(folder) as served:
            attack = Attack(served)
            await attack.answers("nothing")
            files = served.open_files()
            await storm(attack, min(100, given.storm))
            settled(lambda: served.load(3) < 0.1, 10)
            memory = served.memory_mb()
            kept: list[socket.socket] = []
            stages: dict[str, Callable[[], object]] = {
                "the gate": lambda: gate(attack),
                "paths": lambda: paths(attack),
                "damaged messages": lambda: messages(attack, given.messages),
                "damaged frames": lambda: frames(attack),
                "a storm": lambda: storm(attack, given.storm),
                "deaf pages": lambda: kept.extend(deaf(attack, given.deaf)),
                "silent visitors": lambda: kept.extend(silent(attack, given.silent)),
            }
            for stage, act in stages.items():
                done = act()
                if isinstance(done, Awaitable):
                    await done
                await attack.answers(stage)
                print(f"{stage}: {served.memory_mb():.0f} MB, {served.open_files()} files", file=sys.stderr, flush=True)
            if given.patience:
                rid = settled(lambda: served.open_files() <= files, given.patience)
                attack.expect(rid, f"{served.open_files() - files} sockets of those who stay are still held")
            for raw in kept:
                raw.close()
            gone = settled(lambda: served.open_files() <= files, 20)
            attack.expect(gone, f"{served.open_files() - files} sockets are still held")
            attack.expect(settled(lambda: served.load(3) < 0.1, 10), "somebody still thinks")
            attack.expect(not served.children(), "programs still run")
            grown = served.memory_mb() - memory
            attack.expect(grown < MOST_MEMORY_MB, f"memory has grown by {grown:.0f} MB")
            attack.problems += [f"the terminal says: {line}" for line in served.complaints()[:9]]
            problems += attack.problems
    figures = {
        "kinds": len(KINDS),
        "messages": 2 * given.messages,
        "storm": given.storm,
        "deaf": given.deaf,
        "silent": given.silent,
    }
    print(json.dumps({**figures, "memory_grown_mb": round(grown), "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
