"""Position + limits → decision: searches, one-ply players, random moves, engines."""

from okapi.players.alphabeta import AlphaBeta
from okapi.players.engine import Engine
from okapi.players.player import Evaluate, Greedy, Player, Random
from okapi.players.spec import PLAYERS, parse_player

__all__ = ["PLAYERS", "AlphaBeta", "Engine", "Evaluate", "Greedy", "Player", "Random", "parse_player"]
