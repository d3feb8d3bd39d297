"""A move network learns which move a search would find (lai2015, chapter 6).

Needs torch and numpy, and nothing else of okapi than `errors`, `files` and `models`: not the compiled core.
"""

from okapi.training.moves.lessons import MoveLessons
from okapi.training.moves.loop import learn_moves
from okapi.training.moves.plan import MovePlan
from okapi.training.moves.result import read_network

__all__ = ["MoveLessons", "MovePlan", "learn_moves", "read_network"]
