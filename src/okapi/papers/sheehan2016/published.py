"""What the paper published: its tables as data, and what its text says about its figures.

Each table has the paper's number. Figure 7, the layers of the networks, is lost; its caption is that of Figure 6.
"""

from dataclasses import dataclass
from typing import Final

from okapi.recipes.sheehan2016 import BUCKETS, HELD_OUT, TABLE_2, Scheme

__all__ = [
    "ALEKHINE",
    "BASELINE",
    "BUCKETS",
    "FIGURE_5",
    "GAIN",
    "GAMES",
    "HELD_OUT",
    "TABLE_1",
    "TABLE_2",
    "TABLE_3",
    "Board",
    "Scheme",
]


@dataclass(frozen=True, slots=True)
class Board:
    """A board that a figure shows."""

    name: str
    differential: int
    """White's pieces less Black's, by Table 1."""
    stockfish: str
    """As the figure has it: pawns, or a mate."""


GAMES: Final = (10_000, 100_000)
"""Sets of games that were processed, of players rated above 2000 on average; which one trained a net is not told."""

BASELINE: Final = 0.10
"""What guessing gets (section 5)."""

TABLE_1: Final = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9}
"""A king has an infinite value there, which both sides always have."""

TABLE_3: Final = {"Net A": 0.3403, "Net B": 0.1413, "Net C": 0.1960}
"""Shares of the test positions that were put into the right bucket."""

GAIN: Final = 0.1443
"""By which the piece differential improves accuracy (section 5): Net A less Net C of Table 3."""

FIGURE_5: Final = (
    Board("Quick recapture", 1, "0.01"),
    Board("Calm before the storm", 1, "1.08"),
    Board("Likely mate", -1, "34.81 and rising"),
    Board("Sacrificed for victory", -7, "White mate in 3"),
)
"""The last three are from Alekhine against Reshevsky, 1937."""

ALEKHINE: Final = (
    "e4 Nf6 e5 Nd5 Nf3 d6 d4 Bg4 c4 Nb6 Be2 dxe5 Nxe5 Bxe2 Qxe2 Qxd4 O-O N8d7 Nxd7 Nxd7 Nc3 c6 Be3 Qe5 Rad1 e6 Qf3 "
    "O-O-O Bxa7 Qa5 Bd4 Qf5 Qg3 e5 Be3 Bb4 Na4 Ba5 f4 Bc7 b3 f6 fxe5 Qe6 h3 Rhg8 Bd4 Nxe5 Qc3 Nd7 c5 Rge8 b4 Nb8 "
    "Nb6+ Bxb6 cxb6 Qxa2 Qg3 Rd7 Bc5 Qf7 Ra1 Qg6 Qh2 Re5 Ra8 Rd2 Rxb8+ Kxb8 Qxe5+ fxe5 Rf8+"
)
"""The moves of A. Alekhine against S. Reshevsky, Kemeri 1937, from which three boards of Figure 5 are taken."""
