"""Okapi: a chess engine that learns.

>>> import okapi
>>> position = okapi.Position.start()
>>> position.play("e4")
<Move e2e4>
>>> len(position.legal_moves())
20
"""

from okapi.core import (
    Clock,
    Color,
    Decision,
    Evaluator,
    Game,
    Kind,
    Limits,
    Line,
    Move,
    Piece,
    Position,
    Square,
    Value,
    version,
)

__version__ = version

__all__ = [
    "Clock",
    "Color",
    "Decision",
    "Evaluator",
    "Game",
    "Kind",
    "Limits",
    "Line",
    "Move",
    "Piece",
    "Position",
    "Square",
    "Value",
    "__version__",
]
