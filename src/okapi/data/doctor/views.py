"""Whose view a column was written from, found out by what happens to the side that is a piece ahead.

Values and results stand for the side to move. A file that means something else is right for one colour and wrong for
the other, or wrong for both; one look at each colour's rows tells which.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["Agreement", "Evidence", "Whose", "turned"]

ENOUGH = 50
"""Rows of each colour, before anything is said."""

OVERWHELMING = 200
"""Rows of each colour, before anything is turned round."""

CLEAR, OVERWHELMINGLY_CLEAR = 0.7, 0.8
"""Shares of rows that must agree or disagree. Not all do where everything is right: the side that is a piece ahead may
be about to lose it, or the game."""


class Whose(StrEnum):
    """Whose view numbers turned out to be: the side that a positive one pleases."""

    MOVER = "mover"
    """The side to move, as it should be."""
    WHITE = "white"
    BLACK = "black"
    OPPONENT = "opponent"
    """The side that is not to move."""
    UNKNOWN = "unknown"
    """Too few rows, or no clear answer."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two opinions about the same rows agree about who is better; [0] White to move, [1] Black to move."""

    agree: tuple[int, int]
    disagree: tuple[int, int]

    def share(self, turn: int) -> float:
        """Of the rows of one colour, those that agree."""
        return self.agree[turn] / max(1, self.agree[turn] + self.disagree[turn])

    @property
    def rows(self) -> tuple[int, int]:
        """Rows of each colour that both have an opinion about."""
        return self.agree[0] + self.disagree[0], self.agree[1] + self.disagree[1]

    @property
    def view(self) -> Whose:
        """Whose view one column has, if the other is right.

        >>> Agreement(agree=(950, 40), disagree=(50, 960)).view
        <Whose.WHITE: 'white'>
        """
        return self._view(ENOUGH, CLEAR)

    @property
    def is_overwhelming(self) -> bool:
        """Is it sure enough to turn numbers round without asking whoever made them?"""
        return self._view(OVERWHELMING, OVERWHELMINGLY_CLEAR) is not Whose.UNKNOWN

    def _view(self, enough: int, clear: float) -> Whose:
        if min(self.rows) < enough:
            return Whose.UNKNOWN
        right = [self.share(turn) >= clear for turn in (0, 1)]
        wrong = [self.share(turn) <= 1 - clear for turn in (0, 1)]
        match right, wrong:
            case [[True, True], _]:
                return Whose.MOVER
            case [[True, _], [_, True]]:
                return Whose.WHITE
            case [[_, True], [True, _]]:
                return Whose.BLACK
            case [_, [True, True]]:
                return Whose.OPPONENT
        return Whose.UNKNOWN


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a column was compared with, and what came of it."""

    where: str
    """Rows on which the other column is sure, in words: the side to move is a piece or more ahead."""
    agreement: Agreement


def turned(view: Whose, turn: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which rows have to be turned round, if a column was written from this view.

    >>> turned(Whose.WHITE, np.array([0, 1, 1], np.uint8)).tolist()
    [False, True, True]
    """
    to_move = {Whose.WHITE: (1,), Whose.BLACK: (0,), Whose.OPPONENT: (0, 1)}.get(view, ())
    return np.isin(turn, to_move)
