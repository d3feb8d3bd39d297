"""An evaluation of your own under the search: how much is it worth in Elo?"""

from okapi import Position, match
from okapi.players import AlphaBeta

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def evaluate(positions: list[Position]) -> list[float]:
    """Expected score of the side to move of each: count the pieces, and call four pawns more ten to one."""
    leads = [sum(WORTH[str(p).lower()] * (1 if p.color is x.turn else -1) for _, p in x.pieces()) for x in positions]
    return [1 / (1 + 10 ** (-lead / 4)) for lead in leads]


print(match(AlphaBeta(evaluate=evaluate), "greedy:material", games=10, nodes=100, names=("mine", "greedy")))
