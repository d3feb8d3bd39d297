"""Okapi: a chess engine that learns.

>>> import okapi
>>> position = okapi.Position.start()
>>> position.play("e4")
<Move e2e4>
>>> len(position.legal_moves())
20
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    )
    from okapi.core import version as __version__

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


def __getattr__(name: str) -> Any:
    """The core is loaded when somebody asks for it: networks are trained on machines for which it was never built."""
    if name not in __all__:
        raise AttributeError(f"module `okapi` has no attribute `{name}`")
    from okapi import core

    return getattr(core, "version" if name == "__version__" else name)


def __dir__() -> list[str]:
    return [*__all__, *globals()]
