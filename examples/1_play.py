"""A game between two players."""

from okapi import Limits, Position
from okapi.players import AlphaBeta, Random

position, players = Position.start(), (AlphaBeta(), Random(seed=1))
while position.ending() is None:
    decision = players[position.plies % 2].choose(position, Limits(nodes=1_000))
    print(position.san(decision.move), end=" ")
    position.play(decision.move)
print(position.result(), position.ending())
