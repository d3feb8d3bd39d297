"""Measure the ratings of the board's named opponents, and write them into src/okapi/players/opponents.json.

    python bench/opponents.py --rounds 10

They play each other and Stockfish at several strengths, all against all, and are rated together; Stockfish's own
calibration is the anchor. Games are stored: the same command goes on, and more rounds make the intervals smaller.
"""

import argparse
import json
from pathlib import Path

from okapi.arena.ladder import LADDER, usable
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Tournament, play_tournament
from okapi.brains.library import run_folder
from okapi.players.opponents import OPPONENTS, RATINGS

ANCHORS = ("stockfish-1350", "stockfish-1800", "stockfish-2250", "stockfish-2700")

NEVER_MS = 600_000
"""Nobody loses on time: the opponents think for as long as their own limits say."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4, help="in each, everybody plays everybody twice")
    parser.add_argument("--tc", default="5+0.05", help="Stockfish's clock; the opponents have limits of their own")
    parser.add_argument("--to", type=Path, default=RATINGS)
    arguments = parser.parse_args()
    rungs, missing = usable([rung for rung in LADDER if rung.name in ANCHORS])
    if missing:
        raise SystemExit(f"the anchors need Stockfish: {missing}")
    names = [*(opponent.name for opponent in OPPONENTS), *(rung.name for rung in rungs)]
    tournament = Tournament(
        players=(*(opponent.spec for opponent in OPPONENTS), *(rung.player for rung in rungs)),
        control=TimeControl.from_text(arguments.tc, margin_ms=NEVER_MS),
    )
    standings = play_tournament(
        tournament,
        arguments.rounds,
        names=names,
        anchors={rung.name: rung.elo for rung in rungs},
        store=run_folder(None, "opponents.sqlite"),
        on_game=lambda standings, played: print(f"\r{standings.games} games", end="", flush=True),
    )
    rows = {row["name"]: row for row in standings.as_json()["players"]}
    measured = {}
    for opponent in OPPONENTS:
        row = rows[opponent.name]
        numbers = {"rating": round(row["elo"]), "low": round(row["low"]), "high": round(row["high"])}
        measured[opponent.name] = {**numbers, "games": row["games"], "spec": opponent.spec}
        print(f"\n{opponent.name}: {numbers}", end="")
    print()
    arguments.to.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
