"""The only Python package that uses the C++ library: positions, moves, evaluators, search, and their records."""

from pathlib import Path
from typing import Final

from okapi.core import _core
from okapi.core._core import Color, Evaluator, Kind, Move, MovePrior, Piece, Position, RawBrain, Square, Wing
from okapi.core.game import Decision, Game, Line, Value, random_openings
from okapi.core.match import Adjudication, Agreement, InProcessMatch, MatchGame, MatchPlayer, both_colors
from okapi.core.search import Clock, Constant, Limits, Search, constants

__all__ = ["LIBRARY", "Adjudication", "Agreement", "Clock", "Color", "Constant", "Decision", "Evaluator", "Game"]
__all__ += ["InProcessMatch", "Kind", "Limits", "Line", "MatchGame", "MatchPlayer", "Move", "MovePrior", "Piece"]
__all__ += ["Position", "RawBrain", "Search", "Square", "Value", "Wing", "both_colors", "constants", "heuristics"]
__all__ += ["random_openings", "version"]

heuristics, version = _core.heuristics, _core.version

LIBRARY: Final = Path(_core.__file__)
"""The compiled library. Its bytes decide how a search plays."""
