"""
What the thesis published: its tables as data, and what its text says about its figures.

Each table has the thesis' number. Where the thesis made mistakes when it copied the output of its own program, both are
here: what is printed, and what the program had said. Shares are parts of one.
"""

from dataclasses import dataclass
from typing import Final

__all__ = [
    "BOARDS",
    "CORRELATION",
    "CORRELATION_BOARDS",
    "FIGURE_3_4",
    "FIGURE_3_6",
    "FIGURE_3_7",
    "FIGURE_3_9",
    "FIGURE_3_11",
    "FIGURE_3_12",
    "KINDS",
    "NETWORKS",
    "SAMPLES_PER_SECOND",
    "TABLE_2_1",
    "TABLE_3_1",
    "TABLE_3_1_BOARDS",
    "TABLE_3_2",
    "TABLE_3_3",
    "TABLE_3_3_PRINTED",
    "TABLE_3_4",
    "TABLE_3_5",
    "TABLE_3_5_EXPECTED",
    "TABLE_3_5_PLAYED",
    "TABLE_3_6",
    "TABLE_3_7",
    "TOP",
    "TSNE_BOARDS",
    "Matches",
    "Rules",
]

KINDS: Final = ("pawn", "rook", "knight", "bishop", "queen", "king")
"""In the thesis' order: each has a network that says where such a piece goes."""

NETWORKS: Final = ("piece", *KINDS)
"""PIECE says which one moves."""

TOP: Final = (1, 3, 5, 10)
"""So many guesses."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A line of Table 3.2: how near a network is to the rules that nobody told it."""

    squared: float
    """The squared Euclidean distance between its distribution and the masked one."""
    chebyshev: float
    """The largest difference between the two for any square."""
    illegal: float
    """Share of first choices that are illegal."""
    rank: float
    """Of the played move, on average; 1 is the first choice."""
    rank_masked: float


@dataclass(frozen=True, slots=True)
class Matches:
    """A line of Table 3.7: games against Sunfish."""

    method: str
    games: int
    wins: int
    draws: int
    losses: int
    details: str


# --- Data and training ------------------------------------------------------------------------------------------------

TABLE_2_1: Final = {
    "CvC 2009-14": (370_480, 74_162_875),
    "FICS 2014 (avg ELO>2000)": (522_356, 32_598_059),
}
"""Games, and boards."""

SAMPLES_PER_SECOND: Final = 300_000 * 1000 / (2.5 * 24 * 3600)
"""300,000 batches of 1000 took 2 to 3 days (section 2.7)."""

# --- Piece and move networks ------------------------------------------------------------------------------------------

TABLE_3_1: Final = {
    "piece": (0.560, 0.879, 0.958, 0.995),
    "pawn": (0.948, 1.0, 1.0, 1.0),
    "rook": (0.580, 0.852, 0.935, 0.996),
    "knight": (0.773, 0.966, 0.993, 1.0),
    "bishop": (0.770, 0.932, 0.982, 1.0),
    "queen": (0.542, 0.813, 0.904, 0.982),
    "king": (0.717, 0.956, 0.996, 1.0),
}
"""Shares of the top 1, 3, 5 and 10, unmasked. The thesis has no line for the bishop; this one is its program's."""

TABLE_3_1_BOARDS: Final = 1000
"""A single batch."""

BOARDS: Final = 314_740
"""Of Tables 3.2 and 3.3."""

TABLE_3_2: Final = {
    "piece": Rules(3.09e-8, 4.28e-5, 0.0, 2.06342060113, 2.06341424668),
    "pawn": Rules(1.72e-4, 5.82e-4, 0.000045, 1.08001395504, 1.07996844947),
    "rook": Rules(3.74e-3, 1.37e-2, 0.0072, 2.31513493742, 2.28972185557),
    "knight": Rules(1.74e-5, 4.8e-4, 0.0, 1.44417866616, 1.44410761652),
    "bishop": Rules(3.94e-3, 1.15e-2, 0.0047, 1.83962121376, 1.82638963959),
    "queen": Rules(5.49e-3, 1.89e-2, 0.0123, 2.52614094756, 2.47512457486),
    "king": Rules(3.35e-3, 3.82e-3, 0.0033, 1.59097552371, 1.5873805164),
}

TABLE_3_3_PRINTED: Final = {
    "piece": (0.5611, 0.5611),
    "pawn": (0.5360, 0.5360),
    "rook": (0.5098, 0.5126),
    "knight": (0.7277, 0.7277),
    "bishop": (0.5989, 0.6013),
    "queen": (0.4799, 0.4842),
    "king": (0.6449, 0.6476),
}
"""Top 1 before and after masking, as the thesis has them."""

TABLE_3_3: Final = {**TABLE_3_3_PRINTED, "piece": (0.5360, 0.5360), "pawn": (0.9207, 0.9207)}
"""As the program said them: PIECE's numbers had slipped into PAWN's line. PAWN's share after masking was not kept;
with 0.0045 % of illegal first choices it is the same."""

# --- Whole moves ------------------------------------------------------------------------------------------------------

FIGURE_3_4: Final = {1: 0.336, 3: 0.595, 5: 0.721, 10: 0.876, 20: 0.975, 30: 0.996}
"""Whole moves among the top k. The thesis draws a curve, whose error ends below 1 %; its program said these."""

TABLE_3_4: Final = {
    "e2e4": (0.6088475, 2_221_439),
    "d2d4": (0.2467637, 1_618_291),
    "c2c4": (0.0725896, 286_295),
    "g1f3": (0.0334573, 334_741),
    "e2e3": (0.0171652, 62_744),
    "f2f4": (0.0059381, 67_248),
    "g2g3": (0.0052637, 93_072),
    "b1c3": (0.0021147, 98_306),
    "b2b3": (0.0013837, 64_692),
    "c2c3": (0.0013727, 17_449),
    "d2d3": (0.0011852, 43_647),
    "g2g4": (0.0008549, 11_245),
    "h2h3": (0.0007792, 5_814),
    "b2b4": (0.0007009, 13_761),
    "a2a3": (0.0005240, 5_843),
    "g1h3": (0.0002781, 3_875),
    "b1a3": (0.0002716, 1_013),
    "h2h4": (0.0002087, 7_216),
    "a2a4": (0.0002071, 4_967),
    "f2f3": (0.0000310, 9_067),
}
"""First moves: the predicted probability, and how often it was played in the games of the server."""

# --- Sample moves -----------------------------------------------------------------------------------------------------

FIGURE_3_6: Final = {"d2": 0.72, "d2d8": 0.225}
"""Mate in one: probabilities of the piece, and of the whole move."""

FIGURE_3_7: Final = {"g1": 0.95, "g1h1": 0.9}
"""Check and promotion: at least these."""

FIGURE_3_9: Final = {"e1": 0.64, "e1g1": 0.64}
"""Castling: at least these."""

TABLE_3_5: Final = {
    "g8d8": 0.252880722284,
    "g8g7": 0.148237019777,
    "g6e5": 0.13111974299,
    "b7c7": 0.0660261586308,
    "h8h7": 0.0471959412098,
    "c6g2": 0.0403394699097,
    "c6e8": 0.0358173549175,
    "g8c8": 0.0323895104229,
    "b7c8": 0.0302288047969,
    "c6d7": 0.0250529013574,
    "a5a4": 0.0231475103647,
    "g6e7": 0.0229441132396,
    "b7a6": 0.0208601523191,
    "g8a8": 0.0198916308582,
    "b7b8": 0.0190593209118,
    "c6a4": 0.0153007712215,
    "g6f8": 0.0150824002922,
    "g8f8": 0.0115283448249,
    "g8e8": 0.00727259740233,
    "b7a7": 0.00666899653152,
}
"""Carlsen against Anand, Sochi 2014, sixth game, Black's 26th move."""

TABLE_3_5_EXPECTED: Final = "g6e5"
TABLE_3_5_PLAYED: Final = "a5a4"

# --- Evaluation and play ----------------------------------------------------------------------------------------------

FIGURE_3_11: Final = {"c3d5": 0.0545, "d1h5": 0.0144}
"""Taking a queen: V with a discount of 0.7 of the two best boards."""

FIGURE_3_12: Final = {"d2a8": 0.0543, "d2a2": 0.0177}
"""Mate in one, likewise; moves as printed."""

TABLE_3_6: Final = {"pawn": 1, "rook": 5, "knight": 3, "bishop": 3, "queen": 9}

CORRELATION: Final = 0.8194
"""Pearson's, of V with a discount of 0.7 and material."""

CORRELATION_BOARDS: Final = 665_727

TSNE_BOARDS: Final = 10_000
"""Of Figure 3.16."""

TABLE_3_7: Final = (
    Matches("Top-Prob", 73, 7, 20, 46, "10 to 1000 nodes for Sunfish"),
    Matches("TopProb-Negamax", 19, 3, 4, 12, "10 to 100 nodes for Sunfish"),
    Matches("V (0.7) with Negamax", 21, 6, 4, 11, "Negamax 3 or 4 plies deep"),
    Matches("V (0.7) with Negamax", 25, 16, 2, 7, "Negamax 4 plies deep"),
)
"""The last line was played with one colour, without opening variety, at 10 to 97 nodes a move for Sunfish, and took
ConvChess 9 to 29 minutes a game."""
