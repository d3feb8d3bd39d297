"""The only door to C++: positions and moves, evaluators and search, and the records that cross the seams."""

from okapi.core._core import (
    Brain,
    Color,
    Evaluator,
    Kind,
    Move,
    MovePrior,
    Piece,
    Position,
    Square,
    Wing,
    heuristics,
    version,
)
from okapi.core.constants import Constant, constants
from okapi.core.decision import Decision, Line
from okapi.core.duel import Adjudication, Agreement, Bout, Duel, Duellist, both_ways
from okapi.core.game import Game
from okapi.core.limits import Clock, Limits
from okapi.core.openings import random_openings
from okapi.core.thinker import Thinker
from okapi.core.value import Value

__all__ = [
    "Adjudication",
    "Agreement",
    "Bout",
    "Brain",
    "Clock",
    "Color",
    "Constant",
    "Decision",
    "Duel",
    "Duellist",
    "Evaluator",
    "Game",
    "Kind",
    "Limits",
    "Line",
    "Move",
    "MovePrior",
    "Piece",
    "Position",
    "Square",
    "Thinker",
    "Value",
    "Wing",
    "both_ways",
    "constants",
    "heuristics",
    "random_openings",
    "version",
]
