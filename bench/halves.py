"""Many changes to the search for the price of one: random halves of them play against the other halves.

    python bench/halves.py --seconds 600 --nodes 5000 null_move_base=5 without=razoring "futility_base=70,futility_step=80"

A change is what is written behind a player's name; several with a comma between stay together. Each meeting gives every change to one side or the other by a coin,
so that every game says something about every change; a regression tells how much each is worth, as precisely as a match
of as many games about it alone. That changes help or hinder each other is left out: what is kept together still has to
prove itself in a match.
"""

import argparse
import math
import random
import time
from collections.abc import Sequence

import numpy as np

from okapi.arena.in_process import core_player
from okapi.arena.openings import load_openings
from okapi.arena.time_control import TimeControl
from okapi.core.match import Adjudication, InProcessMatch, both_colors

OPENINGS_A_MEETING = 4
ELO_OF_SCORE = 4 * 400 / math.log(10)
"""How fast Elo grow with the score of equals."""


def player(brain: str, changes: Sequence[str]) -> str:
    """A player with these changes; what is switched off by several of them is listed once."""
    options = [option for change in changes for option in change.split(",")]
    parts = [f"alphabeta:{brain}", *(option for option in options if not option.startswith("without="))]
    off = [option.removeprefix("without=") for option in options if option.startswith("without=")]
    return ",".join([*parts, *(["without=" + "+".join(off)] if off else [])])


def told(changes: Sequence[str], given: np.ndarray, scores: np.ndarray) -> str:
    """Elo of each change with its interval, the best first."""
    inverse = np.linalg.pinv(given.T @ given)
    worth = inverse @ (given.T @ scores)
    rest = scores - given @ worth
    variance = rest @ rest / max(1, len(scores) - len(changes))
    doubt = 1.96 * np.sqrt(np.diag(inverse) * variance)
    rows = sorted(zip(worth, doubt, changes, strict=True), reverse=True)
    return "\n".join(f"{ELO_OF_SCORE * w:+7.1f} ± {ELO_OF_SCORE * d:5.1f}  {change}" for w, d, change in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("changes", nargs="+", help="what is written behind a player's name")
    parser.add_argument("--brain", default="okapi-28")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--openings", help="EPD, PGN or Polyglot file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()

    dice = random.Random(asked.seed)
    openings = load_openings(asked.openings, seed=asked.seed)
    control = TimeControl(nodes=asked.nodes)
    adjudication = Adjudication(resign_score=600, draw_score=10)
    given: list[list[int]] = []
    scores: list[float] = []
    begun = time.monotonic()
    while time.monotonic() - begun < asked.seconds:
        sides = [dice.choice((-1, 1)) for _ in asked.changes]
        first, second = (
            core_player(
                player(asked.brain, [c for c, s in zip(asked.changes, sides, strict=True) if s == side]), control
            )
            for side in (1, -1)
        )
        starts = dice.sample(openings, OPENINGS_A_MEETING)
        match_games = list(
            InProcessMatch(first, second, both_colors(starts), adjudication=adjudication, threads=asked.threads)
        )
        # Two games from one opening are not independent of each other: together they are one observation.
        for one, other in zip(match_games[::2], match_games[1::2], strict=True):
            given.append(sides)
            scores.append((one.score + other.score) / 2 - 0.5)
    print(f"{2 * len(scores)} games at {asked.nodes} nodes, {asked.brain}; Elo of each change (95 %):")
    print(told(asked.changes, np.array(given, float), np.array(scores)))


if __name__ == "__main__":
    main()
