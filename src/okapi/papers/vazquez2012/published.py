"""What the thesis published: its tables as data, and what its text says about its figures.

Each table has the thesis' number. Where a table contradicts the text or itself, its docstring says so, and
tests/papers/test_published.py computes it.
"""

from dataclasses import dataclass
from typing import Final

from okapi.arena.elo import MatchResult
from okapi.papers.tables import Rated
from okapi.recipes.vazquez2012.pieces import TABLE_7, TABLE_8, Board
from okapi.recipes.vazquez2012.twenty_eight import TABLE_15

__all__ = [
    "BEST_RUN",
    "FIGURE_34",
    "FIGURE_35",
    "FIGURE_41",
    "FIGURE_42",
    "GAMES_OF_CHAPTER_5",
    "SECONDS_OF_CHAPTER_5",
    "SOLVED",
    "TABLE_7",
    "TABLE_8",
    "TABLE_9",
    "TABLE_10",
    "TABLE_11",
    "TABLE_12",
    "TABLE_13",
    "TABLE_14",
    "TABLE_15",
    "TABLE_16",
    "TABLE_17",
    "TABLE_17_GAMES",
    "TABLE_18",
    "Curve",
    "Weight",
]


@dataclass(frozen=True, slots=True)
class Weight:
    """Its mean in a population, and the standard deviation."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Curve:
    """What the text says about a curve: where it begins and ends."""

    first: float
    last: float


# --- Chapter 4: piece networks ---------------------------------------------------------------------------------------

TABLE_9: Final = (
    MatchResult(180, 14, 6),
    MatchResult(171, 26, 3),
    MatchResult(185, 12, 3),
    MatchResult(169, 28, 3),
    MatchResult(174, 25, 1),
    MatchResult(176, 19, 5),
    MatchResult(182, 16, 2),
    MatchResult(183, 15, 2),
    MatchResult(178, 18, 4),
    MatchResult(168, 28, 4),
)
"""Ten runs: the best of generation 50 against the best of generation 0, 200 games at 4 plies."""

BEST_RUN: Final = 3
"""Of Table 9; its players are those of Table 10."""

FIGURE_34: Final = {
    2300: MatchResult(0, 3, 57),
    2100: MatchResult(4, 6, 50),
    1900: MatchResult(14, 10, 36),
    1700: MatchResult(28, 9, 23),
}
"""The best of generation 0 against Rybka at four ratings. The text gives two of them; the others are what fits Table 10
(against 1700, 27 wins and 24 losses fit as well)."""

FIGURE_35: Final = {
    2300: MatchResult(14, 10, 36),
    2100: MatchResult(26, 22, 12),
    1900: MatchResult(47, 9, 4),
    1700: MatchResult(57, 2, 1),
}
"""The best of generation 50 against Rybka at four ratings."""

TABLE_10: Final = (
    Rated("Rybka2300", 2309, 64, 59, 120, 83, 1961, 11),
    Rated("Player50", 2178, 38, 37, 240, 69, 1997, 18),
    Rated("Rybka2100", 2097, 51, 50, 120, 63, 1961, 23),
    Rated("Rybka1900", 1883, 51, 52, 120, 41, 1961, 16),
    Rated("Player0", 1745, 40, 41, 240, 25, 1997, 12),
    Rated("Rybka1700", 1699, 56, 60, 120, 25, 1961, 9),
)
"""Ratings from the games of figures 34 and 35, all at 6 plies."""

TABLE_11: Final[Board] = (
    (0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
    (1.96, 3.83, 4.10, 8.26, 8.08, 4.01, 3.93, 1.57),
    (2.24, 4.09, 7.99, 16.25, 16.19, 7.89, 3.89, 1.76),
    (1.97, 4.09, 12.21, 23.99, 23.85, 12.31, 4.31, 2.06),
    (1.64, 3.74, 4.36, 4.20, 4.23, 3.79, 3.93, 1.99),
    (0.13, 2.14, 1.90, 2.31, 2.21, 2.45, 2.19, 0.15),
    (0.01, 0.17, 0.00, 0.00, 0.00, 0.55, 0.10, 0.23),
    (0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
)
"""Table 7 after 50 generations. a3 went from 2 to 0.13 while no other square moved by more than 0.56."""

# --- Chapter 5: five weights on games of grandmasters ----------------------------------------------------------------

TABLE_12: Final = {
    "pawn": Weight(100.00, 0.00),
    "knight": Weight(499.42, 34.98),
    "bishop": Weight(464.60, 88.67),
    "rook": Weight(469.85, 122.75),
    "queen": Weight(437.57, 85.90),
    "mobility": Weight(97.19, 173.67),
}
"""Run 31, generation 0. Said to be drawn from [400, 500], mobility from [0, 300]: no such deviations fit into that."""

TABLE_13: Final = {
    "pawn": Weight(100.00, 0.00),
    "knight": Weight(310.89, 0.22),
    "bishop": Weight(325.32, 0.45),
    "rook": Weight(514.92, 1.26),
    "queen": Weight(841.61, 2.62),
    "mobility": Weight(5.62, 1.34),
}
"""Run 31, generation 50."""

SECONDS_OF_CHAPTER_5: Final = 214
"""3 minutes 34 seconds for 50 generations, on two cores at 2.8 GHz."""

GAMES_OF_CHAPTER_5: Final = {"average": (84, 16), "best": (85, 15)}
"""Points in 100 games, generation 50 and generation 0, at 4 plies."""

TABLE_14: Final = (
    Rated("Human player", 1737, 132, 92, 10, 90, 1463, 0),
    Rated("Chess engine", 1463, 92, 132, 10, 10, 1737, 0),
)
"""Ten games against a person. The text calls it Table 18."""

# --- Chapter 6: twenty-eight weights, and Hooke-Jeeves ---------------------------------------------------------------

FIGURE_41: Final = {"best": Curve(208, 328), "mean": Curve(187, 328)}
"""Positions of 1,000 that are solved by the best of 20 players, and by their mean, in generations 0 and 200."""

TABLE_16: Final = {
    "pawn": (100, 100),
    "knight": (297, 302),
    "bishop": (315, 319),
    "rook": (502, 506),
    "queen": (923, 910),
    "king_defence": (1650, 1675),
    "king_attack": (-1430, -1425),
    "king_castled": (47, 45),
    "king_pawns": (65, 72),
    "queen_mobility": (5, 9),
    "rook_mobility": (62, 73),
    "rook_open": (45, 46),
    "rook_half_open": (27, 33),
    "rook_ahead": (32, 27),
    "rook_behind": (-8, -7),
    "rook_seventh": (63, 68),
    "rook_seventh_folded": (78, 82),
    "bishop_mobility": (72, 76),
    "knight_mobility": (64, 68),
    "knight_supported": (56, 72),
    "knight_base": (52, 73),
    "knight_rim": (-12, -15),
    "knight_outer": (3, 6),
    "knight_inner": (15, 26),
    "knight_centre": (42, 43),
    "pawn_doubled": (-32, -44),
    "pawn_isolated": (-47, -48),
    "pawn_central": (-44, -41),
    "pawn_passed": (43, 48),
}
"""After the exploration search, and after the exploitation search."""

SOLVED: Final = {"exploration": 32.8, "exploitation": 48.3, "fresh": 47.9}
"""Percent of positions solved at one ply: of those trained on, before and after Hooke-Jeeves, and of 1,000 others."""

TABLE_17_GAMES: Final = MatchResult(142, 25, 32)
"""Exploitation against exploration at 4 plies: "200 games", of which one is missing."""

TABLE_17: Final = (
    Rated("VP exploitation", 2425, 25, 24, 200, 77, 2205),
    Rated("VP200 exploration", 2205, 24, 25, 200, 23, 2425),
)
"""Nothing says what these two were rated against: only the difference is known from the games."""

FIGURE_42: Final = {
    "VP exploitation": MatchResult(14, 118, 68),
    "VP200 exploration": MatchResult(14, 28, 158),
    "VP0 exploration": MatchResult(0, 0, 200),
}
"""Against Chessmaster at 2500, 6 plies. The text gives the first two, Table 18 the third."""

TABLE_18: Final = (
    Rated("Chessmaster2500", 2499, 23, 23, 600, 83, 2074, 24),
    Rated("VP exploitation", 2424, 28, 28, 200, 37, 2499, 59),
    Rated("VP200 exploration", 2197, 39, 43, 200, 14, 2499, 14),
    Rated("VP0 exploration", 1600, 144, 348, 200, 0, 2499, 0),
)
"""Ratings from the games of figure 42."""
