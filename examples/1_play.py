"""A game between two players."""

from okapi import Brain, Limits, Position
from okapi.players import Random

position, players = Position(), (Brain.load("champion"), Random(seed=1))
while position.ending() is None:
    decision = players[position.plies % 2].choose(position, Limits(nodes=1_000))
    print(position.san(decision.move), end=" ")
    position.play(decision.move)
print(position.result(), position.ending())
