"""Somebody who means ill: a server that things are done to, and what was found wrong with it."""

import asyncio
import json
import time
from http.client import HTTPConnection
from typing import Final

from served import Served, request
from websockets.exceptions import ConnectionClosed, InvalidHandshake

__all__ = ["MOST_MEMORY_MB", "THINK", "Attack"]

ENDLESS: Final = {"player": "alphabeta", "brain": "material", "movetime_ms": 600_000}
THINK: Final = {"white": ENDLESS, "black": {"player": "person"}}

MOST_MEMORY_MB: Final = 48
"""What it may grow by, once many boards have been open at once and have gone."""

SOON_S: Final = 3.0


class Attack:
    """What was found so far, and the server that it is done to."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.problems: list[str] = []

    def expect(self, right: object, problem: str) -> None:
        if not right:
            self.problems.append(problem)

    def get(self, path: str = "/", **headers: str) -> tuple[int, str]:
        """Status and body of an answer; 0 where the server hangs up."""
        connection = HTTPConnection("127.0.0.1", self.served.port, timeout=10)
        try:
            connection.putrequest("GET", path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        except OSError:
            return 0, ""
        finally:
            connection.close()

    async def answers(self, after: str) -> None:
        """Does it still do what it is there for?"""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(10), self.served.connect() as page:
                await page.recv()
                await page.send(request(1, "play.requested"))
                while not (message := json.loads(await page.recv())).get("ok"):
                    self.expect(message.get("ok") is not False, f"after {after}: {message}")
        except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake) as error:
            self.problems.append(f"after {after} it does not answer: {error!r}")
        took = time.monotonic() - begun
        self.expect(took < SOON_S, f"after {after} it takes {took:.1f} s to answer")
