"""Position + limits → decision: searches, one-ply players, random moves, engines, players in Python."""

from okapi.players.alphabeta import AlphaBeta
from okapi.players.engine import Engine
from okapi.players.player import Evaluate, Greedy, Player, Random
from okapi.players.python import PythonPlayer
from okapi.players.spec import PLAYERS, parse_player

__all__ = ["PLAYERS", "AlphaBeta", "Engine", "Evaluate", "Greedy", "Player", "PythonPlayer", "Random", "parse_player"]
