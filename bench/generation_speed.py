"""
How many positions a second a brain's games in bulk give, beside `okapi selfplay`'s way of playing.

    python bench/generation_speed.py --brain okapi-28 --nodes 500

Prints one JSON object: positions and nodes a second of processor time, which is what one core does, best of several
rounds. `bulk` is what `okapi samples play` does, `match` what `okapi selfplay` does before it stores a game; a duel gets
as many nodes a move as the games in bulk took on average, and begins at the same positions.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from okapi import brains
from okapi.core import Color, InProcessMatch, Limits, MatchPlayer
from okapi.core.packed import unpack
from okapi.core.selfplay import DECIDED, play_games


def best_rates(work: Callable[[int], tuple[int, int]], rounds: int) -> dict[str, int]:
    """Positions and nodes a second of processor time, in the best round."""
    found = []
    for number in range(rounds):
        started = time.process_time()
        positions, nodes = work(number)
        seconds = time.process_time() - started
        found.append((round(positions / seconds), round(nodes / seconds)))
    positions_per_second, nps = max(found)
    return {"positions_per_second": positions_per_second, "nps": nps}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", default="okapi-28", help="name or file")
    parser.add_argument("--nodes", type=int, default=500, help="after which no new depth is begun")
    parser.add_argument("--games", type=int, default=20, help="of each round")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    evaluator = brains.evaluator(given.brain)
    games = [play_games(evaluator, games=given.games, nodes=given.nodes, seed=seed) for seed in range(given.rounds)]
    nodes = round(float(np.concatenate(games)["nodes"].mean()))

    def in_bulk(seed: int) -> tuple[int, int]:
        samples = play_games(evaluator, games=given.games, nodes=given.nodes, seed=seed)
        return len(samples), int(samples["nodes"].sum(dtype=np.int64))

    def in_matches(seed: int) -> tuple[int, int]:
        player = MatchPlayer(evaluator, Limits(nodes=nodes))
        firsts = np.unique(games[seed]["game"], return_index=True)[1]
        starts = [(unpack(row), Color.WHITE) for row in games[seed]["position"][firsts]]
        match_games = list(InProcessMatch(player, player, starts, adjudication=DECIDED, decisions=True))
        return sum(len(match_game.game.moves) for match_game in match_games), sum(
            sum(match_game.nodes) for match_game in match_games
        )

    print(
        json.dumps(
            {
                "brain": given.brain,
                "soft_nodes": given.nodes,
                "nodes_a_position": nodes,
                "positions_a_game": round(sum(map(len, games)) / (given.games * given.rounds)),
                "bulk": best_rates(in_bulk, given.rounds),
                "match": best_rates(in_matches, given.rounds),
            }
        )
    )


if __name__ == "__main__":
    main()
