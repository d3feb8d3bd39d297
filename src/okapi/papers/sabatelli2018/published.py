"""What the paper published: its tables as data; tests/papers/sabatelli2018 holds them against its text."""

from dataclasses import dataclass
from typing import Final

__all__ = [
    "BALANCED",
    "LOSING",
    "OPPONENTS",
    "RATING",
    "TABLE_1",
    "TABLE_2",
    "TABLE_3",
    "TABLE_4",
    "Accuracy",
    "Choice",
]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """On the validation set, by which training was stopped, and on the test set. Percent, or squared errors."""

    validation: float
    test: float


TABLE_1: Final[dict[tuple[int, str], Accuracy]] = {
    (1, "bitmap"): Accuracy(98.67, 96.07),
    (1, "algebraic"): Accuracy(96.95, 93.58),
    (2, "bitmap"): Accuracy(93.73, 93.41),
    (2, "algebraic"): Accuracy(87.45, 87.28),
    (3, "bitmap"): Accuracy(69.44, 68.33),
    (3, "algebraic"): Accuracy(69.88, 66.21),
}
"""The perceptrons: percent right, by dataset and input."""

TABLE_2: Final[dict[tuple[int, str], Accuracy]] = {
    (1, "bitmap"): Accuracy(95.40, 95.15),
    (1, "algebraic"): Accuracy(91.70, 90.33),
    (2, "bitmap"): Accuracy(87.24, 87.10),
    (2, "algebraic"): Accuracy(83.88, 83.72),
    (3, "bitmap"): Accuracy(62.06, 61.97),
    (3, "algebraic"): Accuracy(48.48, 46.86),
}
"""The convolutional networks."""

TABLE_3: Final[dict[tuple[str, str], Accuracy]] = {
    ("mlp", "bitmap"): Accuracy(0.0011, 0.0016),
    ("mlp", "algebraic"): Accuracy(0.0019, 0.0021),
    ("cnn", "bitmap"): Accuracy(0.0020, 0.0022),
    ("cnn", "algebraic"): Accuracy(0.0021, 0.0022),
}
"""Mean squared errors on dataset 4, by network and input. The text takes their roots for centipawns; they are shares of
the whole range, whose width it does not say."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A position of the Kaufman test: what is best there, what the network played, and how much worse that was."""

    row: int
    best: str
    played: str
    delta: float
    """Pawns."""
    place: int | None
    """The number of the position in ccr_one_hour where both moves make sense."""


TABLE_4: Final = (
    Choice(1, "Qb3", "Nf3", 0.0, 1),
    Choice(2, "e6", "Bd7", 0.8, 2),
    Choice(3, "Nh6", "Nh6", 0.0, 3),
    Choice(4, "b4", "Qc2", 0.8, 4),
    Choice(5, "e5", "e6", 0.3, 5),
    Choice(6, "Bxc3", "Bxc3", 0.0, 6),
    Choice(7, "Re8", "Bc4", 0.1, 7),
    Choice(8, "d5", "Qd2", 0.9, 8),
    Choice(9, "Nd4", "Ne7", 0.3, 9),
    Choice(10, "a4", "a3", 0.1, 10),
    Choice(11, "d5", "h5", 1.2, 11),
    Choice(12, "Bxf7", "Nf3", 4.2, 12),
    Choice(13, "c5", "Nxe4", 1.7, 13),
    Choice(14, "Qf6", "f5", 5.9, 14),
    Choice(15, "exf6", "Bd4", 4.6, 15),
    Choice(16, "d5", "Rb8", 0.6, 16),
    Choice(17, "d3", "c4", 0.8, 17),
    Choice(18, "d4", "Qe1", 1.4, None),
    Choice(19, "Bxf6", "h3", 4.2, 18),
    Choice(20, "Bxe6", "Bd2", 1.7, 19),
    Choice(21, "Ndb5", "Rb1", 1.4, 20),
    Choice(22, "dxe6", "Kxe6", 10.0, 21),
    Choice(23, "Bxh7+", "Nh4", 5.7, 23),
    Choice(24, "Bb5+", "b4", 1.2, 24),
    Choice(25, "Nxc6", "bxc6", 0.6, 25),
)
"""The Kaufman test at depth 1. The paper writes Df6 in row 14: a queen in German.

From row 18 on the rows are one ahead of the suite, and number 22 of the suite has no row. The moves of row 18 are both
legal in number 17 only, which row 17 has already. Re8 of row 7 may be either rook. Qc2 of row 4 and Nh4 of row 23 are
not legal where the rows around them put them."""

BALANCED: Final = 17
"""Moves that the text says do not exceed 1.5; of the rows above, these are counted: 17."""

LOSING: Final = (12, 14, 15, 19, 22, 23)
"""Rows of moves into a lost position, as the text has them. Rows 13 and 20, at 1.7, are not among them."""

RATING: Final = 2000
OPPONENTS: Final = (1741, 2140)
"""On a chess server, 30 games of 15 minutes and 10 seconds a move, against players between these."""
