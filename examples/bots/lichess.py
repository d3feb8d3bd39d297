"""A lichess bot with nothing but Python: it accepts standard challenges and plays them with a player of Okapi.

    LICHESS_TOKEN=lip_… python examples/bots/lichess.py --player champion

The account must be a bot account, and its token must have the scope bot:play.
"""

import argparse
import json
import os
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any

from okapi import Clock, Limits, Position
from okapi.players import parse_player

Event = dict[str, Any]


class Lichess:
    def __init__(self, server: str, token: str) -> None:
        self.server, self.headers = server, {"Authorization": f"Bearer {token}"}

    def open(self, path: str, method: str = "GET") -> Any:
        return urllib.request.urlopen(urllib.request.Request(self.server + path, headers=self.headers, method=method))

    def post(self, path: str) -> None:
        self.open(path, "POST").close()

    def stream(self, path: str) -> Iterator[Event]:
        with self.open(path) as lines:
            yield from (json.loads(line) for line in lines if line.strip())  # an empty line keeps the connection alive


def play(site: Lichess, game: str, name: str, player_name: str) -> None:
    player, white = parse_player(player_name), True
    for event in site.stream(f"/api/bot/game/stream/{game}"):
        if event["type"] == "gameFull":
            white = event["white"].get("id") == name
        state = event.get("state", event)
        if event["type"] not in ("gameFull", "gameState") or state["status"] not in ("created", "started"):
            continue
        position = Position()
        for move in state["moves"].split():
            position.play(move)
        if (position.plies % 2 == 0) != white:
            continue
        clocks = [Clock(int(state[f"{side}time"]), int(state[f"{side}inc"])) for side in "wb"]
        decision = player.choose(position, Limits(white=clocks[0], black=clocks[1], overhead_ms=300))
        site.post(f"/api/bot/game/{game}/move/{decision.move}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="champion", help="as in `okapi match`")
    parser.add_argument("--server", default="https://lichess.org")
    asked = parser.parse_args()
    site = Lichess(asked.server, os.environ["LICHESS_TOKEN"])
    with site.open("/api/account") as answer:
        name = json.load(answer)["id"]
    for event in site.stream("/api/stream/event"):
        if event["type"] == "challenge":
            wanted = event["challenge"]["variant"]["key"] == "standard" and "limit" in event["challenge"]["timeControl"]
            site.post(f"/api/challenge/{event['challenge']['id']}/{'accept' if wanted else 'decline'}")
        elif event["type"] == "gameStart":
            threading.Thread(target=play, args=(site, event["game"]["id"], name, asked.player)).start()


if __name__ == "__main__":
    main()
