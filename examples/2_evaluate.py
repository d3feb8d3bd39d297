"""A game between two players, one of which judges as you tell it to."""

from okapi import Limits, Position
from okapi.players import AlphaBeta, Random

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def evaluate(positions: list[Position]) -> list[float]:
    """Expected score of the side to move of each: count the pieces, and call four pawns more ten to one."""
    leads = [sum(WORTH[str(p).lower()] * (1 if p.color is x.turn else -1) for _, p in x.pieces()) for x in positions]
    return [1 / (1 + 10 ** (-lead / 4)) for lead in leads]


position, players = Position.start(), (AlphaBeta(evaluate=evaluate), Random(seed=1))
while position.ending() is None:
    decision = players[position.plies % 2].choose(position, Limits(nodes=1_000))
    print(position.san(decision.move), end=" ")
    position.play(decision.move)
print(position.result(), position.ending())
