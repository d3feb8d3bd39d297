"""Okapi: a chess engine that learns.

>>> from okapi import Brain, Position, match
>>> position = Position()
>>> position.play("e4")
<Move e2e4>
>>> Brain.load("material").evaluate(position)
0.5
>>> match("okapi-28", "material", games=2, depth=1).games
2
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from okapi.api.board import Board, play
    from okapi.api.brain import Brain
    from okapi.api.match import match
    from okapi.api.training import TrainingResult, train
    from okapi.arena.match import MatchReport
    from okapi.core import Clock, Color, Evaluator, Kind, Limits, Move, Piece, Position, Square
    from okapi.core import version as __version__
    from okapi.core.game import Decision, Game, Line, Value
    from okapi.training.dataset import Dataset

__all__ = ["Board", "Brain", "Clock", "Color", "Dataset", "Decision", "Evaluator", "Game", "Kind", "Limits", "Line"]
__all__ += ["MatchReport", "Move", "Piece", "Position", "Square", "TrainingResult", "Value", "__version__"]
__all__ += ["match", "play", "train"]

_MODULES = {
    "Board": "okapi.api.board",
    "Brain": "okapi.api.brain",
    "Dataset": "okapi.training.dataset",
    "MatchReport": "okapi.arena.match",
    "TrainingResult": "okapi.api.training",
    "match": "okapi.api.match",
    "play": "okapi.api.board",
    "train": "okapi.api.training",
}
"""Where names are that the core does not have."""


def __getattr__(name: str) -> Any:
    """A name is imported when somebody asks for it.

    Networks are trained on machines for which the core was never built, and numpy and torch take a while to load.
    """
    if name not in __all__:
        raise AttributeError(f"module `okapi` has no attribute `{name}`")
    from importlib import import_module

    module = import_module(_MODULES.get(name, "okapi.core"))
    return getattr(module, "version" if name == "__version__" else name)


def __dir__() -> list[str]:
    return [*__all__, *globals()]
