"""What players that ask a brain for moves have in common."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeGuard

from okapi.core import Decision, Kind, Move, Position, Square, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from okapi.brains.prediction import Squares

__all__ = ["Dialled", "Likely", "Predicts", "decided", "has_dial", "written"]

Likely: TypeAlias = list[tuple[Move, float]]
"""The legal moves of a position with their probabilities, likeliest first."""


class Predicts(Protocol):
    """A brain that predicts moves; okapi.brains.predictor gives one."""

    dials: frozenset[str]
    """What it can be told besides the position: elo, outcome."""

    def moves(self, positions: "NDArray[np.void]", *, elo: "ArrayLike | None" = None) -> list[Likely]:
        """The legal moves of packed positions."""
        ...

    def squares(self, positions: "NDArray[np.void]", *, elo: "ArrayLike | None" = None) -> "Squares":
        """What its networks say about squares, legal or not."""
        ...


class Dialled(Protocol):
    """A player whose brain can be told how strong the people are whose moves it predicts."""

    elo: int | None
    """Within okapi.encodings.layers.ELO_RANGE; None: as strong as those it has watched."""


def has_dial(player: object) -> TypeGuard[Dialled]:
    """Can this player be told a rating, and does it matter?"""
    return "elo" in getattr(getattr(player, "predictor", None), "dials", ())


def decided(position: Position, move: Move, likely: Sequence[tuple[Move, float]] = ()) -> Decision:
    """The decision of somebody who looks at nothing but this position, and has no opinion of its value."""
    return Decision(move, Value(0.5, position.turn), (move,), 0, likely=tuple(likely))


def written(position: Position, origin: int, target: int) -> str:
    """A pair of squares as a move, legal or not; pawns become queens.

    >>> written(Position.from_fen("8/P7/8/8/8/8/8/K1k5 w - - 0 1"), 48, 56), written(Position.start(), 0, 63)
    ('a7a8q', 'a1h8')
    """
    here, there = Square.at(origin), Square.at(target)
    piece = position.at(here)
    promotes = piece is not None and piece.kind is Kind.PAWN and there.rank in (0, 7)
    return f"{here}{there}{'q' if promotes else ''}"
